# ruff: noqa: E501 (a line of HTML is as long as it is)
"""A museum's site: serif, dark head, much white space; styles inline."""

from __future__ import annotations

from html import escape

CHROME = (
    "江南织绣博物馆（演示）",
    "开放时间：周二至周日 9:00—17:00（周一闭馆）",
    "志愿者招募进行中",
    "© 江南织绣博物馆 演示页面，图文不作商业用途",
    "文创商店满百包邮",
)

STYLE = """body{margin:0;background:#f7f4ee;color:#2d2a26;font:17px/1.9 "Songti SC",SimSun,"Noto Serif CJK SC",serif}
a{color:#7a2e1f}.top{background:#2b2622;color:#d9cdb8;padding:26px 8%}.top a{color:#e9dcc3;text-decoration:none;margin-right:26px;font-size:16px}
.top .name{font-size:27px;letter-spacing:4px;margin-bottom:12px;color:#e9dcc3}.strip{background:#7a2e1f;color:#f3e3cf;font-size:14px;padding:5px 8%}
.body{display:flex;gap:50px;padding:40px 8%}.body .text{flex:1;min-width:0;max-width:760px}.body .sidebar{width:230px;font-size:15px}
.sidebar div{border-top:3px double #b9a88b;padding:10px 0 20px}h1{font-weight:normal;font-size:30px;border-bottom:1px solid #cbbd9f;padding-bottom:8px}
.label{border-collapse:collapse;font-size:15px;margin:14px 0}.label td{border-bottom:1px solid #ddd2bd;padding:3px 14px 3px 0}.label td:first-child{color:#8d7f68}
figure{margin:0 0 18px}figure img{border:10px solid #fff;box-shadow:0 1px 8px #0002;max-width:100%}figcaption{font-size:14px;color:#8d7f68}
.object{border-bottom:1px dotted #b9a88b;padding:12px 0;overflow:hidden}.object img{float:left;width:110px;height:82px;margin-right:18px}.object h3{margin:0;font-size:18px;font-weight:normal}
.object p{margin:0;font-size:14px;color:#6d6252}.collection-search{background:#efe8da;padding:14px 18px;margin:14px 0}.collection-search input,.collection-search select{font-size:16px;padding:4px}
.turn a{margin-right:14px}.calendar td,.calendar th{padding:8px 14px;border:1px solid #cbbd9f}.end{background:#2b2622;color:#a4977f;padding:24px 8%;font-size:14px}.end a{color:#cbbd9f}"""

NAV = (
    ("参观", "/about.html"), ("馆藏", "/museum/"), ("织绣文化", "/culture/"), ("活动日历", "/museum/calendar/2026/11.html"),
    ("视频", "/video/"), ("返回门户", "/"),
)  # fmt: skip


def page(title: str, main: str, *, side: str = "", lang: str = "zh-CN", head: str = "") -> str:
    """A whole page of the museum.

    Args:
        title: of the page, plain text.
        main: HTML of the text column.
        side: HTML on top of the side column.
        lang: of the page.
        head: HTML at the end of the head.
    """
    bar = "".join(f'<a href="{path}">{name}</a>' for name, path in NAV)
    return f"""<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)} · 江南织绣博物馆</title><style>{STYLE}</style>{head}</head><body>
<div class="top"><div class="name">{CHROME[0]}</div>{bar}</div><div class="strip">{CHROME[1]}</div>
<div class="body"><div class="text">{main}</div><div class="sidebar">{side}<div><b>{CHROME[2]}</b><br><a href="/contact.html">了解详情</a></div>
<div><b>{CHROME[4]}</b><br><a href="/go/partner">前往商店</a></div></div></div>
<div class="end">{CHROME[3]}<br><a href="/about.html">交通</a> <a href="/contact.html">联系</a> <a href="/private/plan.html">库房管理</a></div></body></html>"""
