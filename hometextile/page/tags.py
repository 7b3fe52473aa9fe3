"""Tags as the HTML tokenizer reads them, and those that no parser should be given.

Parsers look each attribute of a tag up among those before it, so that the time of a tag grows with the square of their
number: one with 80,000 attributes holds libxml2 up for minutes. Pages in earnest have some dozens.
"""

from __future__ import annotations

import re

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


def _raw(name: str) -> str:
    """An element whose content is text up to its end tag, whatever that looks like."""
    letters = "".join(f"[{letter}{letter.upper()}]" for letter in name)
    return rf"<{letters}(?=[\t\n\f\r />]){_FEW}>(?:[^<]++|<(?!/{letters}))*+"


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
    """*text* without the tags that have more than :data:`MAX_ATTRIBUTES` attributes; what they hold stays."""
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
