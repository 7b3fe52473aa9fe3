"""Scrapy spider middlewares, one a file."""
