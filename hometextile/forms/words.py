"""The words of forms: what a form says that it does, and what its controls ask for. Data: ``words.yaml``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from importlib.resources import files

import re2
from pydantic import BaseModel, ConfigDict, ValidationError

from hometextile.text.faults import Fault
from hometextile.text.messages import _
from hometextile.text.normalise import fold
from hometextile.text.strict_yaml import load_yaml

#: Scripts without spaces between words: found anywhere.
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_ALNUM = re.compile(r"[\W_]+")
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_NOTHING: frozenset[str] = frozenset()
#: No zone of a form is read further than this: a form around a whole page says no more about itself than its beginning.
MAX_ZONE = 4_000


class _Intent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    words: list[str]
    names: list[str]


class _WordsFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    masks: list[str] = []
    intents: dict[str, _Intent]
    fields: dict[str, list[str]]
    range: dict[str, list[str]]
    comparisons: dict[str, list[str]]
    no_choice: list[str]
    stopwords: list[str]


_ASCII_SPACES = {n: " " for n in range(128) if not chr(n).isalnum()}


def _flat(text: str) -> str:
    """Folded text with one space for whatever is no letter or digit, and one at each end."""
    if text.isascii():
        text = text.lower().strip()
        parts = text.translate(_ASCII_SPACES).split()
        if parts:
            before, after = "" if text[0].isalnum() else " ", "" if text[-1].isalnum() else " "
            return f" {before}{' '.join(parts)}{after} "
    return f" {_NOT_ALNUM.sub(' ', fold(text))} "


def _pattern(words: Iterable[str]) -> str:
    """One RE2 pattern that finds any of *words* in flat text."""
    parts = []
    for word in words:
        flat = _flat(word.rstrip("*"))
        if _UNSPACED.search(word):
            parts.append(re2.escape(flat.strip()))
        elif flat.strip():
            parts.append(re2.escape(flat.rstrip() if word.endswith("*") else flat))
    return "|".join(parts)


def _whole_words(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of *words*, Latin ones only where no letter is beside them."""
    latin = "|".join(re.escape(word) for word in words if word.isascii())
    others = "".join(f"|{re.escape(word)}" for word in words if not word.isascii())
    return re.compile(f"(?<![a-z])(?:{latin})(?![a-z]){others}")


def _name_pattern(names: Iterable[str]) -> str:
    """One RE2 pattern that finds any of *names* in split identifiers (:func:`split_name`) with spaces around."""
    parts = []
    for name in names:
        text = re2.escape(split_name(name.rstrip("*")))
        letters = sum(character.isalnum() for character in name)
        if letters >= 5 or name.endswith("*"):
            parts.append(text)
        elif letters >= 3:
            parts.append(" " + text)
        else:
            parts.append(f" {text} ")
    return "|".join(parts)


@lru_cache(maxsize=8192)
def split_name(name: str) -> str:
    """The parts of an identifier, lower case, one space between: ``txtSearch_Key`` gives ``txt search key``."""
    return _NOT_ALNUM.sub(" ", _CAMEL.sub(" ", name[:MAX_ZONE])).strip().lower()


