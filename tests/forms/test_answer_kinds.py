"""Pages that are no results, as real programs word them, told apart in Chinese and English; written by hand."""

from __future__ import annotations

import pytest

from hometextile.dedup.urls import canonical_url
from hometextile.forms.answers import judge_answer
from hometextile.forms.results import Baseline
from hometextile.page.document import Document

_URL = "http://lib.example/find?q={word}"
_TOP = '<nav><a href="/">首页</a><a href="/about">About</a><a href="/news">News</a></nav>'
_PASSWORD = '<form method="post"><input name="u"><input type="password" name="p"><button>OK</button></form>'


def page(title: str, main: str, word: str = "silk", top: str = _TOP) -> Document:
    html = f"<html><head><title>{title}</title></head><body>{top}<main>{main}</main></body></html>"
    return Document(html, _URL.format(word=word))


def items(word: str, *numbers: int) -> str:
    return "".join(
        f'<div class="item"><a href="/d/{n}">{word} no. {n}</a><p>{word}, woven, 18th c.</p></div>' for n in numbers
    )


def kind(document: Document) -> str:
    made = Baseline()
    made.add(page("Search", "<p>Welcome</p>", ""), canonical_url)
    made.add(page("Search", "<p>zqx: nothing</p>", "zqx"), canonical_url, nonsense=True)
    return judge_answer(document, made, canonical=canonical_url, keyword="silk").kind


NONE = [
    ("Search", "<p>Sorry, we couldn't find anything for “silk”.</p>"),
    ("Search results", "<p>There were no results matching the query.</p>"),
    ("Catalogue", "<h2>Your search - silk - did not match any items.</h2>"),
    ("Shop", "<p>No products were found matching your selection.</p>"),
    ("Archive", "<p>We found 0 records for silk</p>"),
    ("Search", "<p>Nothing found. Try another word.</p>"),
    ("检索结果", "<p>抱歉，没有找到与“silk”相关的内容</p>"),
    ("检索结果", "<p>很遗憾，未检索到符合条件的文献。</p>"),
    ("搜索", "<p>暂无数据</p>"),
    ("产品搜索", "<p>对不起，没有您要找的产品！</p>"),
    ("查询", "<p>检索到 0 条结果</p>"),
    ("站内搜索", "<p>找不到和您查询的“silk”相符的内容。</p>"),
    ("搜尋結果", "<p>查無資料</p>"),
]
CAPTCHA = [
    ("Just a moment...", "<h1>Checking your browser before accessing lib.example</h1>"),
    ("Attention Required!", "<p>Please complete the security check to access lib.example</p>"),
    ("lib.example", "<p>Press and hold to confirm you are a human (and not a bot).</p>"),
    ("Robot check", "<p>Enter the characters you see below</p>"),
    ("Access", "<p>Our systems have detected unusual traffic from your computer network.</p>"),
    ("百度安全验证", "<p>请完成下方验证后继续操作</p>"),
    ("验证", "<p>请拖动滑块完成拼图</p>"),
    ("访问异常", "<p>您的访问过于频繁，请输入图中的字符</p>"),
    ("提示", "<p>请证明您不是机器人</p>"),
]
ERROR = [
    ("404 Not Found", "<h1>Not Found</h1><p>The requested URL was not found on this server.</p>"),
    ("Service Unavailable", "<p>The server is temporarily unable to service your request.</p>"),
    ("Runtime Error", "<h1>Server Error in '/' Application.</h1>"),
    ("页面不存在", "<p>您访问的页面不存在或已被删除</p>"),
    ("系统错误", "<p>系统发生错误，请稍后再试</p>"),
    ("Error", "<p>You have an error in your SQL syntax near 'silk'</p>"),
    ("Search", "<p><b>Fatal error</b>: Uncaught mysqli_sql_exception in /var/www/find.php on line 12</p>"),
]
LOGIN = [
    ("Sign in", f"<h1>Sign in to continue</h1>{_PASSWORD}"),
    ("Member area", f"<p>You must be logged in to search.</p>{_PASSWORD}"),
    ("用户登录", f"<p>您还没有登录，请登录后再检索</p>{_PASSWORD}"),
    ("提示", f"<p>该功能仅限会员使用，请先登陆</p>{_PASSWORD}"),
]
RESULTS = [
    ("Search", f"<p>3 results</p>{items('silk', 1, 2, 3)}"),
    ("搜索", f"<p>共找到 3 条</p>{items('silk', 4, 5, 6)}<p>没有找到？<a href='/help'>帮助</a></p>"),
    ("验证码图案 - 搜索", items("silk", 7, 8, 9)),
    ("Search", f"<a href='/login'>Log in</a>{items('error page silk', 1, 2, 3)}<p>Page 1 of 404</p>"),
]


@pytest.mark.parametrize(
    ("wanted", "title", "main"),
    [
        (wanted, *one)
        for wanted, pages in (
            ("none", NONE),
            ("captcha", CAPTCHA),
            ("error", ERROR),
            ("login", LOGIN),
            ("results", RESULTS),
        )
        for one in pages
    ],
)
def test_kind(wanted: str, title: str, main: str) -> None:
    assert kind(page(title, main)) == wanted
