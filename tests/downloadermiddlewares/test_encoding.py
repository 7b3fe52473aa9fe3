"""The middleware that makes a response's encoding right."""

from __future__ import annotations

import pytest
from scrapy.http import HtmlResponse, Request, Response
from scrapy.utils.test import get_crawler

from hometextile.downloadermiddlewares.encoding import EncodingMiddleware

TEXT = "床上用品四件套，纯棉面料，工艺精湛，是我们公司新开发的产品。"


def run(body: bytes, content_type: str = "text/html") -> tuple[HtmlResponse, int]:
    crawler = get_crawler()
    middleware = EncodingMiddleware.from_crawler(crawler)
    response = HtmlResponse("http://example.cn/", body=body, headers={"Content-Type": content_type})
    out = middleware.process_response(Request("http://example.cn/"), response)
    assert isinstance(out, HtmlResponse)
    assert out.body == body
    assert crawler.stats is not None
    return out, crawler.stats.get_value("encoding/repaired", 0)


@pytest.mark.parametrize(
    ("codec", "declared", "header", "encoding", "repaired"),
    [
        ("gb18030", "utf-8", "text/html; charset=utf-8", "gbk", 1), ("gb18030", "gb2312", "text/html", "gbk", 0),
        ("big5", "gb2312", "text/html", "big5", 1), ("utf-8", "utf-8", "text/html", "utf-8", 0),
    ],
)  # fmt: skip
def test_the_text_is_right(codec: str, declared: str, header: str, encoding: str, repaired: int) -> None:
    text = TEXT if codec != "big5" else "床上用品四件組，純棉面料，工藝精湛，是我們公司新開發的產品。"
    out, counted = run(f'<meta charset="{declared}"><p>{text}</p>'.encode(codec), header)
    assert text in out.text
    assert (out.encoding, counted) == (encoding, repaired)


def test_what_is_no_text_goes_through() -> None:
    middleware = EncodingMiddleware(None)
    for response in (
        Response("http://example.cn/a.jpg", body=b"\xff\xd8"),
        HtmlResponse("http://example.cn/", body=b""),
    ):
        assert middleware.process_response(Request("http://example.cn/"), response) is response
