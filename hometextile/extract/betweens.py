"""Begin and end tags as a person copies them from a page's source (paper 4): the system makes the rule.

``<div class="content">`` ... ``</div>`` finds the text between the tag and the one that closes it. Order and quotes of
attributes, further attributes, white space and letter case do not matter. An end that is not the begin's closing tag
(a comment, some words, another tag) is simply the next place where it stands.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from hometextile.text.messages import _

MAX_CHARS = 1000
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:_-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE = re.compile(r"([^\s=\"'/>]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_HIDDEN = re2.compile(r"(?is)<!--.*?-->|<script\b.*?</script\s*>|<style\b.*?</style\s*>|<textarea\b.*?</textarea\s*>")


@dataclass(frozen=True)
class _Piece:
    """A tag with its attributes, or literal text, of the begin that a person typed."""

    tag: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""


def _pieces(begin: str) -> list[_Piece]:
    out = []
    place = 0
    for found in _TAG.finditer(begin):
        if between := begin[place : found.start()].strip():
            out.append(_Piece(text=between))
        place = found.end()
        if found.group(1):
            out.append(_Piece(tag="/" + found.group(2).lower()))
        else:
            out.append(
                _Piece(tag=found.group(2).lower(), attributes=tuple(sorted(_attributes(found.group(3)).items())))
            )
    if rest := begin[place:].strip():
        out.append(_Piece(text=rest))
    return out


def _attributes(text: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        value = " ".join(html.unescape(double or single or bare).split())
        out.setdefault(name.lower(), value)
    return out


def check_begin(begin: str) -> str:
    """*begin* if a rule can be made of it.

    Raises:
        ValueError: it is empty, too long, or a tag in it is not closed.
    """
    if not begin.strip():
        raise ValueError(
            _("the begin tag is empty") + " → " + _('copy it from the page\'s source, e.g. <div class="content">')
        )
    if len(begin) > MAX_CHARS:
        raise ValueError(
            _("the begin tag has more than {n} characters").format(n=MAX_CHARS) + " → " + _("one tag is enough")
        )
    if any(re.search(r"<[A-Za-z/]", piece.text) for piece in _pieces(begin)):
        raise ValueError(
            _("a tag in the begin is not closed: {text}").format(text=begin) + " → " + _("copy it up to its >")
        )
    return begin


def check_end(end: str) -> str:
    """*end* if a rule can be made of it.

    Raises:
        ValueError: it is empty or too long.
    """
    if not end.strip():
        raise ValueError(_("the end tag is empty") + " → " + _("copy it from the page's source, e.g. </div>"))
    if len(end) > MAX_CHARS:
        raise ValueError(
            _("the end tag has more than {n} characters").format(n=MAX_CHARS) + " → " + _("one tag is enough")
        )
    return end


def _literal(text: str) -> str:
    return r"\s*".join(re2.escape(word) for word in text.split())


@lru_cache(maxsize=512)
def _begin_pattern(begin: str) -> Any:
    parts = []
    for piece in _pieces(begin):
        if piece.text:
            parts.append(_literal(piece.text))
        elif piece.tag.startswith("/"):
            parts.append(rf"</{re2.escape(piece.tag[1:])}\s*>")
        else:
            parts.append(rf"(<{re2.escape(piece.tag)}(?:[\s/](?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?>)")
    return re2.compile("(?is)" + r"\s*".join(parts))


def _fits(tag: str, wanted: dict[str, str], *, exact: bool) -> bool:
    found = _TAG.match(tag)
    if not found:
        return False
    there = _attributes(found.group(3))
    for name, value in wanted.items():
        if name not in there:
            return False
        if there[name] == value:
            continue
        if exact or name != "class" or not set(value.split()) <= set(there[name].split()):
            return False
    return True


def _masked(source: str) -> str:
    """*source* with comments, scripts and styles blanked, places unchanged: tags in them close nothing."""
    out = []
    place = 0
    for found in _HIDDEN.finditer(source):
        out.append(source[place : found.start()])
        out.append(" " * (found.end() - found.start()))
        place = found.end()
    out.append(source[place:])
    return "".join(out)


@lru_cache(maxsize=256)
def _same_tag(name: str) -> Any:
    return re2.compile(rf"(?i)<(/?){re2.escape(name)}(?:[\s/](?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?>")


class _Closers:
    """Where each tag of one name is closed, worked out once for a source."""

    def __init__(self, masked: str, name: str) -> None:
        stack: list[int] = []
        self.ends: dict[int, int] = {}
        for found in _same_tag(name).finditer(masked):
            if not found.group(1):
                stack.append(found.end())
            elif stack:
                self.ends[stack.pop()] = found.start()
        self.starts = sorted(self.ends)

    def end(self, start: int) -> int | None:
        """Where the tag that ends at *start* is closed."""
        if start in self.ends:
            return self.ends[start]
        place = bisect_right(self.starts, start)
        return self.ends[self.starts[place - 1]] if place and self.ends[self.starts[place - 1]] >= start else None


def between(source: str, begin: str, end: str, *, most: int = 10_000) -> list[str]:
    """The pieces of *source* between *begin* and *end*, as HTML.

    Args:
        source: the page's source.
        begin: the begin tag (or several, or words) as a person copied it.
        end: the end likewise; ``</div>`` after a begin whose last tag is a ``div`` is its own closing tag.
        most: the number of pieces after which the search ends.
    """
    pieces = _pieces(begin)
    tags = [piece for piece in pieces if piece.tag and not piece.tag.startswith("/")]
    wanted = [dict(piece.attributes) for piece in tags]
    found = list(_begin_pattern(begin).finditer(source))[:most]
    fitting = [one for one in found if all(_fits(one.group(n + 1), w, exact=True) for n, w in enumerate(wanted))]
    if not fitting:
        fitting = [one for one in found if all(_fits(one.group(n + 1), w, exact=False) for n, w in enumerate(wanted))]
    if not fitting:
        return []
    closing = re.fullmatch(r"\s*</\s*([A-Za-z][A-Za-z0-9:_-]*)\s*>\s*", end)
    name = closing.group(1).lower() if closing else ""
    opener = next((piece.tag for piece in reversed(pieces) if piece.tag), "")
    out: list[str] = []
    reached = 0
    if closing and opener == name and name not in _VOID and pieces[-1].tag == name:
        masked = _masked(source)
        closers = _Closers(masked, name)
        # Tags within one another repeat their content; a page may not make that grow without bounds.
        budget = 4 * len(source) + 1_000_000
        for place, one in enumerate(fitting):
            # A begin inside a comment or a script is none.
            if not masked[one.start() : one.end()].strip():
                continue
            stop = closers.end(one.end())
            if stop is None:
                # Never closed: up to the next one of its kind.
                stop = fitting[place + 1].start() if place + 1 < len(fitting) else len(source)
            out.append(source[one.end() : stop])
            budget -= stop - one.end()
            if budget < 0:
                break
        return out
    ends = [found_end.span() for found_end in _begin_pattern(end).finditer(source)]
    starts = [start for start, _stop in ends]
    for one in fitting:
        if one.start() < reached:
            continue
        place = bisect_left(starts, one.end())
        if place == len(ends):
            break
        out.append(source[one.end() : ends[place][0]])
        reached = ends[place][1]
    return out
