# ruff: noqa: E501 (a line of HTML is as long as it is)
"""The news section: static lists with pagers, articles with related links, comments and a comment form."""

from __future__ import annotations

import re
from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import Item, every_item, items
from hometextile.demo.sections.common import brief, cut, numbered, paragraphs, picture, show
from hometextile.demo.skins import portal

CHANNELS = {
    "news": "家纺要闻", "policy": "政策法规", "industry": "行业分析", "knowledge": "家纺知识",
    "exhibition": "展会", "competition": "设计赛事",
}  # fmt: skip
CLASS_OF = {"industry": "industry_analysis"}
SIZE = 12
NOISE = (
    "相关阅读",
    "网友 织女：",
    "发表评论",
    "分享到：微博 微信",
    "责任编辑：演示",
    "上一篇：",
    "网友评论仅代表个人观点",
)


def _channel(item: Item) -> str:
    return next((key for key, name in CLASS_OF.items() if name == item.category), item.category or "news")


def _shown_date(item: Item) -> str:
    year, month, day = item.published.split("-")
    forms = (
        f"{item.published} 09:{item.number % 50 + 10}",
        f"{year}年{int(month)}月{int(day)}日",
        f"{year}/{int(month)}/{int(day)}",
        f"发布时间：{item.published}",
    )
    if item.language == "en":
        names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return f"{int(day)} {names[int(month) - 1]} {year}"
    return forms[item.number % 4]


def address(item: Item) -> str:
    """How lists link to an article: some with tracking parameters, some with a session id."""
    kind = item.number % 5
    if kind == 1:
        return item.path + "?utm_source=list&utm_medium=web"
    if kind == 2:
        return item.path + f";jsessionid={item.number:08X}D3C0"
    return item.path


def _article(call: Call, item: Item) -> str:
    channel = _channel(item)
    lines = paragraphs(item).split("\n")
    figure = f'<div>{picture(item)}</div><p class="caption">图：{escape(item.title[:18])}</p>'
    if item.number % 3 == 0 and len(lines) > 1:
        lines.insert(1, figure)
    others = [other for other in items("news", call.visit) if other.key != item.key and other.lasting]
    start = item.number % max(1, len(others) - 6)
    related = "".join(
        f'<li><a href="{escape(o.path)}?from=related">{escape(o.title)}</a></li>' for o in others[start : start + 5]
    )
    before = others[(start + 6) % len(others)]
    main = f"""<h1>{escape(item.title)}</h1>
<div class="info"><span class="date">{_shown_date(item)}</span>　来源：<span class="source">{escape(item.source)}</span>　点击：{item.number}
　<a href="{escape(item.path)}?print=1" rel="nofollow">打印</a></div>
<div class="article" id="zoom">
{chr(10).join(lines)}
</div>
<div class="share">{NOISE[3]}　{NOISE[4]}</div>
<div class="prevnext">{NOISE[5]}<a href="{escape(before.path)}">{escape(before.title)}</a></div>
<div class="related"><h3>{NOISE[0]}</h3><ul>{related}</ul></div>
<div class="comments"><h3>{NOISE[2]}</h3><div class="one">{NOISE[1]}学习了，感谢小编整理。</div><div class="one">网友 老布头：图片再大一点就好了。</div>
<form action="/user/comment" method="post"><textarea name="content"></textarea><br>昵称 <input type="text" name="nick" size="12">
<input type="submit" value="{NOISE[2]}"></form><p>{NOISE[6]}</p></div>"""
    crumbs = f'当前位置：<a href="/">首页</a> &gt; <a href="/news/">资讯</a> &gt; <a href="/news/{channel}/">{CHANNELS[channel]}</a>'
    return portal.page(
        item.title,
        main,
        crumbs=crumbs,
        active="/news/",
        lang="en" if item.language == "en" else "zh-CN",
        description=item.paragraphs[0][:80],
        keywords="" if item.off_topic else f"家纺,{CHANNELS[channel]}",
    )


def _list(call: Call, channel: str, page: int) -> Reply | None:
    everything = [item for item in items("news", call.visit) if not channel or _channel(item) == channel]
    part, count = cut(everything, page, SIZE)
    if page > count:
        return None
    base = f"/news/{channel}/" if channel else "/news/"
    lines = "".join(
        f'<li><span class="date">{item.published}</span><a href="{escape(address(item))}">{escape(item.title)}</a>'
        f'<span class="brief">{brief(item)}</span></li>'
        for item in part
    )
    turn = numbered(count, page, lambda n: base if n == 1 else f"{base}index_{n}.html")
    name = CHANNELS.get(channel, "全部资讯")
    side = "".join(f'<li><a href="/news/{key}/">{label}</a></li>' for key, label in CHANNELS.items())
    main = f'<h1>{name}</h1><ul class="newslist">{lines}</ul><div class="pager">{turn}</div>'
    return Reply(
        portal.page(
            name, main, side=f'<div class="panel"><h3>栏目</h3><ul>{side}</ul></div>', active="/news/",
            crumbs=f'当前位置：<a href="/">首页</a> &gt; {name}',
        )
    )  # fmt: skip


def reply(call: Call) -> Reply | None:
    """The section's pages."""
    found = re.fullmatch(r"/news/(?:([a-z]+)/)?(?:index_(\d{1,4})\.html)?", call.path)
    if found and (found[1] is None or found[1] in CHANNELS):
        return _list(call, found[1] or "", int(found[2] or 1))
    found = re.fullmatch(r"/news/(\d{4})/([\w-]+)\.html", call.path)
    if found:
        known = any(i.section == "news" and found[2] in (i.slug, *(s for _, s in i.moves)) for i in every_item())
        if not known:
            from hometextile.demo.traps import soft_404

            return soft_404(call)
        return show(call, "news", found[2], _article)
    return None
