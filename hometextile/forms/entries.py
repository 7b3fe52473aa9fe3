"""The entry list of a form (WHATWG HTML, 4.10.22.4 "Constructing the entry list")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hometextile.forms.bodies import Entry
from hometextile.forms.directions import direction_of
from hometextile.forms.form import Control, Form, Option
from hometextile.forms.sanitising import sanitise

_BUTTONS = frozenset({"submit", "image", "button", "reset"})
_PICKED = frozenset({"checkbox", "radio"})
_SELECTS = frozenset({"select", "select-multiple"})
#: Controls that say their value's direction under ``dirname``.
_DIRECTED = frozenset({"hidden", "text", "search", "tel", "url", "email", "password", "submit", "textarea"})


def fill_in(controls: Sequence[Control], values: Mapping[str, Sequence[str]]) -> list[Control]:
    """Copies of controls with values set, as a person would.

    For each name in ``values``: check boxes and radio buttons of that name are checked if their value is among the
    values; of select lists those options are selected (the last one where only one can be); the other controls of the
    name take the values one after another, and keep their own when there are none left. Hidden controls take one only
    if no other control has the name. Values are sanitised; files cannot be set.
    """
    open_names = {c.name for c in controls if c.kind != "hidden" and c.kind not in _BUTTONS}
    left = {name: list(given) for name, given in values.items()}
    filled = []
    for control in controls:
        given = values.get(control.name)
        if given is None or control.kind in _BUTTONS or control.kind == "file":
            filled.append(control)
        elif control.kind in _PICKED:
            filled.append(replace(control, checked=control.value in given))
        elif control.kind in _SELECTS:
            filled.append(replace(control, options=_select(control, given)))
        elif (control.kind != "hidden" or control.name not in open_names) and left[control.name]:
            value = sanitise(control.kind, left[control.name].pop(0), control.attributes)
            filled.append(replace(control, value=value))
        else:
            filled.append(control)
    return filled


def settle(controls: Sequence[Control]) -> list[Control]:
    """Controls as a page has them once it is read: one radio button of a group, one option of a plain list.

    Of several checked buttons or selected options the last wins; a drop-down list without any selects its first option
    that is not disabled (4.10.7, "selectedness setting algorithm").
    """
    settled = list(controls)
    last: dict[str, int] = {}
    for index, control in enumerate(settled):
        if control.kind == "radio" and control.name and control.checked:
            if control.name in last:
                settled[last[control.name]].checked = False
            last[control.name] = index
        elif control.kind == "select":
            selected = [option for option in control.options if option.selected]
            for option in selected[:-1]:
                option.selected = False
            if not selected and _drops_down(control):
                first = next((option for option in control.options if not option.disabled), None)
                if first is not None:
                    first.selected = True
    return settled


def _drops_down(control: Control) -> bool:
    size = re.match(r"[\t\n\f\r ]*\+?([0-9]+)", control.attributes.get("size", ""))
    return size is None or int(size[1]) <= 1


def wrapped(control: Control) -> str:
    """The value of a text area, broken into lines of ``cols`` characters where it is ``wrap=hard`` (4.10.11).

    Lines break after white space where they can.
    """
    cols = re.match(r"[\t\n\f\r ]*\+?([0-9]{1,6})", control.attributes.get("cols", ""))
    if control.attributes.get("wrap", "").lower() != "hard" or cols is None or int(cols[1]) < 1:
        return control.value
    width = int(cols[1])
    lines = []
    for line in re.split("\r\n|\r|\n", control.value):
        while len(line) > width:
            # A space may hang over the edge, as it does in a browser.
            place = line.rfind(" ", 0, width + 1) + 1 or width
            if len(line) == place:
                break
            lines.append(line[:place])
            line = line[place:]
        lines.append(line)
    return "\n".join(lines)


def _select(control: Control, given: Sequence[str]) -> list[Option]:
    chosen = [index for index, option in enumerate(control.options) if option.value in given]
    if control.kind == "select":
        chosen = chosen[-1:]
    return [replace(option, selected=index in set(chosen)) for index, option in enumerate(control.options)]


def entry_list(
    form: Form, values: Mapping[str, Sequence[str]], submitter: Control | None, charset: str
) -> Iterator[Entry]:
    """Name and value of everything the form sends, in tree order.

    Args:
        form: the form.
        values: what is filled in.
        submitter: the button pressed.
        charset: the value of a hidden ``_charset_``.
    """
    pressed = next((i for i, c in enumerate(form.controls) if c is submitter), None)
    if pressed is None and submitter is not None:
        pressed = next((i for i, c in enumerate(form.controls) if c == submitter), None)
    for index, control in enumerate(fill_in(form.controls, values)):
        if control.disabled or (control.kind in _BUTTONS and index != pressed):
            continue
        if control.kind == "image":
            prefix = f"{control.name}." if control.name else ""
            yield f"{prefix}x", "0"
            yield f"{prefix}y", "0"
            continue
        if not control.name:
            continue
        yield from _entries(control, charset)


def _entries(control: Control, charset: str) -> Iterator[Entry]:
    name = control.name
    if control.kind in _SELECTS:
        for option in control.options:
            if option.selected and not option.disabled:
                yield name, option.value
        return
    if control.kind in _PICKED:
        if control.checked:
            yield name, control.value
        return
    if control.kind == "file":
        yield name, None
        return
    if control.kind == "hidden" and name.lower() == "_charset_":
        yield name, charset
    elif control.kind == "textarea":
        yield name, wrapped(control)
    else:
        yield name, control.value
    if "dirname" in control.attributes and control.kind in _DIRECTED:
        yield control.attributes["dirname"], direction_of(control)
