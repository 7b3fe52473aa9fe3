"""The text of PDF, Word and Excel files, and what becomes of files that are none or mean harm."""

from __future__ import annotations

import io
import zipfile

import docx
import openpyxl
import pytest

from hometextile.page.files import file_kind, file_text, read_file


def word() -> bytes:
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = "床上用品 被套", "标委会"
    document.add_paragraph("1 范围")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "产地", "南通"
    document.add_paragraph("本标准适用于被套。")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def excel() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "报价"
    sheet.append(["品名", "价格"])
    sheet.append(["被套", 129.5])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def pdf(text: str = "Bedding", title: str = "GB/T 22796-2021") -> bytes:
    """The smallest file with a page, a line and properties."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length " + str(len(stream)).encode() + b" >>\nstream\n" + stream + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Title ({title}) /Author (SAC) /CreationDate (D:20210506101500+08'00') >>".encode(),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    xref = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, xref)


def test_word() -> None:
    found = file_text(word(), "application/octet-stream", "http://example.cn/a.docx")
    assert (found.kind, found.title, found.author, found.reason) == ("docx", "床上用品 被套", "标委会", "")
    assert found.text == "1 范围\n产地 | 南通\n本标准适用于被套。"


def test_excel() -> None:
    found = file_text(excel())
    assert (found.kind, found.pages) == ("xlsx", 1)
    assert found.text == "报价\n品名 | 价格\n被套 | 129.5"


def test_pdf() -> None:
    found = file_text(pdf())
    assert (found.kind, found.text, found.title, found.author) == ("pdf", "Bedding", "GB/T 22796-2021", "SAC")
    assert (found.created, found.pages, found.truncated) == ("2021-05-06", 1, False)


def test_a_title_that_is_a_file_name_is_none() -> None:
    assert read_file("pdf", pdf(title="Microsoft Word - a.doc"), 10, 1000).title == ""


def test_text_is_cut_at_the_limit() -> None:
    found = read_file("docx", word(), 10, 6)
    assert found.truncated
    assert len(found.text) == 6


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "unknown-kind"),
        (b"<html>", "unknown-kind"),
        (b"%PDF-1.4 nothing", "broken"),
        (b"%PDF-1.4" + b"x" * 2000, "too-large"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, reason: str) -> None:
    assert file_text(body, max_bytes=1000).reason == reason


def test_a_torn_archive_is_broken() -> None:
    assert file_text(word()[:5000], url="a.docx").reason == "broken"


def test_an_archive_that_unpacks_to_far_more_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 50_000_000)
    assert file_kind(out.getvalue()) == "docx"
    assert file_text(out.getvalue()).reason == "bomb"


def test_a_file_that_takes_too_long_is_given_up() -> None:
    assert file_text(pdf(), seconds=0.0).reason == "too-slow"
