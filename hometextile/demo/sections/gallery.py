# ruff: noqa: E501 (a line of HTML is as long as it is)
"""The pattern gallery: a form sent by GET to an empty shell, which a script fills from a JSON address."""

from __future__ import annotations

import json
from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import Item, search
from hometextile.demo.sections.common import NOTHING, cut, paragraphs, picture, rows, show
from hometextile.demo.skins import cards

SIZE = 12
NOISE = ("登录后可下载高清分层文件", "喜欢 收藏 转发", "举报此作品")

_SCRIPT = """<script>
(function () {
  var asked = new URLSearchParams(location.search), q = asked.get('q') || '', page = +(asked.get('page') || 1);
  var box = document.getElementById('results'), turn = document.getElementById('turn');
  document.getElementById('q').value = q;
  function make(tag, text, into) { var e = document.createElement(tag); e.textContent = text; into.appendChild(e); return e; }
  if (!q) { return; }
  box.textContent = '正在加载……';
  fetch('/gallery/data/find?w=' + encodeURIComponent(q) + '&p=' + page).then(function (r) { return r.json(); }).then(function (d) {
    box.textContent = ''; document.getElementById('count').textContent = d.total ? '找到 ' + d.total + ' 件作品' : '';
    if (!d.total) { make('p', '%s，换个词试试', box).className = 'empty'; return; }
    d.list.forEach(function (one) {
      var card = document.createElement('div'); card.className = 'card';
      var a = document.createElement('a'); a.href = one.url; card.appendChild(a);
      var img = document.createElement('img'); img.src = one.image; img.alt = one.title; img.width = 240; img.height = 180; a.appendChild(img);
      make('h3', one.title, a); make('p', one.note, card); box.appendChild(card);
    });
    for (var n = 1; n <= d.pages; n++) {
      var e = make(n === page ? 'span' : 'a', n, turn);
      if (n === page) { e.className = 'now'; } else { e.href = '/gallery/search?q=' + encodeURIComponent(q) + '&page=' + n; }
    }
    if (page < d.pages) { var nx = make('a', '下一页', turn); nx.rel = 'next'; nx.href = '/gallery/search?q=' + encodeURIComponent(q) + '&page=' + (page + 1); }
  });
})();
</script>""".replace("%s", NOTHING)

_HERO = """<h1>{title}</h1><form class="find" role="search" action="/gallery/search" method="get">
<input type="search" id="q" name="q" placeholder="搜索花型、纹样、风格、面料" aria-label="搜索花型"><button type="submit">搜索</button></form>"""


def _json(call: Call) -> Reply:
    part, count = cut(hits := search("gallery", call.query.get("w", ""), call.visit), call.page("p"), SIZE)
    data = {
        "total": len(hits),
        "pages": count,
        "list": [
            {"title": i.title, "url": i.path, "image": f"/img/gallery-{i.number}.jpg", "note": i.paragraphs[0][:28]}
            for i in part
        ],
    }
    return Reply(json.dumps(data, ensure_ascii=False), content_type="application/json; charset=utf-8")


def _show(call: Call, item: Item) -> str:
    head = (
        f'<meta property="og:title" content="{escape(item.title)}"><meta property="og:type" content="article">'
        f'<meta property="og:image" content="/img/gallery-{item.number}.jpg">'
    )
    when = f'<span class="date">{item.published}</span>　' if item.published else ""
    main = f"""<article><h1>{escape(item.title)}</h1><div class="meta">{when}{f'作者：<span class="source">{escape(item.source)}</span>' if item.source else ""}</div>
{picture(item, 640, 480)}<p class="tools">{NOISE[1]}　{NOISE[2]}</p><div class="story">
{paragraphs(item)}
</div><dl class="facts">{rows(item, "<dt>{k}</dt><dd>{v}</dd>")}</dl></article>"""
    side = f'<div class="box"><h4>下载</h4><p>{NOISE[0]}</p><a href="/user/login">去登录</a></div>'
    return cards.page(item.title, main, side=side, lang=item.language, head=head)


def reply(call: Call) -> Reply | None:
    """The section's pages."""
    if call.path == "/gallery/data/find":
        return _json(call)
    if call.path in ("/gallery/", "/gallery/search"):
        title = "搜索结果" if call.path.endswith("search") else "一万种花开在布上"
        main = '<p id="count"></p><div class="grid" id="results"><p class="empty">输入关键词，探索纹样、风格、面料与展会图片。</p></div><div class="turn" id="turn"></div>'
        foot = _SCRIPT if call.path.endswith("search") else ""
        return Reply(cards.page(title, main, hero=_HERO.format(title=title), foot=foot))
    if call.path.startswith("/gallery/p/") and call.path.endswith(".html"):
        return show(call, "gallery", call.path[11:-5], _show)
    return None
