"""A query to the request a browser would send (WHATWG HTML, 4.10.22 "Form submission").

Chromium is the judge (``script/bench submit``); where the two part, docs/forms.md says which is followed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hometextile.forms.addresses import resolve
from hometextile.forms.bodies import multipart, plain, urlencoded
from hometextile.forms.encoders import canonical_name, find_encoding
from hometextile.forms.entries import entry_list
from hometextile.forms.form import Control, Form, Query

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
PLAIN = "text/plain"
_SPACE = "\t\n\f\r "


@dataclass(frozen=True)
class Submission:
    """The request that a form makes.

    Attributes:
        method: ``GET`` or ``POST``.
        url: absolute, ASCII, without a fragment.
        headers: ``Content-Type`` of a POST.
        body: of a POST.
        entries: what was sent, name to value, in order, before encoding.
        encoding: WHATWG name.
    """

    method: str
    url: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    entries: tuple[tuple[str, str], ...] = ()
    encoding: str = "UTF-8"


@dataclass(frozen=True)
class Refused:
    """A form that makes no request.

    Attributes:
        reason: a short word for counting: ``virtual`` (no ``<form>``: script sends it, so the browser must), ``dialog``
            (method ``dialog``), ``javascript`` (such an action), ``scheme`` (neither http nor https), ``address`` (no
            valid URL), ``submitter`` (a button that cannot be pressed), ``control`` (a value for a control that the
            form lacks).
        detail: the action, the name.
    """

    reason: str
    detail: str = ""


def submit(query: Query) -> Submission | Refused:
    """The request a browser sends for a form filled in so.

    Args:
        query: the form with its values and the button pressed; see :func:`hometextile.forms.entries.fill_in` for how
            values are given to controls.

    Returns:
        the request, or why there is none. Never raises for what a page can hold.
    """
    form = query.form
    if form.virtual:
        return Refused("virtual")
    lacking = sorted(set(query.values) - {control.name for control in form.controls})
    if lacking:
        return Refused("control", lacking[0])
    submitter = pressed(query)
    if submitter is not None and (
        submitter.disabled
        or submitter.kind not in ("submit", "image")
        or not any(control is submitter or control == submitter for control in form.controls)
    ):
        return Refused("submitter", submitter.name)
    target = destination(form, submitter)
    if isinstance(target, Refused):
        return target
    method, url = target
    encoding = pick_encoding(form)
    entries = tuple(entry_list(form, query.values, submitter, canonical_name(encoding)))
    if method == "get":
        address = url.partition("#")[0].partition("?")[0] + "?" + urlencoded(entries, encoding).decode("ascii")
        return Submission("GET", address, entries=_told(entries), encoding=canonical_name(encoding))
    body, content_type = _body(_enctype(form, submitter), entries, encoding)
    headers = {"Content-Type": content_type}
    return Submission("POST", url.partition("#")[0], headers, body, _told(entries), canonical_name(encoding))


def destination(form: Form, submitter: Control | None) -> tuple[str, str] | Refused:
    """Where a form goes, whatever is filled in: a button may say otherwise than its form.

    Args:
        form: the form.
        submitter: the button pressed; None for a form without one.

    Returns:
        ``get`` or ``post``, and the absolute URL; or why no request can be made.
    """
    method = _method(form, submitter)
    if method == "dialog":
        return Refused("dialog")
    url = _action(form, submitter)
    return url if isinstance(url, Refused) else (method, url)


def pressed(query: Query) -> Control | None:
    """The button that sends a query: the one named, else the form's default one; none where a script sends it.

    HTML standard, 4.10.22.3: ``submit()`` called by a script has the form itself as submitter, and no button is in the
    entry list.
    """
    if query.submitter is not None or query.by_script:
        return query.submitter
    return default_button(query.form)


def default_button(form: Form) -> Control | None:
    """The first submit button in tree order that can be pressed.

    The standard's default button is the first one, disabled or not, and pressing Enter does nothing if it is disabled;
    a person then presses another.
    """
    return next((c for c in form.controls if c.kind in ("submit", "image") and not c.disabled), None)


def pick_encoding(form: Form) -> str:
    """The encoding a form is sent in: the first label of ``accept-charset`` that is known, else the page's.

    Encodings that cannot be sent (UTF-16, "replacement") become UTF-8.
    """
    for label in form.accept_charset.replace(",", " ").split():
        found = find_encoding(label)
        if found is not None:
            return _output(found)
    return _output(find_encoding(form.page_encoding) or "utf-8")


def _output(encoding: str) -> str:
    return "utf-8" if encoding in ("utf-16le", "utf-16be", "replacement") else encoding


def _method(form: Form, submitter: Control | None) -> str:
    method = form.method
    if submitter is not None and "formmethod" in submitter.attributes:
        method = submitter.attributes["formmethod"]
    method = method.lower()
    return method if method in ("post", "dialog") else "get"


def _enctype(form: Form, submitter: Control | None) -> str:
    enctype = form.enctype
    if submitter is not None and "formenctype" in submitter.attributes:
        enctype = submitter.attributes["formenctype"]
    enctype = enctype.lower()
    return enctype if enctype in (MULTIPART, PLAIN) else URLENCODED


def _action(form: Form, submitter: Control | None) -> str | Refused:
    action = form.action
    if submitter is not None and "formaction" in submitter.attributes:
        action = submitter.attributes["formaction"]
    action = action.strip(_SPACE)
    # An empty action is the document's own address, even under a <base>.
    base = form.base_url or form.url
    encoding = find_encoding(form.page_encoding) or "utf-8"
    url = resolve(action, base, _output(encoding)) if action else resolve(form.url, form.url, "utf-8")
    if url is None:
        return Refused("address", action or form.url)
    scheme = urlsplit(url).scheme
    if scheme == "javascript":
        return Refused("javascript", action)
    if scheme not in ("http", "https"):
        return Refused("scheme", action or form.url)
    return url


def _told(entries: tuple[tuple[str, str | None], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value or "") for name, value in entries)


def _body(enctype: str, entries: tuple[tuple[str, str | None], ...], encoding: str) -> tuple[bytes, str]:
    if enctype == MULTIPART:
        body, boundary = multipart(entries, encoding)
        return body, f"{MULTIPART}; boundary={boundary}"
    if enctype == PLAIN:
        return plain(entries, encoding), PLAIN
    return urlencoded(entries, encoding), URLENCODED
