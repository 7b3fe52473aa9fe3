"""Scrapy item pipelines: one step of the way of a page each."""
