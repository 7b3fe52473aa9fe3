"""Exports: tables, bibliographic records, pages as WARC."""
