# ruff: noqa: E501 (a line of HTML is as long as it is)
"""The product database of the trade site: a POST form on a GBK page, ten results a page, the pager a POST form too."""

from __future__ import annotations

from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import Item, search
from hometextile.demo.sections.common import NOTHING, cut, paragraphs, picture, rows, show
from hometextile.demo.skins import table

SIZE = 10
KINDS = {"": "全部信息", "product": "产品供应", "quotation": "行情报价"}
NOISE = ("我要询价", "请填写您的联系方式，供应商将尽快与您联系", "热门搜索：四件套 窗帘 毛毯", "买家提醒：")


def _form(word: str = "", kind: str = "") -> str:
    options = "".join(
        f'<option value="{key}"{" selected" if key == kind else ""}>{name}</option>' for key, name in KINDS.items()
    )
    return f"""<table width="778" bgcolor="#fff5e6" cellspacing="0" cellpadding="6"><form name="searchform" action="search.asp" method="post"><tr>
<td width="90" align="right"><b>产品搜索</b></td><td><input type="text" name="keyword" size="30" maxlength="40" value="{escape(word)}">
<select name="kind">{options}</select> <input type="hidden" name="act" value="search"><input type="submit" value="搜索产品">　<font
color="#999999">{NOISE[2]}</font></td></tr></form></table>"""


def _pager(word: str, kind: str, page: int, count: int) -> str:
    buttons = "".join(
        f'<font color="#ff0000"><b>{n}</b></font> ' if n == page else f'<input type="submit" name="page" value="{n}"> '
        for n in range(1, count + 1)
    )
    after = f'<button type="submit" name="page" value="{page + 1}">下一页</button>' if page < count else ""
    return f"""<form name="pageform" action="search.asp" method="post"><input type="hidden" name="keyword" value="{escape(word)}"><input
type="hidden" name="kind" value="{kind}"><input type="hidden" name="act" value="page">第{page}页/共{count}页　{buttons}{after}</form>"""


def _answer(call: Call) -> Reply:
    form = call.gbk_form
    word, kind = form.get("keyword", "").strip(), form.get("kind", "")
    hits = [item for item in search("product", word, call.visit) if not kind or item.category == kind]
    part, count = cut(hits, call.page(values=form), SIZE)
    lines = "".join(
        f"""<tr><td width="90">{picture(item, 80, 60)}</td><td><a href="{escape(item.path)}"><b>{escape(item.title)}</b></a><br>
<font color="#666666">{escape(item.paragraphs[0][:40])}……</font></td><td width="110" align="right"><span class="price">{escape(item.fields.get("价格", "面议"))}</span></td></tr>"""
        for item in part
    )
    if not word:
        body = "<p align=center><br><font color=red>请输入关键字再搜索！</font></p>"
    elif not lines:
        body = f'<p align=center><br><font color="#cc0000">对不起，{NOTHING}，请更换关键字。</font></p>'
    else:
        body = f"""<p>共找到与“<b>{escape(word)}</b>”有关的信息 <font color=red>{len(hits)}</font> 条</p>
<table class="line" width="590" cellspacing="0" cellpadding="4">{lines}</table>{_pager(word, kind, call.page(values=form), count)}"""
    return _reply(table.page(f"搜索 {word}", body, search=_form(word, kind)))


def _reply(text: str) -> Reply:
    return Reply(text, encoding="gbk", content_type="text/html")


def _show(call: Call, item: Item) -> str:
    price = item.fields.get("价格", "面议")
    facts = rows(item, '<tr><td class="k">{k}</td><td class="v">{v}</td></tr>')
    when = (
        f'<br><font color="#999999">发布日期：<span class="date">{item.published}</span></font>'
        if item.published
        else ""
    )
    main = f"""<table width="590"><tr><td width="250" valign="top">{picture(item, 240, 180)}</td><td valign="top">
<span class="big">{escape(item.title)}</span>{when}<br>价格：<span class="price">{escape(price)}</span><form action="/user/order" method="post">订购数量
<input type="text" name="amount" size="4" value="1"> <input type="submit" value="加入询价单"></form></td></tr></table>
<table class="props" width="590" cellspacing="1" cellpadding="3" bgcolor="#eeeeee">{facts}</table>
<table width="590"><tr><td class="t">详细说明</td></tr><tr><td class="detail">
{paragraphs(item)}
</td></tr></table>
<table width="590" bgcolor="#f8f8f8"><tr><td class="t">{NOISE[0]}</td></tr><tr><td><form action="/user/order" method="post">{NOISE[1]}<br>
<textarea name="message" rows="3" cols="60"></textarea><br>电话 <input name="phone" size="14"> <input type="submit" value="发送"></form>
<font color="#999999">{NOISE[3]}付款前请核实供应商资质。</font></td></tr></table>"""
    return table.page(item.title, main, search=_form())


def reply(call: Call) -> Reply | None:
    """The section's pages."""
    if call.path in ("/product/", "/product/index.asp"):
        main = """<p class="big">产品库</p><p>本库收录床品、窗帘、毛巾、地毯等家纺产品及行情报价，请在上方输入关键字查询。</p>
<table width="590"><tr><td>·关键字可以是品名、材质、工艺或产地<br>·每页显示十条结果<br>·库内信息由会员自行发布</td></tr></table>"""
        return _reply(table.page("产品库", main, search=_form()))
    if call.path == "/product/search.asp":
        return _answer(call)
    if call.path == "/product/show.asp":
        found = show(call, "product", call.query.get("id", ""), _show, "gbk")
        found.content_type = "text/html"
        return found
    return None
