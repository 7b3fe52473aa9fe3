"""The domain pack: everything that is about one subject and nothing else.

A pack is a folder: ``pack.yaml`` (name, languages, thresholds), ``words/keywords.yaml`` (what to search for),
``words/terms.yaml`` (the topic vector), ``words/synonyms.yaml``, ``words/dictionary.txt`` (words that the cutter
lacks), ``taxonomy.yaml`` (libraries and classes), and whatever other rooms keep there (domain model, trained models).
It is read through :mod:`importlib.resources`, or from a folder that the user names. ``docs/pack.md`` says how to write
one.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hometextile.text.faults import Fault
from hometextile.text.messages import _
from hometextile.text.scripts import to_traditional
from hometextile.text.strict_yaml import faults_of, load_yaml
from hometextile.text.words import Cutter, is_chinese

_MAX_BYTES = 4_000_000
_PACKS = "hometextile.domains"
_Model = TypeVar("_Model", bound=BaseModel)

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(gt=0, le=10)]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Word = Annotated[str, Field(min_length=1, max_length=60)]
Names = Annotated[dict[str, Word], Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PackFile(_Strict):
    """``pack.yaml``.

    Attributes:
        name: the pack's key.
        names: what users call the subject, by language.
        languages: the languages that the pack has words in.
        relevance: resources less relevant than this are off topic.
        link_relevance: links that score less than this go to the end of the queue.
    """

    name: Key
    names: Names
    languages: Annotated[list[str], Field(min_length=1)]
    relevance: Share = 0.5
    link_relevance: Share = 0.1


class Group(_Strict):
    """Words that weigh the same."""

    weight: Weight
    words: Annotated[list[Word], Field(min_length=1)]


class TermsFile(_Strict):
    """``words/terms.yaml``: words for the topic and words that speak against it (its neighbours)."""

    topic: Annotated[list[Group], Field(min_length=1)]
    against: list[Group] = []


class Signals(_Strict):
    """What of a resource, other than its words, speaks for a library or class: weights, 0 for nothing.

    Attributes:
        videos: it has a video.
        images: it has images and hardly any text.
        price: it has a field that is a price.
    """

    videos: Annotated[float, Field(ge=0, le=10)] = 0.0
    images: Annotated[float, Field(ge=0, le=10)] = 0.0
    price: Annotated[float, Field(ge=0, le=10)] = 0.0


class Class(_Strict):
    """One class of the taxonomy: its names by language, its words with weights, its signals."""

    names: Names
    words: Annotated[list[Group], Field(min_length=1)]
    signals: Signals = Signals()

    @cached_property
    def weights(self) -> dict[str, float]:
        """Word to weight, both languages, lower case."""
        return {word.lower(): group.weight for group in self.words for word in group.words}


class Library(_Strict):
    """One library: its names by language, its classes, words that speak for all of them."""

    names: Names
    words: list[Group] = []
    signals: Signals = Signals()
    classes: Annotated[dict[Key, Class], Field(min_length=1)]

    @cached_property
    def weights(self) -> dict[str, float]:
        """Word to weight, both languages, lower case."""
        return {word.lower(): group.weight for group in self.words for word in group.words}


class TaxonomyFile(_Strict):
    """``taxonomy.yaml``."""

    libraries: Annotated[dict[Key, Library], Field(min_length=1)]


class KeywordsFile(_Strict):
    """``words/keywords.yaml``: language to words, the most productive first."""

    keywords: Annotated[dict[str, Annotated[list[Word], Field(min_length=1)]], Field(min_length=1)]


class SynonymsFile(_Strict):
    """``words/synonyms.yaml``: lists of words that mean the same, across languages too."""

    synonyms: list[Annotated[list[Word], Field(min_length=2)]] = []


class Pack:
    """A domain pack; :func:`load_pack` makes one.

    Args:
        root: the pack's folder.

    Raises:
        Fault: a file is missing, is not YAML, or is not what it should be.
    """

    def __init__(self, root: Traversable) -> None:
        self.root = root
        self.settings = _read(root, "pack.yaml", PackFile)
        self._terms = _read(root, "words/terms.yaml", TermsFile)
        self._keywords = _read(root, "words/keywords.yaml", KeywordsFile).keywords
        self.libraries: dict[str, Library] = _read(root, "taxonomy.yaml", TaxonomyFile).libraries
        synonyms = SynonymsFile()
        if root.joinpath("words", "synonyms.yaml").is_file():
            synonyms = _read(root, "words/synonyms.yaml", SynonymsFile)
        self._synonyms = synonyms.synonyms
        self._check()

    def _check(self) -> None:
        seen: dict[str, str] = {}
        for library, entry in self.libraries.items():
            for key in entry.classes:
                if key in seen:
                    raise Fault(
                        _("class {key} is in library {first} and in library {second}").format(
                            key=key, first=seen[key], second=library
                        ),
                        remedy=_("give one of them another key"),
                        file=_place(self.root, "taxonomy.yaml"),
                        key=f"libraries.{library}.classes.{key}",
                    )
                seen[key] = library
        for language in self.settings.languages:
            if language not in self._keywords:
                raise Fault(
                    _("no keywords in language {language}").format(language=language),
                    remedy=_("add them, or take the language out of pack.yaml"),
                    file=_place(self.root, "words/keywords.yaml"),
                    key=f"keywords.{language}",
                )

    @property
    def name(self) -> str:
        """The pack's key, such as ``home_textile``."""
        return self.settings.name

    def keywords(self, language: str | None = None) -> list[str]:
        """What to type into a search box, the most productive words first.

        Args:
            language: ``zh``, ``en`` ...; None for all, in the order of ``pack.yaml``.
        """
        languages = self.settings.languages if language is None else [language]
        return list(dict.fromkeys(word for each in languages for word in self._keywords.get(each, [])))

    @cached_property
    def terms(self) -> dict[str, float]:
        """The topic vector: word to weight, 0 to 1; lower case, traditional characters beside simplified ones."""
        return _with_traditional(self._terms.topic)

    @cached_property
    def against(self) -> dict[str, float]:
        """Words of the topic's neighbours that speak against it: word to weight."""
        return _with_traditional(self._terms.against)

    @property
    def synonyms(self) -> list[list[str]]:
        """Lists of words that mean the same, across languages too."""
        return self._synonyms

    def same_as(self, word: str) -> list[str]:
        """The other words that mean what *word* means, in the order of the file."""
        lower = word.lower()
        found: dict[str, None] = {}
        for group in self._synonyms:
            if any(each.lower() == lower for each in group):
                found.update((each, None) for each in group if each.lower() != lower)
        return list(found)

    @cached_property
    def dictionary(self) -> list[str]:
        """Chinese words that the cutter is to keep whole: the dictionary file, terms, keywords, class words."""
        words: dict[str, None] = {}
        path = self.root.joinpath("words", "dictionary.txt")
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                word = line.split("#", 1)[0].strip()
                if word:
                    words[word] = None
        words.update(dict.fromkeys([*self.terms, *self.keywords()]))
        for library in self.libraries.values():
            words.update(dict.fromkeys(library.weights))
            for entry in library.classes.values():
                words.update(dict.fromkeys(entry.weights))
        return [word for word in words if is_chinese(word) and 1 < len(word) <= 8]

    @cached_property
    def cutter(self) -> Cutter:
        """The cutter with this pack's dictionary."""
        return Cutter(self.dictionary)

    @property
    def threshold(self) -> float:
        """Resources less relevant than this are off topic."""
        return self.settings.relevance

    def library_of(self, category: str) -> str:
        """The library that class *category* belongs to; empty if there is none."""
        return next((key for key, entry in self.libraries.items() if category in entry.classes), "")

    def class_name(self, category: str, language: str = "zh") -> str:
        """What users call class *category*; the key itself where it has no name in that language."""
        entry = self.libraries.get(self.library_of(category))
        return entry.classes[category].names.get(language, category) if entry else category

    def library_name(self, library: str, language: str = "zh") -> str:
        """What users call *library*; the key itself where it has no name in that language."""
        entry = self.libraries.get(library)
        return entry.names.get(language, library) if entry else library

    def resource(self, path: str) -> Traversable:
        """A file of the pack, such as ``domain_model.yaml`` or ``models/classes.skops``; it need not exist."""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if ".." in parts:
            raise Fault(_("{path} leads out of the pack").format(path=path), file=_place(self.root, ""))
        return self.root.joinpath(*parts)

    def __repr__(self) -> str:
        return f"Pack({self.name!r})"


