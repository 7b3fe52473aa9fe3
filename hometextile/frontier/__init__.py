"""What is to be fetched, by whom, when again."""
