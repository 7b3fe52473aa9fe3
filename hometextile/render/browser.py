"""The browser: one Chromium, a few contexts, every page closed.

A browser is a guest that grows and falls over. So contexts are renewed after some pages and the browser when it holds
too much memory; it is killed when a page makes it hold far too much; one that crashed is started again and the page
tried once more. Every page is left on every path: after one that went well its tab is emptied and used again, which
costs half of a new one; after any other the tab is closed. Everything the browser asks for goes through
:class:`hometextile.render.proxy.GuardProxy`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from hometextile.render.actions import Action
from hometextile.render.finding import find_browser
from hometextile.render.guard import AddressGuard
from hometextile.render.proxy import GuardProxy
from hometextile.render.tab import PREPARE_SCRIPT, Drawn, Limits, Tab, Task

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Playwright
    from playwright.async_api import Page as BrowserPage

__all__ = ["Browser", "Drawn", "Limits", "RenderFailed", "find_browser"]

logger = logging.getLogger(__name__)

#: Why a page could not be drawn; each is a counter ``render/failed/REASON``.
REASONS = ("no-browser", "refused", "timeout", "crashed", "memory", "broken")

_ARGUMENTS = (
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--blink-settings=imagesEnabled=false",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
    "--disable-gpu",
    "--js-flags=--max-old-space-size=512",
)
_CLOSE_SECONDS = 5.0
_WATCH_SECONDS = 2.0


class RenderFailed(Exception):
    """A page could not be drawn.

    Attributes:
        reason: one of :data:`REASONS`.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


@dataclass
class _Slot:
    """One page at a time, in a context of its own: cookies of two pages never meet."""

    context: BrowserContext | None = None
    page: BrowserPage | None = None
    generation: int = -1
    used: int = 0


