"""What a person reads about a control and about a form.

Read off lxml's tree, which leaves things where the source has them: beside their controls.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from hometextile.forms.form import Control, Form
from hometextile.page.document import Document

#: Characters kept of any one text.
_MOST = 200
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SILENT = frozenset({"script", "style", "noscript", "template", "select", "option", "textarea", "button", "input"})
_BUTTONS = frozenset({"submit", "image", "button", "reset"})
#: How many siblings are gone back, and how many levels up a heading is looked for.
_BACK = 8
_UP = 4


def short_text(element: Any, most: int = _MOST) -> str:
    """The visible text of an element without that of its controls, white space folded, cut."""
    pieces: list[str] = []
    length = 0
    waiting = [element]
    while waiting and length < most:
        node = waiting.pop()
        if isinstance(node, str):
            text = " ".join(node.split())
            if text:
                pieces.append(text)
                length += len(text) + 1
            continue
        if not isinstance(node.tag, str) or node.tag in _SILENT:
            continue
        # Reversed, since the last one in is the first one out; enough children for the length wanted.
        children: list[Any] = [node.text or ""]
        for child in islice(node, most):
            children += [child, child.tail or ""]
        waiting += reversed(children)
    return " ".join(pieces)[:most]


class Wording:
    """The words of one page's forms.

    Args:
        document: the page.
    """

    def __init__(self, document: Document) -> None:
        self._labels: dict[str, str] = {}
        self._by_id: dict[str, Any] = {}
        self._above: dict[Any, dict[Any, Any]] = {}
        for label in document.tree.iter("label"):
            target = label.get("for")
            if target:
                self._labels.setdefault(target, short_text(label))
        self._tree = document.tree

    def control(self, control: Control) -> dict[str, str]:
        """The words of a control.

        Returns:
            of ``label``, ``placeholder``, ``title``, ``aria``, ``alt``, ``text`` (of a button), ``near`` (the text
            before it, of check boxes and radio buttons the text after), ``header`` (of its table row or column),
            ``legend`` (of its fieldset) those that there are.
        """
        attributes = control.attributes
        told = {
            "placeholder": attributes.get("placeholder", ""),
            "title": attributes.get("title", ""),
            "aria": attributes.get("aria-label", ""),
            "alt": attributes.get("alt", ""),
            "label": self._labels.get(attributes.get("id", ""), "") if attributes.get("id") else "",
        }
        if control.kind in ("submit", "button", "reset"):
            told["text"] = attributes.get("value", "")
        element = control.element
        if element is not None:
            self._beside(control, element, told)
        return {key: folded for key, text in told.items() if (folded := " ".join(text.split())[:_MOST])}

    def _beside(self, control: Control, element: Any, told: dict[str, str]) -> None:
        if not told["aria"] and control.attributes.get("aria-labelledby"):
            told["aria"] = " ".join(self._named(name) for name in control.attributes["aria-labelledby"].split()[:4])
        if element.tag == "button":
            told["text"] = " ".join(short_text(child) for child in _without_own_tag(element)) or told.get("text", "")
        if control.kind == "hidden":
            return
        for ancestor in islice(element.iterancestors(), 12):
            if ancestor.tag == "label" and not told["label"]:
                told["label"] = short_text(ancestor)
            elif ancestor.tag in ("td", "th"):
                told["header"] = self._table_header(ancestor)
                break
            elif ancestor.tag == "fieldset" and "legend" not in told:
                told["legend"] = next((short_text(legend) for legend in ancestor.iterchildren("legend")), "")
            elif ancestor.tag == "form":
                break
        if control.kind not in _BUTTONS:
            told["near"] = _after(element) if control.kind in ("checkbox", "radio") else ""
            told["near"] = told["near"] or _before(element)

    def _table_header(self, cell: Any) -> str:
        """The cell before in the row; where it says nothing, the cell above it in the table's first row."""
        before = cell.getprevious()
        if before is not None and before.tag in ("td", "th"):
            text = short_text(before)
            if text:
                return text
        row = cell.getparent()
        if row is None:
            return ""
        if row not in self._above:
            self._above[row] = _cells_above(row)
        above = self._above[row].get(cell)
        return short_text(above) if above is not None else ""

    def _named(self, identity: str) -> str:
        if not self._by_id:
            for element in self._tree.iter():
                name = element.get("id") if isinstance(element.tag, str) else None
                if name:
                    self._by_id.setdefault(name, element)
        found = self._by_id.get(identity)
        return "" if found is None else short_text(found)

    def form(self, form: Form) -> dict[str, str]:
        """The words of a form whose controls have theirs.

        Returns:
            of ``submit`` (its buttons), ``heading`` (in it, or the nearest before it), ``text`` (what else it says),
            ``title`` and ``aria`` those that there are.
        """
        submit = [
            " ".join(filter(None, (control.words.get(key, "") for key in ("text", "alt", "title", "aria"))))
            for control in form.controls
            if control.kind in _BUTTONS and control.kind != "reset"
        ]
        told = {
            "submit": " ".join(filter(None, submit)),
            "title": form.attributes.get("title", ""),
            "aria": form.attributes.get("aria-label", ""),
        }
        if form.element is not None:
            told["heading"] = _heading(form.element)
            told["text"] = short_text(form.element, 400)
        return {key: folded for key, text in told.items() if (folded := " ".join(text.split())[:400])}


def _without_own_tag(element: Any) -> list[Any]:
    return [element.text or "", *(part for child in element for part in (child, child.tail or ""))]


def _before(element: Any) -> str:
    """The text that stands before a control: in its own parent, else before that."""
    for _ in range(2):
        sibling = element.getprevious()
        for _ in range(_BACK):
            if sibling is None:
                break
            tail = " ".join((sibling.tail or "").split())
            if tail:
                return tail[-_MOST:]
            if isinstance(sibling.tag, str):
                if sibling.tag in ("input", "select", "textarea", "button", "form"):
                    return ""
                text = short_text(sibling)
                if text:
                    return text[-_MOST:]
            sibling = sibling.getprevious()
        element = element.getparent()
        if element is None or element.tag in ("form", "body", "td", "th"):
            return " ".join((element.text or "").split())[-_MOST:] if element is not None else ""
        own = " ".join((element.text or "").split())
        if own:
            return own[-_MOST:]
    return ""


def _after(element: Any) -> str:
    """The text that follows a control in its own parent."""
    tail = " ".join((element.tail or "").split())
    following = element.getnext()
    if not tail and following is not None and isinstance(following.tag, str):
        return short_text(following)
    return tail


def _cells_above(row: Any) -> dict[Any, Any]:
    """The cells of a row to those above them in the table's first row; none if it is that one."""
    table = next(row.iterancestors("table"), None)
    first = next(table.iter("tr"), None) if table is not None else None
    if first is None or first is row:
        return {}
    return dict(zip(row.iterchildren("td", "th"), first.iterchildren("td", "th"), strict=False))


def _heading(element: Any) -> str:
    """The first heading in an element, else the nearest before it or an ancestor of it, else its first legend."""
    inside = next(element.iter(*_HEADINGS), None)
    if inside is not None and (text := short_text(inside)):
        return text
    form = element
    for _ in range(_UP):
        for sibling in islice(element.itersiblings(preceding=True), _BACK):
            if not isinstance(sibling.tag, str):
                continue
            found = sibling if sibling.tag in _HEADINGS else next(sibling.iter(*_HEADINGS), None)
            if found is not None and (text := short_text(found)):
                return text
        element = element.getparent()
        if element is None or element.tag == "body":
            break
    legend = next(form.iter("legend", "caption"), None)
    return "" if legend is None else short_text(legend)
