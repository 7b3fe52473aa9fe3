"""Segmentation, features, importance, topic blocks, regions, records."""
