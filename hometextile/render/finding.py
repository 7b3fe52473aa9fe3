"""Finding a browser on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

#: Names on the path, best first: the headless shell costs 40 % less CPU than the whole browser.
NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
)

#: Patterns under Playwright's own folder, best first.
_PLAYWRIGHT = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium_headless_shell-*/*/headless_shell.exe",
    "chromium_headless_shell-*/*/chrome-headless-shell.exe",
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
    "chromium-*/chrome-win*/chrome.exe",
)

_MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)

_WINDOWS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")


def find_browser() -> str | None:
    """The path of a Chromium to draw with, or None.

    ``HOMETEXTILE_BROWSER`` wins (``none`` means: do not draw); then a headless shell on the path or of Playwright, then
    any Chromium, Chrome or Edge.
    """
    wish = os.environ.get("HOMETEXTILE_BROWSER", "")
    if wish:
        return None if wish == "none" else shutil.which(wish)
    for name in NAMES[:3]:
        found = shutil.which(name)
        if found:
            return found
    downloaded = _playwright_download()
    if downloaded:
        return downloaded
    for name in NAMES[3:]:
        found = shutil.which(name)
        if found:
            return found
    return next((str(path) for path in _installed() if path.is_file()), None)


def _playwright_download() -> str | None:
    wish = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if wish and wish != "0":
        folder = Path(wish)
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches" / "ms-playwright"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", "")) / "ms-playwright"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME", "") or Path.home() / ".cache") / "ms-playwright"
    for pattern in _PLAYWRIGHT:
        found = sorted(folder.glob(pattern))
        if found:
            return str(found[-1])
    return None


def _installed() -> list[Path]:
    if sys.platform == "darwin":
        return [Path(path) for path in _MAC]
    if sys.platform == "win32":
        roots = [os.environ.get(name, "") for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
        return [Path(root) / path for root in roots if root for path in _WINDOWS]
    return []
