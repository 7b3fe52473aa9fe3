"""One field off one page: a rule applied."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

import lxml.html
from lxml import etree

from hometextile.extract.betweens import between
from hometextile.extract.expressions import elements, find_css, find_xpath, regex
from hometextile.extract.labels import values_beside
from hometextile.extract.schema import FieldRule
from hometextile.page.document import Document
from hometextile.page.reading import text_of
from hometextile.text.dates import read_date
from hometextile.text.normalise import squeeze
from hometextile.text.numbers import plain, read_number
from hometextile.text.prices import read_price
from hometextile.text.quantities import read_quantity

#: Values of one field on one page at the most, and characters of one value.
MOST_VALUES = 10_000
MOST_CHARS = 5_000_000
_LAZY = ("data-original", "data-src", "data-lazy-src", "data-lazy", "data-actualsrc", "data-zoom-image", "src")
_BACKGROUND = re.compile(r"background(?:-image)?\s*:[^;]{0,200}?url\(\s*['\"]?([^'\")\s]{1,2000})", re.I)
_BLANK = re.compile(
    r"(?:^data:|/(?:blank|spacer|loading|lazy|placeholder|grey|transparent)[^/]{0,20}\.(?:gif|png|jpe?g|svg)$)", re.I
)


def select(
    document: Document,
    rule: FieldRule,
    context: Any | None = None,
    *,
    skip: Container[Any] = (),
    now: datetime | None = None,
) -> list[str]:
    """The values that a rule finds.

    Args:
        document: the page.
        rule: how the field is found.
        context: the element to look in (a record of a list); the whole page if None.
        skip: elements that are left out, subtrees and all (a template's ``drop``).
        now: what relative dates count from.

    Returns:
        The values, each converted by the rule's type (dates in ISO 8601, numbers without separators, prices as
        ``29.90 CNY``, quantities as ``200 cm``, absolute addresses); one at the most unless the rule says ``many``.
        Empty when nothing is found and the rule has no default.

    Raises:
        TooCostly: the expression would take too long on this page.
    """
    where = context
    if rule.within is not None:
        containers = [e for e in elements(find_css(document, rule.within, context)) if not _inside(e, skip)]
        where = containers[0] if containers else None
        if where is None:
            return _finished([], rule)
    values: list[str] = []
    for node in _found(document, rule, where, skip)[:MOST_VALUES]:
        if _inside(node, skip):
            continue
        value = _converted(_replaced(_raw(document, rule, node, skip), rule), document, rule, now)
        if value:
            values.append(value[:MOST_CHARS])
            if not rule.many and rule.join is None:
                break
    return _finished(values, rule)


def _finished(values: list[str], rule: FieldRule) -> list[str]:
    if rule.join is not None and values:
        values = [rule.join.join(values)]
    if not values and rule.default is not None:
        return [rule.default]
    return values


def _found(document: Document, rule: FieldRule, context: Any | None, skip: Container[Any]) -> Sequence[Any]:
    if rule.constant is not None:
        return [rule.constant]
    if rule.xpath is not None:
        return find_xpath(document, rule.xpath, context)
    if rule.css is not None:
        return find_css(document, rule.css, context)
    root = document.tree if context is None else context
    if rule.label is not None:
        return values_beside(root, [rule.label] if isinstance(rule.label, str) else rule.label, skip)
    if rule.between is not None:
        return [_parsed(piece) for piece in between(_source(document, context), *rule.between) if piece.strip()]
    assert rule.regex is not None
    text = _source(document, context) if "<" in rule.regex else text_of(root, skip=skip)
    return [_matched(found) for found in regex(rule.regex, "m").finditer(text)]


def _source(document: Document, context: Any | None) -> str:
    return document.text if context is None else _html(context)


def _html(element: Any) -> str:
    return str(etree.tostring(element, encoding="unicode", method="html", with_tail=False))


def _parsed(piece: str) -> Any:
    """A piece of source as an element, so that its text keeps the line breaks of its tags."""
    if "<" not in piece and "&" not in piece:
        return piece.strip()
    try:
        return lxml.html.fragment_fromstring(piece, create_parent="div")
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return piece.strip()


def _matched(found: Any) -> str:
    groups = found.groups()
    value = next((group for group in groups if group is not None), None) if groups else found.group()
    return value or ""


def _inside(node: Any, skip: Container[Any]) -> bool:
    if not skip or not isinstance(node, etree._Element):
        return False
    return node in skip or any(ancestor in skip for ancestor in node.iterancestors())


def _raw(document: Document, rule: FieldRule, node: Any, skip: Container[Any]) -> str:
    """The text that the type's reader is given."""
    if not isinstance(node, etree._Element):
        return str(node).strip()
    if not isinstance(node.tag, str):
        return (node.text or "").strip()
    if rule.type == "html":
        return _html(node)
    if rule.type == "url":
        return _address(node)
    if rule.type == "image":
        return picture_address(node)
    if rule.type == "date" and (machine := node.get("datetime") or node.get("content")):
        return str(machine)
    if node.tag == "meta":
        return str(node.get("content") or "")
    if node.tag in {"input", "textarea"}:
        return str(node.get("value") or node.text or "")
    return text_of(node, skip=skip)


