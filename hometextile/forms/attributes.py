"""The attributes of a query interface: its controls, put together as a person sees them.

Radio buttons and check boxes of one name are one attribute; two boxes for the ends of an interval are one attribute
with two children (relation *range*); year, month and day are *parts* of a date; several boxes for the same thing are a
*group*; a list that says how or where a box beside it is looked up is its *constraint*. (Paper 1, section 2.2.1, R.)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from hometextile.forms.controls import BUTTON_KINDS, TEXT_KINDS, TYPED_KINDS, visible
from hometextile.forms.form import Control, Form
from hometextile.forms.meanings import Meanings, Sense
from hometextile.forms.words import FormWords, split_name
from hometextile.text.normalise import tidy

#: The paper's control types.
TEXT_BOX, SELECT_LIST, RADIO_BUTTON, CHECK_BOX = "text box", "select list", "radio button", "check box"
RANGE, PART, GROUP, CONSTRAINT = "range", "part", "group", "constraint"
_LABEL_KEYS = ("label", "legend", "aria", "header", "before", "title", "placeholder", "beside", "near", "after")
_PART_NAMES = {
    "year": frozenset({"year", "yyyy", "yy", "nian", "birthyear"}),
    "month": frozenset({"month", "mm", "yue", "mon"}),
    "day": frozenset({"day", "dd", "ri"}),
}
_CONSTRAINTS = frozenset({"match", "scope"})
_DATE_KINDS = frozenset({"date", "month", "week", "datetime-local"})
#: Fields that a keyword is commonly looked for in.
_LOOKED_IN = frozenset(
    {"keyword", "title", "author", "subject", "abstract", "isbn", "person", "number", "organisation"}
)
#: Of these there are no ends: "keyword ... and keyword ..." is no interval.
_WORDS_ALONE = _LOOKED_IN - {"number"}
_END_MARKS = re.compile(
    r"(?:^| )(from|min|start|begin|low|lo|gte|beg)(?: |\d|$)|(?:^| )(to|max|end|high|hi|lte|until)(?: |\d|$)"
)
_MAX_VALUES = 40


@dataclass
class Attribute:
    """One attribute of an interface, with what makes it up.

    Attributes:
        kinds: the paper's control types, TP.
        names: control names, N.
        labels: what a person reads, Lb.
        values: what can be chosen, Val.
        senses: what it means.
        relation: to its parent, R: ``range``, ``part``, ``group``, ``constraint``, or nothing at the top.
        children: what it is made up of, in order.
        controls: the controls themselves.
    """

    kinds: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    senses: frozenset[Sense] = frozenset()
    relation: str = ""
    children: list[Attribute] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list, repr=False)

    @property
    def heads(self) -> set[str]:
        """The heads of its senses."""
        return {sense.head for sense in self.senses}


#: A label of more words or characters is a sentence, a longer name one that nobody else uses.
_TERM_WORDS, _TERM_LENGTH, _NAME_LENGTH = 3, 24, 16


def terms_of(attributes: Sequence[Attribute], known: Collection[str]) -> list[Attribute]:
    """The attributes with what any page could say: known concepts, short labels and names, no choices, no sentences.

    Args:
        attributes: of one interface; they stay as they are.
        known: the concepts that a word list knows (:attr:`Meanings.concepts`).

    Returns:
        Copies; those that ask for something else are left out.
    """
    kept = []
    for attribute in attributes:
        labels = [label for label in attribute.labels if _is_term(label)]
        senses = frozenset(sense for sense in attribute.senses if sense.head in known)
        if senses or attribute.relation:
            names = [name for name in attribute.names if len(name) <= _NAME_LENGTH and name.isidentifier()]
            kept.append(replace(attribute, labels=labels, names=names, values=[], senses=senses))
            kept[-1].children = terms_of(attribute.children, known)
    return kept


def _is_term(text: str) -> bool:
    return len(text) <= _TERM_LENGTH and len(text.split()) <= _TERM_WORDS


def paper_kind(control: Control) -> str:
    """One of the paper's four control types, empty for buttons and hidden controls."""
    if control.kind in TEXT_KINDS or control.kind in TYPED_KINDS or control.kind == "textarea":
        return TEXT_BOX
    return {"select": SELECT_LIST, "select-multiple": SELECT_LIST, "radio": RADIO_BUTTON, "checkbox": CHECK_BOX}.get(
        control.kind, ""
    )


def label_of(control: Control) -> str:
    """What a person reads about a control: its label, else its title, placeholder or the text beside it."""
    for key in _LABEL_KEYS:
        text = tidy(control.words.get(key, ""))
        if text and any(character.isalnum() for character in text):
            return text[:120].strip(" :：*")
    return ""


