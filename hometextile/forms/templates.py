"""Which of a form's other controls are worth setting: query templates and the informativeness test.

J. Madhavan and others, "Google's Deep-Web Crawl", VLDB 2008, sections 3 and 4: a template is a set of controls that get
values while the others keep their defaults; it is informative if its answers differ from one another. Templates grow
one control at a time, and only informative ones grow, so that a form with ten lists is understood in some dozens of
requests. Controls that only change how an answer looks (order, page size, language) never are part of one.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice, pairwise, product

from hometextile.forms.attributes import CONSTRAINT, RANGE, TEXT_BOX, Attribute, attributes_of
from hometextile.forms.comparing import comparison_of
from hometextile.forms.filling import keyword_control
from hometextile.forms.form import Form
from hometextile.forms.meanings import Meanings
from hometextile.forms.words import FormWords, form_words

#: The share of distinct answers from which on a template is informative (section 4.1 of the paper).
TAU = 0.25
#: Controls in a template at most, values of a control at most, requests to test one template at most.
MAX_INPUTS, MAX_VALUES, SAMPLES = 3, 40, 12
#: Templates tested at most; a form with more lists than that is an application.
MAX_TEMPLATES = 60
_PRESENTATION = frozenset({"order", "per_page", "language", "match", "scope", "file_format"})
_YEARS = 10
_STEPS = ("0", "10", "50", "100", "200", "500", "1000", "5000")

Values = dict[str, list[str]]
Rest = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Input:
    """A control, or the controls of a range, that a template can set.

    Attributes:
        name: of the control; of a range, both names.
        settings: what can be sent for it, each a mapping of names to values.
    """

    name: str
    settings: tuple[tuple[tuple[str, str], ...], ...]

    @property
    def controls(self) -> set[str]:
        """The names of the controls it sets."""
        return {name for setting in self.settings for name, _value in setting}

    def values(self, setting: int) -> Values:
        """One of its settings as query values."""
        return {name: [value] for name, value in self.settings[setting]}


@dataclass(frozen=True)
class Template:
    """A set of inputs, in the form's order."""

    inputs: tuple[Input, ...]

    @property
    def name(self) -> str:
        """For people and counters."""
        return " × ".join(one.name for one in self.inputs)

    def __len__(self) -> int:
        """How many queries it makes."""
        count = 1
        for one in self.inputs:
            count *= len(one.settings)
        return count

    def all_values(self) -> Iterator[Values]:
        """The values of each of its queries."""
        for settings in product(*(range(len(one.settings)) for one in self.inputs)):
            values: Values = {}
            for one, setting in zip(self.inputs, settings, strict=True):
                values.update(one.values(setting))
            yield values

    def sample(self, most: int = SAMPLES) -> list[Values]:
        """At most *most* of them, evenly spread."""
        step = max(1, len(self) // most)
        return list(islice(islice(self.all_values(), 0, None, step), most))


def signature(links: Iterable[str], text: str = "") -> str:
    """What answers are told apart by: the set of their result links, or their text where they have none."""
    told = sorted(set(links))
    return sha256("\n".join(told or [" ".join(text.split())]).encode("utf-8", "replace")).hexdigest()[:16]


def inputs_of(
    form: Form, meanings: Meanings, words: FormWords | None = None, *, today: datetime.date | None = None
) -> list[Input]:
    """The inputs that templates of *form* can set.

    Args:
        form: the form.
        meanings: what labels mean.
        words: the words of forms.
        today: the last year of date ranges; the clock's if None.
    """
    words = words or form_words()
    year = (today or datetime.date.today()).year
    box = keyword_control(form, words)
    found: list[Input] = []
    comparison = comparison_of(form, words)
    if comparison is not None and comparison.box is box and comparison.unset:
        # In which field the keyword is looked for; filling names one of them, and how the keyword is compared.
        found.append(Input(comparison.field, tuple(((comparison.field, value),) for value in comparison.fields)))
    compared = {comparison.manner, comparison.field} - {""} if comparison is not None else set()
    for attribute in attributes_of(form, meanings, words):
        if compared & set(attribute.names):
            continue
        if box in attribute.controls and attribute.kinds[0] == TEXT_BOX:
            continue
        if attribute.heads & _PRESENTATION or attribute.relation == CONSTRAINT:
            continue
        one = _range(attribute, year, words) if _is_range(attribute) else _choice(attribute, words)
        if one is not None and len(one.settings) > 1:
            found.append(one)
    return found


def _is_range(attribute: Attribute) -> bool:
    return sum(child.relation == RANGE for child in attribute.children) == 2


def _choice(attribute: Attribute, words: FormWords) -> Input | None:
    """Select lists, radio buttons and check boxes: each of their choices; a lone check box: set or not."""
    controls = [control for control in attribute.controls if control.name and not control.disabled]
    if not controls or attribute.children:
        return None
    name = controls[0].name
    if controls[0].kind.startswith("select"):
        values = [o.value for o in controls[0].options if not o.disabled and not words.is_no_choice(o.text)]
    elif controls[0].kind in {"radio", "checkbox"}:
        values = [control.value for control in controls if control.name == name]
        if controls[0].kind == "checkbox" and len(values) == 1:
            return Input(name, ((), ((name, values[0]),)))
    else:
        return None
    settings = tuple(((name, value),) for value in dict.fromkeys(values[:MAX_VALUES]) if value)
    return Input(name, settings)


def _range(attribute: Attribute, year: int, words: FormWords) -> Input | None:
    """Neighbouring values of two lists; the last years of two dates; steps of two boxes for numbers."""
    low, high = (child.controls[0] for child in attribute.children if child.relation == RANGE)
    if not low.name or not high.name or low.name == high.name:
        return None
    pairs: list[tuple[str, str]]
    if low.kind == "select" and high.kind == "select":
        values = [o.value for o in low.options if o.value and not words.is_no_choice(o.text)]
        pairs = list(pairwise(values))
    elif low.kind == "date":
        pairs = [(f"{y}-01-01", f"{y}-12-31") for y in range(year, year - _YEARS, -1)]
    elif attribute.heads & {"price", "weight", "size", "quantity"} or low.kind == "number":
        pairs = list(pairwise(_STEPS))
    else:
        return None
    return Input(f"{low.name}–{high.name}", tuple(((low.name, a), (high.name, b)) for a, b in pairs[:MAX_VALUES]))


@dataclass
class _Trial:
    """A template under test: its answers by the setting of all its inputs but the last."""

    template: Template
    waiting: int
    answers: int = 0
    seen: dict[Rest, set[str]] = field(default_factory=dict)

    @property
    def informative(self) -> bool:
        """Whether answers differ enough from one another, and the last input makes some of them differ."""
        distinct = sum(len(answers) for answers in self.seen.values())
        return self.answers > 1 and distinct > len(self.seen) and distinct / self.answers >= TAU


class TemplateSearch:
    """Finds a form's informative templates by asking; plain data in and out, whoever sends the queries.

    Args:
        inputs: from :func:`inputs_of`.
    """

    def __init__(self, inputs: Sequence[Input]) -> None:
        self._inputs = list(inputs)
        self._queue = [Template((one,)) for one in self._inputs]
        self._trial: _Trial | None = None
        self._tested = 0
        self.informative: list[Template] = []

    @property
    def testing(self) -> bool:
        """Whether answers of a template under test are still to come."""
        return self._trial is not None

    def next(self) -> list[Values]:
        """The values that test the next template; empty while one is being tested, and when all are."""
        if self._trial is not None or not self._queue or self._tested >= MAX_TEMPLATES:
            return []
        template = self._queue.pop(0)
        values = template.sample()
        self._tested += 1
        self._trial = _Trial(template, len(values))
        return values

    def learn(self, values: Values, answer: str | None) -> None:
        """Take in one answer of the template under test.

        Args:
            values: what was asked.
            answer: its :func:`signature`; None where none came, or none without results.
        """
        trial = self._trial
        if trial is None:
            return
        trial.waiting -= 1
        if answer is not None:
            trial.answers += 1
            last = trial.template.inputs[-1].controls
            rest = tuple(sorted((name, tuple(each)) for name, each in values.items() if name not in last))
            trial.seen.setdefault(rest, set()).add(answer)
        if trial.waiting <= 0:
            self._trial = None
            if trial.informative:
                self._found(trial.template)

    def _found(self, template: Template) -> None:
        self.informative.append(template)
        if len(template.inputs) >= MAX_INPUTS:
            return
        last = self._inputs.index(template.inputs[-1])
        self._queue += [Template((*template.inputs, one)) for one in self._inputs[last + 1 :]]

    def settings(self, most: int = 1_000) -> list[Values]:
        """What the informative templates set, those with the fewest queries first, at most *most*."""
        found: list[Values] = []
        for template in sorted(self.informative, key=lambda one: (len(one), one.name)):
            found += islice(template.all_values(), most - len(found))
            if len(found) >= most:
                break
        return found
