"""Data that a page carries for machines: JSON-LD, OpenGraph, microdata, meta elements, application state.

Read before anything is cleaned away. Broken JSON is mended where the break is a common one (comments, control
characters, trailing commas, HTML entities), else skipped; nothing here raises.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hometextile.page.document import Document

#: Characters of one script that are read, scripts of one page, items of one kind.
MAX_CHARS = 5_000_000
MAX_SCRIPTS = 200
MAX_ITEMS = 2000
MAX_DEPTH = 64
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_COMMENT = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?://\s*)?(?:-->|\]\]>)\s*$"
    r"|/\*\s*\]\]>\s*\*/\s*$"
)
_CONTROL = re.compile("[\x00-\x1f]")
_STATE = re.compile(
    r"(?:^|[;\s{])(?:window\.|self\.|var\s+|let\s+|const\s+)?(?P<name>__[A-Z][A-Z_]*__|_?_?(?:initial"
    r"|preloaded)_?state_?_?"
    r"|pageData|pageConfig|detailData|g_config|skuData)\s*=\s*(?=[{\[])",
    re.I,
)


@dataclass
class Embedded:
    """What a page says to machines.

    Attributes:
        json_ld: every JSON-LD object, graphs opened.
        opengraph: property (``og:title``, ``article:published_time``) to its values.
        microdata: top-level items, ``{"type": [...], "properties": {name: [values]}}``.
        meta: name, property, itemprop or http-equiv of ``<meta>``, lower case, to its first content.
        state: application state in scripts, by the id or variable that holds it (``__NEXT_DATA__``).
    """

    json_ld: list[dict[str, Any]] = field(default_factory=list)
    opengraph: dict[str, list[str]] = field(default_factory=dict)
    microdata: list[dict[str, Any]] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)

    @property
    def next_data(self) -> Any:
        """The page state of a Next.js page, None if it is none."""
        return self.state.get("__NEXT_DATA__")

    def of_type(self, *types: str) -> Iterator[dict[str, Any]]:
        """JSON-LD objects and microdata items of a schema.org type, as plain property dicts; ``Article`` finds
        ``NewsArticle`` too when it is named."""
        wanted = {name.lower() for name in types}
        for item in self.json_ld:
            if {name.lower() for name in types_of(item)} & wanted:
                yield item
        for item in self.microdata:
            if {name.rpartition("/")[2].lower() for name in item["type"]} & wanted:
                yield _plain(item)


def types_of(item: dict[str, Any]) -> list[str]:
    """The types of a JSON-LD object, without the vocabulary's address."""
    types = item.get("@type", [])
    types = types if isinstance(types, list) else [types]
    return [re.split(r"[/#:]", name)[-1] for name in types if isinstance(name, str)]


def _plain(item: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"@type": [name.rpartition("/")[2] for name in item["type"]]}
    for name, values in item["properties"].items():
        plain = [_plain(value) if isinstance(value, dict) else value for value in values]
        out[name] = plain[0] if len(plain) == 1 else plain
    return out


def embedded(document: Document) -> Embedded:
    """What a page carries for machines; worked out once for a document.

    Args:
        document: the page.
    """
    known = document.derived.get("embedded")
    if known is None:
        known = document.derived["embedded"] = _read(document)
    assert isinstance(known, Embedded)
    return known


def _read(document: Document) -> Embedded:
    out = Embedded()
    for meta in document.tree.iter("meta"):
        content = meta.get("content")
        if content is None:
            continue
        content = " ".join(content.split())
        for attribute in ("name", "property", "itemprop", "http-equiv"):
            name = (meta.get(attribute) or "").strip().lower()
            if not name or len(out.meta) >= MAX_ITEMS:
                continue
            out.meta.setdefault(name, content)
            if ":" in name and content and attribute in {"name", "property"}:
                out.opengraph.setdefault(name, []).append(content)
    for number, script in enumerate(document.tree.iter("script")):
        if number >= MAX_SCRIPTS:
            break
        _script(script, out)
    out.microdata = _microdata(document.tree)
    return out