def attributes_of(form: Form, meanings: Meanings, words: FormWords) -> list[Attribute]:
    """The attributes of *form*, in the order in which they stand.

    Args:
        form: the form.
        meanings: what labels mean.
        words: the words of forms.
    """
    flat = _flat(form, meanings, words)
    return _groups(_constraints(_parts(_ranges(flat, words)), meanings))


def _flat(form: Form, meanings: Meanings, words: FormWords) -> list[Attribute]:
    found: list[Attribute] = []
    by_name: dict[tuple[str, str], Attribute] = {}
    for control in visible(form):
        kind = paper_kind(control)
        if not kind or control.kind in BUTTON_KINDS:
            continue
        label = label_of(control)
        if kind in {RADIO_BUTTON, CHECK_BOX} and control.name:
            key = (kind, control.name)
            legend = tidy(control.words.get("legend", "") or control.words.get("header", ""))
            if key in by_name:
                by_name[key].values.append(label or control.value)
                by_name[key].controls.append(control)
                continue
            attribute = Attribute(
                [kind], [control.name], [legend] if legend else [], [label or control.value], controls=[control]
            )
            by_name[key] = attribute
        else:
            values = [o.text for o in control.options if not words.is_no_choice(o.text)][:_MAX_VALUES]
            if not label and control.value and kind == TEXT_BOX and not control.value.strip().isdigit():
                label = tidy(control.value)[:60]
            attribute = Attribute(
                [kind], [control.name] if control.name else [], [label] if label else [], values, controls=[control]
            )
        found.append(attribute)
    for attribute in found:
        if not attribute.labels and len(attribute.values) == 1 and attribute.kinds[0] in {RADIO_BUTTON, CHECK_BOX}:
            attribute.labels = attribute.values[:1]
        senses = _senses_of(attribute, meanings, words.all_ends)
        known = any(sense.head in meanings.concepts for sense in senses)
        attribute.senses = senses if known else _keyword(attribute, words) or senses
    return found


def _senses_of(attribute: Attribute, meanings: Meanings, ends: frozenset[str]) -> frozenset[Sense]:
    """What the labels say; where they say nothing but "from" or "to", what the names say."""
    for label in attribute.labels:
        if set(label.lower().split()) <= ends:
            continue
        senses = meanings.senses(label)
        if senses:
            return senses
    for name in attribute.names:
        senses = frozenset(sense for sense in meanings.senses(split_name(name)) if sense.head in meanings.concepts)
        if senses:
            return frozenset(Sense(sense.head) for sense in senses)
    return frozenset()


def _keyword(attribute: Attribute, words: FormWords) -> frozenset[Sense]:
    """A box that speaks of searching in whatever language, or is named so, asks for a keyword."""
    if attribute.kinds[0] == TEXT_BOX and (
        any("search" in words.intents_in(label) for label in attribute.labels)
        or any("search" in words.intents_in_name(name) for name in attribute.names)
    ):
        return frozenset({Sense("keyword")})
    return frozenset()


def _end(attribute: Attribute, words: FormWords) -> str:
    """Which end of an interval an attribute is: ``from``, ``to``, or neither."""
    told = [text for control in attribute.controls for text in control.words.values()]
    folded = " ".join((*attribute.labels, *told)).lower()
    for end in ("from", "to"):
        if words.speaks_of_end(end, folded):
            return end
    for name in attribute.names:
        found = _END_MARKS.search(split_name(name))
        if found:
            return "from" if found[1] else "to"
    return ""


def _stem(attribute: Attribute) -> str:
    """The name without its end mark and number: ``price_min`` and ``price_max``, ``d1`` and ``d2`` have the same."""
    name = split_name(attribute.names[0]) if attribute.names else ""
    return re.sub(r"\d+\b", "", " ".join(_END_MARKS.sub(" ", f" {name} ").split()))


def _range_pair(one: Attribute, two: Attribute, words: FormWords) -> Attribute | None:
    """Two neighbours that are the ends of an interval, as one attribute."""
    if one.kinds != two.kinds or one.kinds[0] not in {TEXT_BOX, SELECT_LIST} or one.children or two.children:
        return None
    if one.heads & _WORDS_ALONE:
        return None
    first, second = _end(one, words), _end(two, words)
    if first == "to" or second == "from":
        return None
    shared = one.heads & two.heads - {"keyword"}
    same_label = bool(one.labels) and one.labels == two.labels
    same_stem = bool(_stem(one)) and _stem(one) == _stem(two)
    dates = all(control.kind in _DATE_KINDS for control in (*one.controls, *two.controls))
    if second == "to":
        if not (shared or same_stem or (one.heads and not two.heads)):
            return None
    elif not (same_label and (dates or (same_stem and one.names != two.names))):
        return None
    senses = frozenset(Sense(s.head) for s in one.senses if not shared or s.head in shared) or two.senses
    one.relation, two.relation = RANGE, RANGE
    return Attribute(
        list(one.kinds), [], one.labels[:1], [], senses, children=[one, two], controls=one.controls + two.controls
    )


