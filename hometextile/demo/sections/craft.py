# ruff: noqa: E501 (a line of HTML is as long as it is)
"""Craft and technology pages (links carry session ids), customisation, video: cards on the surface."""

from __future__ import annotations

from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import Item, items
from hometextile.demo.sections.common import brief, cut, numbered, paragraphs, picture, rows, show
from hometextile.demo.skins import cards

SIZE = 9
NOISE = ("点赞并关注作者", "在线客服正在输入", "弹幕列表", "倍速 清晰度 投屏")
HEADS = {
    "craft": ("手上的功夫", "/craft/list.php", "织、染、印、绣、绗，一页一门工艺。"),
    "custom": ("只做给你的家", "/custom/", "量尺、选料、打样、安装。"),
    "video": ("看见织物", "/video/", "课堂、展厅与工坊的影像。"),
}


def _list(call: Call, section: str) -> Reply:
    title, base, line = HEADS[section]
    part, count = cut(items(section, call.visit), call.page("p"), SIZE)
    session = f"&PHPSESSID={call.site.next_session()}" if section == "craft" else ""
    grid = "".join(
        f'<div class="card"><a href="{escape(i.path + session)}">{picture(i, 240, 180)}<h3>{escape(i.title)}</h3></a><p>{brief(i, 30)}</p></div>'
        for i in part
    )
    turn = numbered(count, call.page("p"), lambda n: f"{base}?p={n}", here="span")
    main = f'<div class="grid">{grid}</div><div class="turn">{turn}</div>'
    hero = f"""<h1>{title}</h1><p>{line}</p><form action="/search" method="get" class="find"><input type="text" name="q" placeholder="站内搜索"><button>搜索</button></form>"""
    return Reply(cards.page(title, main, hero=hero))


def _show(call: Call, item: Item) -> str:
    when = f'<span class="date">{item.published}</span>　' if item.published else ""
    who = f'<span class="source">{escape(item.source)}</span>' if item.source else ""
    facts = f'<dl class="facts">{rows(item, "<dt>{k}</dt><dd>{v}</dd>")}</dl>' if item.fields else ""
    main = f"""<article><h1>{escape(item.title)}</h1><div class="meta">{when}{who}</div>{picture(item, 640, 420)}
<div class="story">
{paragraphs(item)}
</div>{facts}<p class="tools">{NOISE[0]}</p></article>"""
    side = f'<div class="box"><h4>客服</h4><p>{NOISE[1]}</p></div>'
    return cards.page(item.title, main, side=side, lang=item.language)


def _video(call: Call, item: Item) -> str:
    length = item.fields.get("时长", "")
    head = f'<meta property="og:type" content="video.other"><meta property="og:title" content="{escape(item.title)}">'
    main = f"""<article><h1>{escape(item.title)}</h1><div class="meta"><span class="date">{item.published}</span>　<span class="source">{escape(item.source)}</span>　<span class="duration">{escape(length)}</span></div>
<video controls preload="none" width="700" height="394" poster="/img/video-{item.number}.jpg" title="{escape(item.title)}"><source src="/media/{item.key}.mp4" type="video/mp4"></video>
<p class="tools">{NOISE[3]}</p><div class="story">
{paragraphs(item)}
</div><dl class="facts">{rows(item, "<dt>{k}</dt><dd>{v}</dd>")}</dl></article>"""
    side = f'<div class="box"><h4>{NOISE[2]}</h4><p>前排学习</p><p>老师手真巧</p></div>'
    return cards.page(item.title, main, side=side, lang=item.language, head=head)


def reply(call: Call) -> Reply | None:
    """The pages of the three sections."""
    if call.path in ("/craft/", "/craft/list.php"):
        return _list(call, "craft")
    if call.path == "/craft/show.php":
        return show(call, "craft", call.query.get("id", ""), _show)
    if call.path in ("/custom/", "/video/"):
        return _list(call, call.path.strip("/"))
    if call.path.startswith("/custom/"):
        return show(call, "custom", call.path[8:].strip("/"), _show)
    if call.path.startswith("/video/play/") and call.path.endswith(".html"):
        return show(call, "video", call.path[12:-5], _video)
    return None
