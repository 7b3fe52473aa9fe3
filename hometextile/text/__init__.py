"""Encodings, words, dates, numbers, prices, quantities: the ground floor."""
