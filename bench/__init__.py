"""Benchmarks: ``script/bench NAME --data DIR``, one module a name."""
