# ruff: noqa: E501 (a line of HTML is as long as it is)
"""A design site of today: flex, cards, a hero, a cookie notice and a newsletter box; styles inline."""

from __future__ import annotations

from html import escape

CHROME = (
    "本站使用 Cookie 以改善浏览体验",
    "订阅每周灵感，每周五送达",
    "© 2026 纹样集 · 演示站点，素材仅供学习",
    "限时活动：年度会员立减三百",
    "下载纹样集客户端",
    "猜你喜欢",
)

STYLE = """*{box-sizing:border-box}body{margin:0;font:16px/1.75 -apple-system,"PingFang SC","Noto Sans CJK SC",sans-serif;color:#26292e;background:#fafaf8}
a{color:inherit;text-decoration:none}.bar{display:flex;align-items:center;gap:28px;height:64px;padding:0 5vw;background:#fff;position:relative;box-shadow:0 1px 6px #0001}
.brand{font-weight:700;font-size:22px;color:#1d6f5f}.bar nav{display:flex;gap:20px;flex:1;font-size:15px}.bar .btn{background:#1d6f5f;color:#fff;padding:4px 16px;border-radius:18px}
.promo{background:#fdeccd;color:#8a5a00;text-align:center;font-size:14px;padding:6px}
.hero{padding:44px 5vw 28px;background:linear-gradient(120deg,#e3efe9,#f7f0e1)}.hero h1{margin:0 0 14px;font-size:32px}
.find{display:flex;max-width:640px;gap:8px}.find input[type=search],.find input[type=text]{flex:1;height:44px;border:1px solid #ccd;border-radius:22px;padding:0 18px;font-size:16px}
.find button,.find select{height:44px;border-radius:22px;border:0;background:#1d6f5f;color:#fff;padding:0 26px;font-size:16px}
main{max-width:1120px;margin:28px auto;padding:0 20px;display:flex;gap:32px}.content{flex:1;min-width:0}
.grid{display:flex;flex-wrap:wrap;gap:20px}.card{width:240px;background:#fff;border-radius:12px;overflow:hidden;box-shadow:0 2px 10px #0000000f}
.card img{width:240px;height:180px;display:block;object-fit:cover}.card h3{font-size:16px;margin:10px 14px 4px}.card p{font-size:13px;color:#777;margin:0 14px 12px}
article{background:#fff;border-radius:14px;padding:30px 36px;box-shadow:0 2px 10px #0000000f}article h1{margin:0 0 8px;font-size:28px}
article .meta{color:#888;font-size:14px;margin-bottom:18px}article img,article video{max-width:100%;border-radius:10px;display:block}
dl.facts{display:grid;grid-template-columns:110px 1fr;gap:4px 12px;font-size:15px;background:#f6f7f4;padding:14px 18px;border-radius:10px}dl.facts dt{color:#888}dl.facts dd{margin:0}
aside{width:250px}aside .box{background:#fff;border-radius:12px;padding:16px 18px;margin-bottom:18px;font-size:14px}aside h4{margin:0 0 8px}
aside li{list-style:none;padding:3px 0}aside ul{padding:0;margin:0}.turn{display:flex;gap:10px;margin:26px 0}.turn a,.turn span{padding:4px 14px;border-radius:8px;background:#fff;border:1px solid #dde}
.turn .now{background:#1d6f5f;color:#fff}footer{background:#20332e;color:#b8c7c1;padding:30px 5vw;display:flex;flex-wrap:wrap;gap:40px;font-size:14px}footer form input{height:34px;border:0;padding:0 10px}
.cookie{background:#26292e;color:#eee;font-size:13px;padding:10px 5vw;display:flex;justify-content:space-between}.empty{padding:40px;color:#888}"""

NAV = (
    ("纹样图库", "/gallery/"), ("工艺百科", "/craft/"), ("定制专区", "/custom/"), ("视频课堂", "/video/"),
    ("织物文化", "/culture/"), ("门户", "/"),
)  # fmt: skip


def page(
    title: str, main: str, *, hero: str = "", side: str = "", lang: str = "zh-CN", head: str = "", foot: str = ""
) -> str:
    """A whole page of the design site.

    Args:
        title: of the page, plain text.
        main: HTML of the content column.
        hero: HTML of the band above it.
        side: HTML boxes of the side column.
        lang: of the page.
        head: HTML at the end of the head (Open Graph, JSON-LD).
        foot: HTML after the footer (scripts).
    """
    bar = "".join(f'<a href="{path}">{name}</a>' for name, path in NAV)
    band = f'<section class="hero">{hero}</section>' if hero else ""
    return f"""<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)} | 纹样集</title>
<style>{STYLE}</style>{head}</head><body>
<header class="bar"><a class="brand" href="/gallery/">纹样集</a><nav>{bar}</nav><a href="/user/login">登录</a><a class="btn" href="/user/upload">上传花型</a></header>
<div class="promo">{CHROME[3]} <a href="/user/register">立即加入</a></div>{band}
<main><div class="content">{main}</div><aside>{side}<div class="box"><h4>{CHROME[5]}</h4><ul><li><a href="/craft/">手作工艺</a></li>
<li><a href="/video/">新课上线</a></li><li><a href="/news/2026/x02.html">本周星座运势</a></li></ul></div>
<div class="box"><h4>{CHROME[4]}</h4><p>随时收藏灵感</p></div></aside></main>
<footer><div><b>纹样集</b><br><a href="/about.html">关于</a> · <a href="/contact.html">联系</a> · <a href="/go/partner">商务合作</a></div>
<div><form action="/user/subscribe" method="post"><label>{CHROME[1]}<br><input type="email" name="email" placeholder="you@example.com"></label>
<button>订阅</button></form></div><div>{CHROME[2]}</div></footer>
<div class="cookie"><span>{CHROME[0]}</span><a href="/about.html">知道了</a></div>{foot}</body></html>"""