def _script(script: Any, out: Embedded) -> None:
    text = script.text
    if not text or len(text) > MAX_CHARS:
        return
    kind = (script.get("type") or "").partition(";")[0].strip().lower()
    if kind == "application/ld+json":
        out.json_ld.extend(_objects(read_json(text)))
        return
    if kind == "application/json" or script.get("id") in {"__NEXT_DATA__", "__NUXT_DATA__"}:
        name = script.get("id") or script.get("data-name") or script.get("class") or f"json-{len(out.state)}"
        data = read_json(text)
        if data is not None and name not in out.state:
            out.state[name] = data
        return
    if kind and "javascript" not in kind and kind not in {"module", "text/babel"}:
        return
    for found in _STATE.finditer(text):
        try:
            data, _end = json.JSONDecoder(strict=False).raw_decode(text, found.end())
        except (ValueError, RecursionError):
            continue
        out.state.setdefault(found["name"], data)


def read_json(text: str) -> Any:
    """JSON as pages have it: mended where the break is a common one.

    Args:
        text: a script's content.

    Returns:
        The data, None if it cannot be read.
    """
    text = _COMMENT.sub("", text.strip()).strip().rstrip(";")
    for attempt in range(4):
        try:
            return json.loads(text, strict=False)
        except RecursionError:
            return None
        except ValueError:
            if attempt == 0:
                text = _TRAILING_COMMA.sub(r"\1", text)
            elif attempt == 1:
                text = _CONTROL.sub(" ", text)
            elif attempt == 2 and "&quot;" in text:
                text = html.unescape(text)
            else:
                return None
    return None


def _objects(data: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > MAX_DEPTH:
        return
    if isinstance(data, list):
        for item in data[:MAX_ITEMS]:
            yield from _objects(item, depth + 1)
    elif isinstance(data, dict):
        graph = data.get("@graph")
        if isinstance(graph, list | dict) and len(data) <= 4:
            yield from _objects(graph, depth + 1)
        else:
            yield data
            main = data.get("mainEntity")
            if isinstance(main, dict) and "@type" in main:
                yield from _objects(main, depth + 1)


def _microdata(tree: Any) -> list[dict[str, Any]]:
    """Top-level microdata items (HTML standard, 5.2; ``itemref`` is not followed)."""
    items: dict[Any, dict[str, Any]] = {}
    top = []
    for element in tree.xpath("//*[@itemscope or @itemprop]"):
        names = (element.get("itemprop") or "").split()
        scope = element.get("itemscope") is not None
        if scope and len(items) < MAX_ITEMS:
            items[element] = {"type": (element.get("itemtype") or "").split(), "properties": {}}
        owner = next((items[one] for one in element.iterancestors() if one in items), None)
        if not names or owner is None:
            if scope and element in items:
                top.append(items[element])
            continue
        value = items[element] if scope and element in items else _property(element)
        for name in names[:20]:
            values = owner["properties"].setdefault(name.rpartition("/")[2], [])
            if value not in ("", None) and len(values) < MAX_ITEMS:
                values.append(value)
    return top


_ADDRESSES = {"a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "video": "src",
              "source": "src", "embed": "src", "iframe": "src", "track": "src", "object": "data"}  # fmt: skip


def _property(element: Any) -> str:
    tag = element.tag
    if tag == "meta" or element.get("content") is not None:
        return (element.get("content") or "").strip()
    if tag in _ADDRESSES:
        return (element.get(_ADDRESSES[tag]) or "").strip()
    if tag in {"data", "meter"} and element.get("value") is not None:
        return str(element.get("value")).strip()
    if tag == "time" and element.get("datetime"):
        return str(element.get("datetime")).strip()
    return " ".join(element.xpath("string()").split())[:MAX_CHARS]
