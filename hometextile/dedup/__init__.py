"""URL and content fingerprints, near-duplicates."""
