"""What is done on a page before its layout is taken: fill, click, load more.

In a site file an action is a mapping with one of the words below and what it is done to::

    - fill: "input[name=q]"        # a CSS selector
      value: 棉布
    - choose: "select#kind"        # an option, by its value or its text
      value: 床品
    - check: "#in-stock"
    - click: "button.search"
    - press: Enter                 # a key
    - wait: ".result"              # until it is there; or a number of seconds
    - more: "a.load-more"          # clicked while it is there and brings something new, `times` at the most
      times: 20
    - scroll: 5                    # to the page's end, so many times
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from playwright.async_api import Page

#: Word to whether it wants a ``value``.
KINDS = {"fill": True, "choose": True, "check": False, "click": False, "press": False, "wait": False, "more": False,
         "scroll": False}
MAX_ACTIONS = 50
MAX_TIMES = 500
MAX_WAIT = 60.0
_WAITS_MS = 300
_COUNT = "() => document.getElementsByTagName('*').length"


@dataclass(frozen=True)
class Action:
    """One thing to do.

    Attributes:
        kind: one of :data:`KINDS`.
        target: a CSS selector; a key for ``press``; '' for ``scroll`` and for a ``wait`` of some seconds.
        value: what to fill in or choose; the seconds of such a ``wait``.
        times: how often at the most, for ``more`` and ``scroll``.
    """

    kind: str
    target: str = ""
    value: str = ""
    times: int = 1

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.target) if part)


def read_actions(items: Iterable[Mapping[str, Any] | Action]) -> tuple[Action, ...]:
    """Actions as they stand in a site file.

    Raises:
        Fault: an action is not understood; its key is ``actions[N]``.
    """
    found: list[Action] = []
    for number, item in enumerate(items):
        found.append(item if isinstance(item, Action) else _read(item, f"actions[{number}]"))
    if len(found) > MAX_ACTIONS:
        raise Fault(_("{n} actions, more than the {limit} allowed").format(n=len(found), limit=MAX_ACTIONS),
                    key="actions")
    return tuple(found)


def _read(item: Mapping[str, Any], key: str) -> Action:
    words = [word for word in item if word in KINDS] if isinstance(item, Mapping) else []
    known = ", ".join(KINDS)
    if len(words) != 1:
        raise Fault(_("not one action"), key=key, remedy=_("write one of: {known}").format(known=known))
    kind = words[0]
    extra = set(item) - {kind, "value", "times"}
    if extra:
        raise Fault(_("unknown key {name}").format(name=sorted(map(str, extra))[0]), key=key,
                    remedy=_("write one of: {known}").format(known=known))
    if KINDS[kind] and not isinstance(item.get("value"), str | int | float):
        raise Fault(_("no value"), key=f"{key}.value", remedy=_("write what {kind} puts in").format(kind=kind))
    times = item.get("times", 10 if kind == "more" else 1)
    target, value = item[kind], item.get("value", "")
    if kind == "scroll":
        times, target = target, ""
    if kind == "wait" and isinstance(target, int | float) and not isinstance(target, bool):
        if not 0 <= target <= MAX_WAIT:
            raise Fault(_("{n} is not a number of seconds from 0 to {limit}").format(n=target, limit=int(MAX_WAIT)),
                        key=f"{key}.wait")
        return Action(kind, "", str(float(target)))
    if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= MAX_TIMES:
        raise Fault(_("not a whole number from 1 to {limit}").format(limit=MAX_TIMES), key=f"{key}.times")
    if not isinstance(target, str) or (not target.strip() and kind != "scroll"):
        raise Fault(_("no selector"), key=f"{key}.{kind}", remedy=_("write a CSS selector, such as #search"))
    return Action(kind, target.strip(), str(value), times)


async def act(page: Page, actions: Sequence[Action], *, patience: float = 5.0) -> None:
    """Do the actions one after another.

    Args:
        page: the page, loaded.
        actions: what to do.
        patience: seconds to wait for an element.

    Raises:
        playwright.async_api.Error: an element was not there in time, or could not be used.
    """
    for action in actions:
        await _ACTS[action.kind](page, action, patience * 1000)


async def _fill(page: Page, action: Action, ms: float) -> None:
    await page.locator(action.target).first.fill(action.value, timeout=ms)


async def _choose(page: Page, action: Action, ms: float) -> None:
    # A single string is matched by value or by label.
    await page.locator(action.target).first.select_option(action.value, timeout=ms)


async def _check(page: Page, action: Action, ms: float) -> None:
    await page.locator(action.target).first.check(timeout=ms)


async def _click(page: Page, action: Action, ms: float) -> None:
    await page.locator(action.target).first.click(timeout=ms)


async def _press(page: Page, action: Action, ms: float) -> None:
    await page.keyboard.press(action.target)


async def _wait(page: Page, action: Action, ms: float) -> None:
    if action.target:
        await page.locator(action.target).first.wait_for(timeout=ms)
    else:
        await asyncio.sleep(float(action.value))


async def _more(page: Page, action: Action, ms: float) -> None:
    button = page.locator(action.target).first
    for _time in range(action.times):
        if not await button.is_visible():
            return
        before = await page.evaluate(_COUNT)
        await button.click(timeout=ms)
        if not await _grows(page, before, ms):
            return


async def _scroll(page: Page, action: Action, ms: float) -> None:
    for _time in range(action.times):
        before = await page.evaluate(_COUNT)
        await page.evaluate("() => window.scrollTo(0, document.documentElement.scrollHeight)")
        if not await _grows(page, before, min(ms, 1500)):
            return


async def _grows(page: Page, before: int, ms: float) -> bool:
    """Whether the page gets more elements in time; then a moment more, for the rest of them."""
    for _step in range(int(ms // 100)):
        await asyncio.sleep(0.1)
        if await page.evaluate(_COUNT) > before:
            await asyncio.sleep(_WAITS_MS / 1000)
            return True
    return False


_ACTS = {"fill": _fill, "choose": _choose, "check": _check, "click": _click, "press": _press, "wait": _wait,
         "more": _more, "scroll": _scroll}
