"""What a form looks like, in numbers: the features that the learned score stands on.

No browser, no other page: structure (which controls, how many, how sent), place on the page, and which intents (search,
log in, order ...: ``words.yaml``) the words of each zone of the form speak of (:mod:`hometextile.forms.zones`).
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from urllib.parse import urlsplit

from hometextile.forms.controls import BUTTON_KINDS, MAX_CONTROLS, TEXT_KINDS, TYPED_KINDS, main_box, said, visible
from hometextile.forms.form import Form
from hometextile.forms.words import FormWords, split_name
from hometextile.forms.zones import NAME_ZONES, TEXT_ZONES, Inside, Look, look_at

_LANDMARKS = re.compile(r"header|head|top|nav|menu|bar", re.I)
_FOOT = re.compile(r"foot|bottom", re.I)
_SIDE = re.compile(r"side|aside|widget|column|block", re.I)
_POPUP = re.compile(r"modal|popup|pop-up|dialog|overlay|lightbox", re.I)
_MONEY = re.compile(r"[$€£¥￥₽₩]\s?\d|\d\s?(?:[€₽]|kr\b|zł|руб|元)")
_EMAIL = re.compile(r"e-?mail|courriel|correo|邮箱|邮件|почт|@", re.I)
#: Names of boxes that nearly every search program uses, whole.
_QUERY_NAME = re.compile(
    r"^(?:q|s|p|k|w|wd|kw|qs|qt|query|search|keywords?|key|kwd|text|words?|terms?|find|str|searchterms?|search_?(?:text|query|string|keywords?|terms?|word|box)"
    r"|searchabletext|search_block_form|search_theme_form|buscar|busqueda|suche|sok|szukaj|ara|poisk|mot|mots|keyword\w*|sword|st|txtsearch\w*)$",
    re.I,
)


def _structure(form: Form, inside: Inside) -> dict[str, float]:
    count: dict[str, int] = {}
    for control in form.controls[:MAX_CONTROLS]:
        count[control.kind] = count.get(control.kind, 0) + 1
    text = sum(count.get(kind, 0) for kind in TEXT_KINDS)
    typed = sum(count.get(kind, 0) for kind in TYPED_KINDS)
    selects = [control for control in form.controls[:MAX_CONTROLS] if control.kind.startswith("select")]
    options = [len(control.options) for control in selects]
    shown = [control for control in visible(form) if control.kind not in BUTTON_KINDS]
    box = main_box(form)
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
        "box_email": bool(box is not None and _EMAIL.search(f"{name} {said(box)} {box.value}")),
        "box_small": bool(box is not None and 0 < _number(box.attributes.get("size", "")) <= 6),
        "required": any("required" in control.attributes for control in shown),
        "autocomplete_off": bool(box is not None and box.attributes.get("autocomplete", "").lower() == "off"),
        "text_length": math.log1p(len(inside.text)),
        "no_text_inside": not inside.text,
        "link_count": math.log1p(inside.link_count),
        "images": math.log1p(inside.images),
        "elements": math.log1p(inside.elements),
        "headings": math.log1p(inside.headings),
        "money": bool(_MONEY.search(inside.text)),
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
        if depth <= 8 and isinstance(node.tag, str) and node.tag not in {"body", "html"}:
            marks.append(f"{node.tag} {node.get('id') or ''} {node.get('class') or ''} {node.get('role') or ''}")
        node = node.getparent()
    near = " ".join(marks)
    return {
        "depth": math.log1p(depth),
        "near_top": float(bool(_LANDMARKS.search(near))),
        "near_foot": float(bool(_FOOT.search(near))),
        "near_side": float(bool(_SIDE.search(near))),
        "near_popup": float(bool(_POPUP.search(near))),
        "near_search": float("search" in near.lower() and "research" not in near.lower()),
        "role_search": float(form.element is not None and form.element.get("role") == "search"),
    }


_PAGE_INTENTS = ("search", "login", "register", "recover", "comment", "order")


def features(form: Form, words: FormWords, look: Look | None = None) -> dict[str, float]:
    """The features of *form*, by name; the same names in the same order for every form.

    Args:
        form: a form as :func:`hometextile.forms.reading.read_forms` gives it.
        words: the words of forms.
        look: what :func:`look_at` found, if it was already looked at.
    """
    look = look or look_at(form, words)
    result = _structure(form, look.inside)
    result.update(_position(form))
    zones = (*TEXT_ZONES, *NAME_ZONES)
    result.update(_silent_zones(words.intents))
    for zone in zones:
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
    result["search_zones"] = float(sum("search" in look.intents[z] for z in zones if z not in {"inside", "links"}))
    return result


@lru_cache(maxsize=4)
def _silent_zones(intents: tuple[str, ...]) -> dict[str, float]:
    return {f"{zone}:{intent}": 0.0 for zone in (*TEXT_ZONES, *NAME_ZONES) for intent in intents}


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
    shown = [control for control in visible(form) if control.kind not in BUTTON_KINDS]
    selects = [control for control in shown if control.kind.startswith("select")]
    button = look.intents["button"]
    told = look.intents["options"] | look.intents["control_names"]
    result["picker"] = float(len(selects) >= 2 and len(selects) == len(shown) and not told & {"sort", "order"})
    result["sorter"] = float(0 < len(shown) <= 3 and len(selects) == len(shown) and "sort" in told)
    result["says_other"] = float(bool(button) and "search" not in button and bool(button & _WRITING))
    result["says_nothing"] = float(not button)
    return result


_WRITING = frozenset({"login", "register", "recover", "subscribe", "comment", "order", "vote", "upload", "save"})