def _ranges(flat: list[Attribute], words: FormWords) -> list[Attribute]:
    result: list[Attribute] = []
    for attribute in flat:
        joined = _range_pair(result[-1], attribute, words) if result else None
        if joined is not None:
            result[-1] = joined
        else:
            result.append(attribute)
    return result


def _parts(flat: list[Attribute]) -> list[Attribute]:
    """Year, month and day in a row are parts of a date."""
    result: list[Attribute] = []
    run: list[Attribute] = []

    def close() -> None:
        if len(run) >= 2 and "year" in map(_part_of_date, run):
            for part in run:
                part.relation, part.senses = PART, frozenset({Sense(_part_of_date(part))})
            label = run[0].labels[:1]
            controls = [control for part in run for control in part.controls]
            result.append(
                Attribute(
                    list(run[0].kinds), [], label, [], frozenset({Sense("date")}), children=list(run), controls=controls
                )
            )
        else:
            result.extend(run)
        run.clear()

    for attribute in flat:
        part = _part_of_date(attribute)
        if part and not attribute.children and all(_part_of_date(other) != part for other in run):
            run.append(attribute)
            continue
        close()
        if part and not attribute.children:
            run.append(attribute)
        else:
            result.append(attribute)
    close()
    return result


def _part_of_date(attribute: Attribute) -> str:
    """``year``, ``month`` or ``day``: by name, by choices, by label."""
    words = {word for name in attribute.names for word in split_name(name).split()}
    for part, names in _PART_NAMES.items():
        if words & names:
            return part
    numbers = [int(value) for value in attribute.values if value.strip().isdecimal() and len(value) <= 4]
    if len(numbers) >= 12 and len(numbers) == len(attribute.values):
        if max(numbers) == 12:
            return "month"
        if 28 <= max(numbers) <= 31:
            return "day"
    return next(
        (part for part in ("year", "month") if part in attribute.heads), "day" if "日" in attribute.labels else ""
    )


def _constraints(flat: list[Attribute], meanings: Meanings) -> list[Attribute]:
    """A list or buttons for scope or way of matching belong to the box before them, else to the one after."""
    result: list[Attribute] = []
    waiting: list[Attribute] = []
    for attribute in flat:
        is_constraint = attribute.kinds[0] != TEXT_BOX and bool(
            attribute.heads & _CONSTRAINTS or _names_fields(attribute, meanings)
        )
        if is_constraint:
            host = result[-1] if result and result[-1].kinds[0] == TEXT_BOX and not result[-1].children else None
            attribute.relation = CONSTRAINT
            if not attribute.heads & _CONSTRAINTS:
                attribute.senses = frozenset({Sense("scope")})
            if host is not None:
                host.children.append(attribute)
            else:
                waiting.append(attribute)
            continue
        if waiting and attribute.kinds[0] == TEXT_BOX and not attribute.children:
            attribute.children.extend(waiting)
            waiting = []
        result.append(attribute)
    for attribute in waiting:
        attribute.relation = ""
    return result + waiting


def _names_fields(attribute: Attribute, meanings: Meanings) -> bool:
    """Whether the choices are names of fields: such a list says where the keyword is looked for."""
    heads = [{sense.head for sense in meanings.senses(value)} & meanings.concepts for value in attribute.values[:12]]
    named = set().union(*heads) if heads else set()
    return len(named & _LOOKED_IN) >= 2 and sum(map(bool, heads)) * 2 > len(heads)


def _groups(flat: Sequence[Attribute]) -> list[Attribute]:
    """Attributes that mean the same and look the same are a group."""
    result: list[Attribute] = []
    for attribute in flat:
        twin = next(
            (
                o
                for o in result
                if attribute.senses
                and o.senses == attribute.senses
                and o.kinds[:1] == attribute.kinds[:1]
                and not (attribute.children and any(c.relation == RANGE for c in attribute.children))
            ),
            None,
        )
        if twin is None:
            result.append(attribute)
        elif twin.children and all(child.relation == GROUP for child in twin.children):
            attribute.relation = GROUP
            twin.children.append(attribute)
        else:
            first = Attribute(
                list(twin.kinds),
                list(twin.names),
                list(twin.labels),
                list(twin.values),
                twin.senses,
                GROUP,
                list(twin.children),
                list(twin.controls),
            )
            attribute.relation = GROUP
            twin.children = [first, attribute]
    return result