class FormWords:
    """The words of ``words.yaml``, ready to be looked for.

    Args:
        data: the file's content, checked.
    """

    def __init__(self, data: _WordsFile) -> None:
        self.intents: tuple[str, ...] = tuple(data.intents)
        self.fields: dict[str, list[str]] = data.fields
        self.range_ends: dict[str, list[str]] = data.range
        self.all_ends: frozenset[str] = frozenset(word for words in data.range.values() for word in words)
        self._ends = {end: _whole_words(words) for end, words in data.range.items()}
        self._comparisons = {fold(word): kind for kind, words in data.comparisons.items() for word in words}
        self.stopwords: frozenset[str] = frozenset(fold(word) for word in data.stopwords)
        self.no_choice: frozenset[str] = frozenset(fold(word) for word in data.no_choice)
        self._text = {name: _pattern(intent.words) for name, intent in data.intents.items()}
        self._names = {name: _name_pattern(intent.names) for name, intent in data.intents.items()}
        self.concepts: tuple[str, ...] = tuple(data.fields)
        # Pages of a site say the same again and again; long texts are looked through but not kept.
        self._text_intents = _remembered(lambda text: self._match(self._text_set, _flat(text), self.intents))
        self._name_intents = _remembered(
            lambda name: self._match(self._name_set, f" {split_name(name)} ", self.intents)
        )
        self._field_concepts = _remembered(lambda text: self._match(self._field_set, _flat(text), self.concepts))
        self._mask_hint = _set("|".join({re2.escape(_flat(mask.rstrip("*")).strip()[:4]) for mask in data.masks}))
        self._masks = re2.compile(
            "|".join(
                re2.escape(_flat(mask.rstrip("*")).strip()) + ("[a-z]*" if mask.endswith("*") else "")
                for mask in data.masks
            )
        )

    @cached_property
    def _text_set(self) -> re2.Set:
        return _set(*self._text.values())

    @cached_property
    def _name_set(self) -> re2.Set:
        return _set(*self._names.values())

    @cached_property
    def _field_set(self) -> re2.Set:
        return _set(*map(_pattern, self.fields.values()))

    @cached_property
    def _compiled(self) -> dict[str, re2._Regexp]:
        return {name: re2.compile(pattern) for name, pattern in self._text.items()}

    def _match(self, patterns: re2.Set, text: str, names: tuple[str, ...]) -> frozenset[str]:
        if len(text) < 3:
            return _NOTHING
        found = patterns.Match(self._masks.sub(" ", text) if self._mask_hint.Match(text) else text)
        return frozenset(names[n] for n in found) if found else _NOTHING

    def intents_in(self, text: str) -> frozenset[str]:
        """Which intents the words of *text* (what a person reads) speak of."""
        return self._text_intents(text[:MAX_ZONE])

    def intents_in_name(self, name: str) -> frozenset[str]:
        """Which intents an identifier, or several with spaces between, speaks of."""
        return self._name_intents(name[:MAX_ZONE])

    def fields_in(self, text: str) -> frozenset[str]:
        """Which concepts (keyword, title, date, price ...) the words of *text* name."""
        return self._field_concepts(text[:MAX_ZONE])

    def first(self, intent: str, text: str) -> str:
        """The first word of *intent* in *text*, as it stands there, or nothing; for telling a person."""
        folded = str(self._masks.sub(" ", _flat(text[:MAX_ZONE])))
        found = self._compiled[intent].search(folded)
        if not found:
            return ""
        start, end = found.span()
        while end < len(folded) and folded[end].isalpha() and not _UNSPACED.match(folded[end]):
            end += 1
        return _NOT_ALNUM.sub(" ", folded[start:end]).strip()

    def speaks_of_end(self, end: str, text: str) -> bool:
        """Whether *text*, lower case, speaks of an end of an interval: ``from`` or ``to``."""
        return self._ends[end].search(text) is not None

    def is_no_choice(self, text: str) -> bool:
        """Whether an option's text stands for "no choice" (all, any, 不限, an empty one, a dashed line)."""
        folded = text[:60].strip(" -–—.…*()[]<>\t\n\u00a0\u3000").lower()
        return not folded or folded in self.no_choice or folded.split(" ")[0] in self.no_choice

    def comparison(self, text: str) -> str:
        """How a choice of this text compares a word with a field: ``within``, ``whole``, ``other``; or nothing.

        ``everywhere`` for a choice that means all fields.
        """
        folded = fold(text[:60])
        return self._comparisons.get(folded) or self._comparisons.get(folded.strip(" -–—.…*()[]:"), "")

    def meaningful(self, text: str) -> list[str]:
        """The words of *text* without illegal characters and stop words; runs of Chinese stay whole."""
        return [word for word in _TOKEN.findall(fold(text)) if word not in self.stopwords]


def _remembered(look: Callable[[str], frozenset[str]]) -> Callable[[str], frozenset[str]]:
    """*look* with its last answers kept for texts of up to 200 characters."""
    kept = lru_cache(maxsize=8192)(look)
    return lambda text: kept(text) if len(text) <= 200 else look(text)


def _set(*patterns: str) -> re2.Set:
    found = re2.Set.SearchSet()
    for pattern in patterns:
        found.Add(pattern)
    found.Compile()
    return found


@lru_cache(maxsize=1)
def form_words() -> FormWords:
    """The words of ``hometextile/forms/words.yaml``.

    Raises:
        Fault: the file is not what it should be.
    """
    source = files("hometextile.forms").joinpath("words.yaml")
    loaded = load_yaml(source.read_text(encoding="utf-8"), "hometextile/forms/words.yaml")
    try:
        return FormWords(_WordsFile.model_validate(loaded.data))
    except ValidationError as error:
        detail = error.errors()[0]
        key = ".".join(str(part) for part in detail["loc"])
        raise Fault(
            _("not as it should be: {problem}").format(problem=detail["msg"]), file=loaded.file, key=key
        ) from None
