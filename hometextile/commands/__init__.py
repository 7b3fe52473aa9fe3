"""Scrapy commands."""
