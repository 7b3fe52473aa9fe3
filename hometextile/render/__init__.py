"""The browser: layouts taken, actions done, guarded."""
