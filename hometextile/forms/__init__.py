"""Query interfaces: reading, submitting, domain model, recognising, filling, choosing keywords, answers."""
