"""A box that is compared with a field: which field, and how, lists beside it say.

``column | contains | value``: tables of a database, catalogues of libraries (题名 | 精确). As the page has them, such
lists often ask for a field that is no more than the word, or for no field at all; then next to nothing is found, or
always everything. A keyword goes into such a box with "contains" beside it, and into the field that tells most.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from hometextile.forms.controls import BUTTON_KINDS, TEXT_KINDS, visible
from hometextile.forms.form import Control, Form
from hometextile.forms.words import FormWords

WITHIN, WHOLE, EVERYWHERE = "within", "whole", "everywhere"
#: What the field in which a keyword is looked for is not, and what it is.
_OTHER_FIELDS = {
    "date": 4,
    "year": 4,
    "month": 4,
    "price": 4,
    "email": 6,
    "captcha": 8,
    "number": 2,
    "isbn": 3,
    "quantity": 5,
    "size": 2,
    "weight": 2,
    "place": 3,
    "duration": 3,
    "per_page": 5,
    "person": 1,
}
_KEYWORD_FIELDS = {
    "keyword": 4,
    "title": 2,
    "subject": 1.5,
    "abstract": 0.5,
    "author": -0.5,
    "organisation": -0.5,
    "brand": -1,
}
#: Ways of comparing that a list has to name, and the share of its choices that they have to be.
_LEAST, _SHARE = 2, 0.5
#: Fields of a list at the most.
MAX_FIELDS = 30


@dataclass(frozen=True)
class Comparison:
    """How the word in a box is compared.

    Attributes:
        box: the box.
        manner: name of the list that says how.
        within: its value that finds a word anywhere in a field; empty where it stands so, or has none.
        field: name of the list that says which field; empty where there is none.
        fields: its values, the field that tells most first.
        unset: whether that list names no field as the page has it.
    """

    box: Control
    manner: str
    within: str = ""
    field: str = ""
    fields: tuple[str, ...] = ()
    unset: bool = False


@dataclass
class _List:
    """A select list, or radio buttons of one name: value, text and whether it is chosen, of each choice."""

    name: str
    choices: list[tuple[str, str, bool]]


def field_points(concepts: Collection[str]) -> float:
    """How plainly a keyword is looked for in a field that asks for *concepts*."""
    away = max((weight for concept, weight in _OTHER_FIELDS.items() if concept in concepts), default=0.0)
    return max((weight for concept, weight in _KEYWORD_FIELDS.items() if concept in concepts), default=0.0) - away


def comparison_of(form: Form, words: FormWords) -> Comparison | None:
    """The first box of *form* that has a list of ways to compare right before or after it; None where there is none.

    Args:
        form: the form.
        words: the words of forms.
    """
    row = _row(form)
    for n, manner in enumerate(row):
        if not isinstance(manner, _List) or not _is_manner(manner, words):
            continue
        for box, before in ((n + 1, n - 1), (n - 1, n - 2)):
            control = row[box] if 0 <= box < len(row) else None
            if isinstance(control, Control):
                named = row[before] if before >= 0 else None
                return _comparison(control, manner, named if isinstance(named, _List) else None, words)
    return None


def _row(form: Form) -> list[Control | _List]:
    """Boxes and lists in the order in which they stand."""
    row: list[Control | _List] = []
    for control in visible(form):
        if control.disabled or control.kind in BUTTON_KINDS:
            continue
        if control.kind in TEXT_KINDS:
            row.append(control)
        elif control.kind == "select" and control.name:
            row.append(_List(control.name, _choices(control)))
        elif control.kind == "radio" and control.name:
            choice = (control.value, control.words.get("label") or control.words.get("near", ""), control.checked)
            last = row[-1] if row else None
            if isinstance(last, _List) and last.name == control.name:
                last.choices.append(choice)
            else:
                row.append(_List(control.name, [choice]))
        else:
            row.append(_List("", []))
    return row


def _choices(control: Control) -> list[tuple[str, str, bool]]:
    """What a list can be set to. It stands on the last option that is selected, else on the first; where that is
    disabled, on nothing."""
    chosen = max((n for n, option in enumerate(control.options) if option.selected), default=0)
    choices = []
    for n, option in enumerate(control.options):
        if not option.disabled:
            choices.append((option.value, option.text, n == chosen))
        elif n == chosen:
            choices.append(("", "", True))
    return choices


def _is_manner(one: _List, words: FormWords) -> bool:
    told = [words.comparison(text) for _value, text, _chosen in one.choices]
    named = sum(kind not in {"", EVERYWHERE} for kind in told)
    return WITHIN in told and named >= _LEAST and named >= _SHARE * len(told)


def _standing(value: str, text: str, words: FormWords) -> str:
    """How a list compares as it stands; "choose" is no way to, and compares as a page without it would."""
    return words.comparison(text) or (WHOLE if not value or words.is_no_choice(text) else "")


def _comparison(box: Control, manner: _List, named: _List | None, words: FormWords) -> Comparison:
    standing = next((_standing(value, text, words) for value, text, chosen in manner.choices if chosen), WHOLE)
    within = next(value for value, text, _chosen in manner.choices if words.comparison(text) == WITHIN)
    fields: list[tuple[float, str]] = []
    # Of radio buttons there may be none that is chosen.
    unset = named is not None and not any(chosen for _value, _text, chosen in named.choices)
    for value, text, chosen in named.choices if named is not None else []:
        no_field = not value or words.is_no_choice(text)
        if no_field:
            unset |= chosen and words.comparison(text) != EVERYWHERE
        else:
            fields.append((-field_points(words.fields_in(text)), value))
    fields.sort(key=lambda pair: pair[0])
    several = named is not None and len(fields) >= _LEAST
    return Comparison(
        box=box,
        manner=manner.name,
        within=within if standing == WHOLE else "",
        field=named.name if named is not None and several else "",
        fields=tuple(value for _weight, value in fields[:MAX_FIELDS]) if several else (),
        unset=unset and several,
    )
