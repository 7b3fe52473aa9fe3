"""Scrapy downloader middlewares, one a file."""