def _address(element: Any) -> str:
    for candidate in (element, *element.iter("a", "area")):
        for name in ("href", "src", "data-href", "data-url", "content"):
            value = candidate.get(name)
            if value and not value.strip().lower().startswith(("javascript:", "#", "mailto:", "tel:")):
                return str(value.strip())
    return ""


def picture_address(element: Any) -> str:
    """The address of the picture that *element* is or holds, as written; lazy loading seen through."""
    for candidate in (element, *element.iter("img", "source")):
        for name in _LAZY:
            value = (candidate.get(name) or "").strip()
            if value and not _BLANK.search(value):
                return value
        widest = largest_of(candidate.get("srcset") or candidate.get("data-srcset") or "")
        if widest:
            return widest
        background = _BACKGROUND.search(candidate.get("style") or "")
        if background:
            return background.group(1)
    return str((element.get("content") or element.get("href") or "").strip())


def largest_of(srcset: str) -> str:
    """The widest picture of a ``srcset``."""
    best, widest = "", -1.0
    for candidate in re.split(r",\s+|,(?=\S+\s+\d)", srcset[:20_000]):
        parts = candidate.split()
        if not parts or parts[0].startswith("data:"):
            continue
        size = re.fullmatch(r"(\d{1,6}(?:\.\d{1,4})?)[wx]", parts[1]) if len(parts) > 1 else None
        width = float(size.group(1)) if size else 0.0
        if width > widest:
            best, widest = parts[0], width
    return best


def _replaced(value: str, rule: FieldRule) -> str:
    for pattern, replacement in rule.replace.items():
        value = regex(pattern, "m").sub(replacement, value)
    return value


def _converted(value: str, document: Document, rule: FieldRule, now: datetime | None) -> str:
    kind = rule.type
    if kind in {"text", "html"}:
        return value.strip()
    if kind == "date":
        return read_date(value, now=now)
    if kind == "price":
        price = read_price(value)
        return str(price) if price else ""
    if kind == "number":
        number = read_number(value)
        return plain(number) if number is not None else ""
    if kind == "quantity":
        quantity = read_quantity(value)
        return str(quantity) if quantity else ""
    return absolute(document, value)


def absolute(document: Document, address: str) -> str:
    """An address made absolute; empty unless it is http or https."""
    address = squeeze(address).replace(" ", "%20")
    if not address:
        return ""
    try:
        joined = urljoin(document.base_url, address)
    except ValueError:
        return ""
    return joined if joined.startswith(("http://", "https://")) else ""
