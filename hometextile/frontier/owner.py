"""Who a worker is, and whether another one of this machine still lives."""

from __future__ import annotations

import os
import socket
import time
from functools import cache
from hashlib import sha256
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAMESPACE = Path("/proc/self/ns/pid")


@cache
def machine() -> str:
    """12 characters for this machine since its last start; two containers are two machines, since each counts its own
    processes.
    """
    parts = [socket.gethostname()]
    try:
        parts += [_BOOT.read_text(encoding="ascii"), str(_NAMESPACE.stat().st_ino)]
    except OSError:
        parts.append("no /proc")
    return sha256("|".join(parts).encode()).hexdigest()[:12]


def name_worker() -> str:
    """A name for a worker of this process: machine, process, when it was made."""
    return f"{machine()}:{os.getpid()}:{time.time_ns()}"


def process_of(owner: str) -> int | None:
    """The worker's process number, if it is (or was) one of this machine."""
    place, _, rest = owner.partition(":")
    number = rest.partition(":")[0]
    return int(number) if place == machine() and number.isascii() and number.isdigit() else None


def is_dead(owner: str) -> bool:
    """Whether the worker's process is surely gone: it was one of this machine, and there is no such process now."""
    process = process_of(owner)
    if process is None or process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return _is_zombie(process)


def _is_zombie(process: int) -> bool:
    """Whether it has ended and only its parent has not looked yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2][1] == "Z"
    except (OSError, IndexError):
        return False
