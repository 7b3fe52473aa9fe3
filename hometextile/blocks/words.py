"""The words of a block that a lexicon weighs, by where they stand: its names, those around it, its text, its heading.

Elements of a page call themselves the same again and again. Bags of like elements are one object, so that whoever sums
over them does it once.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hometextile.blocks.outline import TOKEN, Outline
from hometextile.blocks.tags import HEADINGS

_WORD = re.compile(r"[a-z]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_INLINE = 4
Names = tuple[str, ...]


@dataclass(slots=True)
class Words:
    """The words of a block: of its element and what stands inline in it, of all around it, of its text, of the heading
    before it."""

    own: Names
    around: Names
    text: frozenset[str]
    heading: frozenset[str]


@lru_cache(maxsize=20_000)
def class_words(tag: str, names: str) -> Names:
    """Words of an element's tag, class, id, role and item property: ``div``, ``post``, ``body`` for ``postBody``."""
    if not names:
        return (tag,)
    words = _WORD.findall(_CAMEL.sub(" ", names[:300]).lower())
    return (tag, *dict.fromkeys(word for word in words if 1 < len(word) < 25))


#: As much of a text is read for words, and as many of its tokens.
_READ, _TOKENS = 600, 80


class TextReader:
    """Words and pairs of tokens of a page's texts; a text is cut into tokens once, however often it stands there."""

    def __init__(self) -> None:
        self._tokens: dict[str, list[str]] = {}
        self._words: dict[str, frozenset[str]] = {}

    def _cut(self, text: str) -> list[str]:
        tokens = self._tokens.get(text)
        if tokens is None:
            tokens = self._tokens[text] = TOKEN.findall(text[:_READ].lower())
        return tokens

    def words(self, text: str) -> frozenset[str]:
        """Words of a text for the lexicon: English words, and pairs of CJK characters."""
        words = self._words.get(text)
        if words is None:
            words = self._words[text] = _words(self._cut(text)[:_TOKENS])
        return words

    def pairs(self, text: str) -> frozenset[tuple[str, str]]:
        """Pairs of tokens that follow each other."""
        return frozenset(itertools.pairwise(self._cut(text)))


def _words(tokens: list[str]) -> frozenset[str]:
    words = {token for token in tokens if token[0] < "\u3040" and not token.isdigit()}
    before = ""
    for token in tokens:
        single = token if token >= "\u3040" and len(token) == 1 else ""
        if single and before:
            words.add(before + single)
        before = single
    return frozenset(words)


def pairs(text: str, most: int) -> frozenset[tuple[str, str]]:
    """Pairs of tokens that follow each other in the first *most* characters."""
    tokens = TOKEN.findall(text[:most].lower())
    return frozenset(itertools.pairwise(tokens))


def names_of(attributes: Mapping[str, str]) -> str:
    """What an element calls itself: class, id, role and item property."""
    if not attributes:
        return ""
    get = attributes.get
    own, number, role, prop = get("class"), get("id"), get("role"), get("itemprop")
    if number or role or prop:
        return " ".join([name for name in (own, number, role, prop) if name])
    return own or ""


class WordReader:
    """The words of one page's blocks.

    Args:
        out: the page's outline.
        known: for each element the words of its tag and names, None where nobody has asked for them yet.
        texts: of the page.
    """

    def __init__(self, out: Outline, known: list[Names | None], texts: TextReader) -> None:
        self.out = out
        self.known = known
        self.texts = texts
        self._own: dict[tuple[int, ...], Names] = {}
        self._around: dict[int, Names] = {-1: ()}
        self._joined: dict[tuple[int, int], Names] = {}

    def read(self, nodes: Sequence[int], firsts: Sequence[int], texts: Sequence[str]) -> list[Words]:
        """The words of all blocks.

        Args:
            nodes: element of each block.
            firsts: its first run.
            texts: of that run.
        """
        out = self.out
        found = []
        heading: frozenset[str] = frozenset()
        for node, first, said in zip(nodes, firsts, texts, strict=True):
            inline = out.runs[first].inline[:_INLINE] if first < len(out.runs) else []
            text = self.texts.words(said)
            found.append(Words(self._own_of(node, inline), self._around_of(out.parent[node]), text, heading))
            if out.tag[node] in HEADINGS:
                heading = text
        return found

    def _of(self, node: int) -> Names:
        words = self.known[node]
        if words is None:
            words = self.known[node] = class_words(self.out.tag[node], names_of(self.out.attributes[node]))
        return words

    def _own_of(self, node: int, inline: Sequence[int]) -> Names:
        parts = [self._of(node), *map(self._of, inline)]
        # every part lives as long as this reader does, so that an id stands for it
        key = tuple(map(id, parts))
        own = self._own.get(key)
        if own is None:
            own = self._own[key] = tuple(dict.fromkeys(itertools.chain.from_iterable(parts)))
        return own

    def _around_of(self, node: int) -> Names:
        """Words of an element and of all around it, each once, the innermost first."""
        known = self._around
        todo = []
        while node not in known:
            todo.append(node)
            node = self.out.parent[node]
        words = known[node]
        for each in reversed(todo):
            own = self._of(each)
            key = (id(own), id(words))
            joined = self._joined.get(key)
            if joined is None:
                joined = self._joined[key] = tuple(dict.fromkeys((*own, *words)))
            words = known[each] = joined
        return words
