"""What every test shares: where a missing service or browser may skip a test, and where it may not."""

from __future__ import annotations

import os

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """With ``HOMETEXTILE_NO_SKIPS`` set (CI), a skipped test is a failed one: the service should have been there."""
    report = yield
    if report.skipped and os.environ.get("HOMETEXTILE_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and here nothing may be: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests read messages in English unless they set a locale themselves."""
    for name in ("LANGUAGE", "LC_MESSAGES", "LANG", "HOMETEXTILE_LIBRARY_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