def load_pack(name: str | Path = "home_textile") -> Pack:
    """The pack of that name, or the pack in that folder.

    Args:
        name: a pack that comes with the project, or the path of a folder that holds a ``pack.yaml``.

    Raises:
        Fault: there is none, or one of its files is wrong.
    """
    return _load(str(name))


@lru_cache(maxsize=8)
def _load(name: str) -> Pack:
    shipped = files(_PACKS)
    if name.isidentifier() and shipped.joinpath(name, "pack.yaml").is_file():
        return Pack(shipped.joinpath(name))
    folder = Path(name).expanduser()
    if not (folder / "pack.yaml").is_file():
        there = sorted(each.name for each in shipped.iterdir() if each.joinpath("pack.yaml").is_file())
        raise Fault(
            _("there is no domain pack {name}").format(name=name),
            remedy=_("give one of {names}, or a folder that holds a pack.yaml").format(names=", ".join(there)),
        )
    return Pack(folder)


def _place(root: Traversable, path: str) -> str:
    return str(root.joinpath(*path.split("/"))) if path else str(root)


def _read(root: Traversable, path: str, model: type[_Model]) -> _Model:
    place = _place(root, path)
    file = root.joinpath(*path.split("/"))
    if not file.is_file():
        raise Fault(_("the domain pack lacks this file"), remedy=_("see docs/pack.md"), file=place)
    try:
        text = file.read_bytes()[:_MAX_BYTES].decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise Fault(_("the file is not UTF-8"), remedy=_("save it as UTF-8"), file=place) from wrong
    loaded = load_yaml(text, place)
    try:
        return model.model_validate(loaded.data)
    except ValidationError as wrong:
        raise faults_of(wrong, loaded, model)[0] from wrong


def _with_traditional(groups: list[Group]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for group in groups:
        for word in group.words:
            lower = word.lower()
            weights.setdefault(lower, group.weight)
            if is_chinese(word):
                weights.setdefault(to_traditional(lower), group.weight)
    return weights
