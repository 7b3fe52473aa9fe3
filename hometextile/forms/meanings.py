"""What a label asks for: senses in Chinese and English, so that 发布日期 and "date of publication" are the same node.

Synonyms are data: the concepts of ``words.yaml`` (keyword, title, date, price ...) and, for a subject's own attributes,
``form_fields.yaml`` of its pack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from hometextile.text.normalise import fold

_HAN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
_ALTERNATIVES = re.compile(
    r"[/、,，;；|&]|(?:\b(?:or|and)\b)|或者|或|以及|及|(?<=[\u4e00-\u9fff])[和与](?=[\u4e00-\u9fff])"
)
_PIECE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[^\\W\\d_\u3040-\u30ff\u3400-\u9fff]+")
_BRACKETS = re.compile(r"[(（\[【][^)）\]】]{0,80}[)）\]】]")
#: A label longer than this is a hint ("Enter a name, a number or a word"): what it names counts, not how it is put.
_MAX_PIECES = 4
#: Concepts that narrow nothing: "search title" is a title, "select category" a category.
_VAGUE = frozenset({"keyword", "scope", "match"})
_MAX_HAN = 8


@dataclass(frozen=True, order=True)
class Sense:
    """One thing that a label asks for.

    Attributes:
        head: the concept, or the words as they stand where no concept is known.
        modifiers: what narrows it: "publication" in "publication date".
    """

    head: str
    modifiers: frozenset[str] = frozenset()

    def narrows(self, other: Sense) -> bool:
        """Whether this is the same thing as *other*, said more exactly."""
        return self.head == other.head and self.modifiers > other.modifiers

    def __str__(self) -> str:
        return " ".join((*sorted(self.modifiers), self.head))


class Meanings:
    """Looks up what labels mean.

    Args:
        fields: concept to its words, in any language.
        stopwords: words that carry no meaning.
    """

    def __init__(self, fields: Mapping[str, Iterable[str]], stopwords: Iterable[str] = ()) -> None:
        self._concepts: dict[str, str] = {}
        for concept, words in fields.items():
            for word in (concept.replace("_", " "), *words):
                self._concepts.setdefault(" ".join(fold(word).split()), concept)
        self.concepts = frozenset(fields)
        self._stopwords = frozenset(fold(word) for word in stopwords)
        self._longest = max((len(word.split(" ")) for word in self._concepts), default=1)
        self.senses = lru_cache(maxsize=20_000)(self._senses)

    def _senses(self, label: str) -> frozenset[Sense]:
        """The senses of a label; several where it names several things ("title / author")."""
        whole = self._concept(fold(label)) or self._concept(fold(_BRACKETS.sub(" ", label)).strip(" :：*?？.。"))
        if whole:
            return frozenset({Sense(whole)})
        found = {
            sense for part in _ALTERNATIVES.split(fold(_BRACKETS.sub(" ", label[:200]))) if (sense := self._sense(part))
        }
        known = {sense for sense in found if sense.head in self.concepts}
        telling = {sense for sense in known if sense.head not in _VAGUE}
        return frozenset(telling or known or found)

    def _concept(self, text: str) -> str:
        return self._concepts.get(text, "")

    def _sense(self, part: str) -> Sense | None:
        """One alternative: its last concept is the head (the first before "of"), what is left narrows it."""
        whole = self._concept(part.strip(" :：*?？.。"))
        if whole:
            return Sense(whole)
        pieces = _PIECE.findall(part)
        hint = len(pieces) > _MAX_PIECES or any(len(piece) > _MAX_HAN for piece in pieces if _HAN.match(piece))
        concepts: list[str] = []
        literals: list[str] = []
        n = 0
        while n < len(pieces):
            if _HAN.match(pieces[n]):
                self._han(pieces[n], concepts, literals)
                n += 1
                continue
            for size in range(min(self._longest, len(pieces) - n), 0, -1):
                concept = self._concept(" ".join(pieces[n : n + size]))
                if concept:
                    concepts.append(concept)
                    n += size
                    break
            else:
                literals.append(pieces[n])
                n += 1
        literals = [word for word in literals if word not in self._stopwords]
        if concepts:
            head = concepts[0] if " of " in part and len(concepts) > 1 else concepts[-1]
            # Words that no list knows do not narrow: every page has its own, and none of them makes a node.
            return Sense(head, frozenset() if hint else frozenset(concepts) - {head} - _VAGUE)
        if not literals or hint:
            return None
        return Sense(" ".join(literals))

    def _han(self, run: str, concepts: list[str], literals: list[str]) -> None:
        """The longest known words of a Chinese run, from its end (the head stands last)."""
        found: list[str] = []
        rest: list[str] = []
        end = len(run)
        while end > 0:
            for size in range(min(10, end), 0, -1):
                word = run[end - size : end]
                concept = self._concept(word) if size > 1 or len(run) <= 2 else ""
                if concept:
                    found.append(concept)
                    end -= size
                    break
            else:
                rest.append(run[end - 1])
                end -= 1
        concepts.extend(reversed(found))
        word = "".join(reversed(rest))
        for stop in sorted((w for w in self._stopwords if _HAN.match(w)), key=len, reverse=True):
            word = word.replace(stop, "")
        if word:
            literals.append(word)
