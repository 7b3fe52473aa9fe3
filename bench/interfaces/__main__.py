"""``python -m bench.interfaces DIR``: write the interfaces of ours as pages, one folder a domain.

From these the shipped domain models are grown:
``scrapy domain-model learn --fresh --every --source own DIR/DOMAIN/*.html``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.interfaces import interfaces


def main(argv: list[str]) -> int:
    """Write the pages."""
    if len(argv) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    for number, interface in enumerate(interfaces()):
        folder = Path(argv[0]) / interface.domain
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{number:03d}-{interface.library}-{interface.language}.html"
        (folder / name).write_text(interface.page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
