# ruff: noqa: E501 (a line of HTML is as long as it is)
"""The portal's front page, its site search over the surface sections, plain pages, pictures and styles."""

from __future__ import annotations

import re
from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import items, search
from hometextile.demo.pictures import draw
from hometextile.demo.sections.common import NOTHING, brief, cut, link, numbered
from hometextile.demo.sections.news import CHANNELS, CLASS_OF
from hometextile.demo.skins import portal

SEARCHED = ("news", "culture", "craft", "custom", "video")
SIZE = 10
PLAIN = {
    "/about.html": ("关于我们", "本站为演示站点，栏目、机构、人物与数据均为虚构，仅用于软件演示与测试。"),
    "/contact.html": ("联系方式", "地址：示例省演示市样本路 0 号。电话：000-00000000。邮箱：demo@example.com。"),
    "/sitemap.html": ("网站地图", "请从上方导航进入各栏目。"),
}

COUNT_FORM = """<form action="/tools/count" method="get" class="tool">纱支换算：特克斯 <input type="text" name="tex" size="6">
<input type="submit" value="换算成英支"></form>"""


def _front(call: Call) -> Reply:
    news = items("news", call.visit)
    boxes = []
    for key, name in CHANNELS.items():
        category = CLASS_OF.get(key, key)
        lines = "".join(
            f'<li>· <a href="{escape(i.path)}?from=home">{escape(i.title)}</a></li>'
            for i in news
            if i.category == category
        )
        short = "".join(lines.split("</li>", 6)[:6])
        boxes.append(f'<div class="third"><h3><a href="/news/{key}/">{name}</a></h3><ul>{short}</ul></div>')
    main = f"""<h1>经纬家纺网 · 今日要览</h1>{"".join(boxes)}<div class="clear"></div>
{COUNT_FORM}<p>栏目：<a href="/product/">产品库</a>　<a href="/dir/">企业名录</a>　<a href="/gallery/">花型图库</a>　<a href="/museum/">馆藏</a>　<a href="/culture/">织绣文化</a></p>"""
    return Reply(
        portal.page(
            "家用纺织品门户", main, description="家纺资讯、产品、标准、图案与文化的综合门户", keywords="家纺,床品,窗帘"
        )
    )


def _search(call: Call) -> Reply:
    word = call.query.get("q", "").strip()
    hits = [item for section in SEARCHED for item in search(section, word, call.visit)]
    part, count = cut(hits, call.page(), SIZE)
    lines = "".join(
        f'<li><span class="date">{i.published}</span><a href="{escape(i.path)}">{escape(i.title)}</a><span class="brief">{brief(i)}</span></li>'
        for i in part
    )
    shown = f'<ul class="newslist">{lines}</ul>' if lines else f'<div class="lost">{NOTHING}</div>'
    turn = numbered(count, call.page(), lambda n: link("/search", q=word, page=n))
    main = f'<h1>搜索“{escape(word)}”的结果</h1>{shown}<div class="pager">{turn}</div>'
    return Reply(portal.page(f"搜索 {word}", main))


def _count(call: Call) -> Reply:
    """A form with a text box and a button that is no query interface: it reckons."""
    value = call.query.get("tex", "").strip()
    known = re.fullmatch(r"\d{1,4}(\.\d{1,3})?", value) and float(value) > 0
    line = f"{value} 特克斯约合 {583.1 / float(value):.1f} 英支。" if known else "请输入大于零的数字。"
    return Reply(portal.page("纱支换算", f"<h1>纱支换算</h1>{COUNT_FORM}<p>{escape(line)}</p>"))


def _sitemap(call: Call) -> Reply:
    host = call.headers.get("host", "127.0.0.1")
    rows = "".join(
        f"<url><loc>http://{escape(host + i.path)}</loc></url>"
        for i in items("news", call.visit) + items("culture", call.visit)
    )
    text = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    return Reply(text, content_type="application/xml; charset=utf-8")


def reply(call: Call) -> Reply | None:
    """The pages outside the sections."""
    if call.path in ("/", "/index.html"):
        return _front(call)
    if call.path == "/search":
        return _search(call)
    if call.path == "/tools/count":
        return _count(call)
    if call.path == "/sitemap.xml":
        return _sitemap(call)
    if call.path == "/static/portal.css":
        return Reply(portal.STYLE, content_type="text/css; charset=utf-8", modified=1)
    if call.path in PLAIN:
        title, text = PLAIN[call.path]
        return Reply(portal.page(title, f"<h1>{title}</h1><p>{text}</p>"))
    found = re.fullmatch(r"/img/[a-z]+-(\d{1,9})\.jpg", call.path)
    if found:
        return Reply(body=draw(int(found[1])), content_type="image/jpeg", modified=1)
    if re.fullmatch(r"/media/[\w-]+\.mp4", call.path):
        return Reply(body=b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", content_type="video/mp4", modified=1)
    return None
