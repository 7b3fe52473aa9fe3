"""Requests to bytes and back."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import FormRequest, Request, Spider

from hometextile.packing import Unpackable, pack_request, unpack_request


class Example(Spider):
    name = "example"

    def parse(self, response: Any) -> None:
        """A callback."""

    def failed(self, failure: Any) -> None:
        """An errback."""


@pytest.fixture
def spider() -> Example:
    return Example()


def test_everything_of_a_request_comes_back(spider: Example) -> None:
    request = Request(
        "http://site.example/?q=%CB%CE",
        callback=spider.parse,
        errback=spider.failed,
        method="POST",
        headers={"Accept": ["a", "b"], "X-Odd": b"\xe9"},
        body=b"\x00\xff\xb1",
        cookies={"a": "b"},
        meta={"way": {"kind": "link", "anchor": "宋锦"}, "ask": {"page": 2}, "verbatim_url": True},
        cb_kwargs={"n": 1},
        flags=["f"],
        priority=-7,
        encoding="gb18030",
        dont_filter=True,
    )
    again = unpack_request(pack_request(request, spider), spider)
    assert again.to_dict(spider=spider) == request.to_dict(spider=spider)


def test_a_form_request_is_a_request_with_the_same_bytes(spider: Example) -> None:
    request = FormRequest("http://site.example/", formdata={"q": "宋锦"}, encoding="gbk", callback=spider.parse)
    again = unpack_request(pack_request(request, spider), spider)
    assert (again.method, again.body, again.headers) == (request.method, request.body, request.headers)


def test_a_long_request_is_compressed(spider: Example) -> None:
    request = Request("http://site.example/", meta={"text": "宋锦" * 5000})
    packed = pack_request(request, spider)
    assert len(packed) < 2000
    assert unpack_request(packed, spider).meta == request.meta


def test_meta_of_one_fetch_is_left_out(spider: Example) -> None:
    request = Request("http://site.example/", meta={"retry_times": 2, "download_latency": 0.1, "request_id": 5, "a": 1})
    assert unpack_request(pack_request(request, spider), spider).meta == {"a": 1}


@pytest.mark.parametrize(
    "values", [{"meta": {"x": object()}}, {"callback": print}, {"callback": lambda _response: None}]
)
def test_what_is_no_plain_data_is_refused(spider: Example, values: dict[str, Any]) -> None:
    with pytest.raises(Unpackable):
        pack_request(Request("http://site.example/", **values), spider)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\x78\x9c broken", b'{"url": 5}', b'{"url": "http://a", "callback": "gone"}',
     b'{"url": "http://a", "odd": 1}', b'{"url": "http://a", "body": "%%%"}', b"\x80\x04pickle"],
)  # fmt: skip
def test_damaged_bytes_are_one_clear_error(spider: Example, data: bytes) -> None:
    with pytest.raises(Unpackable):
        unpack_request(data, spider)
