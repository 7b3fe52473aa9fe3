"""What a page says about itself; pages as Chinese sites write them."""

from __future__ import annotations

from datetime import datetime

import pytest

from hometextile.extract.metadata import Metadata, language_of, metadata
from hometextile.page.document import Document

NOW = datetime(2023, 6, 1, 12, 0)
TEXT = (
    "<p>" + "床上用品行业标准的修订工作已经完成，并将于明年实施，企业应当及时了解新的要求，做好准备工作。" * 2 + "</p>"
)


def read(page: str, url: str = "http://www.example.cn/news/1.html") -> Metadata:
    return metadata(Document(page, url), now=NOW)


def test_a_news_page() -> None:
    page = f"""<!-- clock at the top, source line under the title, a copyright line -->
    <head><title>家纺标准修订完成_行业_示例网</title><meta name="keywords" content="家纺，标准 ,修订"><meta
    name="description" content="摘要">
    <link rel="canonical" href="/news/1.html"></head><body><p>今天是2023年6月1日 星期四</p><h1>家纺标准修订完成</h1>
    <p>发布时间：2023-05-06 09:30 来源：纺织日报 作者：王一 浏览：120</p>{TEXT}<p>版权所有 © 2023</p></body>"""
    found = read(page)
    assert found.title == "家纺标准修订完成"
    assert found.published == "2023-05-06T09:30"
    assert (found.source, found.author, found.language) == ("纺织日报", "王一", "zh")
    assert (found.keywords, found.description) == (["家纺", "标准", "修订"], "摘要")
    assert found.canonical == "http://www.example.cn/news/1.html"


@pytest.mark.parametrize(
    ("line", "published", "source", "author"),
    [
        ("2023年05月06日18:52纺织网我要评论(0)", "2023-05-06T18:52", "纺织网", ""),
        ("2023年5月6日 来源：纺织日报(北京) 有0人参与", "2023-05-06", "纺织日报", ""),
        ("【聯合報╱記者王一／台北報導】</p><p>2023.05.06 06:10 pm", "2023-05-06T18:10", "聯合報", "王一"),
        ("发布日期：2023-05-06 作者：王一 李二 字号：大 中 小", "2023-05-06", "示例网", "王一 李二"),
        ("更新时间：2023-05-08 发布时间：2023-05-06", "2023-05-06", "示例网", ""),
        ("孚镇口述史小组　2023.05.06", "2023-05-06", "孚镇口述史小组", ""),
        ("<span class='info-source'>手作研究社</span>", "", "手作研究社", ""),
        ("申请日 2021-03-15<br>公开日 2021-09-21", "2021-09-21", "示例网", ""),
        ("发表日期：2022-06", "2022-06", "示例网", ""),
        ("文章来源：本站 时间：2023-5-6", "2023-05-06", "示例网", ""),
        ("5月6日 10:00", "2023-05-06T10:00", "示例网", ""),
        ("活动时间：2023-07-01 至 2023-07-03", "", "示例网", ""),
        ("成立时间：2001-07-01", "", "示例网", ""),
    ],
)
def test_lines_under_the_title(line: str, published: str, source: str, author: str) -> None:
    page = f"<title>家纺标准修订完成_示例网</title><h1>家纺标准修订完成</h1><p>{line}</p>{TEXT}"
    found = read(page)
    assert (found.published, found.source, found.author) == (published, source, author)


def test_the_governments_page_standard() -> None:
    page = f"""<meta name="ArticleTitle" content="关于家纺标准的公告"><meta name="PubDate" content="2023-05-06 10:00">
    <meta name="ContentSource" content="工业和信息化部"><title>示例</title>{TEXT}"""
    found = read(page)
    assert (found.title, found.published, found.source) == ("关于家纺标准的公告", "2023-05-06T10:00", "工业和信息化部")


