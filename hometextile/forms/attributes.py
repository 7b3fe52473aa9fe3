"""The attributes of a query interface: its controls, put together as a person sees them.

Radio buttons and check boxes of one name are one attribute; two boxes for the ends of an interval are one attribute with
two children (relation *range*); year, month and day are *parts* of a date; several boxes for the same thing are a *group*;
a list that says how or where a box beside it is looked up is its *constraint*. (Paper 1, section 2.2.1, R.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from hometextile.forms.features import BUTTON_KINDS, TEXT_KINDS, TYPED_KINDS, visible
from hometextile.forms.form import Control, Form
from hometextile.forms.meanings import Meanings, Sense
from hometextile.forms.words import FormWords, split_name
from hometextile.text.normalise import tidy

#: The paper's control types.
TEXT_BOX, SELECT_LIST, RADIO_BUTTON, CHECK_BOX = "text box", "select list", "radio button", "check box"
RANGE, PART, GROUP, CONSTRAINT = "range", "part", "group", "constraint"
_LABEL_KEYS = ("label", "legend", "aria", "header", "before", "title", "placeholder", "beside", "near", "after")
_PARTS = {"year": 0, "month": 1, "day": 2}
_CONSTRAINTS = frozenset({"match", "scope"})
#: Fields that a keyword is commonly looked for in.
_LOOKED_IN = frozenset({"keyword", "title", "author", "subject", "abstract", "isbn", "person", "number", "organisation"})
_END_MARKS = re.compile(r"(?:^| )(from|min|start|begin|low|lo|s|b|gte|beg)(?: |\d|$)|(?:^| )(to|max|end|high|hi|e|lte|until)(?: |\d|$)")
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


def paper_kind(control: Control) -> str:
    """One of the paper's four control types, empty for buttons and hidden controls."""
    if control.kind in TEXT_KINDS or control.kind in TYPED_KINDS or control.kind == "textarea":
        return TEXT_BOX
    return {"select": SELECT_LIST, "select-multiple": SELECT_LIST, "radio": RADIO_BUTTON, "checkbox": CHECK_BOX}.get(
        control.kind, "")


def label_of(control: Control) -> str:
    """What a person reads about a control: its label, else its title, placeholder or the text beside it."""
    for key in _LABEL_KEYS:
        text = tidy(control.words.get(key, ""))
        if text and any(character.isalnum() for character in text):
            return text[:120]
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
            attribute = Attribute([kind], [control.name], [legend] if legend else [], [label or control.value], controls=[control])
            by_name[key] = attribute
        else:
            values = [o.text for o in control.options if not words.is_no_choice(o.text)][:_MAX_VALUES]
            if not label and control.value and kind == TEXT_BOX and not control.value.strip().isdigit():
                label = tidy(control.value)[:60]
            attribute = Attribute([kind], [control.name] if control.name else [], [label] if label else [], values, controls=[control])
        found.append(attribute)
    for attribute in found:
        if not attribute.labels and len(attribute.values) == 1 and attribute.kinds[0] in {RADIO_BUTTON, CHECK_BOX}:
            attribute.labels = attribute.values[:1]
        attribute.senses = _senses_of(attribute, meanings)
    return found


def _senses_of(attribute: Attribute, meanings: Meanings) -> frozenset[Sense]:
    """What the labels say; where they say nothing, what the names say; else what the first choice names."""
    for label in attribute.labels:
        senses = meanings.senses(label)
        if senses:
            return senses
    for name in attribute.names:
        senses = frozenset(sense for sense in meanings.senses(split_name(name)) if sense.head in meanings.concepts)
        if senses:
            return frozenset(Sense(sense.head) for sense in senses)
    return frozenset()


def _end(attribute: Attribute, words: FormWords) -> str:
    """Which end of an interval an attribute is: ``from``, ``to``, or neither."""
    folded = " ".join(tidy(label).lower() for label in attribute.labels)
    for end in ("from", "to"):
        for word in words.range_ends[end]:
            if word.isascii():
                if re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", folded):
                    return end
            elif word in folded:
                return end
    for name in attribute.names:
        found = _END_MARKS.search(split_name(name))
        if found:
            return "from" if found[1] else "to"
    return ""


def _stem(attribute: Attribute) -> str:
    name = split_name(attribute.names[0]) if attribute.names else ""
    return " ".join(part for part in _END_MARKS.sub(" ", name).split() if not part.isdigit())


def _range_pair(one: Attribute, two: Attribute, words: FormWords) -> Attribute | None:
    """Two neighbours that are the ends of an interval, as one attribute."""
    if one.kinds != two.kinds or one.kinds[0] not in {TEXT_BOX, SELECT_LIST} or one.children or two.children:
        return None
    second = _end(two, words)
    if second != "to" or _end(one, words) == "to":
        return None
    shared = one.heads & two.heads - {"keyword"}
    unlabelled = not two.heads or all(not sense.modifiers and sense.head in {"from", "to"} for sense in two.senses)
    if not shared and not (unlabelled and one.heads) and not (_stem(one) and _stem(one) == _stem(two)):
        return None
    senses = frozenset(Sense(s.head) for s in one.senses if not shared or s.head in shared) or two.senses
    one.relation, two.relation = RANGE, RANGE
    return Attribute(list(one.kinds), [], one.labels[:1], [], senses, children=[one, two], controls=one.controls + two.controls)


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
        if len(run) >= 2 and "year" in run[0].heads | run[-1].heads:
            for part in run:
                part.relation = PART
            label = run[0].labels[:1]
            controls = [control for part in run for control in part.controls]
            result.append(Attribute(list(run[0].kinds), [], label, [], frozenset({Sense("date")}), children=list(run), controls=controls))
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
    heads = attribute.heads
    for part in ("year", "month"):
        if part in heads:
            return part
    if any(split_name(name).split(" ")[-1] in {"day", "dd", "ri"} for name in attribute.names) or attribute.labels == ["日"]:
        return "day"
    return ""


def _constraints(flat: list[Attribute], meanings: Meanings) -> list[Attribute]:
    """A list or buttons for scope or way of matching belong to the box beside them: the one before, else the one after."""
    result: list[Attribute] = []
    waiting: list[Attribute] = []
    for attribute in flat:
        is_constraint = attribute.kinds[0] != TEXT_BOX and bool(attribute.heads & _CONSTRAINTS or _names_fields(attribute, meanings))
        if is_constraint:
            host = result[-1] if result and result[-1].kinds[0] == TEXT_BOX and not result[-1].children else None
            attribute.relation = CONSTRAINT
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
    return len(named) >= 2 and bool(named & _LOOKED_IN) and sum(map(bool, heads)) * 2 > len(heads)


def _groups(flat: Sequence[Attribute]) -> list[Attribute]:
    """Attributes that mean the same and look the same are a group."""
    result: list[Attribute] = []
    for attribute in flat:
        twin = next((o for o in result if attribute.senses and o.senses == attribute.senses and o.kinds[:1] == attribute.kinds[:1]
                     and not (attribute.children and any(c.relation == RANGE for c in attribute.children))), None)
        if twin is None:
            result.append(attribute)
        elif twin.children and all(child.relation == GROUP for child in twin.children):
            attribute.relation = GROUP
            twin.children.append(attribute)
        else:
            first = Attribute(list(twin.kinds), list(twin.names), list(twin.labels), list(twin.values), twin.senses, GROUP,
                              list(twin.children), list(twin.controls))
            attribute.relation = GROUP
            twin.children = [first, attribute]
    return result
