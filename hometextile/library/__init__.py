"""Tables, store, search, exports, migrations."""
