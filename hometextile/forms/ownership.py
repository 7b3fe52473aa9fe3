"""Forms and the controls they own, as a browser's parser would have it.

The tree is lexbor's (WHATWG tree construction); the owner of each control is found as the standard says (WHATWG HTML,
4.10.17.3 "Association of controls and forms"): its ``form`` attribute, else the form element pointer at the moment its
tag was read, else its nearest form ancestor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from hometextile.forms.source import mark
from hometextile.forms.tokens import MARK, Token

_CONTROLS = "input,select,textarea,button"


@dataclass
class Found:
    """A form or a control in the browser's tree.

    Attributes:
        tag: element name.
        attributes: name to value.
        token: the tag in the source; None where the parser made the element up.
        node: lexbor's node.
        disabled: by itself or by a fieldset.
        direction: ``ltr``, ``rtl`` or ``auto``.
    """

    tag: str
    attributes: dict[str, str]
    token: Token | None
    node: Any
    disabled: bool = False
    direction: str = "ltr"


@dataclass
class OwnedForm:
    """A form with its controls in tree order."""

    form: Found
    controls: list[Found] = field(default_factory=list)


@dataclass
class PageForms:
    """The forms of a page.

    Attributes:
        forms: in tree order.
        loose: controls that no form owns, in tree order.
        tokens: the form tags of the source.
        base: the value of the first ``<base href>``, None if there is none.
    """

    forms: list[OwnedForm] = field(default_factory=list)
    loose: list[Found] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    base: str | None = None

    @property
    def read(self) -> dict[int, dict[str, str]]:
        """The attributes of the tags that made a form or a control, by the tag's number."""
        made = [*self.loose, *(one for owned in self.forms for one in (owned.form, *owned.controls))]
        return {one.token.number: one.attributes for one in made if one.token is not None}


@dataclass(frozen=True)
class _Context:
    """What an element inherits from its ancestors."""

    form: int | None = None
    disabled: bool = False
    direction: str = "ltr"


def page_forms(source: str, *, tidy: bool | None = None) -> PageForms:
    """Parse a page and give each control to its form.

    Args:
        source: the page.
        tidy: see :func:`hometextile.forms.source.mark`.
    """
    marked = mark(source, tidy=tidy)
    if not marked.tokens:
        return PageForms()
    parser = LexborHTMLParser(marked.text)
    base = parser.css_first("base[href]")
    found = PageForms(tokens=marked.tokens, base=None if base is None else base.attributes.get("href") or "")
    contexts = _Contexts()
    # What few pages have is looked for in all of them at once; where it is, each control's ancestors are gone through.
    inherits = parser.css_first("fieldset[disabled],[dir]") is not None
    forms: dict[int, OwnedForm] = {}
    controls: list[Found] = []
    for node in parser.css(f"form,{_CONTROLS}"):
        element = _found(node, marked.tokens, contexts.of(node) if inherits else _NO_CONTEXT)
        if element.tag == "form":
            forms[node.mem_id] = OwnedForm(element)
        else:
            controls.append(element)
    found.forms = list(forms.values())
    pointers = _pointers(marked.tokens, found.forms)
    named = {c.attributes["form"] for c in controls if "form" in c.attributes}
    by_id = _first_with_id(parser, named)
    for control in controls:
        owner = _owner(control, pointers, by_id, contexts)
        if owner is not None and owner in forms:
            forms[owner].controls.append(control)
        else:
            found.loose.append(control)
    return found


_NO_CONTEXT = _Context()


def _found(node: Any, tokens: list[Token], context: _Context) -> Found:
    attributes = {key: value or "" for key, value in node.attributes.items()}
    number = attributes.pop(MARK, None)
    token = tokens[int(number)] if number is not None and number.isdigit() and int(number) < len(tokens) else None
    tag = node.tag
    disabled = tag != "form" and ("disabled" in attributes or context.disabled)
    return Found(tag, attributes, token, node, disabled, _direction(tag, attributes, context.direction))


def _direction(tag: str, attributes: dict[str, str], inherited: str) -> str:
    own = attributes.get("dir", "").lower()
    if own in ("ltr", "rtl", "auto"):
        return own
    if tag == "input" and attributes.get("type", "").lower() == "tel":
        return "ltr"
    return inherited


class _Contexts:
    """Contexts by node, each ancestor visited once, however deep and wide the page."""

    def __init__(self) -> None:
        self._known: dict[int, _Context] = {}

    def of(self, node: Any) -> _Context:
        chain = []
        while node is not None and node.mem_id not in self._known:
            chain.append(node)
            node = node.parent
        context = self._known[node.mem_id] if node is not None else _Context()
        for child in reversed(chain):
            parent = child.parent
            if parent is not None:
                context = self._below(parent, child, context)
            self._known[child.mem_id] = context
        return context

    @staticmethod
    def _below(parent: Any, child: Any, context: _Context) -> _Context:
        attributes = parent.attributes
        form = parent.mem_id if parent.tag == "form" else context.form
        disabled = context.disabled
        if parent.tag == "fieldset" and "disabled" in attributes:
            disabled = disabled or not _is_first_legend(child, parent)
        direction = (attributes.get("dir") or "").lower()
        if direction not in ("ltr", "rtl", "auto"):
            direction = context.direction
        return _Context(form, disabled, direction)


def _is_first_legend(child: Any, fieldset: Any) -> bool:
    if child.tag != "legend":
        return False
    sibling = fieldset.child
    while sibling is not None and sibling.tag != "legend":
        sibling = sibling.next
    return sibling is not None and sibling.mem_id == child.mem_id


def _pointers(tokens: list[Token], forms: list[OwnedForm]) -> list[int | None]:
    """The form element pointer as each tag was read: the form's node, or None."""
    made = {form.form.token.number: form.form.node.mem_id for form in forms if form.form.token is not None}
    pointer: int | None = None
    pointers: list[int | None] = []
    for token in tokens:
        if token.end:
            pointer = None
        elif token.name == "form" and token.number in made:
            pointer = made[token.number]
        pointers.append(pointer)
    return pointers


def _first_with_id(parser: LexborHTMLParser, names: set[str]) -> dict[str, int]:
    """Of the wanted ids, the node that bears it first in tree order."""
    first: dict[str, int] = {}
    if names - {""}:
        for node in parser.css("[id]"):
            identity = node.attributes.get("id")
            if identity and identity in names:
                first.setdefault(identity, node.mem_id)
    return first


def _owner(control: Found, pointers: list[int | None], by_id: dict[str, int], contexts: _Contexts) -> int | None:
    if "form" in control.attributes:
        return by_id.get(control.attributes["form"])
    if control.token is not None and (pointer := pointers[control.token.number]) is not None:
        return pointer
    return contexts.of(control.node).form
