"""Stored pages as WARC, read back by warcio."""

from __future__ import annotations

from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from hometextile.library.exports import exporting
from hometextile.library.library import Library
from tests.library.conftest import page


def test_pages_come_back_from_a_warc(small: Library, tmp_path: Path) -> None:
    body = "<p>家纺</p>".encode("gb18030")
    headers = {"content-type": "text/html; charset=gbk", "content-encoding": "gzip", "x-odd": "a\nb"}
    small.save(page(1, body=body, text="<p>家纺</p>", encoding="gb18030", headers=headers))
    small.save(page(2, body=b"", text="<p data-box='1'>画</p>", rendered=True))
    small.save(page(3, body=b"", text=""))
    path = tmp_path / "x.warc.gz"
    assert exporting.export(small, str(path), "warc", {}) == 2
    with path.open("rb") as file:
        records = [
            (one.rec_type, one.rec_headers.get_header("WARC-Target-URI"), one.content_stream().read(), one.http_headers)
            for one in ArchiveIterator(file, check_digests=True)
        ]
    assert [record[0] for record in records] == ["warcinfo", "response", "resource"]
    assert records[1][1:3] == ("http://site.example/1", body)
    assert records[1][3].get_statuscode() == "200"
    assert records[1][3].get_header("content-encoding") is None
    assert records[1][3].get_header("x-odd") == "a b"
    assert records[2][2].decode() == "<p data-box='1'>画</p>"
