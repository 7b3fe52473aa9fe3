"""One page in one tab: answered from what was already fetched, watched, settled, drawn.

The page is not fetched a second time. The browser asks for its address, and the tab answers with the HTML that the
crawl has: cookies, POST answers and politeness come for free. What the page then wants is judged request by request:
style sheets and scripts may come (the proxy judges their addresses), pictures, media and fonts may not, frames are
pages of their own, and the main frame goes nowhere unless an action sends it.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from hometextile.render.actions import Action, act
from hometextile.render.drawing import DRAW_SCRIPT, draw_options
from hometextile.render.guard import AddressGuard

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, FloatRect, Page

logger = logging.getLogger(__name__)

_LEAVE_MS = 3000
#: CSS pixels, either way: a picture of all of a page of 100,000 makes the browser hold 3 GB.
_LONGEST_PICTURE = 16_000.0

#: Kinds of request that a layout does not need.
UNWANTED = frozenset(
    ("Image", "Media", "Font", "Ping", "CSPViolationReport", "TextTrack", "Prefetch", "SignedExchange")
)
_SCHEMES = ("http://", "https://", "data:", "blob:")

#: Headers of the answer that would be wrong once its body is decoded, or that stop the page from being drawn.
_DROPPED_HEADERS = frozenset(
    ("content-length", "content-encoding", "transfer-encoding", "content-type", "connection", "keep-alive", "refresh",
     "content-disposition", "x-frame-options", "strict-transport-security", "alt-svc", "link")
)

#: Before any script of the page: no pop-ups, no ways around the proxy, no questions to the user.
PREPARE_SCRIPT = """
(() => {
  window.open = () => null;
  window.print = () => {};
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
    try { Object.defineProperty(window, name, {value: undefined, writable: true, configurable: true}); } catch (e) {}
  }
  let last = performance.now();
  const watch = () => new MutationObserver(() => { last = performance.now(); })
    .observe(document, {childList: true, subtree: true, characterData: true});
  watch();
  Object.defineProperty(window, "__hometextile_quiet", {value: () => performance.now() - last});
})();
"""
#: Pages that show their text only when it is scrolled to: go through them once, and back. Does nothing for others.
REVEAL_SCRIPT = """
async () => {
  if (!document.documentElement) return false;
  const height = document.documentElement.scrollHeight, window_ = window.innerHeight;
  let hidden = 0, all = 1;
  for (const element of document.querySelectorAll("p,h1,h2,h3,li,td,article,section,div")) {
    let length = 0;
    for (const node of element.childNodes) if (node.nodeType === 3) length += node.data.trim().length;
    if (!length || !element.getClientRects().length) continue;
    all += length;
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) hidden += length;
  }
  if (hidden < 100 || hidden / all < 0.2) return false;
  for (let y = 0; y < Math.min(height, 20 * window_); y += window_ * 0.8) {
    window.scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 40));
  }
  window.scrollTo(0, 0);
  return true;
}
"""
_QUIET = "() => typeof __hometextile_quiet === 'function' ? __hometextile_quiet() : 1e9"


@dataclass
class Limits:
    """How much a page may take.

    Attributes:
        seconds: for the whole page.
        load_seconds: until its ``load`` event; what is there by then is drawn.
        quiet: seconds without a change and without an open request after which a page counts as settled.
        settle_seconds: how long that is waited for.
        patience: for an action's element to be there.
        requests: requests of one page.
        elements: elements that are measured.
        chars: characters of HTML taken.
    """

    seconds: float = 25.0
    load_seconds: float = 10.0
    quiet: float = 0.15
    settle_seconds: float = 4.0
    patience: float = 5.0
    requests: int = 300
    elements: int = 60_000
    chars: int = 20_000_000


@dataclass
class Drawn:
    """A page as the browser drew it.

    Attributes:
        html: its HTML with the layout in it (see :mod:`hometextile.render.drawing`).
        url: its address; another than asked for where an action led on.
        status: HTTP status of the document.
        elements: how many elements carry a box.
        cut: there was more than the limits allow.
        wanted: where a script or the page itself wanted to go; it was not let.
        failed: the action that could not be done, and why; '' where all were.
        slow: the page did not finish loading in time.
        requests: requests by kind (``stylesheet``, ``script``, ``xhr``...), and ``refused``, ``unwanted``, ``frame``.
        seconds: time taken.
        screenshot: a PNG of the window or the page, if asked for.
    """

    html: str
    url: str
    status: int = 200
    elements: int = 0
    cut: bool = False
    wanted: str | None = None
    failed: str = ""
    slow: bool = False
    requests: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    screenshot: bytes | None = None


@dataclass
class Task:
    """What is to be drawn.

    Attributes:
        url: the page's address, http or https.
        html: the page as fetched; None: the browser fetches it itself.
        status, headers: of the answer that ``html`` came in.
        actions: what to do on the page first.
        screenshot: ``page`` for a picture of the whole page, ``window`` for its upper part, '' for none.
    """

    url: str
    html: str | None = None
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()
    actions: Sequence[Action] = ()
    screenshot: str = ""


class Tab:
    """Draws one page in a Playwright page.

    Args:
        page: a new page of a context.
        task: what is to be drawn.
        limits: how much it may take.
        guard: judges where the main frame may go.

    Attributes:
        page: the page that was given.
        left: the page went well and the tab is empty: it may be used again.
        refused: why the main frame was not let go somewhere, None if it was not.
    """

    def __init__(self, page: Page, task: Task, limits: Limits, guard: AddressGuard) -> None:
        self.refused: str | None = None
        self.left = False
        self.page = page
        self._guard = guard
        self._task = task
        self._limits = limits
        self._served = False
        self._acting = False
        self._status = task.status if task.html is not None else 0
        self._wanted: str | None = None
        self._main_frame = ""
        self._open: set[Any] = set()
        self._requests: Counter[str] = Counter()
        self._running: set[asyncio.Task[None]] = set()

    async def draw(self) -> Drawn:
        """Draw the page. Time limits are the caller's, but for loading and settling."""
        cdp = await self.page.context.new_cdp_session(self.page)
        listeners = self._listeners()
        for event, listener in listeners.items():
            self.page.on(event, listener)
        try:
            await self._watch(cdp)
            drawn = await self._drawn()
            await self._leave(cdp)
            return drawn
        finally:
            for event, listener in listeners.items():
                self.page.remove_listener(event, listener)

    async def _drawn(self) -> Drawn:
        start = time.monotonic()
        page, task = self.page, self._task
        slow = False
        try:
            response = await page.goto(task.url, wait_until="load", timeout=self._limits.load_seconds * 1000)
            if response is not None:
                self._status = response.status
        except PlaywrightError as error:
            if "Timeout" not in str(error) or page.is_closed():
                raise
            slow = True
        await self._settle()
        if self._has_scripts() and await page.evaluate(REVEAL_SCRIPT):
            await self._settle()
        failed = await self._act() if task.actions else ""
        picture = None
        if task.screenshot:
            picture = await self._picture()
        options = draw_options(max_elements=self._limits.elements, max_chars=self._limits.chars)
        result = await page.evaluate(DRAW_SCRIPT, options)
        return Drawn(
            html=str(result["html"]), url=page.url, status=self._status, elements=int(result["elements"]),
            cut=bool(result["cut"]), wanted=self._wanted, failed=failed, slow=slow, requests=self._requests,
            seconds=time.monotonic() - start, screenshot=picture,
        )

    async def _picture(self) -> bytes:
        """A picture of the page; a long one is cut, since a picture takes memory by its height."""
        if self._task.screenshot != "page":
            return await self.page.screenshot(animations="disabled")
        size: list[float] = await self.page.evaluate(
            "() => { const all = document.documentElement; return all ? [all.scrollWidth, all.scrollHeight] : [1, 1] }"
        )
        width, height = (max(1.0, min(side, _LONGEST_PICTURE)) for side in size)
        clip: FloatRect = {"x": 0.0, "y": 0.0, "width": width, "height": height}
        return await self.page.screenshot(full_page=True, clip=clip, animations="disabled")

    async def _leave(self, cdp: CDPSession) -> None:
        """Empty the tab while it is still watched: what the page has running ends with it."""
        try:
            await self.page.goto("about:blank", timeout=_LEAVE_MS)
            await cdp.detach()
        except PlaywrightError as error:
            logger.debug("The tab is not used again: %s", error)
        else:
            self.left = True

    def _listeners(self) -> dict[Any, Callable[[Any], Any]]:
        return {
            "request": lambda request: self._open.add(request),
            "requestfinished": lambda request: self._open.discard(request),
            "requestfailed": lambda request: self._open.discard(request),
            "popup": lambda page: self._spawn(_close(page)),
        }

    async def _watch(self, cdp: CDPSession) -> None:
        tree = await cdp.send("Page.getFrameTree")
        self._main_frame = tree["frameTree"]["frame"]["id"]
        cdp.on("Fetch.requestPaused", lambda event: self._spawn(self._judge(cdp, event)))
        await cdp.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _judge(self, cdp: CDPSession, event: dict[str, Any]) -> None:
        """Answer, let go or refuse one request."""
        request: dict[str, Any] = {"requestId": event["requestId"]}
        method, more = self._verdict(event)
        if method == "Fetch.continueRequest" and event["resourceType"] == "Document":
            # The proxy would refuse it too, but an error page would take the place of this one.
            reason = await self._guard.check_async(str(event["request"]["url"]))
            if reason is not None:
                self.refused = self.refused or reason
                method, more = "Fetch.failRequest", {"errorReason": "Aborted"}
        try:
            await cdp.send(method, request | more)
        except PlaywrightError as error:
            # The page is gone or the request was taken back: there is nothing left to answer.
            logger.debug("Not answered: %s: %s", event["request"]["url"][:200], error)

    def _verdict(self, event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        kind, url = str(event["resourceType"]), str(event["request"]["url"])
        if kind == "Document" and event["frameId"] == self._main_frame:
            return self._main_document(url)
        if kind == "Document":
            self._requests["frame"] += 1
            return "Fetch.failRequest", {"errorReason": "Aborted"}
        if kind in UNWANTED:
            self._requests["unwanted"] += 1
            return "Fetch.failRequest", {"errorReason": "BlockedByClient"}
        if self._requests.total() >= self._limits.requests or not url.startswith(_SCHEMES):
            self._requests["refused"] += 1
            return "Fetch.failRequest", {"errorReason": "AccessDenied"}
        self._requests[kind.lower()] += 1
        return "Fetch.continueRequest", {}

    def _main_document(self, url: str) -> tuple[str, dict[str, Any]]:
        if not self._served and self._task.html is not None:
            self._served = True
            return "Fetch.fulfillRequest", {
                "responseCode": self._task.status if 200 <= self._task.status <= 599 else 200,
                "responseHeaders": self._headers(),
                "body": base64.b64encode(self._task.html.encode("utf-8", "replace")).decode("ascii"),
            }
        if self._acting or (self._task.html is None and not self._served):
            # Redirects of the first request come here too, and end at the proxy where they may not be followed.
            self._requests["document"] += 1
            return "Fetch.continueRequest", {}
        self._requests["navigation"] += 1
        self._wanted = self._wanted or url
        # "Aborted" leaves the page as it is; any other reason would put an error page in its place.
        return "Fetch.failRequest", {"errorReason": "Aborted"}

    def _headers(self) -> list[dict[str, str]]:
        kept = [
            {"name": name, "value": value}
            for name, value in self._task.headers
            if name.lower() not in _DROPPED_HEADERS and "\n" not in value and "\r" not in value
        ]
        return [*kept, {"name": "Content-Type", "value": "text/html; charset=utf-8"}]

    async def _settle(self) -> None:
        """Wait until nothing changes and nothing is asked for any more."""
        self._served = True
        end = time.monotonic() + self._limits.settle_seconds
        if not self._open and not self._has_scripts():
            return
        while time.monotonic() < end:
            quiet = float(await self.page.evaluate(_QUIET)) / 1000
            if not self._open and quiet >= self._limits.quiet:
                return
            await asyncio.sleep(max(0.02, min(self._limits.quiet - quiet, self._limits.quiet)))

    def _has_scripts(self) -> bool:
        return self._requests["script"] > 0 or "<script" in (self._task.html or "<script").lower()

    async def _act(self) -> str:
        self._acting = True
        failed = ""
        for action in self._task.actions:
            try:
                await act(self.page, [action], patience=self._limits.patience)
            except PlaywrightError as error:
                if self.page.is_closed():
                    raise
                failed = f"{action}: {str(error).splitlines()[0]}"
                break
        await self._settle()
        self._acting = False
        return failed


async def _close(page: Page) -> None:
    try:
        await page.close()
    except PlaywrightError as error:
        logger.debug("Pop-up not closed: %s", error)
