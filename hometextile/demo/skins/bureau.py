# ruff: noqa: E501 (a line of HTML is as long as it is)
"""A document service of a public body, about 2016: blue, a crest, boxes, a two-column table; styles inline."""

from __future__ import annotations

from html import escape

CHROME = (
    "纺织文献服务平台（演示）",
    "主办单位：演示标准信息所",
    "技术支持电话：000-00000000",
    "重要通知：系统将于周日凌晨维护",
    "常用下载",
    "网站标识码 0000000000",
)

STYLE = """body{margin:0;font:14px/1.8 "Microsoft YaHei","Noto Sans CJK SC",sans-serif;background:#eef3f8;color:#333}a{color:#0b5394;text-decoration:none}
#head{background:#0b5394;color:#fff;padding:18px 0}#head .in,#menu .in,#page,#foot .in{width:1000px;margin:0 auto}#head b{font-size:26px;letter-spacing:2px}
#menu{background:#073763}#menu a{display:inline-block;color:#fff;padding:8px 22px}#notice{background:#fff2cc;border:1px solid #ffe08a;color:#7f6000;padding:4px 12px;margin:10px 0;font-size:13px}
#page{overflow:hidden}#content{float:right;width:760px;background:#fff;border:1px solid #cfd9e5;padding:18px 22px;box-sizing:border-box;min-height:380px}
#left{float:left;width:226px}#left .b{background:#fff;border:1px solid #cfd9e5;margin-bottom:10px}#left h4{margin:0;background:#d9e6f2;padding:5px 12px;color:#073763}#left ul{margin:6px 0;padding:0 14px}#left li{list-style:none;font-size:13px}
h1{font-size:21px;color:#073763;border-bottom:2px solid #0b5394;padding-bottom:6px}table.data{width:100%;border-collapse:collapse}table.data td,table.data th{border:1px solid #d5dde6;padding:6px 10px;text-align:left;vertical-align:top}table.data th{background:#f0f5fa;width:120px;font-weight:normal;color:#555}
table.list th{width:auto}.abstract{margin-top:14px}.abstract p{text-indent:2em;margin:6px 0}fieldset{border:1px solid #bfcfe0;margin:0 0 14px;padding:10px 16px}legend{color:#0b5394}
.hit{border-bottom:1px dotted #bbb;padding:10px 0}.hit h3{margin:0;font-size:16px}.hit .m{color:#888;font-size:13px}.hit p{margin:2px 0}.pages{padding:14px 0}.pages a,.pages strong{margin-right:8px;padding:2px 8px;border:1px solid #ccd}
#foot{background:#dfe7ef;border-top:3px solid #0b5394;margin-top:14px;padding:14px 0;text-align:center;font-size:12px;color:#666}.none{padding:30px;text-align:center;color:#a33}"""

NAV = (
    ("首页", "/"), ("标准与专利", "/std/"), ("文献检索", "/lit/"), ("政策法规", "/news/policy/"), ("用户中心", "/user/login"),
)  # fmt: skip


def page(title: str, main: str, *, lang: str = "zh-CN") -> str:
    """A whole page of the document service.

    Args:
        title: of the page, plain text.
        main: HTML of the content box.
        lang: of the page.
    """
    bar = "".join(f'<a href="{path}">{name}</a>' for name, path in NAV)
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="{lang}"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<title>{escape(title)}_纺织文献服务平台</title><style type="text/css">{STYLE}</style></head><body>
<div id="head"><div class="in"><b>{CHROME[0]}</b></div></div><div id="menu"><div class="in">{bar}</div></div>
<div id="page"><div id="notice">{CHROME[3]}</div><div id="left"><div class="b"><h4>服务导航</h4><ul><li><a href="/std/">标准检索</a></li>
<li><a href="/lit/">文献检索</a></li><li><a href="/about.html">检索帮助</a></li><li><a href="/user/register">开通账号</a></li></ul></div>
<div class="b"><h4>{CHROME[4]}</h4><ul><li><a href="/about.html">阅读器安装包</a></li><li><a href="/contact.html">查新申请表</a></li></ul></div></div>
<div id="content">{main}</div></div>
<div id="foot"><div class="in">{CHROME[1]}　{CHROME[2]}<br />{CHROME[5]}　<a href="/contact.html">联系我们</a></div></div></body></html>"""
