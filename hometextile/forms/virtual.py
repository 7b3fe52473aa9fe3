"""Search boxes without a form: a text box and a button near each other, driven by script."""

from __future__ import annotations

from typing import Any

from hometextile.forms.form import Control, Form
from hometextile.page.document import Document

_BOXES = frozenset({"text", "search"})
_BUTTONS = frozenset({"submit", "image", "button"})
#: How far up from a box its button is looked for, and how much an element may hold to be the box's own.
_LEVELS = 6
_MOST_CONTROLS = 40
#: Virtual forms of a page; a page with more is an application, not a search page.
_MOST_FORMS = 20


def virtual_forms(loose: list[Control], document: Document, base: str) -> list[Form]:
    """Boxes with a button that no form owns, each group as a form.

    Args:
        loose: the controls that no form owns, in tree order.
        document: the page.
        base: the document base URL.
    """
    groups: dict[Any, list[Control]] = {}
    by_element = {control.element: control for control in loose if control.element is not None}
    for control in loose:
        if control.kind in _BOXES and not control.disabled and control.element is not None:
            container = _container(control.element)
            if container is not None and container not in groups and len(groups) < _MOST_FORMS:
                groups[container] = [by_element[e] for e in container.iter() if e in by_element]
    return [
        Form(
            controls=controls,
            name=container.get("id") or "",
            url=document.url,
            base_url=base,
            page_encoding=document.encoding,
            path=container.getroottree().getpath(container),
            virtual=True,
            attributes=dict(container.attrib),
            element=container,
        )
        for container, controls in groups.items()
    ]


def _container(box: Any) -> Any:
    """The nearest ancestor of a box that holds a button too."""
    element = box.getparent()
    for _ in range(_LEVELS):
        if element is None or element.tag in ("body", "html", "form"):
            return None
        controls = 0
        pressed = False
        for child in element.iter("input", "button", "a", "img", "span", "i", "div"):
            if child.tag in ("input", "button"):
                controls += 1
                if controls > _MOST_CONTROLS:
                    return None
            pressed = pressed or _is_button(child, box)
        if pressed:
            return element
        element = element.getparent()
    return None


def _is_button(element: Any, box: Any) -> bool:
    if element is box:
        return False
    kind = (element.get("type") or "").lower()
    if element.tag == "button":
        return True
    if element.tag == "input":
        return kind in _BUTTONS
    if element.get("onclick") or element.get("role") == "button":
        return True
    told = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
    return element.tag in ("a", "img", "span", "i") and any(
        word in told for word in ("btn", "button", "search", "submit")
    )
