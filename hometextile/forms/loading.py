"""Buttons by which a script loads more of a list into the page."""

from __future__ import annotations

import re
from typing import Any

from hometextile.page.document import Document

#: Plain words for it; what only may mean it ("show more") must stand on a button without an address.
LOADS = re.compile(
    r"\W*(?:load|fetch)\s+(?:\d+\s+)?more(?:\s+\w+)?\W*|\W*(?:点击|點擊|继续|繼續)?(?:加载|加載|载入|載入)(?:更多|下一[页頁])\W*|"
    r"\W*さらに読み込む\W*|\W*더\s*불러오기\W*|\W*charger\s+(?:la\s+suite|plus)\W*|\W*mehr\s+laden\W*|"
    r"\W*cargar\s+más\W*|\W*carregar\s+mais\W*|\W*загрузить\s+ещ[её]\W*",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"\W*(?:show|view|see)\s+(?:\d+\s+)?more(?:\s+(?:results?|items?|products?|records?))?\W*|\W*more\s+results?\W*|"
    r"\W*(?:点击)?(?:查看|显示|顯示|浏览|展开)更多(?:结果|結果|商品|内容|产品)?\W*|\W*更多(?:结果|結果)\W*|\W*もっと見る\W*|"
    r"\W*afficher\s+plus\W*|\W*mehr\s+anzeigen\W*|\W*ver\s+más\W*|\W*показать\s+ещ[её]\W*",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[A-Za-z0-9_\-]{1,60}\Z")
#: Elements looked at.
_MOST = 3_000
_TAGS = ("button", "input", "a", "div", "span", "p")
#: Where such a button does not belong to the page's list.
_AWAY = frozenset({"nav", "aside", "footer", "header"})


def loading_button(document: Document) -> str:
    """A selector, for the browser, of the button that loads more of the page's list; empty if it has none.

    Args:
        document: the page.
    """
    best = ""
    for number, element in enumerate(document.tree.iter(*_TAGS)):
        if number >= _MOST:
            break
        words = _own_words(element)
        if not words or len(words) > 30 or not _presses(element):
            continue
        if LOADS.fullmatch(words):
            return _selector(element)
        if not best and _SHOWS.fullmatch(words) and not any(e.tag in _AWAY for e in element.iterancestors()):
            best = _selector(element)
    return best


def _own_words(element: Any) -> str:
    if element.tag == "input":
        return " ".join((element.get("value") or "").split()) if element.get("type") in {"button", "submit"} else ""
    if len(element) > 3:
        return ""
    return " ".join(str(element.text_content()).split()[:8])


def _presses(element: Any) -> bool:
    """Whether a press on it does something, and leads nowhere else."""
    if "disabled" in element.attrib:
        return False
    if element.tag == "a":
        href = (element.get("href") or "").strip().lower()
        return not href or href.startswith(("#", "javascript:"))
    told = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
    return element.tag in {"button", "input"} or bool(
        element.get("onclick") or element.get("role") == "button" or re.search(r"more|load|btn|button", told)
    )


def _selector(element: Any) -> str:
    """By id, else by class if it alone has it, else by its place."""
    own = element.get("id") or ""
    if _PLAIN.match(own):
        return f'[id="{own}"]'
    tree = element.getroottree()
    for name in (element.get("class") or "").split():
        if _PLAIN.match(name) and len(tree.xpath(f'//*[contains(concat(" ", @class, " "), " {name} ")]')) == 1:
            return f".{name}" if name[0].isalpha() else f'[class~="{name}"]'
    return f"xpath={tree.getpath(element)}"
