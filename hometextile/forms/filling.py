"""Filling in a form: which control takes the keyword, and what the others get.

Never a form that writes. A POST is filled in only when the verdict is certain, or when the site's own rule allows it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from hometextile.forms.comparing import comparison_of, field_points
from hometextile.forms.controls import BUTTON_KINDS, TEXT_KINDS, said, visible
from hometextile.forms.form import Control, Form, Query
from hometextile.forms.recognising import Verdict
from hometextile.forms.words import FormWords, form_words, split_name

#: Controls no query is asked through; a form that has one is never filled.
FORBIDDEN = frozenset({"password", "file"})
#: What a box asks for that is not the keyword, by intent.
_OTHER_INTENTS = {
    "subscribe": 6,
    "login": 5,
    "register": 4,
    "recover": 5,
    "comment": 2,
    "place": 3,
    "save": 1,
    "upload": 3,
}
#: A box of such a name is an end of an interval.
_END_NAME = re.compile(r"(?:^| )(?:from|to|min|max|start|end)(?: |\d|$)")
_CLEARED = re.compile(r"value\s*=\s*(?:''|\"\")|defaultValue|\.select\(\)", re.I)
_EXACT = frozenset(
    {"q", "s", "kw", "wd", "k", "w", "p", "key", "query", "search", "keyword", "keywords", "text", "word", "term"}
)


def keyword_control(form: Form, words: FormWords | None = None) -> Control | None:
    """The control that takes the keyword: the one that asks for it most plainly, else the first free-text box.

    Args:
        form: a query interface.
        words: the words of forms.

    Returns:
        None if no box takes free text (a form of select lists is asked by templates).
    """
    words = words or form_words()
    best: tuple[float, int, Control] | None = None
    for place, control in enumerate(visible(form)):
        if control.kind not in TEXT_KINDS or control.disabled or "readonly" in control.attributes:
            continue
        points = _points(control, words)
        if points > -3 and (best is None or points > best[0]):
            best = (points, place, control)
    return best[2] if best else None


def _points(control: Control, words: FormWords) -> float:
    text = f"{said(control)} {control.value}"
    points = 5.0 if control.kind == "search" else 0.0
    spoken = words.intents_in(text)
    named = words.intents_in_name(f"{control.name} {control.attributes.get('id', '')}")
    if "search" in spoken:
        points += 4
    elif set(text.lower().split()) & words.all_ends or _END_NAME.search(split_name(control.name)):
        points -= 4
    if "search" in named:
        points += 2
    if control.name.lower() in _EXACT:
        points += 2
    points -= max((weight for intent, weight in _OTHER_INTENTS.items() if intent in spoken), default=0)
    asked = words.fields_in(text) | words.fields_in(split_name(control.name))
    return points + field_points(asked)


def fill(form: Form, keyword: str, verdict: Verdict | None = None, *, allow_post: bool = False) -> Query | None:
    """The form with *keyword* in it and everything else as the page has it.

    Args:
        form: the form.
        keyword: what is looked for.
        verdict: what the form was taken for; None when a site's rule has named it a query interface.
        allow_post: a site's rule allows the POST.

    Returns:
        None when the form is none to be filled: it takes a password or a file, it is no query interface, it would be
        posted without certainty, or no box takes a keyword.
    """
    if not may_fill(form, verdict, allow_post=allow_post):
        return None
    words = form_words()
    box = keyword_control(form, words)
    if box is None or (not box.name and not form.virtual):
        return None
    values = {**_emptied(form, box, words), **_compared(form, box, words)}
    if box.name:
        values[box.name] = [keyword]
    return Query(form=form, values=values, keyword=keyword, submitter=search_button(form, words), url=form.url, box=box)


def _compared(form: Form, box: Control, words: FormWords) -> dict[str, list[str]]:
    """How and with which field the keyword is compared, where the lists beside its box would find next to nothing."""
    comparison = comparison_of(form, words)
    if comparison is None or comparison.box is not box:
        return {}
    values = {comparison.manner: [comparison.within]} if comparison.within else {}
    if comparison.unset:
        values[comparison.field] = [comparison.fields[0]]
    return values


def may_fill(form: Form, verdict: Verdict | None, *, allow_post: bool = False) -> bool:
    """Whether a form may be filled in and sent at all."""
    if any(control.kind in FORBIDDEN for control in form.controls) or form.method == "dialog":
        return False
    if verdict is None:
        return form.method == "get" or allow_post
    if not verdict.is_query:
        return False
    return form.method == "get" or verdict.certain or allow_post


def search_button(form: Form, words: FormWords | None = None) -> Control | None:
    """The button to press where it matters which: None stands for the form's default button.

    On a form with several submit buttons (an ASP.NET page is one form) the first need not be the search's.
    """
    words = words or form_words()
    buttons = [c for c in visible(form) if c.kind in {"submit", "image"} and not c.disabled]
    if len(buttons) < 2:
        return None
    for said_by in (
        lambda c: words.intents_in(said(c)),
        lambda c: words.intents_in_name(f"{c.name} {c.attributes.get('id', '')}"),
    ):
        for button in buttons:
            if "search" in said_by(button):
                return button if button is not buttons[0] else None
    return None


def _emptied(form: Form, box: Control, words: FormWords) -> dict[str, list[str]]:
    """Other boxes whose value is a hint that a click would clear ("Your city") are sent empty."""
    values: dict[str, list[str]] = {}
    for control in visible(form):
        if control is box or control.kind not in TEXT_KINDS or not control.name or control.name == box.name:
            continue
        cleared = any(_CLEARED.search(control.attributes.get(event, "")) for event in ("onfocus", "onclick"))
        if control.value and cleared and control.kind not in BUTTON_KINDS:
            values[control.name] = [""]
    return values


def in_a_field(form: Form, fixed: Collection[str] = ()) -> bool:
    """Whether a keyword is looked for in one of several fields, which filling has to name.

    Args:
        form: the form.
        fixed: names of controls that a person has set.
    """
    comparison = comparison_of(form, form_words())
    if comparison is None or not comparison.unset or comparison.field in fixed:
        return False
    return comparison.box is keyword_control(form)
