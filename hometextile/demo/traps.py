# ruff: noqa: E501 (a line of HTML is as long as it is)
"""What a crawl must get through or keep out of: calendars, soft 404s, redirects inwards, pages beyond reason."""

from __future__ import annotations

import calendar
import re
from urllib.parse import unquote

from hometextile.demo.call import Call, Reply, gone, moved
from hometextile.demo.content import Item
from hometextile.demo.skins import museum, portal

SESSION = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)


def plain_path(path: str) -> str:
    """The decoded path without a session id."""
    return SESSION.sub("", unquote(path, errors="replace"))


def misbehave(call: Call, item: Item, reply: Reply) -> Reply:
    """The reply for a record's page as its trap has it."""
    if item.trap == "flaky":
        call.site.failures[item.key] += 1
        if call.site.failures[item.key] <= 2:
            return gone(500, call.path)
    elif item.trap == "slow":
        reply.delay = call.site.slow
    elif item.trap == "mislabelled":
        reply.encoding = "gb18030"
    elif item.trap == "big5":
        reply.encoding = "big5"
        reply.content_type = "text/html"
        reply.text = (reply.text or "").replace('<meta charset="utf-8">', '<meta charset="gb2312">')
    return reply


def _calendar(call: Call) -> Reply | None:
    found = re.fullmatch(r"/museum/calendar/(\d{4})/(\d{1,2})\.html", call.path)
    if found is None:
        return moved("/museum/calendar/2026/11.html", 302) if call.path == "/museum/calendar/" else None
    year, month = int(found[1]), int(found[2])
    if not 1 <= month <= 12 or not 1 <= year <= 9998:
        return gone(404, call.path)
    months = year * 12 + month - 1

    def link(number: int) -> str:
        return f"/museum/calendar/{number // 12:04d}/{number % 12 + 1}.html"

    rows = "".join(
        "<tr>" + "".join(f"<td>{day or ''}</td>" for day in week) + "</tr>"
        for week in calendar.Calendar().monthdayscalendar(year, month)
    )
    main = f"""<h1>活动日历　{year}年{month}月</h1><p class="turn"><a href="{link(months - 1)}">上个月</a>
<a href="{link(months + 1)}">下个月</a> <a href="{link(months + 12)}">明年</a></p>
<table class="calendar"><tr><th>一</th><th>二</th><th>三</th><th>四</th><th>五</th><th>六</th><th>日</th></tr>{rows}</table>
<p>本月暂无安排，请继续翻看其他月份。</p>"""
    return Reply(museum.page(f"活动日历 {year}年{month}月", main))


def soft_404(call: Call) -> Reply:
    """A page that says "not there" with status 200, and whose relative links lead ever deeper."""
    main = """<div class="lost"><h1>抱歉，您访问的页面已经离家出走</h1><p>页面可能已被删除、更名或暂时不可用。</p>
<ul><li><a href="archive/list.html">返回档案列表</a></li><li><a href="archive/more/index.html">更多旧闻</a></li>
<li><a href="/">返回网站首页</a></li><li><a href="/news/">家纺资讯</a></li></ul></div>"""
    return Reply(portal.page("页面找不到了", main))


def _redirects(call: Call) -> Reply | None:
    host = call.headers.get("host", "127.0.0.1")
    name, _, port = host.partition(":")
    other = "127.0.0.1" if name == "localhost" else "localhost"
    where = {
        "/go/partner": "http://10.255.255.1/inner/partner.html",
        "/go/meta": "http://169.254.169.254/latest/meta-data/",
        "/go/intranet": f"http://{other}:{port or 80}/inner/status.html",
        "/go/loop": "/go/loop2",
        "/go/loop2": "/go/loop",
    }.get(call.path)
    return moved(where, 302) if where else None


def _welcome(call: Call) -> Reply:
    if "demo_seen=1" in call.headers.get("cookie", ""):
        main = '<h1>欢迎光临</h1><p><a href="/">进入首页</a></p>'
        return Reply(portal.page("欢迎光临", main))
    reply = moved("/welcome/", 302)
    reply.headers["Set-Cookie"] = "demo_seen=1; Path=/"
    return reply


def _private(call: Call) -> Reply:
    main = "<h1>内部资料</h1><p>家纺面料采购底价表，仅供内部员工查阅，搜索引擎请勿收录。</p>"
    return Reply(portal.page("内部资料", main))


def reply(call: Call) -> Reply | None:
    """The traps' pages; None for other addresses."""
    if call.path.startswith("/museum/calendar/"):
        return _calendar(call)
    if call.path.startswith(("/private/", "/user/admin/", "/inner/")):
        return _private(call)
    if call.path.startswith("/news/archive/") or "/archive/list.html" in call.path:
        return soft_404(call)
    if call.path.startswith("/go/"):
        return _redirects(call)
    if call.path == "/welcome/":
        return _welcome(call)
    return None


def beyond_reason(call: Call) -> Reply:
    """Pages that are linked from nowhere: a test that wants them asks for them by name."""
    filler = ("<p>" + "家纺面料填充文字" * 400 + "</p>\n").encode()
    if call.path == "/_demo/huge":
        return Reply(body=filler * 100, headers={"X-Demo-Stream": "210"})
    if call.path == "/_demo/endless":
        return Reply(body=filler, headers={"X-Demo-Stream": "0"})
    if call.path == "/_demo/garbage":
        return Reply(body=bytes((i * 89 + i // 7) % 256 for i in range(60_000)))
    if call.path == "/_demo/deep":
        return Reply("<html><body>" + "<div>" * 60_000 + "家纺" + "</div>" * 60_000)
    return gone(404, call.path)
