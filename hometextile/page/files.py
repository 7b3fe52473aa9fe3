"""The text of PDF, Word and Excel files: standards, patents and papers are files, and become resources like pages.

Files are hostile until shown otherwise: each is read in a process of its own that is ended when it takes too long or
too much memory; archives that would unpack to far more than they are get refused before anything reads them.
"""

from __future__ import annotations

import io
import multiprocessing
import re
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hometextile.page.reading import lines
from hometextile.text.dates import read_date
from hometextile.text.normalise import squeeze

#: Office formats are archives: how much one may unpack to, and how many times its size.
MOST_UNPACKED = 300_000_000
MOST_RATIO = 200
_MEMORY = 1 << 30
_KINDS = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
}
_PDF_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?")
_NO_TITLE = re.compile(
    r"(?:microsoft (?:word|excel|powerpoint)\s*-.*|untitled|document\d*|无标题|未命名|文档\d*|工作簿\d*|book\d*"
    r"|幻灯片 1|.*\.(?:docx?|pdf|xlsx?|wps))",
    re.I,
)
#: A broken line of a PDF goes on in the next one when it does not end a sentence.
_HAN_BREAK = re.compile(r"(?<=[\u4e00-\u9fff，、；])\n(?=[\u4e00-\u9fff])")


@dataclass
class FileText:
    """What a file says.

    Attributes:
        kind: ``pdf``, ``docx`` or ``xlsx``; empty for what cannot be read.
        text: its text; pages are set off by an empty line.
        title: from its properties, or its first line.
        author: from its properties.
        created: ISO date, from its properties.
        keywords: from its properties.
        pages: pages or sheets there are.
        truncated: whether a limit cut something off.
        reason: why there is no text: ``unknown-kind``, ``too-large``, ``bomb``, ``too-slow``, ``locked``, ``broken``.
    """

    kind: str = ""
    text: str = ""
    title: str = ""
    author: str = ""
    created: str = ""
    keywords: list[str] = field(default_factory=list)
    pages: int = 0
    truncated: bool = False
    reason: str = ""


def file_kind(body: bytes, content_type: str = "", url: str = "") -> str:
    """``pdf``, ``docx`` or ``xlsx`` by the bytes, else by the header, empty for anything else."""
    if b"%PDF-" in body[:1024]:
        return "pdf"
    if body[:4] == b"PK\x03\x04":
        if b"word/" in body[:20_000] or url.lower().endswith(".docx"):
            return "docx"
        if b"xl/" in body[:20_000] or url.lower().endswith((".xlsx", ".xlsm")):
            return "xlsx"
        return _KINDS.get(content_type.partition(";")[0].strip().lower(), "")
    return ""


def file_text(
    body: bytes,
    content_type: str = "",
    url: str = "",
    *,
    max_bytes: int = 50_000_000,
    max_pages: int = 500,
    max_chars: int = 2_000_000,
    seconds: float = 30.0,
) -> FileText:
    """The text of a file, within limits.

    Args:
        body: the file.
        content_type: its ``Content-Type``, where the bytes do not tell.
        url: its address, where neither does.
        max_bytes: larger files are not read.
        max_pages: pages (sheets) read.
        max_chars: characters kept.
        seconds: after which the reading is given up.

    Returns:
        What it says; ``reason`` where it says nothing. Never raises for what is in the file.
    """
    kind = file_kind(body, content_type, url)
    if not kind:
        return FileText(reason="unknown-kind")
    if len(body) > max_bytes:
        return FileText(kind, reason="too-large")
    if kind != "pdf" and not _fit_archive(body):
        return FileText(kind, reason="bomb")
    out = _apart(kind, body, max_pages, max_chars, seconds)
    if out.text and not out.title:
        out.title = next((squeeze(line)[:200] for line in out.text.split("\n") if len(squeeze(line)) >= 4), "")
    return out


