"""Two requests are the same when method, body and canonical address are."""

from __future__ import annotations

from scrapy import FormRequest, Request

from hometextile.fingerprinter import CanonicalFingerprinter


def _same(one: Request, other: Request) -> bool:
    finger = CanonicalFingerprinter()
    return finger.fingerprint(one) == finger.fingerprint(other)


def test_session_ids_and_tracking_make_no_difference() -> None:
    assert _same(Request("http://a.cn/x?id=1&PHPSESSID=abc"), Request("http://A.cn:80/x?utm_source=b&id=1"))
    assert not _same(Request("http://a.cn/x?id=1"), Request("http://a.cn/x?id=2"))


def test_bodies_make_a_difference_and_boundaries_none() -> None:
    assert not _same(FormRequest("http://a.cn/", formdata={"q": "1"}), FormRequest("http://a.cn/", formdata={"q": "2"}))
    one, other = (
        Request("http://a.cn/", method="POST", body=f"--{b}\r\nq=1\r\n--{b}--".encode(),
                headers={"Content-Type": f"multipart/form-data; boundary={b}"})
        for b in ("aaaa", "bbbb")
    )  # fmt: skip
    assert _same(one, other)
