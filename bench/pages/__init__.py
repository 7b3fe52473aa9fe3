"""Rendered pages: the programs that make them, what is main on them, and how they are measured."""
