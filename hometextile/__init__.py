"""hometextile fills a topical library from the web, the deep web above all."""

__version__ = "0.1.0"
