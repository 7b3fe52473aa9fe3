"""Chromium as the judge of form submission: a page is served to it, a form filled in, and the request it makes caught.

No page script runs (``script-src 'none'``; noscript stays text, as in a browser that runs scripts) and nothing leaves
the machine: every request is answered here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error, Request, Route, sync_playwright

from hometextile.render.finding import find_browser

#: Fills a form as hometextile.forms.entries.fill_in says, and presses a button.
SUBMIT_SCRIPT = """
({form: index, values, button, defaults}) => {
  const form = document.forms[index];
  if (!form) return 'no form';
  const all = [...document.querySelectorAll('input,select,textarea,button')].filter(c => c.form === form);
  const named = name => all.filter(c => (c.getAttribute('name') ?? '') === name && !isButton(c) && c.type !== 'file');
  const isButton = c => ['submit', 'image', 'button', 'reset'].includes(c.type);
  for (const [name, given] of Object.entries(values)) {
    const left = [...given];
    const controls = named(name);
    const shown = controls.some(c => c.type !== 'hidden');
    for (const c of controls) {
      if (c.type === 'checkbox' || c.type === 'radio') c.checked = given.includes(c.value);
      else if (c.type === 'select-multiple') for (const o of c.options) o.selected = given.includes(o.value);
      else if (c.type === 'select-one') {
        const fit = [...c.options].filter(o => given.includes(o.value));
        if (fit.length) fit[fit.length - 1].selected = true; else c.selectedIndex = -1;
      }
      else if ((c.type !== 'hidden' || !shown) && left.length) c.value = left.shift();
    }
  }
  form.setAttribute('novalidate', '');
  form.setAttribute('target', '_self');
  for (const c of all) c.removeAttribute('formtarget');
  const buttons = all.filter(c => ['submit', 'image'].includes(c.type));
  let pressed = null;
  if (button !== null) pressed = buttons[button];
  else if (defaults) pressed = buttons.find(c => !c.matches(':disabled')) ?? null;
  if (pressed) HTMLElement.prototype.click.call(pressed);
  else HTMLFormElement.prototype.requestSubmit.call(form);
  return '';
}
"""

READ_SCRIPT = """
() => [...document.forms].map(form => [...document.querySelectorAll('input,select,textarea,button')]
  .filter(c => c.form === form).map(c => [c.type, c.getAttribute('name') ?? '', c.matches(':disabled')]))
"""


@dataclass
class Sent:
    """What a form sends; no method means that it sends nothing."""

    method: str = ""
    url: str = ""
    content_type: str = ""
    body: bytes = b""

    @property
    def boundary(self) -> bytes:
        """Of a multipart body."""
        _, found, boundary = self.content_type.partition("boundary=")
        return boundary.encode() if found else b""

    def comparable(self) -> tuple[str, str, str, bytes]:
        """All but the boundary, which is any browser's own choice."""
        if not self.boundary:
            return self.method, self.url, self.content_type, self.body
        kind = self.content_type.replace(self.boundary.decode(), "BOUNDARY")
        return self.method, self.url, kind, self.body.replace(self.boundary, b"BOUNDARY")


@dataclass
class Judge:
    """One browser; use as a context manager."""

    executable: str | None = None
    _caught: list[Request] = field(default_factory=list)
    _served: tuple[bytes, str] = (b"", "")
    _loading: bool = False

    def __enter__(self) -> Judge:
        executable = self.executable or find_browser()
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        self.version = self._browser.version
        self._new_page()
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._playwright.stop()

    def _new_page(self) -> None:
        context = self._browser.new_context(locale="en-US", service_workers="block")
        context.route("**/*", self._answer)
        self._page = context.new_page()

    def _answer(self, route: Route, request: Request) -> None:
        body, content_type = self._served
        if self._loading and request.is_navigation_request() and request.frame.parent_frame is None:
            self._loading = False
            headers = {"content-type": content_type, "content-security-policy": "script-src 'none'"}
            route.fulfill(status=200, body=body, headers=headers)
        elif not self._loading and request.is_navigation_request() and request.frame.parent_frame is None:
            self._caught.append(request)
            route.fulfill(status=204)
        else:
            route.abort()

    def load(self, url: str, body: bytes, content_type: str) -> None:
        """Show a page at an address."""
        self._served = (body, content_type)
        if "#" in url and self._page.url != "about:blank":
            self._page.goto("about:blank")  # else the browser only scrolls
        self._loading = True
        try:
            self._page.goto(url, wait_until="domcontentloaded", timeout=20_000)
        except Error:
            self._page.context.close()
            self._new_page()
            self._loading = True
            self._page.goto(url, wait_until="commit", timeout=20_000)

    def encoding(self) -> str:
        """Of the page, in the standard's own letters."""
        return str(self._page.evaluate("document.characterSet"))

    def controls(self) -> list[list[tuple[str, str, bool]]]:
        """Type, name and disabled of each form's controls."""
        found: list[list[Any]] = self._page.evaluate(READ_SCRIPT)
        return [[(kind, name, disabled) for kind, name, disabled in form] for form in found]

    def submit(
        self, form: int, values: dict[str, list[str]], button: int | None = None, *, defaults: bool = True
    ) -> Sent:
        """Fill and submit a form of the page that is shown.

        Args:
            form: its number.
            values: as in ``Query.values``.
            button: the number of the submit button among the form's.
            defaults: press the first that is not disabled when none is named.
        """
        self._caught.clear()
        self._page.evaluate(SUBMIT_SCRIPT, {"form": form, "values": values, "button": button, "defaults": defaults})
        for _ in range(20):
            if self._caught:
                break
            self._page.wait_for_timeout(15)
        if not self._caught:
            return Sent()
        request = self._caught[0]
        return Sent(
            request.method,
            request.url.partition("#")[0],
            request.headers.get("content-type", "") if request.method == "POST" else "",
            request.post_data_buffer or b"",
        )
