from __future__ import annotations

from scrapy import FormRequest, Spider
from scrapy.utils.test import get_crawler

from hometextile.forms.form import Query
from hometextile.forms.reading import read_forms
from hometextile.page.document import Document
from hometextile.spidermiddlewares.form_request import FormRequestMiddleware
from hometextile.spiders.queries import QueryItem


def form(source: str, encoding: str = "utf-8"):
    return read_forms(Document(source, "http://museum.example/search/", encoding))[0]


def processed(items):
    crawler = get_crawler(Spider)
    middleware = FormRequestMiddleware.from_crawler(crawler)
    return [out for item in items if (out := middleware.get_processed_item(item, None)) is not None], crawler.stats


def test_a_query_becomes_the_browsers_request():
    query = Query(form("<form action='find.asp?x=1'><input name=kw></form>", "gbk"), {"kw": ["床单 €"]})
    (request,), stats = processed([query])
    assert isinstance(request, FormRequest)
    assert request.method == "GET"
    assert request.url == "http://museum.example/search/find.asp?kw=%B4%B2%B5%A5+%80"
    assert stats.get_value("form/submitted") == 1


def test_post_keeps_body_type_and_what_the_spider_attached():
    def parse_answer(response):
        return None

    query = Query(form("<form method=post><input name=kw value=a><input name=kw value=b></form>"), {"kw": ["x"]})
    item = QueryItem(
        query, parse_answer, cb_kwargs={"keyword": "x"}, meta={"depth": 2}, priority=5, headers={"X-A": "1"}
    )
    (request,), _ = processed([item])
    assert (request.method, request.body) == ("POST", b"kw=x&kw=b")
    assert request.headers["Content-Type"] == b"application/x-www-form-urlencoded"
    assert request.headers["X-A"] == b"1"
    assert request.callback is parse_answer
    assert request.cb_kwargs == {"keyword": "x"}
    assert request.meta["depth"] == 2
    assert request.priority == 5
    assert item.meta == {"depth": 2}


def test_addresses_that_scrapy_would_rewrite_are_sent_as_they_are():
    # Shows an action whose query holds what a browser leaves alone and w3lib escapes.
    query = Query(form("<form action='/s?a|b{c}`' method=post><input name=q></form>"))
    (request,), _ = processed([query])
    assert request.url == "http://museum.example/s?a|b{c}`"


def test_refusals_are_counted_and_told():
    told = []
    query = Query(form("<form action='javascript:go()'><input name=q></form>"))
    out, stats = processed([QueryItem(query, refused=lambda q, why: told.append((q, why.reason)))])
    assert out == []
    assert told == [(query, "javascript")]
    assert stats.get_value("form/refused/javascript") == 1


def test_other_items_pass():
    item = {"title": "a"}
    out, _ = processed([item])
    assert out == [item]
