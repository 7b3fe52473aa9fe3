"""Tags as the HTML tokenizer reads them, and those that no parser should be given.

Parsers look each attribute of a tag up among those before it, so that the time of a tag grows with the square of their
number: one with 80,000 attributes holds libxml2 up for minutes. Pages in earnest have some dozens.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from string import ascii_letters

import numpy as np
import re2

#: Attributes of one tag at most; a tag with more is left out.
MAX_ATTRIBUTES = 1_000

SPACE = r"[\t\n\f\r ]"
#: An attribute as the tokenizer reads it (13.2.5.32 to 13.2.5.40); possessive, so that broken input costs linear time.
ATTRIBUTE = (
    r"(?P<key>[^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rf"(?:{SPACE}*+={SPACE}*+"
    r"(?:\"(?P<double>[^\"]*+)(?:\"|\Z)|'(?P<single>[^']*+)(?:'|\Z)|(?P<bare>[^\t\n\f\r >\"'][^\t\n\f\r >]*+)|(?=>)))?+"
)
NAMELESS = re.sub(r"\?P<\w+>", "?:", ATTRIBUTE)
#: Most attributes are written so; tried first, since it takes the fewest steps.
USUAL = rf"{SPACE}++[^\t\n\f\r />=]++=\"[^\"]*+\""
#: An attribute, or what parts two.
INSIDE = rf"(?:{USUAL}|[\t\n\f\r /]++|{NAMELESS})"
_FEW = rf"{INSIDE}{{0,{MAX_ATTRIBUTES}}}+"


def any_case(word: str) -> str:
    """A pattern for *word* in any letter case; found out sooner than under IGNORECASE."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in word)


def _raw(name: str) -> str:
    """An element whose content is text up to its end tag, whatever that looks like."""
    word = any_case(name)
    return rf"<{word}(?=[\t\n\f\r />]){_FEW}>(?:[^<]++|<(?!/{word}))*+"


# Text, comments, scripts and tags, as many as there are, up to a tag with too many attributes. What parts two counts as
# well, so that a tag is found with half of them at the least; it is counted exactly then.
_USUAL_TAGS = re.compile(
    rf"(?:[^<]++|<!--(?:[^-]++|-(?!->))*+|{_raw('script')}|{_raw('style')}|<(?![a-zA-Z])"
    rf"|<[a-zA-Z][^\t\n\f\r />]*+{_FEW}(?:>|\Z))*+"
)
_TAG = re.compile(rf"<[a-zA-Z][^\t\n\f\r />]*+(?P<attributes>{INSIDE}*+)>?+")
_ATTRIBUTES = re.compile(NAMELESS)


def crowded(attributes: str) -> bool:
    """Whether these are more than :data:`MAX_ATTRIBUTES`.

    Args:
        attributes: what stands in a tag after its name.
    """
    if len(attributes) < 2 * MAX_ATTRIBUTES:
        return False
    return any(number >= MAX_ATTRIBUTES for number, _one in enumerate(_ATTRIBUTES.finditer(attributes)))


def without_crowded_tags(text: str) -> str:
    """*text* without the tags that have more than :data:`MAX_ATTRIBUTES` attributes; what they hold stays.

    A source that :func:`is_tidy` has none.
    """
    pieces = []
    kept = place = 0
    while True:
        usual = _USUAL_TAGS.match(text, place)
        place = usual.end() if usual is not None else place
        tag = _TAG.match(text, place)
        if tag is None:
            break
        if crowded(tag["attributes"]):
            pieces.append(text[kept:place])
            kept = tag.end()
        place = tag.end()
    return "".join([*pieces, text[kept:]]) if pieces else text


