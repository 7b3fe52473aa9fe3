"""What other Python libraries make of the same forms: Scrapy, form2request, MechanicalSoup."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable

import form2request
import mechanicalsoup
import requests
import scrapy
from bs4 import XMLParsedAsHTMLWarning
from lxml.html import HtmlElement
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.http import HtmlResponse

from bench.chromium import Sent

#: url, body, content type, number of the form, values, number of the button.
Peer = Callable[[str, bytes, str, int, dict[str, list[str]], int | None], Sent]

#: What they raise on real pages; it counts as a wrong answer.
PEER_ERRORS = (ValueError, LookupError, TypeError, AttributeError, NotImplementedError, RuntimeError, OSError)
_BUTTONS = './/*[(self::input and (@type="submit" or @type="image")) or (self::button and not(@type!="submit"))]'


def _response(url: str, body: bytes, content_type: str) -> HtmlResponse:
    return HtmlResponse(url, body=body, headers={"Content-Type": content_type})


def by_scrapy(
    url: str, body: bytes, content_type: str, form: int, values: dict[str, list[str]], button: int | None
) -> Sent:
    """``FormRequest.from_response``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScrapyDeprecationWarning)
        click = {} if button is None else {"clickdata": {"nr": button}}
        request = scrapy.FormRequest.from_response(
            _response(url, body, content_type), formnumber=form, formdata=dict(values), **click
        )
    kind = (request.headers.get("Content-Type") or b"").decode("latin-1")
    return Sent(request.method, request.url.partition("#")[0], kind if request.method == "POST" else "", request.body)


def by_form2request(
    url: str, body: bytes, content_type: str, form: int, values: dict[str, list[str]], button: int | None
) -> Sent:
    """``form2request``."""
    selector = _response(url, body, content_type).css("form")[form]
    data = [(name, value) for name, given in values.items() for value in given]
    root: HtmlElement = selector.root
    click = None if button is None else root.xpath(_BUTTONS)[button]
    made = form2request.form2request(selector, data, click=click)
    kind = dict(made.headers).get("Content-Type", "") if made.method == "POST" else ""
    return Sent(made.method, made.url.partition("#")[0], kind, made.body)


def by_mechanicalsoup(
    url: str, body: bytes, content_type: str, form: int, values: dict[str, list[str]], button: int | None
) -> Sent:
    """``mechanicalsoup``."""
    answer = requests.Response()
    answer._content, answer.status_code, answer.url = body, 200, url
    answer.headers["Content-Type"] = content_type
    answer.encoding = requests.utils.get_encoding_from_headers(answer.headers)
    mechanicalsoup.Browser.add_soup(answer, {"features": "lxml"})
    tag = answer.soup.find_all("form")[form]
    filled = mechanicalsoup.Form(tag)
    for name, given in values.items():
        filled.set(name, given[0] if len(given) == 1 else given)
    buttons = tag.find_all(
        lambda t: (
            (t.name == "input" and t.get("type") in ("submit", "image"))
            or (t.name == "button" and t.get("type", "submit") == "submit")
        )
    )
    filled.choose_submit(buttons[button or 0] if buttons else None)
    with mechanicalsoup.Browser() as browser:
        made = requests.Request(**browser.get_request_kwargs(tag, url)).prepare()
    sent = made.body or b""
    kind = made.headers.get("Content-Type", "") if made.method == "POST" else ""
    return Sent(
        made.method or "",
        (made.url or "").partition("#")[0],
        kind,
        sent.encode() if isinstance(sent, str) else sent,
    )


PEERS: dict[str, Peer] = {
    "Scrapy from_response": by_scrapy,
    "form2request": by_form2request,
    "MechanicalSoup": by_mechanicalsoup,
}


def ask(peer: Peer, url: str, body: bytes, content_type: str, form: int, values: dict[str, list[str]], button: int | None) -> Sent:  # fmt: skip # noqa: E501
    """A peer's request; nothing where it fails."""
    logging.getLogger("scrapy").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
            return peer(url, body, content_type, form, values, button)
    except (*PEER_ERRORS, mechanicalsoup.LinkNotFoundError):
        return Sent()
