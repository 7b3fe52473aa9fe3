"""What a form looks like, in numbers: the features that the learned score stands on.

No browser, no other page: structure (which controls, how many, how sent), place on the page, and which intents (search,
log in, order ...: ``words.yaml``) the words of each zone of the form speak of (:mod:`hometextile.forms.zones`).
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from urllib.parse import urlsplit

from hometextile.forms.controls import MAX_CONTROLS, TEXT_KINDS, TYPED_KINDS
from hometextile.forms.form import Form
from hometextile.forms.words import FormWords, split_name
from hometextile.forms.zones import NAME_ZONES, TEXT_ZONES, Look, look_at

_LISTS = frozenset({"select", "select-multiple"})
#: What elements around a form are called, by place.
_PLACES = {
    "near_top": ("head", "top", "nav", "menu", "bar"),
    "near_foot": ("foot", "bottom"),
    "near_side": ("side", "widget", "column", "block"),
    "near_popup": ("modal", "popup", "pop-up", "dialog", "overlay", "lightbox"),
}
_ROOTS = frozenset({"body", "html"})
_MONEY = re.compile(r"[$€£¥￥₽₩]\s?\d|\d\s?(?:[€₽]|kr\b|zł|руб|元)")
#: One of these stands where _MONEY finds something.
_CURRENCIES = ("$", "€", "£", "¥", "￥", "₽", "₩", "kr", "zł", "руб", "元")
_EMAIL = re.compile(r"e-?mail|courriel|correo|邮箱|邮件|почт|@", re.I)
#: Names of boxes that nearly every search program uses, whole.
_QUERY_NAME = re.compile(
    r"^(?:q|s|p|k|w|wd|kw|qs|qt|query|search|keywords?|key|kwd|text|words?|terms?|find|str|searchterms?|search_?(?:text|query|string|keywords?|terms?|word|box)"
    r"|searchabletext|search_block_form|search_theme_form|buscar|busqueda|suche|sok|szukaj|ara|poisk|mot|mots|keyword\w*|sword|st|txtsearch\w*)$",
    re.I,
)


def _structure(form: Form, look: Look) -> dict[str, float]:
    count: dict[str, int] = {}
    for control in form.controls[:MAX_CONTROLS]:
        count[control.kind] = count.get(control.kind, 0) + 1
    text = sum([n for kind, n in count.items() if kind in TEXT_KINDS])
    typed = sum([n for kind, n in count.items() if kind in TYPED_KINDS])
    inside, shown, box = look.inside, look.seen.entries, look.seen.box
    selects = [control for control in shown if control.kind in _LISTS]
    options = [len(control.options) for control in selects]
    name = box.name if box is not None else ""
    result = {
        "post": form.method == "post",
        "multipart": "multipart" in form.enctype,
        "no_action": not form.action.strip(),
        "script_action": form.action.strip().lower().startswith("javascript") or form.action.strip() == "#",
        "other_host": _other_host(form),
        "no_text": text == 0,
        "one_text": text == 1,
        "two_text": text == 2,
        "texts": math.log1p(text),
        "typed": math.log1p(typed),
        "hidden": math.log1p(count.get("hidden", 0)),
        "shown": math.log1p(len(shown)),
        "one_shown": len(shown) == 1,
        "none_shown": not shown,
        "search_kind": bool(count.get("search")),
        "password": bool(count.get("password")),
        "passwords": math.log1p(count.get("password", 0)),
        "file": bool(count.get("file")),
        "textarea": bool(count.get("textarea")),
        "email_kind": bool(count.get("email")),
        "tel_kind": bool(count.get("tel")),
        "number_kind": bool(count.get("number")),
        "checks": math.log1p(count.get("checkbox", 0)),
        "radios": math.log1p(count.get("radio", 0)),
        "selects": math.log1p(len(selects)),
        "one_select": len(selects) == 1,
        "only_selects": bool(selects) and len(selects) == len(shown),
        "most_options": math.log1p(max(options, default=0)),
        "select_submits": any("onchange" in control.attributes for control in selects),
        "no_button": not any(count.get(kind) for kind in ("submit", "image", "button")),
        "image_button": bool(count.get("image")),
        "buttons": math.log1p(count.get("submit", 0) + count.get("button", 0)),
        "query_name": bool(_QUERY_NAME.match(name.strip())),
        "short_name": 0 < len(name) <= 2,
        "unnamed_box": box is not None and not name,
        "box_value": bool(box is not None and box.value.strip()),
        "box_number": bool(box is not None and box.value.strip().isdigit()),
        "box_url": bool(box is not None and box.value.strip().startswith("http")),
        "box_email": bool(box is not None and _EMAIL.search(f"{name} {look.seen.said(box)} {box.value}")),
        "box_small": bool(box is not None and 0 < _number(box.attributes.get("size", "")) <= 6),
        "required": any("required" in control.attributes for control in shown),
        "autocomplete_off": bool(box is not None and box.attributes.get("autocomplete", "").lower() == "off"),
        "text_length": math.log1p(len(inside.text)),
        "no_text_inside": not inside.text,
        "link_count": math.log1p(inside.link_count),
        "images": math.log1p(inside.images),
        "elements": math.log1p(inside.elements),
        "headings": math.log1p(inside.headings),
        "money": any(sign in inside.text for sign in _CURRENCIES) and bool(_MONEY.search(inside.text)),
        "starred": "*" in inside.text,
        "question": "?" in inside.text,
        "whole_page": inside.elements >= 300,
        "viewstate": any(control.name == "__VIEWSTATE" for control in form.controls[:20]),
        "token": any(_is_token(control.name) for control in form.controls[:MAX_CONTROLS] if control.kind == "hidden"),
    }
    return dict(zip(result, map(float, result.values()), strict=True))


def _is_token(name: str) -> bool:
    lower = name.lower()
    return "token" in lower or "csrf" in lower or "nonce" in lower or "authenticity" in lower


def _number(text: str) -> int:
    text = text.strip()
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def _other_host(form: Form) -> bool:
    try:
        host, own = urlsplit(form.action.strip()).netloc, urlsplit(form.url).netloc
    except ValueError:
        return False
    return bool(host) and host.split(":")[0].split(".")[-2:] != own.split(":")[0].split(".")[-2:]


def _position(form: Form) -> dict[str, float]:
    marks, depth = [], 0
    node = form.element.getparent() if form.element is not None else None
    while node is not None and depth < 60:
        depth += 1
        if depth <= 8 and (tag := node.tag) not in _ROOTS and isinstance(tag, str):
            get = node.get
            marks.append(f"{tag} {get('id', '')} {get('class', '')} {get('role', '')}")
        node = node.getparent()
    near = " ".join(marks).lower()
    return {
        "depth": math.log1p(depth),
        **{name: float(any(word in near for word in words)) for name, words in _PLACES.items()},
        "near_search": float("search" in near and "research" not in near),
        "role_search": float(form.element is not None and form.element.get("role") == "search"),
    }


_ZONES = (*TEXT_ZONES, *NAME_ZONES)
_TELLING_ZONES = tuple(zone for zone in _ZONES if zone not in {"inside", "links"})
_PAGE_INTENTS = ("search", "login", "register", "recover", "comment", "order")


def features(form: Form, words: FormWords, look: Look | None = None) -> dict[str, float]:
    """The features of *form*, by name; the same names in the same order for every form.

    Args:
        form: a form as :func:`hometextile.forms.reading.read_forms` gives it.
        words: the words of forms.
        look: what :func:`look_at` found, if it was already looked at.
    """
    look = look or look_at(form, words)
    result = _silent(words).copy()
    _fill(result, form, words, look)
    return result


@lru_cache(maxsize=4)
def _silent(words: FormWords) -> dict[str, float]:
    """All features at zero, in their order: a copy of it costs less than to let one grow."""
    result: dict[str, float] = {}
    _fill(result, Form(), words, look_at(Form(), words))
    return dict.fromkeys(result, 0.0)


def _fill(result: dict[str, float], form: Form, words: FormWords, look: Look) -> None:
    result.update(_structure(form, look))
    result.update(_position(form))
    if f"{_ZONES[0]}:{words.intents[0]}" not in result:
        result.update({f"{zone}:{intent}": 0.0 for zone in _ZONES for intent in words.intents})
    for zone in _ZONES:
        for intent in look.intents[zone]:
            result[f"{zone}:{intent}"] = 1.0
    try:
        page = urlsplit(form.url).path
    except ValueError:
        page = ""
    found = words.intents_in_name(page)
    for intent in _PAGE_INTENTS:
        result[f"page:{intent}"] = float(intent in found)
    result.update(_asked_for(form, look, words))
    result["search_zones"] = float(sum(["search" in look.intents[z] for z in _TELLING_ZONES]))


#: Concepts that tell boxes and lists of queries from those of other forms.
_BOX_FIELDS = (
    "keyword",
    "title",
    "email",
    "captcha",
    "date",
    "price",
    "place",
    "number",
    "person",
    "quantity",
    "year",
    "category",
)
_OTHER_FIELDS = (
    "date",
    "price",
    "place",
    "category",
    "brand",
    "model",
    "year",
    "order",
    "per_page",
    "quantity",
    "language",
    "scope",
    "match",
    "author",
    "email",
    "size",
    "colour",
    "person",
)


def _asked_for(form: Form, look: Look, words: FormWords) -> dict[str, float]:
    """What the box and the other controls ask for, and what that makes of the form."""
    zones = look.zones
    box = words.fields_in(f"{zones.text['box']} | {split_name(zones.names['box_name'])}")
    others = words.fields_in(f"{zones.text['labels']} | {split_name(zones.names['control_names'])}")
    result = {f"box_asks:{concept}": float(concept in box) for concept in _BOX_FIELDS}
    result.update({f"others_ask:{concept}": float(concept in others) for concept in _OTHER_FIELDS})
    shown = look.seen.entries
    selects = [control for control in shown if control.kind in _LISTS]
    button = look.intents["button"]
    told = look.intents["options"] | look.intents["control_names"]
    result["picker"] = float(len(selects) >= 2 and len(selects) == len(shown) and not told & {"sort", "order"})
    result["sorter"] = float(0 < len(shown) <= 3 and len(selects) == len(shown) and "sort" in told)
    result["says_other"] = float(bool(button) and "search" not in button and bool(button & _WRITING))
    result["says_nothing"] = float(not button)
    return result


_WRITING = frozenset({"login", "register", "recover", "subscribe", "comment", "order", "vote", "upload", "save"})
