"""Search boxes without a form: a text box and a button near each other, driven by script."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

from hometextile.forms.form import Control, Form
from hometextile.page.document import Document

_BOXES = frozenset({"text", "search"})
_BUTTONS = frozenset({"submit", "image", "button"})
#: Words in the class or id of a link or picture that is a button.
_BUTTON_MARKS = ("btn", "button", "search", "submit", "sousuo", "chaxun")
#: How far up from a box its button is looked for, how many elements are looked at, how many controls are one box's own.
_LEVELS = 5
_MOST_ELEMENTS = 400
_MOST_CONTROLS = 40
#: Boxes of a page that are looked at, and groups that are kept; a page with more is an application, not a search page.
_MOST_BOXES = 60
_MOST_FORMS = 12
#: So many groups with a box of one name are rows of a list (quantities), none of them a search box.
_ROWS = 3


def virtual_forms(loose: list[Control], document: Document, base: str) -> list[Form]:
    """Boxes with a button that no form owns, each group as a form.

    Args:
        loose: the controls that no form owns, in tree order.
        document: the page.
        base: the document base URL.

    Returns:
        forms with ``virtual`` set, whose ``element`` is the smallest element that holds box and button. They are
        submitted in the browser.
    """
    by_element = {control.element: control for control in loose if control.element is not None}
    boxes = [c for c in by_element.values() if c.kind in _BOXES and not c.disabled][:_MOST_BOXES]
    groups: dict[Any, Control] = {}
    for box in boxes:
        container = _container(box.element)
        if container is not None:
            groups.setdefault(container, box)
    named = Counter(_name(box) for box in groups.values())
    kept = [container for container, box in groups.items() if named[_name(box)] < _ROWS or not _name(box)]
    return [_form(container, by_element, document, base) for container in kept[:_MOST_FORMS]]


def _name(control: Control) -> str:
    return control.name or control.attributes.get("class", "")


def _form(container: Any, by_element: dict[Any, Control], document: Document, base: str) -> Form:
    return Form(
        controls=[by_element[element] for element in container.iter() if element in by_element],
        name=container.get("id") or "",
        url=document.url,
        base_url=base,
        page_encoding=document.encoding,
        path=container.getroottree().getpath(container),
        virtual=True,
        attributes=dict(container.attrib),
        element=container,
    )


def _container(box: Any) -> Any:
    """The nearest ancestor of a box that holds a button too, None if there is none near."""
    element = box.getparent()
    for _ in range(_LEVELS):
        if element is None or element.tag in ("body", "html", "form"):
            return None
        inside = list(islice(element.iter("input", "select", "button", "a", "img", "span", "i"), _MOST_ELEMENTS))
        controls = sum(child.tag in ("input", "select", "button") for child in inside)
        if len(inside) == _MOST_ELEMENTS or controls > _MOST_CONTROLS:
            return None
        if any(_is_button(child) for child in inside if child is not box):
            return element
        element = element.getparent()
    return None


def _is_button(element: Any) -> bool:
    if element.tag == "button":
        return True
    if element.tag == "input":
        return (element.get("type") or "").lower() in _BUTTONS
    if element.tag == "select":
        return False
    if element.get("onclick") or element.get("role") == "button":
        return True
    told = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
    return any(word in told for word in _BUTTON_MARKS)
