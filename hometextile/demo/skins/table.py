# ruff: noqa: E501 (a line of HTML is as long as it is)
"""A trade site of about 2003: layout tables three deep, font tags, gb2312 in the meta tag and GBK in the bytes."""

from __future__ import annotations

from html import escape

CHROME = (
    "布商通，天下布商一线通",
    "热烈祝贺布商通会员突破十万家",
    "黄金广告位火爆招租中",
    "Copyright 2003-2026 布商通网络（演示）",
    "最佳分辨率 1024×768",
    "本站法律顾问：演示律师事务所",
    "站内公告",
)

STYLE = """body{margin:0;background:#ffffff;font-size:12px;font-family:SimSun,"Noto Sans CJK SC",serif}
td{font-size:12px;line-height:20px}a{color:#003399}a:hover{color:#ff6600}
.t{background:#ff9900;color:#ffffff;font-weight:bold;padding-left:8px;height:24px}
.big{font-size:18px;font-weight:bold;color:#cc3300}.price{color:#ff0000;font-size:14px;font-weight:bold}
.k{background:#f5f5f5;color:#666666;width:90px}.line td{border-bottom:1px dashed #cccccc}"""

NAV = (
    ("首 页", "/"), ("供应产品", "/product/"), ("企业名录", "/dir/"), ("行业资讯", "/news/"), ("图案花型", "/gallery/"),
    ("标准文献", "/std/"), ("会员中心", "/user/login"), ("免费注册", "/user/register"),
)  # fmt: skip


def page(title: str, main: str, *, search: str = "") -> str:
    """A whole page of the trade site; encode it as GBK.

    Args:
        title: of the page, plain text.
        main: HTML of the main cell.
        search: HTML of the search row in the frame.
    """
    bar = "".join(
        f'<td align="center" width="96"><a href="{path}"><font color="#ffffff">{name}</font></a></td>'
        for name, path in NAV
    )
    return f"""<html><head><meta http-equiv="Content-Type" content="text/html; charset=gb2312"><title>{escape(title)}_布商通</title>
<style type="text/css">{STYLE}</style></head><body bgcolor="#ffffff"><center>
<table width="778" border="0" cellspacing="0" cellpadding="0"><tr><td width="220" height="60"><font size="6" color="#cc3300"><b>布商通</b></font>
<font color="#999999">buctong.example</font></td><td align="right"><table width="468" height="56" bgcolor="#ffffcc" border="1"
bordercolor="#ff9900" cellspacing="0"><tr><td align="center"><a href="/go/partner"><font color="#cc0000" size="4">{CHROME[2]}</font></a></td></tr></table>
</td></tr></table>
<table width="778" bgcolor="#cc3300" cellspacing="0" cellpadding="3"><tr>{bar}</tr></table>
<table width="778" bgcolor="#ffeecc" cellspacing="0" cellpadding="2"><tr><td>{CHROME[0]}　|　<font color="#cc0000">{CHROME[1]}</font></td>
<td align="right"><a href="/private/price.html">底价查询</a></td></tr></table>
{search}
<table width="778" cellspacing="0" cellpadding="0" border="0"><tr><td width="170" valign="top" bgcolor="#fafafa">
<table width="166" cellspacing="0" cellpadding="2" style="border:1px solid #ff9900"><tr><td class="t">{CHROME[6]}</td></tr>
<tr><td>·<a href="/about.html">会员服务升级通知</a><br>·<a href="/contact.html">诚信通年费优惠</a><br>·<a href="/go/partner">代理商招募</a></td></tr></table>
<table width="166" cellspacing="0" cellpadding="2" style="border:1px solid #ff9900;margin-top:6px"><tr><td class="t">会员登录</td></tr>
<tr><td><form action="/user/login" method="post" style="margin:0">用户：<input name="username" size="12"><br>密码：<input type="password"
name="password" size="12"><br><input type="submit" value="登录"></form></td></tr></table></td>
<td width="8"></td><td valign="top"><table width="600" cellspacing="0" cellpadding="4" style="border:1px solid #dddddd"><tr><td>
{main}
</td></tr></table></td></tr></table>
<hr width="778" color="#ff9900" size="1"><table width="778"><tr><td align="center"><a href="/about.html">关于布商通</a> | <a href="/contact.html">广告服务</a> |
<a href="/">返回门户</a> | <a href="/news/archive/2008/index.html">旧版公告</a><br>{CHROME[3]}　{CHROME[4]}<br>{CHROME[5]}</td></tr></table>
</center></body></html>"""
