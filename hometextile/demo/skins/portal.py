# ruff: noqa: E501 (a line of HTML is as long as it is)
"""A portal of about 2012: floats, a red bar, a login strip, banner, side column, link list. Styles are served."""

from __future__ import annotations

from html import escape

CHROME = (
    "您好，欢迎来到经纬家纺网",
    "【广告】锦绣窗饰全国招商，零加盟费开店",
    "广告位招租，电话 000-00000000",
    "版权所有 © 2008-2026 经纬家纺网（演示）",
    "示ICP备00000001号",
    "江南织造论坛",
    "布市通行情",
    "一周点击排行",
    "订阅每日快讯",
)

STYLE = """
*{margin:0;padding:0;box-sizing:border-box}
body{font:14px/1.7 "Microsoft YaHei",SimSun,"Noto Sans CJK SC",sans-serif;color:#333;background:#f3f3f3}
a{color:#1d4f91;text-decoration:none}a:hover{color:#c00}
.wrap{width:980px;margin:0 auto}.clear{clear:both}
.topbar{background:#f9f9f9;border-bottom:1px solid #e4e4e4;height:30px;line-height:30px;font-size:12px;color:#888}
.topbar .right{float:right}.head{background:#fff;height:88px}
.logo{float:left;font-size:32px;font-weight:bold;color:#b40000;padding-top:16px}.logo small{font-size:12px;color:#999;margin-left:8px}
.sitesearch{float:right;margin-top:28px}.sitesearch input{height:30px;border:2px solid #b40000;padding:0 8px}
.sitesearch .box{width:260px;border-right:0}.sitesearch .go{background:#b40000;color:#fff;width:70px}
.nav{background:#b40000;height:38px}.nav li{float:left;list-style:none;line-height:38px}
.nav a{color:#fff;padding:0 14px;display:block;font-size:15px}.nav a.on,.nav a:hover{background:#8c0000}
.banner{background:linear-gradient(90deg,#fbe3b0,#f6b26b);height:70px;line-height:70px;text-align:center;font-size:22px;color:#8c0000;margin:10px auto}
.crumbs{font-size:12px;color:#888;padding:8px 0}
.left{float:left;width:690px;background:#fff;border:1px solid #ddd;padding:20px;min-height:420px}
.right-col{float:right;width:276px}.panel{background:#fff;border:1px solid #ddd;margin-bottom:10px}
.panel h3{font-size:14px;background:#f6f6f6;border-bottom:2px solid #b40000;padding:4px 10px}.panel ul{padding:8px 10px}
.panel li{list-style:none;font-size:13px;line-height:26px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.panel .ad{padding:30px 10px;text-align:center;background:#fff7e0;color:#b40000;font-size:16px}
h1{font-size:24px;text-align:center;color:#222;padding-bottom:10px}
.info{text-align:center;font-size:12px;color:#999;border-bottom:1px dotted #ccc;padding-bottom:10px;margin-bottom:14px}
.article p{font-size:16px;line-height:1.9;text-indent:2em;margin-bottom:14px}.article img{display:block;margin:0 auto 6px}
.article .caption{font-size:12px;color:#888;text-align:center;text-indent:0}
.share,.prevnext{font-size:12px;color:#888;padding:8px 0;border-top:1px dotted #ccc}
.related h3,.comments h3{font-size:15px;border-left:4px solid #b40000;padding-left:8px;margin:14px 0 6px}
.related li{list-style:square inside;font-size:13px}.comments{font-size:13px}.comments textarea{width:100%;height:70px}
.comments .one{border-bottom:1px dotted #ddd;padding:6px 0;color:#666}
.newslist li{list-style:none;border-bottom:1px dotted #ccc;padding:9px 0;font-size:15px}.newslist .date{float:right;color:#999;font-size:12px}
.newslist .brief{font-size:13px;color:#777;display:block}.pager{text-align:center;padding:16px 0}
.pager a,.pager b{border:1px solid #ddd;padding:3px 10px;margin:0 2px}.pager b{background:#b40000;color:#fff}
.links{background:#fff;border:1px solid #ddd;margin:12px auto;padding:8px 12px;font-size:12px}.links a{margin-right:14px}
.foot{background:#4a4a4a;color:#bbb;text-align:center;font-size:12px;padding:16px 0;margin-top:10px}.foot a{color:#ddd;margin:0 8px}
.third{float:left;width:206px;margin-right:9px;border:1px solid #e5e5e5;padding:10px;margin-bottom:12px;min-height:210px}
.third h3{font-size:15px;color:#b40000;border-bottom:1px solid #eee}.third li{list-style:none;font-size:13px;line-height:25px;height:25px;overflow:hidden}
.account p{margin:12px 0}.account input[type=text],.account input[type=password]{border:1px solid #bbb;height:28px;width:220px}
.lost{padding:40px;text-align:center}.lost ul{list-style:none;margin-top:16px}
"""