def test_data_for_machines() -> None:
    page = """<script type="application/ld+json">{"@type": "NewsArticle", "headline": "New bedding standard",
    "datePublished":
    "2023-05-06T08:00:00+08:00", "author": [{"name": "A. Weaver"}, {"name": "B. Spinner"}],
    "publisher": {"name": "Textile Daily"},
    "image": {"url": "/a.jpg"}}</script>
    <title>New bedding standard | Textile Daily</title><body><h1>New bedding standard</h1>
    <p>The standard has been revised and will be in force next year.</p>"""
    found = read(page)
    assert (found.title, found.published) == ("New bedding standard", "2023-05-06T08:00:00+08:00")
    assert (found.author, found.source) == ("A. Weaver, B. Spinner", "Textile Daily")
    assert (found.image, found.language) == ("http://www.example.cn/a.jpg", "en")


def test_never_in_the_future() -> None:
    page = (
        f"<meta name=pubdate content=2024-01-01><title>家纺展览</title><h1>家纺展览</h1><p>2023-05-06 10:00</p>{TEXT}"
    )
    assert read(page).published == "2023-05-06T10:00"


@pytest.mark.parametrize(
    ("url", "published"),
    [
        ("http://a.cn/2023/0506/c1.html", ""), ("http://a.cn/2023-05/06/1.htm", "2023-05-06"),
        ("http://a.cn/20230506/1.htm", "2023-05-06"),
        ("http://a.cn/2023/05/06/1.htm", "2023-05-06"), ("http://a.cn/p/202305061.htm", ""),
        ("http://a.cn/2024/05/06/1.htm", ""),
    ],
)  # fmt: skip
def test_the_address_comes_last(url: str, published: str) -> None:
    assert read(f"<title>家纺</title>{TEXT}", url).published == published


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>被套_产品_示例网</title><h1>示例网</h1><div class=title>被套</div>", "被套"),
        ("<title>示例网--频道--家纺行业的新发展</title>", "家纺行业的新发展"),
        ("<title>南通水星家纺股份有限公司</title><h1>南通水星家纺股份有限公司</h1>", "南通水星家纺股份有限公司"),
        ("<title>示例网</title><h1>家纺行业的新发展</h1>", "家纺行业的新发展"),
        ("<title>产品详情</title><h2>纯棉贡缎四件套</h2>", "纯棉贡缎四件套"),
        (
            "<title>Quilting for beginners - A craft site</title><h1>Quilting for beginners</h1><h2>Life</h2>",
            "Quilting for beginners",
        ),
        ("<svg><title>logo</title></svg><p>x</p>", ""),
        ("", ""),
    ],
)
def test_titles(page: str, title: str) -> None:
    assert read(page).title == title


@pytest.mark.parametrize(
    "author", ["示例网", "admin", "Discuz! Team and Comsenz UI Team", "家纺,被套,枕套,毛巾,窗帘", "example"]
)
def test_an_author_that_is_none(author: str) -> None:
    assert read(f"<meta name=author content='{author}'><title>家纺_示例网</title>{TEXT}").author == ""


@pytest.mark.parametrize(
    ("page", "language"),
    [
        (TEXT, "zh"),
        ("<html lang=zh><p>Only English words on this page", "en"),
        ("<html lang=de><p>Bettwäsche und Decken", "de"),
        ("", ""),
    ],
)
def test_language(page: str, language: str) -> None:
    assert language_of(Document(page, "http://example.cn/")) == language


@pytest.mark.parametrize(
    ("page", "author"),
    [
        ("<span class='byline'>Posted by<a>Ann Weaver</a></span>", "Ann Weaver"),
        ("<p class='comment-form-author'><label>Name*</label></p>", ""),
        ("<a rel='author' href='/w'>Ann Weaver</a>", "Ann Weaver"),
        ("<div class='authority'>Board of Trade</div>", ""),
    ],
)
def test_an_author_that_is_marked(page: str, author: str) -> None:
    assert read(f"<title>Quilts</title><h1>Quilts and covers</h1>{page}").author == author
