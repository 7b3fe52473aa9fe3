"""From a page to its forms: controls, owners, states, options and words."""

from __future__ import annotations

import re
from typing import Any

from hometextile.forms.addresses import resolve
from hometextile.forms.entries import settle
from hometextile.forms.form import Control, Form, Option
from hometextile.forms.matching import match_elements
from hometextile.forms.ownership import Found, OwnedForm, page_forms
from hometextile.forms.sanitising import INPUT_TYPES, sanitise
from hometextile.forms.virtual import virtual_forms
from hometextile.forms.wording import Wording
from hometextile.page.document import Document

#: Forms read of a page.
MAX_FORMS = 500
_SPACES = re.compile("[\t\n\f\r ]+")
_TO_COLLAPSE = re.compile("[\t\n\f\r]|  |^ | $")


def read_forms(document: Document) -> list[Form]:
    """The forms of a page in document order, then boxes with a button that stand in no form.

    Args:
        document: the page; its ``encoding`` is what forms are sent in.

    Returns:
        every form a browser makes of the page: a form tag within an open form makes none, nor do those in comments,
        ``noscript`` and ``template``. ``Form.element`` and ``Control.element`` are the elements of ``document.tree``,
        None where lxml's tree has none that fits.
    """
    found = page_forms(document.text, tidy=document.tidy)
    if not found.tokens:
        return []
    elements = match_elements(found.tokens, document.tree, found.read)
    base = _base(document.url, found.base)
    forms = [_form(owned, document, base, elements) for owned in found.forms[:MAX_FORMS]]
    loose = [_control(control, elements) for control in found.loose]
    forms += virtual_forms(loose, document, base)
    wording = Wording(document)
    for form in forms:
        for control in form.controls:
            control.words = wording.control(control)
        form.words = wording.form(form)
    return forms


def _base(url: str, href: str | None) -> str:
    """The document base URL (WHATWG HTML, 2.4.1)."""
    if href is None:
        return url
    base = resolve(href, url)
    return base if base is not None and not base.startswith(("data:", "javascript:")) else url


def _form(owned: OwnedForm, document: Document, base: str, elements: dict[int, Any]) -> Form:
    attributes = owned.form.attributes
    element = _element(owned.form, elements)
    method = attributes.get("method", "").lower()
    enctype = attributes.get("enctype", "").lower()
    return Form(
        controls=settle([_control(control, elements) for control in owned.controls]),
        action=attributes.get("action", ""),
        name=attributes.get("name") or attributes.get("id", ""),
        method=method if method in ("post", "dialog") else "get",
        url=document.url,
        base_url=base,
        enctype=enctype if enctype in ("multipart/form-data", "text/plain") else "application/x-www-form-urlencoded",
        accept_charset=attributes.get("accept-charset", ""),
        page_encoding=document.encoding,
        path="" if element is None else element.getroottree().getpath(element),
        attributes=attributes,
        element=element,
    )


def _element(found: Found, elements: dict[int, Any]) -> Any:
    return None if found.token is None else elements.get(found.token.number)


def _control(found: Found, elements: dict[int, Any]) -> Control:
    kind = kind_of(found.tag, found.attributes)
    options = _options(found) if found.tag == "select" else []
    return Control(
        kind=kind,
        name=found.attributes.get("name", ""),
        value=_value(kind, found),
        checked="checked" in found.attributes,
        disabled=found.disabled,
        options=options,
        attributes=found.attributes,
        element=_element(found, elements),
        direction=found.direction,
    )


def kind_of(tag: str, attributes: dict[str, str]) -> str:
    """The type of a control, as the standard names it."""
    kind = attributes.get("type", "").lower()
    if tag == "input":
        return kind if kind in INPUT_TYPES else "text"
    if tag == "button":
        if kind in ("submit", "reset", "button"):
            return kind
        return "button" if "command" in attributes or "commandfor" in attributes else "submit"
    if tag == "select":
        return "select-multiple" if "multiple" in attributes else "select"
    return tag


def _value(kind: str, found: Found) -> str:
    if found.tag == "textarea":
        return sanitise("textarea", str(found.node.text(deep=True)), found.attributes)
    if found.tag == "select":
        return ""
    default = "on" if kind in ("checkbox", "radio") else ""
    value = found.attributes.get("value", default)
    return "" if kind == "file" else sanitise(kind, value, found.attributes) if found.tag == "input" else value


def _options(found: Found) -> list[Option]:
    options = []
    groups = {group.mem_id for group in found.node.css("optgroup[disabled]")}
    plain = found.node.css_first("script") is None
    for node in found.node.css("option"):
        attributes = node.attributes
        text = _collapse(node.text(deep=True) if plain else _option_text(node))
        grouped = bool(groups) and (parent := node.parent) is not None and parent.mem_id in groups
        value = (attributes["value"] or "") if "value" in attributes else text
        label = attributes.get("label")
        options.append(
            Option(value, text or label or "", "selected" in attributes, "disabled" in attributes or grouped)
        )
    return options


def _option_text(node: Any) -> str:
    """The text of an option without scripts."""
    texts = (child for child in node.traverse(include_text=True) if child.is_text_node)
    return "".join(str(text.text_content) for text in texts if text.parent.tag != "script")


def _collapse(text: str) -> str:
    """ASCII white space stripped and collapsed, as an option's text is; an ideographic space stays."""
    return _SPACES.sub(" ", text).strip(" ") if _TO_COLLAPSE.search(text) else text
