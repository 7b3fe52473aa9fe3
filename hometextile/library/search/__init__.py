"""Search: how texts are cut, indexed, asked for, ranked and shown."""
