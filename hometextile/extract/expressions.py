"""XPath, CSS and regular expressions of rule files: checked when the file is read, bounded when they run.

XPath has no time limit, so that an expression is costed before it is run: each nested predicate that walks the page
again multiplies the work by the number of its nodes. ``re:test`` runs on RE2 (linear) instead of EXSLT's backtracking
engine. Regular expressions are RE2's: no lookaround and no back references.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import re2
from cssselect import SelectorError
from lxml import etree
from parsel.csstranslator import HTMLTranslator

from hometextile.page.document import Document
from hometextile.text.messages import _

MAX_CHARS = 2000
#: Node visits that one expression may cost on one page; libxml2 makes some ten million a second.
BUDGET = 100_000_000
_EXSLT_RE = "http://exslt.org/regular-expressions"
_NAMESPACES = {"re": _EXSLT_RE}
_CORE = frozenset(
    {"last", "position", "count", "id", "local-name", "namespace-uri", "name", "string", "concat", "starts-with",
     "contains", "substring-before", "substring-after", "substring", "string-length", "normalize-space", "translate",
     "boolean", "not", "true", "false", "lang", "number", "sum", "floor", "ceiling", "round", "has-class", "re:test"}
)  # fmt: skip
_NODE_TESTS = frozenset({"text", "node", "comment", "processing-instruction"})
_INSTEAD = {
    "ends-with": "re:test(., 'END$')",
    "matches": "re:test(., 'PATTERN')",
    "lower-case": "translate(., 'ABC', 'abc')",
    "string-join": "many: true + join",
    "document": "",
}
_LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"")
_CALL = re.compile(r"([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*\(")
_COSTLY = re.compile(r"//|\b(?:descendant|descendant-or-self|following|preceding)\s*::"
                     r"|\b(?:following|preceding)-sibling\s*::|\bancestor(?:-or-self)?\s*::|[\[\](),|]")  # fmt: skip
_COMPARES = re.compile(r"[=(]")
_TBODY = re.compile(r"(?<=/)tbody(?:\[\d+\])?/|/tbody(?:\[\d+\])?(?=/|$|\||\))")
_TBODY_CSS = re.compile(r"\btbody(?::nth-(?:child|of-type)\(\d+\)|:first-child)?\s*>\s*", re.I)
_SAYS_XPATH = re.compile(r"\s*(?:\.{0,2}/|\(|\.\s*$|[a-z-]+::|[a-z-]+\()")


class TooCostly(Exception):
    """An expression that would take too long on this page; counted, and the field stays empty."""


def _fault(problem: str, remedy: str) -> ValueError:
    return ValueError(f"{problem} → {remedy}" if remedy else problem)


# ---------------------------------------------------------------------------------------------------------- XPath


@lru_cache(maxsize=2048)
def _pattern(pattern: str, flags: str = "") -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    options.case_sensitive = "i" not in flags
    options.dot_nl = "s" in flags
    options.one_line = "m" not in flags
    return re2.compile(pattern, options)


def _string(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, etree._Element):
        return str(value.xpath("string()"))
    return str(value)


def _re_test(context: Any, value: Any, pattern: Any, flags: Any = "") -> bool:
    try:
        return _pattern(_string(pattern), _string(flags)).search(_string(value)) is not None
    except re2.error:
        return False


def _has_class(context: Any, *names: Any) -> bool:
    classes = set((context.context_node.get("class") or "").split())
    return all(_string(name) in classes for name in names)


_EXTENSIONS = {(_EXSLT_RE, "test"): _re_test, (None, "has-class"): _has_class}


@lru_cache(maxsize=2048)
def _compiled(text: str) -> etree.XPath:
    return etree.XPath(text, namespaces=_NAMESPACES, extensions=_EXTENSIONS, regexp=False, smart_strings=False)


def check_xpath(text: str) -> str:
    """*text* if it is an XPath 1.0 expression that may run.

    Raises:
        ValueError: what is wrong, and a remedy.
    """
    text = text.strip()
    if not text:
        raise _fault(_("the XPath is empty"), _("write one, or take the line out"))
    if len(text) > MAX_CHARS:
        raise _fault(
            _("the XPath has more than {n} characters").format(n=MAX_CHARS), _("stand it on a class or an id nearer by")
        )
    bare = _LITERAL.sub("''", text)
    for call in _CALL.finditer(bare):
        name = call.group(1)
        before = bare[: call.start()].rstrip()
        if name in _NODE_TESTS or name in _CORE or (name in {"and", "or", "div", "mod"} and before):
            continue
        instead = _INSTEAD.get(name.partition(":")[2] or name)
        remedy = _("write {instead}").format(instead=instead) if instead else _("use the functions of XPath 1.0 only")
        raise _fault(_("XPath 1.0 has no function {name}()").format(name=name), remedy)
    if "$" in bare:
        raise _fault(_("the XPath uses a variable"), _("write the value itself, in quotes"))
    try:
        _compiled(text)
    except etree.XPathSyntaxError as error:
        raise _fault(_("broken XPath: {reason}").format(reason=str(error)), _("check brackets and quotes")) from None
    if _degree(bare) > 3:
        raise _fault(_("the XPath walks the whole page within itself too often"), _("take // out of its brackets"))
    for pattern in _re_patterns(text):
        check_regex(pattern)
    return text


def _re_patterns(text: str) -> list[str]:
    return [found[1:-1] for found in re.findall(r"re:test\([^()]*,\s*('[^']*'|\"[^\"]*\")", text)]


def _factors(bare: str) -> list[tuple[int, int, int]]:
    """How often each place of an expression multiplies by nodes, siblings, depth: one triple per place."""
    stack: list[list[int]] = [[0, 0, 0]]
    out = []
    for token in _COSTLY.finditer(bare):
        word = token.group()
        if word in "[(":
            stack.append([0, 0, 0])
        elif word in "])":
            if len(stack) > 1:
                stack.pop()
        elif word in ",|":
            stack[-1] = [0, 0, 0]
        else:
            here = stack[-1]
            if word.startswith(("following", "preceding")) and "sibling" not in word:
                here[0] = min(2, here[0] + 1)
            elif "sibling" in word:
                here[1] = 1
            elif word.startswith("ancestor") or here[0]:
                here[2] = 1
            else:
                here[0] = 1
        out.append(
            (sum(level[0] for level in stack), sum(level[1] for level in stack), sum(level[2] for level in stack))
        )
    return out


def _degree(bare: str) -> int:
    return max((nodes for nodes, _siblings, _depth in _factors(bare)), default=0)


@lru_cache(maxsize=2048)
def _all_factors(text: str) -> tuple[tuple[int, int, int], ...]:
    return tuple(set(_factors(_LITERAL.sub("''", text))))


def _size(document: Document) -> tuple[int, int, int]:
    """Nodes of the page, the most children an element has, and its depth."""
    known = document.derived.get("expressions.size")
    if known is None:
        nodes = widest = deepest = 0
        depth: dict[Any, int] = {}
        for element in document.tree.iter():
            nodes += 1
            children = len(element)
            parent = element.getparent()
            here = depth[element] = depth.get(parent, 0) + 1 if children or parent is not None else 1
            widest, deepest = max(widest, children), max(deepest, here)
        known = document.derived["expressions.size"] = (max(nodes, 1) * 2, max(widest, 1), max(deepest, 1))
    return known


def cost(document: Document, text: str) -> int:
    """An upper bound, in node visits, of what an XPath costs on a page."""
    nodes, widest, deepest = _size(document)
    walks = max((nodes**n * widest**s * deepest ** (2 * d) for n, s, d in _all_factors(text)), default=1)
    # Each element compared by its text has all the text below it put together first.
    texts = len(document.text) * deepest // 25 if _COMPARES.search(text) and "//" in text else 0
    return walks + texts


def find_xpath(document: Document, text: str, context: Any | None = None) -> list[Any]:
    """What an XPath finds: elements and strings, in document order.

    Within a *context* (a record), ``//`` at the start means below the context: whoever writes it there means that.
    ``tbody`` that a browser put into the path and the page does not have is left out; ``svg`` has its own ``title``
    and ``a``, which are not found unless the path names it.

    Args:
        document: the page.
        text: a checked expression.
        context: the element to start from, the root if None.

    Raises:
        TooCostly: it would take too long on this page.
    """
    if context is not None and text.startswith("//"):
        text = "." + text
    found = _evaluate(document, text, context)
    if not found and "tbody" in text:
        found = _evaluate(document, _TBODY.sub("", text), context)
    return found


def _evaluate(document: Document, text: str, context: Any | None) -> list[Any]:
    if cost(document, text) > BUDGET:
        raise TooCostly(text)
    try:
        result = _compiled(text)(document.tree if context is None else context)
    except etree.XPathError:
        return []
    if not isinstance(result, list):
        if isinstance(result, float) and result == int(result):
            result = int(result)
        return [str(result)] if result != "" and result is not False else []
    if "svg" in text or "math" in text:
        return result
    return [node for node in result if isinstance(node, str) or not _in_svg(node)]


def _in_svg(node: Any) -> bool:
    if not isinstance(node, etree._Element):
        return False
    return node.tag != "svg" and any(True for _ in node.iterancestors("svg", "math"))


# ------------------------------------------------------------------------------------------------------------ CSS


@lru_cache(maxsize=2048)
def _css(text: str, prefix: str) -> str:
    return str(HTMLTranslator().css_to_xpath(text, prefix))


def check_css(text: str) -> str:
    """*text* if it is a CSS selector (``::text`` and ``::attr(name)`` as in Scrapy).

    Raises:
        ValueError: what is wrong, and a remedy.
    """
    text = text.strip()
    if not text:
        raise _fault(_("the CSS selector is empty"), _("write one, or take the line out"))
    if len(text) > MAX_CHARS:
        raise _fault(
            _("the CSS selector has more than {n} characters").format(n=MAX_CHARS),
            _("stand it on a class or an id nearer by"),
        )
    try:
        _compiled(_css(text, "descendant-or-self::"))
    except (SelectorError, etree.XPathSyntaxError) as error:
        remedy = (
            _("this looks like an XPath: use the key xpath")
            if text.startswith(("/", "./"))
            else _("check brackets, colons and quotes")
        )
        raise _fault(_("broken CSS selector: {reason}").format(reason=str(error)), remedy) from None
    return text


def find_css(document: Document, text: str, context: Any | None = None) -> list[Any]:
    """What a CSS selector finds below the context: elements, or strings for ``::text`` and ``::attr()``.

    Raises:
        TooCostly: it would take too long on this page.
    """
    prefix = "descendant-or-self::" if context is None else "descendant::"
    found = _evaluate(document, _css(text, prefix), context)
    if not found and "tbody" in text.lower():
        found = _evaluate(document, _css(_TBODY_CSS.sub("", text), prefix), context)
    return found


def is_xpath(text: str) -> bool:
    """Whether a selector that may be either is an XPath: it begins with a slash, a dot, a bracket or an axis."""
    return _SAYS_XPATH.match(text) is not None


def check_selector(text: str) -> str:
    """*text* if it is an XPath or a CSS selector, told apart by how it begins."""
    return check_xpath(text) if is_xpath(text) else check_css(text)


def find(document: Document, text: str, context: Any | None = None) -> list[Any]:
    """What an XPath or a CSS selector finds."""
    return find_xpath(document, text, context) if is_xpath(text) else find_css(document, text, context)


def elements(found: Sequence[Any]) -> list[Any]:
    """The elements among what was found."""
    return [node for node in found if isinstance(node, etree._Element) and isinstance(node.tag, str)]


# -------------------------------------------------------------------------------------------- regular expressions


def check_regex(text: str) -> str:
    """*text* if it is a regular expression that RE2 takes.

    Raises:
        ValueError: what is wrong, and a remedy.
    """
    if not text:
        raise _fault(_("the regular expression is empty"), _("write one, or take the line out"))
    if len(text) > MAX_CHARS:
        raise _fault(_("the regular expression has more than {n} characters").format(n=MAX_CHARS), _("make it shorter"))
    if re.search(r"\(\?<?[=!]", text):
        raise _fault(
            _("regular expressions here have no lookahead and no lookbehind"),
            _("put what you want into (brackets) and write the rest around it"),
        )
    if re.search(r"(?<!\\)(?:\\\\)*\\[1-9]", text):
        raise _fault(_("regular expressions here have no back references"), _("write the text itself"))
    try:
        _pattern(text)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise _fault(
            _("broken regular expression: {reason}").format(reason=reason), _("check brackets and backslashes")
        ) from None
    return text


def regex(text: str, flags: str = "") -> Any:
    """A checked regular expression, compiled by RE2 (cached).

    Args:
        text: the expression.
        flags: ``i`` ignores letter case, ``s`` lets a dot stand for a line break, ``m`` makes ``^`` and ``$`` lines'.
    """
    return _pattern(text, flags)