#: Elements whose content is text up to their end tag.
RAW = ("script", "style", "textarea", "title", "noscript", "iframe", "xmp", "noembed", "noframes")
#: What follows a tag's name (13.2.5.32 to 13.2.5.40), each part left by the character that ends it, so that a tag is
#: read in one way only; no ``<`` in it.
_KEYS = rf"[^<\t\n\f\r />][^<\t\n\f\r />=]*(?:{SPACE}+[^<\t\n\f\r />=][^<\t\n\f\r />=]*)*{SPACE}*"
_QUOTED = r"(?:\"[^<\"]*\"|'[^<']*')"
_BARE = r"[^<\t\n\f\r >\"'][^<\t\n\f\r >]*"
_REST = (
    rf"(?:[\t\n\f\r /]+(?:{_KEYS}(?:/|={SPACE}*(?:{_QUOTED}|{_BARE}{SPACE}))[\t\n\f\r /]*)*"
    rf"(?:{_KEYS}(?:={SPACE}*(?:{_QUOTED}|{_BARE})?)?)?)?>"
)
_COMMENT = r"<!--(?:-?>|(?:(?:[^->]|-[^->]|--+[^->!])(?:[^-]|-[^-]|--+[^->!])*)?--+>)"
_BOGUS = r"<(?:(?:[?]|![^->]|!-[^->]|/[^<a-zA-Z>])[^<>]*>|/>|!-?>)"


def is_tidy(text: str) -> bool:
    """Whether a source's tags, comments and scripts are where anybody would look for them.

    So it is if the tokenizer begins and ends it in the data state, no tag, and no comment that is none, holds a ``<``,
    no raw text is left open, no tag has more than :data:`MAX_ATTRIBUTES` attributes, and it has neither ``template``
    nor ``plaintext``. Tidy sources one after the other are tidy.

    Args:
        text: source of a page, or a piece of it.
    """
    body = text.encode("utf-8", "ignore")
    return _tidy().fullmatch(body) is not None and not any(map(_crowds, _long_pieces(body)))


def _long_pieces(body: bytes) -> Iterator[bytes]:
    """What stands from one ``<`` to the next, where it is long enough for too many attributes."""
    opened = np.flatnonzero(np.frombuffer(body, dtype=np.uint8) == ord("<"))
    ends = np.append(opened[1:], len(body))
    for n in np.flatnonzero(ends - opened >= 2 * MAX_ATTRIBUTES):
        yield body[opened[n] : ends[n]]


def _crowds(piece: bytes) -> bool:
    """Whether the tag that a piece begins with has too many attributes."""
    tag = _TAG.match(piece.decode("utf-8", "ignore"))
    return tag is not None and crowded(tag["attributes"])


@cache
def _tidy() -> re2._Regexp:
    """The tidy sources. Of bytes, so that each takes one look-up; with few states, so that no page makes it slow."""
    raw = "|".join(f"{any_case(name)}{_REST}{_up_to_end(name)}" for name in RAW)
    other = _other_name((*RAW, "template", "plaintext"), ascii_letters)
    tag = rf"<(?:{raw}|(?:/[a-zA-Z]{_NAME}*|{other}){_REST})"
    pattern = rf"(?s)(?:[^<]|<+[^<a-zA-Z/!?]|<*(?:{_COMMENT}|{_BOGUS}|{tag}))*"
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern.encode(), options)


_NAME = r"[^<\t\n\f\r />]"


def _other_name(names: Collection[str], first: str = "") -> str:
    """Names of elements, or what is left of one, other than *names*; *first*: what such a name may begin with."""
    heads = sorted({name[0] for name in names if name})
    ways = [any_case(head) + _other_name({name[1:] for name in names if name.startswith(head)}) for head in heads]
    known = "".join(heads) + "".join(heads).upper()
    if first:
        ways.append(f"[{''.join(letter for letter in first if letter not in known)}]{_NAME}*")
        return f"(?:{'|'.join(ways)})"
    ways.append(f"{_NAME[:-1]}{known}]{_NAME}*")
    return f"(?:{'|'.join(ways)}){'' if '' in names else '?'}"


def _up_to_end(name: str) -> str:
    """Text in which ``</name`` does not stand, and the end tag."""
    end = f"</{name}"
    begun = [any_case(end[:n]) for n in range(1, len(end))]
    failed = [f"{one}[^<{end[n]}{end[n].upper()}]" for n, one in enumerate(begun, 1)]
    some = f"(?:{'|'.join(begun)})*"
    return f"(?:[^<]|{some}(?:{'|'.join(failed)}))*{some}{any_case(end)}{_REST}"
