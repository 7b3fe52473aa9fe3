# ruff: noqa: E501 (a line of HTML is as long as it is)
"""The directory of firms, studios and designers: nested layout tables, GBK, a form sent by GET."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import Item, search
from hometextile.demo.sections.common import NOTHING, cut, numbered, paragraphs, picture, rows, show
from hometextile.demo.skins import table

SIZE = 6
KINDS = {"": "全部", "company": "企业", "studio": "工作室", "designer": "设计师"}
NOISE = ("给商家留言", "名片由会员自行维护", "会员积分：")


def _form(word: str = "", kind: str = "") -> str:
    options = "".join(
        f'<option value="{key}"{" selected" if key == kind else ""}>{name}</option>' for key, name in KINDS.items()
    )
    return f"""<table width="778" bgcolor="#e8f0ff" cellpadding="6" cellspacing="0"><tr><td><form action="/dir/find.asp" method="get" name="dirform">
<table cellspacing="0" cellpadding="2"><tr><td><b>查名录</b></td><td><input name="name" size="26" value="{escape(word)}"></td>
<td><select name="cls">{options}</select></td><td><input type="image" src="/img/button-7.jpg" name="go" alt="查询" width="52" height="20"></td>
<td><font color="#666666">名称、主营或地区</font></td></tr></table></form></td></tr></table>"""


def _answer(call: Call) -> Reply:
    asked = call.gbk_query
    word, kind = asked.get("name", "").strip(), asked.get("cls", "")
    hits = [item for item in search("dir", word, call.visit) if not kind or item.category == kind]
    part, count = cut(hits, call.page(), SIZE)
    cells = "".join(
        f"""<table width="590" bgcolor="#ccddee" cellspacing="1" cellpadding="0"><tr><td><table width="100%" bgcolor="#ffffff" cellpadding="6"><tr>
<td><a href="{escape(item.path)}"><b>{escape(item.title)}</b></a><br>主营：{escape(item.fields.get("主营", item.fields.get("专长", "")))}</td>
<td width="140">{escape(item.fields.get("地区", ""))}</td></tr></table></td></tr></table><img src="/img/dot-0.jpg" width="1" height="6">"""
        for item in part
    )
    code = quote(word.encode("gb18030", "replace"))
    turn = numbered(count, call.page(), lambda n: f"/dir/find.asp?name={code}&cls={kind}&page={n}")
    body = (
        f"<p>查到 <b>{len(hits)}</b> 家</p>{cells}<p align=center>{turn}</p>"
        if hits
        else f"<p align=center><br><br>{NOTHING}</p>"
    )
    return _reply(table.page("名录查询结果", body, search=_form(word, kind)))


def _reply(text: str) -> Reply:
    return Reply(text, encoding="gbk", content_type="text/html; charset=gb2312")


def _show(call: Call, item: Item) -> str:
    facts = rows(
        item, '<tr><td width="80" bgcolor="#eef4ff" align="right">{k}：</td><td bgcolor="#ffffff">{v}</td></tr>'
    )
    main = f"""<table width="590" cellspacing="0" cellpadding="0"><tr><td bgcolor="#3366aa" height="28"><font color="#ffffff"><b>&nbsp;{escape(item.title)}</b></font></td></tr>
<tr><td><table width="100%" cellpadding="8" cellspacing="0" style="border:1px solid #3366aa"><tr><td valign="top" width="200">
<table cellspacing="0" cellpadding="0"><tr><td>{picture(item, 180, 135)}</td></tr><tr><td align="center"><font color="#999999">{NOISE[2]}{item.number}</font></td></tr></table>
</td><td valign="top"><table width="100%" cellspacing="1" cellpadding="4" bgcolor="#ccddee" class="contact">{facts}</table></td></tr>
<tr><td colspan="2"><table width="100%"><tr><td class="intro">
{paragraphs(item)}
</td></tr></table></td></tr></table></td></tr></table>
<table width="590" bgcolor="#f4f4f4" cellpadding="6"><tr><td><b>{NOISE[0]}</b>（{NOISE[1]}）<form action="/user/comment" method="post"><textarea name="msg" cols="60"
rows="3"></textarea><br><input type="submit" value="提交留言"></form></td></tr></table>"""
    return table.page(item.title, main, search=_form())


def reply(call: Call) -> Reply | None:
    """The section's pages."""
    if call.path == "/dir/":
        main = "<p class=big>企业名录</p><p>收录各地家纺企业、设计工作室与独立设计师名片，请在上方查询。</p>"
        return _reply(table.page("企业名录", main, search=_form()))
    if call.path == "/dir/find.asp":
        return _answer(call)
    if call.path == "/dir/card.asp":
        found = show(call, "dir", call.query.get("id", ""), _show, "gbk")
        found.content_type = "text/html; charset=gb2312"
        return found
    return None
