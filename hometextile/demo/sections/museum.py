# ruff: noqa: E501 (a line of HTML is as long as it is)
"""The museum: essays on the surface (``/culture/``), the collection behind a form (``/museum/``)."""

from __future__ import annotations

import json
from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import Item, items, search
from hometextile.demo.sections.common import NOTHING, brief, cut, link, numbered, paragraphs, picture, rows, show
from hometextile.demo.skins import museum

SIZE = 6
TOPICS = {
    "history": "织绣史话",
    "traditional_craft": "传统技艺",
    "traditional_pattern": "传统纹样",
    "brand_culture": "老字号",
}
NOISE = ("延伸阅读", "图版权归馆方所有，转载请联系", "扫码收听语音导览")


def _form(word: str = "") -> str:
    return f"""<div class="collection-search"><form action="/museum/search" method="get"><label for="w">检索馆藏</label>
<input type="text" id="w" name="w" value="{escape(word)}" placeholder="名称、技法、年代"><input type="hidden" name="lang" value="zh"><button type="submit">检索</button></form></div>"""


def _answer(call: Call) -> Reply:
    word = call.query.get("w", "").strip()
    hits = search("museum", word, call.visit)
    part, count = cut(hits, call.page(), SIZE)
    lines = "".join(
        f"""<div class="object">{picture(item, 110, 82)}<h3><a href="{escape(item.path)}">{escape(item.title)}</a></h3>
<p>{escape(item.fields.get("年代", ""))}　{escape(item.fields.get("质地", ""))}</p></div>"""
        for item in part
    )
    turn = numbered(count, call.page(), lambda n: link("/museum/search", w=word, lang="zh", page=n))
    main = f'<h1>馆藏检索</h1>{_form(word)}{f"<p>共 {len(hits)} 件</p>" + lines if lines else f"<p>{NOTHING}。</p>"}<p class="turn">{turn}</p>'
    return Reply(museum.page("馆藏检索", main))


def _object(call: Call, item: Item) -> str:
    main = f"""<h1>{escape(item.title)}</h1><figure>{picture(item, 560, 420)}<figcaption>{NOISE[1]}</figcaption></figure>
<table class="label">{rows(item, "<tr><td>{k}</td><td>{v}</td></tr>")}</table><div class="story">
{paragraphs(item)}
</div><p style="font-size:14px;color:#999">{NOISE[2]}</p>"""
    return museum.page(item.title, main, lang=item.language)


def _essay(call: Call, item: Item) -> str:
    others = [o for o in items("culture", call.visit) if o.key != item.key and o.lasting]
    start = item.number % max(1, len(others) - 4)
    more = "".join(f'<a href="{escape(o.path)}?ref=more">{escape(o.title)}</a><br>' for o in others[start : start + 4])
    data = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": item.title,
        "datePublished": item.published,
        "author": {"@type": "Organization", "name": item.source},
    }
    head = f'<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>'
    main = f"""<h1>{escape(item.title)}</h1><p class="byline" style="font-size:14px;color:#8d7f68"><span class="source">{escape(item.source)}</span>　<time datetime="{item.published}">{item.published.replace("-", ".")}</time></p>
<figure>{picture(item, 560, 380)}</figure><div class="story">
{paragraphs(item)}
</div>"""
    side = f"<div><b>{NOISE[0]}</b><br>{more}</div>"
    return museum.page(item.title, main, side=side, lang=item.language, head=head if item.published else "")


def _essays(call: Call) -> Reply:
    parts = []
    for category, name in TOPICS.items():
        lines = "".join(
            f'<div class="object">{picture(i, 110, 82)}<h3><a href="{escape(i.path)}">{escape(i.title)}</a></h3><p>{brief(i)}</p></div>'
            for i in items("culture", call.visit)
            if i.category == category
        )
        parts.append(f"<h2>{name}</h2>{lines}")
    return Reply(museum.page("织绣文化", f"<h1>织绣文化</h1>{''.join(parts)}"))


def reply(call: Call) -> Reply | None:
    """The section's pages."""
    if call.path == "/museum/":
        main = f"<h1>馆藏</h1>{_form()}<p>本馆收藏历代床帷、被面、帐幔、毯、绣品与印染布，藏品须检索查看。</p>"
        return Reply(museum.page("馆藏", main))
    if call.path == "/museum/search":
        return _answer(call)
    if call.path.startswith("/museum/object/"):
        return show(call, "museum", call.path[15:], _object)
    if call.path == "/culture/":
        return _essays(call)
    if call.path.startswith("/culture/") and call.path.endswith(".html"):
        return show(call, "culture", call.path[9:-5], _essay)
    return None
