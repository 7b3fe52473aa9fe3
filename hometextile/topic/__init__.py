"""Relevance, link priority, classification, credibility."""
