"""From resources to the user's own tables."""
