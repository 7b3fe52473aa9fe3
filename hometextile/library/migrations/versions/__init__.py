"""One file a revision, by number."""
