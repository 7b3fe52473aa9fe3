"""``python -m bench NAME ...``: run one benchmark, or list them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

_NOT_BENCHMARKS = {"__init__", "__main__", "score", "gate"}


def names() -> list[str]:
    """The benchmarks there are: modules of this package with a ``main``."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem not in _NOT_BENCHMARKS and "\ndef main(" in path.read_text(encoding="utf-8"):
            found.append(path.stem)
    return found


def main(argv: list[str]) -> int:
    if not argv or argv[0] in {"-h", "--help"}:
        print("script/bench NAME --data DIR [--peers] [--shipped] [--out FILE]\nNAME:", ", ".join(names()))
        return 0 if argv else 2
    if argv[0] not in names():
        print(f"no benchmark {argv[0]!r}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    module = importlib.import_module(f"bench.{argv[0]}")
    return int(module.main(argv[1:]) or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
