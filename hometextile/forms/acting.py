"""A query as what a person does in the browser: for boxes without a form, and forms that a script sends.

The actions are those of :mod:`hometextile.render.actions`, as plain data.
"""

from __future__ import annotations

import re
from typing import Any

from hometextile.forms.controls import BUTTON_KINDS
from hometextile.forms.form import Control, Form, Query

#: Seconds that a page's script gets for its answer.
_WAIT = 1.5
#: How often a button that loads more is pressed in one answer.
_PRESSES = 50
_PLAIN = re.compile(r"[A-Za-z0-9_\-.:]{1,80}\Z")
_SCRIPT = re.compile(r"\s*javascript:", re.IGNORECASE)


def needs_browser(form: Form) -> bool:
    """Whether only a script sends the form."""
    return form.virtual or bool(_SCRIPT.match(form.action))


def actions_of(query: Query) -> list[dict[str, Any]]:
    """Fill in, press, wait.

    Args:
        query: its ``box`` takes the keyword.

    Returns:
        Empty where there is no box, or none that a browser could be told of.
    """
    box = query.box
    target = _selector(box) if box is not None else ""
    if not target or query.keyword is None:
        return []
    button = query.submitter or _button(query.form)
    press = _selector(button) if button is not None else ""
    if not press and query.form.virtual:
        press = _like_a_button(query.form)
    send: list[dict[str, Any]] = [{"click": press}] if press else [{"press": "Enter"}]
    return [{"fill": target, "value": query.keyword}, *send, {"wait": _WAIT}]


def opening(button: str) -> list[dict[str, Any]]:
    """Press a button that loads more of an answer, until it brings nothing new.

    Args:
        button: its selector.
    """
    return [{"more": button, "times": _PRESSES}]


def keep_selectors(form: Form) -> None:
    """Write down where the form's controls stand, while its page is there: a form is kept longer than its page."""
    for control in form.controls:
        if control.element is not None:
            control.attributes.setdefault("data-at", _path(control.element))
    if form.virtual and form.element is not None:
        form.attributes["data-button"] = next(
            (_path(e) for e in form.element.iter("a", "span", "img", "i", "button") if _presses(e)), ""
        )


def _button(form: Form) -> Control | None:
    buttons = [c for c in form.controls if c.kind in BUTTON_KINDS and c.kind != "reset" and not c.disabled]
    return buttons[0] if buttons else None


def _like_a_button(form: Form) -> str:
    path = form.attributes.get("data-button", "")
    return f"xpath={path}" if path else ""


def _presses(element: Any) -> bool:
    told = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
    return bool(
        element.tag == "button"
        or element.get("onclick")
        or element.get("role") == "button"
        or any(word in told for word in ("btn", "button", "search", "submit", "sousuo", "chaxun"))
    )


def _selector(control: Control) -> str:
    """A control by its id or name, else by its place in the page."""
    attributes = control.attributes
    for name in ("id", "name"):
        value = attributes.get(name, "")
        if _PLAIN.match(value):
            return f'[{name}="{value}"]'
    path = attributes.get("data-at") or (_path(control.element) if control.element is not None else "")
    return f"xpath={path}" if path else ""


def _path(element: Any) -> str:
    return str(element.getroottree().getpath(element))
