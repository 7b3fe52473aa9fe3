"""The pager of the POST form, page after page, as the form engine reads and sends it."""

from __future__ import annotations

import re
from urllib.parse import quote

from hometextile.demo.site import Site
from hometextile.forms.pagers import read_pager
from hometextile.forms.reading import read_forms
from hometextile.forms.submission import submit
from hometextile.page.document import Document


def test_the_next_page_is_a_button_of_a_post_form() -> None:
    site = Site()
    reply = site.reply("POST", "/product/search.asp", f"keyword={quote('床品'.encode('gbk'))}&kind=".encode())
    found: list[str] = []
    pages = 0
    while True:
        pages += 1
        text = reply.payload().decode("gbk")
        found += re.findall(r"show\.asp\?id=[\d-]+", text)
        document = Document(text, "http://demo/product/search.asp", "gbk")
        query = read_pager(document, read_forms(document)).query
        if query is None or pages > 9:
            break
        sent = submit(query)
        assert (sent.method, sent.url) == ("POST", "http://demo/product/search.asp")
        reply = site.reply("POST", "/product/search.asp", sent.body or b"")
    total = int(re.search(r"<font color=red>(\d+)</font>", text)[1])  # type: ignore[index]
    assert pages == -(-total // 10) > 1
    assert len(set(found)) == total