def _fit_archive(body: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return True  # The reader says that it is broken.
    size = sum(entry.file_size for entry in entries)
    return len(entries) <= 20_000 and size <= MOST_UNPACKED and size <= MOST_RATIO * max(len(body), 10_000)


def _apart(kind: str, body: bytes, max_pages: int, max_chars: int, seconds: float) -> FileText:
    """Read in a process of its own: a hostile file takes that one down, and no other."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_read_and_send, args=(sender, kind, body, max_pages, max_chars), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            return FileText(kind, reason="too-slow")
        out = receiver.recv()
    except EOFError:
        return FileText(kind, reason="broken")
    finally:
        process.join(0.1)
        if process.is_alive():
            process.kill()
            process.join()
        receiver.close()
    assert isinstance(out, FileText)
    return out


def _read_and_send(sender: Any, kind: str, body: bytes, max_pages: int, max_chars: int) -> None:
    _limit_memory()
    out = read_file(kind, body, max_pages, max_chars)
    sender.send(out)
    sender.close()


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def read_file(kind: str, body: bytes, max_pages: int, max_chars: int) -> FileText:
    """The text of a file, read in this process.

    Args:
        kind: ``pdf``, ``docx`` or ``xlsx``.
        body: the file.
        max_pages: pages (sheets) read.
        max_chars: characters kept.
    """
    reader: Callable[[bytes, int, int], FileText] = {"pdf": _pdf, "docx": _docx, "xlsx": _xlsx}[kind]
    try:
        out = reader(body, max_pages, max_chars)
    except (ValueError, KeyError, OSError, TypeError, AttributeError, IndexError, RuntimeError, SyntaxError,
            zipfile.BadZipFile, MemoryError, RecursionError, NotImplementedError) as error:  # fmt: skip
        # The readers raise whatever a broken file makes of them.
        locked = "password" in str(error).lower() or "encrypt" in str(error).lower()
        return FileText(kind, reason="locked" if locked else "broken")
    if _NO_TITLE.fullmatch(out.title):
        out.title = ""
    if len(out.text) > max_chars:
        out.text, out.truncated = out.text[:max_chars], True
    return out


def _pdf(body: bytes, max_pages: int, max_chars: int) -> FileText:
    import pypdfium2

    out = FileText("pdf")
    document = pypdfium2.PdfDocument(body)
    try:
        out.pages = len(document)
        told = document.get_metadata_dict()
        out.title, out.author = squeeze(told.get("Title", "")), squeeze(told.get("Author", ""))
        out.keywords = [word for word in re.split(r"[,，;；]\s*", squeeze(told.get("Keywords", ""))) if word]
        found = _PDF_DATE.search(told.get("CreationDate", ""))
        out.created = read_date("-".join(part for part in found.groups()[:3] if part)) if found else ""
        pages: list[str] = []
        size = 0
        for number in range(min(out.pages, max_pages)):
            page = document[number]
            text_page = page.get_textpage()
            text = text_page.get_text_bounded().replace("\r\n", "\n").replace("\ufffe", "")
            text_page.close()
            page.close()
            pages.append(_HAN_BREAK.sub("", text))
            size += len(text)
            if size > max_chars:
                break
        out.truncated = len(pages) < out.pages
        out.text = lines("\n\n".join(pages))
    finally:
        document.close()
    return out


def _docx(body: bytes, max_pages: int, max_chars: int) -> FileText:
    import docx
    from docx.table import Table

    out = FileText("docx", pages=1)
    document = docx.Document(io.BytesIO(body))
    told = document.core_properties
    out.title, out.author = squeeze(told.title or ""), squeeze(told.author or "")
    out.created = told.created.date().isoformat() if told.created else ""
    out.keywords = [word for word in re.split(r"[,，;；]\s*", squeeze(told.keywords or "")) if word]
    parts: list[str] = []
    size = 0
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            rows = [" | ".join(dict.fromkeys(cell.text.strip() for cell in row.cells)) for row in block.rows]
            text = "\n".join(rows)
        else:
            text = block.text
        parts.append(text)
        size += len(text)
        if size > max_chars:
            out.truncated = True
            break
    out.text = lines("\n".join(parts))
    return out


def _xlsx(body: bytes, max_pages: int, max_chars: int) -> FileText:
    import openpyxl

    out = FileText("xlsx")
    book = openpyxl.load_workbook(io.BytesIO(body), read_only=True, data_only=True, keep_links=False)
    try:
        told = book.properties
        out.title, out.author = squeeze(told.title or ""), squeeze(told.creator or "")
        out.author = "" if out.author == "openpyxl" else out.author
        out.created = told.created.date().isoformat() if told.created else ""
        out.pages = len(book.worksheets)
        parts: list[str] = []
        size = 0
        for sheet in book.worksheets[:max_pages]:
            parts.append(f"\n{sheet.title}")
            for row in sheet.iter_rows(values_only=True):
                text = " | ".join(str(cell) for cell in row if cell is not None)
                if text:
                    parts.append(text)
                    size += len(text)
                if size > max_chars:
                    out.truncated = True
                    break
        out.truncated = out.truncated or out.pages > max_pages
        out.text = lines("\n".join(parts))
    finally:
        book.close()
    return out
