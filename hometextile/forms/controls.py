"""The controls of a form as a person meets them: which are seen, what is said about each, where a word is typed."""

from __future__ import annotations

from functools import cached_property

from hometextile.forms.form import Control, Form

#: Controls that a person types free text into.
TEXT_KINDS = frozenset({"text", "search"})
#: Controls that a person types something of a fixed form into.
TYPED_KINDS = frozenset(
    {"email", "tel", "url", "number", "range", "date", "time", "month", "week", "datetime-local", "color"}
)
BUTTON_KINDS = frozenset({"submit", "image", "button", "reset"})
#: Controls of a form that are looked at; one with more says no more about itself.
MAX_CONTROLS = 300


def visible(form: Form) -> list[Control]:
    """The controls that a person sees, buttons too, at most 300."""
    return [control for control in form.controls[:MAX_CONTROLS] if control.kind != "hidden"]


def said(control: Control) -> str:
    """What a person reads about a control: its words, and for buttons its value."""
    parts = [text for key, text in control.words.items() if key != "near"]
    if control.kind in BUTTON_KINDS:
        parts.append(control.value)
        parts.append(control.attributes.get("alt", ""))
    parts.append(control.attributes.get("title", ""))
    parts.append(control.attributes.get("placeholder", ""))
    return " ".join(dict.fromkeys([part.strip() for part in parts if part and not part.isspace()]))


def main_box(form: Form) -> Control | None:
    """The box that a person would type a search word into: the first free-text box, or else the first of any kind."""
    return _main_box(visible(form))


def _main_box(controls: list[Control]) -> Control | None:
    typed = None
    for control in controls:
        if control.kind in TEXT_KINDS and not control.disabled:
            return control
        if typed is None and control.kind in TYPED_KINDS:
            typed = control
    return typed


class Seen:
    """What a person sees of a form, worked out once for all who ask.

    Args:
        form: the form; what is seen holds as long as it is not changed.

    Attributes:
        controls: see :func:`visible`.
        entries: those of them that are no buttons.
        box: see :func:`main_box`.
    """

    def __init__(self, form: Form) -> None:
        self.controls = visible(form)
        self.entries = [control for control in self.controls if control.kind not in BUTTON_KINDS]
        self.box = _main_box(self.controls)
        self._said: dict[int, str] = {}

    @cached_property
    def buttons(self) -> list[Control]:
        """The buttons that send something."""
        return [control for control in self.controls if control.kind in BUTTON_KINDS and control.kind != "reset"]

    @cached_property
    def texts(self) -> list[Control]:
        """The boxes for free text."""
        return [control for control in self.entries if control.kind in TEXT_KINDS]

    def said(self, control: Control) -> str:
        """What a person reads about one of its controls: see :func:`said`."""
        text = self._said.get(id(control))
        if text is None:
            text = self._said[id(control)] = said(control)
        return text
