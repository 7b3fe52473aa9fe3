"""The spiders: one for every site file."""
