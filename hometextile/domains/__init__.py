"""Domain packs: data only, one folder a pack."""