class Browser:
    """Draws pages.

    Args:
        guard: what may be asked for; None: public addresses only.
        executable: the browser's path; None: :func:`find_browser`.
        concurrency: pages drawn at once.
        limits: how much one page may take.
        pages_per_context: after so many pages a context is renewed.
        max_memory_mb: the browser is renewed between pages when it holds more, and killed at one and a half times that.
        window: width and height in CSS pixels.
        user_agent: what scripts' requests carry; None: the browser's own.
    """

    def __init__(
        self,
        guard: AddressGuard | None = None,
        *,
        executable: str | None = None,
        concurrency: int = 3,
        limits: Limits | None = None,
        pages_per_context: int = 20,
        max_memory_mb: int = 1500,
        window: tuple[int, int] = (1280, 800),
        user_agent: str | None = None,
    ) -> None:
        self.guard = guard or AddressGuard()
        self.limits = limits or Limits()
        self.restarts = 0
        self._executable = executable
        self._concurrency = concurrency
        self._pages_per_context = pages_per_context
        self._max_memory = max_memory_mb * 1024 * 1024
        self._window = window
        self._user_agent = user_agent
        self._mark = f"--hometextile-browser={uuid.uuid4().hex}"
        self._proxy: GuardProxy | None = None
        self._playwright: Playwright | None = None
        self._chromium: Chromium | None = None
        self._generation = 0
        self._lock = asyncio.Lock()
        self._slots: asyncio.Queue[_Slot] = asyncio.Queue()
        self._watchdog: asyncio.Task[None] | None = None
        self._overfull = self._renewing = False
        self._killed_for_memory = -1

    async def __aenter__(self) -> Browser:
        await self.open()
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    @property
    def refused(self) -> Mapping[str, int]:
        """How many requests of pages the guard refused, by reason."""
        return self._proxy.refused if self._proxy is not None else {}

    async def open(self) -> None:
        """Start the browser.

        Raises:
            RenderFailed: ``no-browser``: there is none, or it does not start.
        """
        async with self._lock:
            if self._proxy is None:
                self._proxy = GuardProxy(self.guard)
                self._address = await self._proxy.open()
                for _number in range(self._concurrency):
                    self._slots.put_nowait(_Slot())
            try:
                await self._start()
            except RenderFailed:
                await self._proxy.close()
                self._proxy = None
                self._slots = asyncio.Queue()
                raise
            if self._watchdog is None:
                self._watchdog = asyncio.get_running_loop().create_task(self._watch_memory())

    async def close(self) -> None:
        """End the browser and everything that belongs to it."""
        if self._watchdog is not None:
            self._watchdog.cancel()
            await asyncio.gather(self._watchdog, return_exceptions=True)
            self._watchdog = None
        async with self._lock:
            await self._stop()
            if self._proxy is not None:
                await self._proxy.close()
                self._proxy = None
                self._slots = asyncio.Queue()

    async def draw(
        self,
        url: str,
        *,
        html: str | None = None,
        status: int = 200,
        headers: Sequence[tuple[str, str]] = (),
        cookies: Mapping[str, str] | None = None,
        actions: Sequence[Action] = (),
        screenshot: str = "",
    ) -> Drawn:
        """Draw a page.

        Args:
            url: its address.
            html: the page as fetched; it is not fetched again. None: the browser fetches it, under the guard.
            status, headers: of the answer that it came in.
            cookies: sent with the requests that the page makes to its own host.
            actions: what to do on the page before it is taken.
            screenshot: ``page``, ``window`` or ''.

        Raises:
            RenderFailed: it could not be drawn; the reason is in the exception.
        """
        reason = await self.guard.check_async(url)
        if reason is not None and (html is None or reason in {"scheme", "bad-url"}):
            raise RenderFailed("refused", f"{url} ({reason})")
        task = Task(url, html, status, headers, actions, screenshot)
        for last in (False, True):
            generation = self._generation
            try:
                return await self._draw_once(task, cookies or {})
            except TimeoutError:
                raise RenderFailed("timeout", url) from None
            except PlaywrightError as error:
                crashed = "crash" in str(error).lower()
                if not crashed and self._alive() and generation == self._generation:
                    raise RenderFailed("broken", f"{url}: {str(error).splitlines()[0]}") from None
                if last:
                    reason = "memory" if self._killed_for_memory >= generation else "crashed"
                    raise RenderFailed(reason, url) from None
            await self._restart_if_dead()
        raise AssertionError("unreachable")

    async def _draw_once(self, task: Task, cookies: Mapping[str, str]) -> Drawn:
        slot = await self._slots.get()
        try:
            async with asyncio.timeout(self.limits.seconds):
                context = await self._context(slot)
                page, slot.page = slot.page, None
                await context.clear_cookies()
                if cookies:
                    await context.add_cookies([{"name": n, "value": v, "url": task.url} for n, v in cookies.items()])
                tab = Tab(page or await context.new_page(), task, self.limits, self.guard)
                drawn = await self._in_tab(tab, task)
                if not drawn.html:
                    raise RenderFailed("broken", f"{task.url}: its scripts took all of it away")
                slot.page = tab.page if tab.left else None
                return drawn
        finally:
            # Shielded: a cancelled crawl closes its pages too.
            await asyncio.shield(self._tidy(slot))
            self._slots.put_nowait(slot)
            if self._overfull and not self._renewing:
                await self._renew()

    @staticmethod
    async def _in_tab(tab: Tab, task: Task) -> Drawn:
        try:
            return await tab.draw()
        except PlaywrightError:
            if task.html is None and tab.refused is not None:
                raise RenderFailed("refused", f"{task.url} ({tab.refused})") from None
            raise

    async def _context(self, slot: _Slot) -> BrowserContext:
        if slot.context is None or slot.generation != self._generation:
            async with self._lock:
                if self._chromium is None:
                    raise PlaywrightError("the browser is closed")
                chromium, slot.generation = self._chromium, self._generation
            slot.context = await chromium.new_context(
                viewport={"width": self._window[0], "height": self._window[1]},
                user_agent=self._user_agent,
                accept_downloads=False,
                service_workers="block",
                ignore_https_errors=True,
            )
            slot.used, slot.page = 0, None
            await slot.context.add_init_script(PREPARE_SCRIPT)
        slot.used += 1
        return slot.context

    async def _tidy(self, slot: _Slot) -> None:
        """Close the slot's pages but an emptied one, and its context when it is worn out or does not answer."""
        context = slot.context
        if context is None or slot.generation != self._generation:
            slot.context = slot.page = None
            return
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                for page in context.pages:
                    if page is not slot.page:
                        await page.close()
                if slot.used >= self._pages_per_context:
                    slot.context = slot.page = None
                    await context.close()
        except TimeoutError:
            slot.context = slot.page = None
            logger.debug("A page did not close; the browser is restarted.")
            await self._restart(slot.generation)
        except PlaywrightError as error:
            slot.context = slot.page = None
            logger.debug("Not closed: %s", error)

    def _alive(self) -> bool:
        return self._chromium is not None and self._chromium.is_connected()

    async def _restart_if_dead(self) -> None:
        if not self._alive():
            await self._restart(self._generation)

    async def _restart(self, generation: int) -> None:
        async with self._lock:
            if generation != self._generation or self._proxy is None:
                return  # somebody else has done it, or we are closing
            self.restarts += 1
            await self._stop()
            await self._start()

    async def _renew(self) -> None:
        """Restart between pages: wait until every slot is free."""
        self._renewing = True
        slots: list[_Slot] = []
        try:
            while len(slots) < self._concurrency:
                slots.append(await self._slots.get())
            await self._restart(self._generation)
        finally:
            self._overfull = self._renewing = False
            for slot in slots:
                self._slots.put_nowait(slot)

    async def _start(self) -> None:
        executable = self._executable or find_browser()
        if executable is None:
            raise RenderFailed("no-browser", "none found")
        try:
            self._playwright = await async_playwright().start()
            self._chromium = await self._playwright.chromium.launch(
                executable_path=executable,
                # Chromium's sandbox does not run as root; anywhere else it stays on.
                chromium_sandbox=getattr(os, "geteuid", lambda: 1)() != 0,
                args=[f"--proxy-server={self._address}", *_ARGUMENTS, self._mark],
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=30_000,
            )
        except (PlaywrightError, OSError) as error:
            await self._stop()
            raise RenderFailed("no-browser", str(error).splitlines()[0]) from None
        self._generation += 1

    async def _stop(self) -> None:
        chromium, self._chromium = self._chromium, None
        playwright, self._playwright = self._playwright, None
        if chromium is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await chromium.close()
        self._kill()
        if playwright is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await playwright.stop()

    def _processes(self) -> list[psutil.Process]:
        """Our own browser's processes, told by the mark on its command line."""
        found: list[psutil.Process] = []
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if self._mark in child.cmdline():
                    found += [child, *child.children(recursive=True)]
        return found

    def _kill(self) -> None:
        for process in self._processes():
            with contextlib.suppress(psutil.Error):
                process.kill()

    def memory(self, *, exact: bool = False) -> int:
        """Bytes that the browser's processes hold.

        Args:
            exact: share out pages that several processes hold (Linux; slower), instead of counting them for each.
        """
        total = 0
        for process in self._processes():
            with contextlib.suppress(psutil.Error):
                held = process.memory_full_info() if exact else process.memory_info()
                total += int(getattr(held, "pss", held.rss))
        return total

    async def _watch_memory(self) -> None:
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            held = await asyncio.to_thread(self.memory)
            if held > self._max_memory:
                held = await asyncio.to_thread(self.memory, exact=True)
            if held > 1.5 * self._max_memory:
                self._killed_for_memory = self._generation
                logger.warning("The browser held %d MB and was ended.", held // 2**20)
                self._kill()
            elif held > self._max_memory:
                self._overfull = True