NAV = (
    ("首页", "/"), ("家纺资讯", "/news/"), ("产品库", "/product/"), ("企业名录", "/dir/"), ("花型图库", "/gallery/"),
    ("标准专利", "/std/"), ("文献", "/lit/"), ("工艺", "/craft/"), ("定制", "/custom/"), ("视频", "/video/"),
    ("博物馆", "/museum/"),
)  # fmt: skip


def page(
    title: str,
    main: str,
    *,
    side: str = "",
    crumbs: str = "",
    description: str = "",
    keywords: str = "",
    active: str = "/",
    lang: str = "zh-CN",
) -> str:
    """A whole page of the portal.

    Args:
        title: of the page, plain text.
        main: HTML of the main column.
        side: HTML panels on top of the side column.
        crumbs: HTML of the path shown above the columns.
        description, keywords: for the meta tags, plain text.
        active: the address in the bar that is marked.
        lang: of the page.
    """
    bar = "".join(f'<li><a{" class=on" if path == active else ""} href="{path}">{name}</a></li>' for name, path in NAV)
    return f"""<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)} - 经纬家纺网</title>
<meta name="description" content="{escape(description)}"><meta name="keywords" content="{escape(keywords)}">
<link rel="stylesheet" href="/static/portal.css"></head><body>
<div class="topbar"><div class="wrap"><span class="right"><a href="/user/login">登录</a> | <a href="/user/register">注册</a> |
<a href="/private/price.html">内部资料</a> | <a href="/welcome/">旧版入口</a></span>{CHROME[0]}</div></div>
<div class="head"><div class="wrap"><div class="logo">经纬家纺网<small>www.jingwei.example</small></div>
<form class="sitesearch" action="/search" method="get"><input class="box" type="text" name="q" placeholder="输入关键词搜索资讯"><input
class="go" type="submit" value="搜 索"></form></div></div>
<div class="nav"><ul class="wrap">{bar}</ul></div>
<div class="wrap banner"><a href="/go/partner">{CHROME[1]}</a></div>
<div class="wrap crumbs">{crumbs or '当前位置：<a href="/">首页</a>'}</div>
<div class="wrap"><div class="left">{main}</div><div class="right-col">{side}
<div class="panel"><div class="ad">{CHROME[2]}</div></div>
<div class="panel"><h3>{CHROME[7]}</h3><ul><li><a href="/news/2026/x03.html">世界杯预选赛今晨战罢三场</a></li>
<li><a href="/news/2026/x01.html">红烧肉怎样做才不腻</a></li><li><a href="/news/2026/n03.html">通海秋季布市人气回暖</a></li></ul></div>
<div class="panel"><h3>{CHROME[8]}</h3><form action="/user/subscribe" method="post" style="padding:10px"><input type="text"
name="email" placeholder="您的邮箱" size="18"> <input type="submit" value="订阅"></form></div>
<div class="panel"><h3>本期调查</h3><form action="/user/vote" method="post" style="padding:10px">您最看重床品的哪一点？<br>
<label><input type="radio" name="v" value="1">手感</label> <label><input type="radio" name="v" value="2">花色</label>
<label><input type="radio" name="v" value="3">价格</label><br><input type="submit" value="投票"></form></div>
</div><div class="clear"></div></div>
<div class="wrap links"><b>友情链接：</b><a href="http://forum.example.com/">{CHROME[5]}</a><a href="http://market.example.com/">{CHROME[6]}</a>
<a href="http://silk.example.org/">丝路纹样库</a><a href="http://dye.example.org/">草木染小站</a><a href="/go/meta">合作伙伴</a>
<a href="/go/intranet">员工入口</a></div>
<div class="foot"><p><a href="/about.html">关于我们</a><a href="/contact.html">联系方式</a><a href="/user/upload">投稿上传</a>
<a href="/news/archive/2009/index.html">旧闻档案</a><a href="/sitemap.html">网站地图</a></p>
<p>{CHROME[3]} 未经书面授权不得转载</p><p>{CHROME[4]}</p></div></body></html>"""
