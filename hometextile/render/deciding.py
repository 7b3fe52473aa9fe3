"""Whether a page has to be drawn by a browser (render mode ``auto``).

Drawing costs sixty to a hundred times a plain fetch, so it must pay: the page's content is drawn by script, or the
static page says too little for one that has scripts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hometextile.page.document import Document

#: Letters outside links under which a page with scripts is taken for a shell. A Chinese character counts as two.
LITTLE_TEXT = 200
#: With signs of script-drawn content (an empty container that a script names, a loading note) more is still little.
LITTLE_WITH_SIGNS = 500

_UNREAD = frozenset(("script", "style", "noscript", "template", "head", "title", "svg", "select", "option", "textarea",
                     "iframe", "object", "datalist"))
#: Templates that a script has yet to fill: Vue, Angular, Alpine, Knockout.
_BINDINGS = frozenset(("v-for", "v-html", "v-text", "v-if", "ng-repeat", "ng-bind", "ng-app", "x-for", "x-text",
                       "data-bind"))
_MUSTACHE = re.compile(r"\{\{[^{}]{1,80}\}\}")
_LOADING = re.compile(
    r"^\W*(loading|please wait|加载中|正在加载|数据加载中|载入中|載入中|努力加载中|请稍候|请稍等)\W*$", re.I
)
_NO_SCRIPT = re.compile(
    r"(enable|requires?|need|turn on|without|activ\w+)\W+(\w+\W+){0,3}(javascript|js)\b"
    r"|javascript\W+(\w+\W+){0,3}(enabled|required|disabled|off)"
    r"|(启用|开启|打开|支持|需要)\W*(javascript|js|脚本)",
    re.I,
)
#: An element that an inline script takes in hand, by its id.
_BY_SCRIPT = re.compile(
    r"getElementById\(\s*[\"']([\w:-]+)|querySelector\(\s*[\"']#([\w:-]+)|\$\(\s*[\"']#([\w:-]+)[\"']\s*\)"
    r"|\bel\s*:\s*[\"']#([\w:-]+)|mount\(\s*[\"']#([\w:-]+)"
)
_SPACES = re.compile(r"\s+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_CONTAINERS = frozenset(("div", "main", "section", "article", "ul", "ol", "table", "tbody", "dl", "body"))


@dataclass
class Signs:
    """What a static page shows of its need for a browser.

    Attributes:
        text: letters (anything but white space; a Chinese character counts as two) outside links.
        link_text: letters inside links.
        scripts: scripts that run (not JSON).
        empty: ids of empty containers.
        named: those of them that an inline script names.
        bindings: unfilled templates.
        loading: notes such as "Loading..." or "加载中".
        warned: a ``noscript`` says that JavaScript is needed.
        text_in_noscript: characters in ``noscript``.
    """

    text: int = 0
    link_text: int = 0
    scripts: int = 0
    empty: int = 0
    named: int = 0
    bindings: int = 0
    loading: int = 0
    warned: bool = False
    text_in_noscript: int = 0


def read_signs(document: Document) -> Signs:
    """Look at a static page once."""
    signs = Signs()
    ids: set[str] = set()
    inline: list[str] = []
    stack: list[tuple[Any, bool]] = [(document.tree, False)]
    while stack:
        element, linked = stack.pop()
        tag = element.tag
        if not isinstance(tag, str):
            continue
        if tag == "script":
            _script(element, signs, inline)
        elif tag == "noscript":
            text = _SPACES.sub(" ", element.text_content())
            signs.text_in_noscript += len(text)
            signs.warned = signs.warned or bool(_NO_SCRIPT.search(text))
        if tag in _UNREAD and tag != "head":
            continue
        if any(name in _BINDINGS for name in element.keys()):  # noqa: SIM118 (lxml: iterating gives children)
            signs.bindings += 1
        linked = linked or tag == "a"
        _text(element, linked, signs)
        if tag in _CONTAINERS or "-" in tag:
            _container(element, signs, ids)
        stack.extend([(child, linked) for child in element])
    named = {name for text in inline for match in _BY_SCRIPT.finditer(text) for name in match.groups() if name}
    signs.named = len(ids & named)
    return signs


def _script(element: Any, signs: Signs, inline: list[str]) -> None:
    kind = (element.get("type") or "").lower()
    if kind in {"", "module"} or "javascript" in kind or "ecmascript" in kind:
        signs.scripts += 1
        if element.text:
            inline.append(element.text[:200_000])


def _text(element: Any, linked: bool, signs: Signs) -> None:
    for text in [element.text, *[child.tail for child in element]]:
        if not text:
            continue
        squeezed = _SPACES.sub("", text)
        if not squeezed:
            continue
        if len(squeezed) < 40 and _LOADING.match(text.strip()):
            signs.loading += 1
        elif "{{" in squeezed and _MUSTACHE.search(text):
            signs.bindings += 1
        elif linked:
            signs.link_text += _letters(squeezed)
        else:
            signs.text += _letters(squeezed)


def _letters(text: str) -> int:
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def _container(element: Any, signs: Signs, ids: set[str]) -> None:
    if element.get("id") is None and element.tag != "body" and "-" not in element.tag:
        return
    if any(isinstance(child.tag, str) and child.tag not in {"script", "noscript"} for child in element):
        return
    if (element.text or "").strip() or any((child.tail or "").strip() for child in element):
        return
    signs.empty += 1
    ids.add(element.get("id") or "")


def why_render(document: Document) -> str | None:
    """Why a page should be drawn, or None where the static page will do.

    Args:
        document: the page as fetched.

    Returns:
        ``shell`` (hardly any text, and scripts), ``templates`` (unfilled ones), ``loading`` (notes that content is on
        its way, or empty places that a script names), or None.
    """
    signs = read_signs(document)
    if signs.scripts == 0:
        return None
    if signs.bindings and signs.text < LITTLE_WITH_SIGNS:
        return "templates"
    if signs.text < LITTLE_TEXT:
        return "shell"
    if (signs.loading or signs.named or (signs.warned and signs.empty)) and signs.text < LITTLE_WITH_SIGNS:
        return "loading"
    return None
