"""Scrapy extensions, one a file."""
