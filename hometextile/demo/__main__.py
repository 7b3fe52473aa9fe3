"""``python -m hometextile.demo``: serve the demo source until it is interrupted, or print its truth."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading

from hometextile.demo.server import serve
from hometextile.demo.truth import truth
from hometextile.text.messages import _


def main(argv: list[str] | None = None) -> int:
    """Run the demo source.

    Returns:
        0 after an interrupt; 2 when the port is taken.
    """
    parser = argparse.ArgumentParser(prog="python -m hometextile.demo", description=_("Serve the demo source."))
    parser.add_argument("--host", default="127.0.0.1", help=_("address to listen on"))
    parser.add_argument("--port", type=int, default=0, help=_("port, 0 for a free one"))
    parser.add_argument("--visit", type=int, choices=(1, 2, 3), default=1, help=_("which weekly visit to play"))
    parser.add_argument("--slow", type=float, default=2.0, help=_("seconds that the slow page takes"))
    parser.add_argument("--truth", action="store_true", help=_("print the truth as JSON lines and leave"))
    arguments = parser.parse_args(argv)
    if arguments.truth:
        for row in truth(arguments.visit):
            print(json.dumps(row, ensure_ascii=False))
        return 0
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    try:
        server = serve(arguments.host, arguments.port, visit=arguments.visit, slow=arguments.slow)
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    with server:
        print(server.address + "/", flush=True)
        stop.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
