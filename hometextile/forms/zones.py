"""Where a form says what it is for: one pass over its elements, its *zones*, and the intents each of them speaks of.

A zone is a place: the button, the box, the labels, the names that programmers gave, the text inside, the text before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urlsplit

from hometextile.forms.controls import MAX_CONTROLS, Seen
from hometextile.forms.form import Control, Form
from hometextile.forms.words import MAX_ZONE, FormWords

_SILENT_TAGS = frozenset({"script", "style", "noscript", "template", "select", "option", "textarea"})
_COUNTED_TAGS = frozenset({"a", "img", "h1", "h2", "h3", "h4", "h5", "h6", "legend"})
_NOT_BEFORE = frozenset({"script", "style", "form", "input", "noscript", "link"})
_MAX_ELEMENTS = 800

TEXT_ZONES = ("button", "box", "labels", "inside", "links", "options", "before")
NAME_ZONES = ("box_name", "control_names", "hidden_names", "button_name", "form_name", "action", "script")


@dataclass
class Zones:
    """The places where a form says what it is for; all texts as they stand.

    Attributes:
        text: zone name to what a person reads there.
        names: zone name to what programmers called it.
    """

    text: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


def _named(control: Control) -> str:
    attributes = control.attributes
    return " ".join((control.name, attributes.get("id", ""), attributes.get("class", "")))


@dataclass
class Inside:
    """A form's own text, without scripts and choices, and what it is made of."""

    text: str = ""
    links: str = ""
    link_count: int = 0
    images: int = 0
    elements: int = 0
    headings: int = 0


def inside_of(form: Form) -> Inside:
    """The form's own text, without scripts and options, in one pass."""
    result = Inside()
    element = form.element
    if element is None:
        result.text = " ".join(form.words.values())[:MAX_ZONE]
        return result
    texts: list[str] = []
    links: list[str] = []
    length = 0
    for node in islice(element.iter(), _MAX_ELEMENTS):
        result.elements += 1
        tag, text = node.tag, None
        if tag in _COUNTED_TAGS:
            if tag == "a":
                result.link_count += 1
                links.append(_short_text(node))
            elif tag == "img":
                result.images += 1
                texts.append(node.get("alt") or "")
            else:
                result.headings += 1
        if tag not in _SILENT_TAGS and isinstance(tag, str):
            text = node.text
        if text and not text.isspace():
            texts.append(text)
            length += len(text)
        if node is not element and (text := node.tail) and not text.isspace():
            texts.append(text)
            length += len(text)
        if length > MAX_ZONE:
            break
    result.text = " ".join(" ".join(texts).split())[:MAX_ZONE]
    result.links = " ".join(links)[:MAX_ZONE]
    return result


def _short_text(node: object) -> str:
    parts = []
    for n, text in enumerate(node.itertext()):  # type: ignore[attr-defined]
        parts.append(text)
        if n > 8:
            break
    return " ".join(" ".join(parts).split())[:80]


def _before(form: Form) -> str:
    """The text just before the form: the nearest heading or words, at most 120 characters."""
    node = form.element
    for _level in range(3):
        if node is None:
            break
        steps = 0
        sibling = node.getprevious()
        parent = node.getparent()
        while sibling is not None and steps < 4:
            steps += 1
            tail = (sibling.tail or "").strip()
            if tail:
                return tail[-120:]
            if isinstance(sibling.tag, str) and sibling.tag not in _NOT_BEFORE:
                text = _short_text(sibling)
                if text:
                    return text[-120:]
            sibling = sibling.getprevious()
        if parent is not None and (parent.text or "").strip():
            return str(parent.text).strip()[-120:]
        node = parent
    return ""


def zones_of(form: Form, inside: Inside, seen: Seen) -> Zones:
    """What stands in each zone of *form*."""
    box, buttons, said = seen.box, seen.buttons, seen.said
    others = [control for control in seen.entries if control is not box]
    attributes = dict(form.element.attrib) if form.element is not None else {}
    try:
        action = urlsplit(form.action.strip())
        path = f"{action.path} {action.query}"
    except ValueError:
        path = form.action
    zones = Zones()
    zones.text = {
        "button": " | ".join(filter(None, map(said, buttons[:6]))),
        "box": f"{said(box)} | {box.value}" if box is not None else "",
        "labels": " | ".join(filter(None, map(said, others[:40]))),
        "inside": inside.text,
        "links": inside.links,
        "options": " | ".join(option.text for control in others[:6] for option in control.options[:8]),
        "before": _before(form) if form.element is not None else form.words.get("before", ""),
    }
    zones.names = {
        "box_name": _named(box) if box is not None else "",
        "control_names": " ".join(control.name for control in others[:60]),
        "hidden_names": " ".join(control.name for control in form.controls[:MAX_CONTROLS] if control.kind == "hidden"),
        "button_name": " ".join(map(_named, buttons[:6])),
        "form_name": " ".join(
            (form.name, attributes.get("id", ""), attributes.get("class", ""), attributes.get("role", ""))
        ),
        "action": path,
        "script": " ".join(
            filter(None, (attributes.get("onsubmit"), *(c.attributes.get("onclick") for c in buttons[:3])))
        ),
    }
    return zones


@dataclass
class Look:
    """What one pass over a form's elements finds, and which intents each zone speaks of."""

    seen: Seen
    inside: Inside
    zones: Zones
    intents: dict[str, frozenset[str]]


def look_at(form: Form, words: FormWords) -> Look:
    """One pass over the form's elements; handed to all who need to know what stands where."""
    seen = Seen(form)
    inside = inside_of(form)
    zones = zones_of(form, inside, seen)
    intents = {zone: words.intents_in(text) for zone, text in zones.text.items()}
    intents.update((zone, words.intents_in_name(text)) for zone, text in zones.names.items())
    return Look(seen, inside, zones, intents)
