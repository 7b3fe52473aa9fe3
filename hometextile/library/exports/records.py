"""Bibliographic records: Dublin Core, MARCXML, RIS, BibTeX.

What a resource is to a librarian follows from its class where the class is of that kind (``book``, ``standard``,
``patent`` ...), else it is a web page, an image or a video.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from lxml import etree

from hometextile.library.exports.flat import text_of

Resources = Callable[[], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Kind:
    """One kind of thing in four languages: RIS type, BibTeX entry, DCMI type, MARC leader positions 6 and 7."""

    ris: str
    bibtex: str
    dcmi: str
    leader: str


_KINDS = {
    "book": Kind("BOOK", "book", "Text", "am"),
    "literature": Kind("JOUR", "article", "Text", "ab"),
    "conference": Kind("CONF", "inproceedings", "Text", "ab"),
    "patent": Kind("PAT", "patent", "Text", "am"),
    "standard": Kind("STAND", "techreport", "Text", "am"),
}
_VIDEO = Kind("VIDEO", "misc", "MovingImage", "gm")
_IMAGE = Kind("ART", "misc", "StillImage", "km")
_WEB = Kind("ELEC", "misc", "Text", "ai")

#: What sites call the parts of a reference, in the order in which they are looked for.
_NAMES = {
    "doi": ("doi", "DOI"),
    "isbn": ("isbn", "ISBN"),
    "issn": ("issn", "ISSN"),
    "journal": ("journal", "publication", "刊名", "期刊"),
    "volume": ("volume", "卷"),
    "issue": ("issue", "期"),
    "pages": ("pages", "页码", "页"),
    "number": ("number", "standard_number", "patent_number", "标准号", "专利号", "申请号", "公开号"),
    "publisher": ("publisher", "出版社", "出版者", "applicant", "专利权人", "申请人"),
    "status": ("status", "状态"),
}  # fmt: skip
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_AUTHORS = re.compile(r"\s*[;；、,，/]\s*")
_ABSTRACT = 4000


@dataclass
class Reference:
    """A resource as a librarian sees it; parts that are not known are empty."""

    key: str
    kind: Kind
    title: str
    url: str
    authors: list[str]
    date: str
    source: str
    abstract: str
    keywords: list[str]
    language: str
    category: str
    seen: str
    parts: dict[str, str] = field(default_factory=dict)


def kind_of(resource: Mapping[str, Any]) -> Kind:
    """What a resource is to a librarian."""
    if resource["class"] in _KINDS:
        return _KINDS[resource["class"]]
    if resource["videos"] and len(resource["text"]) < 400:
        return _VIDEO
    if resource["images"] and not resource["text"]:
        return _IMAGE
    return _WEB


def is_reference(resource: Mapping[str, Any]) -> bool:
    """Whether a resource's class is one that reference managers know."""
    return resource["class"] in _KINDS


def reference(resource: Mapping[str, Any]) -> Reference:
    """The bibliographic parts of a resource."""
    fields: Mapping[str, Any] = resource["fields"]
    parts = {}
    for part, names in _NAMES.items():
        found = next((text_of(fields[name]) for name in names if fields.get(name)), "")
        if found:
            parts[part] = _clean(found)
    author = _clean(resource["author"])
    # "Lastname, Firstname" is one person: a comma parts authors only where Chinese names stand.
    authors = _AUTHORS.split(author) if re.search("[;；、，/\u4e00-\u9fff]", author) else [author]
    return Reference(
        key=f"ht{resource['id']}",
        kind=kind_of(resource),
        title=_clean(resource["title"]),
        url=_clean(resource["url"]),
        authors=[name for name in (each.strip() for each in authors) if name],
        date=resource["published"][:10],
        source=_clean(resource["source"]),
        abstract=_clean(resource["description"] or resource["text"][:_ABSTRACT]),
        keywords=[_clean(text_of(word)) for word in resource["keywords"] if text_of(word)],
        language=resource["language"],
        category=resource["class"],
        seen=resource["last_seen"][:10],
        parts=parts,
    )


def _clean(text: str) -> str:
    return " ".join(_UNFIT.sub("", text).split())


def references(resources: Iterable[Mapping[str, Any]]) -> Iterator[Reference]:
    """Each resource as a reference."""
    return (reference(resource) for resource in resources)


# -- Dublin Core

_DC = "http://purl.org/dc/elements/1.1/"
_OAI = "http://www.openarchives.org/OAI/2.0/oai_dc/"


def dublin_core(resources: Resources, file: BinaryIO) -> int:
    """Dublin Core elements (ISO 15836), each record as OAI-PMH writes it (``oai_dc:dc``)."""
    count = 0
    with etree.xmlfile(file, encoding="utf-8") as xml:
        xml.write_declaration()
        with xml.element("records", nsmap={"oai_dc": _OAI, "dc": _DC}):
            for one in references(resources()):
                xml.write(_dc_record(one), pretty_print=True)
                count += 1
    return count


def _dc_record(one: Reference) -> Any:
    record = etree.Element(f"{{{_OAI}}}dc", nsmap={"oai_dc": _OAI, "dc": _DC})

    def add(name: str, *values: str) -> None:
        for value in values:
            if value:
                etree.SubElement(record, f"{{{_DC}}}{name}").text = value

    add("title", one.title)
    add("creator", *one.authors)
    add("subject", *one.keywords, one.category)
    add("description", one.abstract)
    add("publisher", one.parts.get("publisher", "") or one.source)
    add("date", one.date)
    add("type", one.kind.dcmi)
    add("format", "text/html")
    add("identifier", one.url)
    for part, prefix in (("doi", "doi:"), ("isbn", "urn:ISBN:"), ("issn", "urn:ISSN:"), ("number", "")):
        if part in one.parts:
            add("identifier", prefix + one.parts[part])
    add("source", one.parts.get("journal", ""))
    add("language", one.language)
    return record


# -- MARCXML

_MARC = "http://www.loc.gov/MARC21/slim"
#: lxml-stubs do not know that None is the default namespace.
_MARC_NAMES: Any = {None: _MARC}
_LANGUAGES = {"zh": "chi", "en": "eng"}


def marcxml(resources: Resources, file: BinaryIO) -> int:
    """MARC 21 bibliographic records in the Library of Congress's MARCXML."""
    count = 0
    with etree.xmlfile(file, encoding="utf-8") as xml:
        xml.write_declaration()
        with xml.element("collection", nsmap=_MARC_NAMES):
            for one in references(resources()):
                xml.write(_marc_record(one), pretty_print=True)
                count += 1
    return count


def _marc_record(one: Reference) -> Any:
    record = etree.Element(f"{{{_MARC}}}record", nsmap=_MARC_NAMES)
    etree.SubElement(record, f"{{{_MARC}}}leader").text = f"00000n{one.kind.leader} a22000003u 4500"
    language = _LANGUAGES.get(one.language, "und")
    year = one.date[:4] if one.date[:4].isdecimal() else "    "
    dates = f"s{year}    " if year.strip() else "n        "
    entered = one.seen.replace("-", "")[2:8].ljust(6)
    for tag, value in (("001", one.key), ("008", f"{entered}{dates}xx{' ' * 18}{language} d")):
        etree.SubElement(record, f"{{{_MARC}}}controlfield", tag=tag).text = value

    def add(tag: str, indicators: str, *codes: tuple[str, str]) -> None:
        filled = [(code, value) for code, value in codes if value]
        if filled:
            place = etree.SubElement(record, f"{{{_MARC}}}datafield", tag=tag, ind1=indicators[0], ind2=indicators[1])
            for code, value in filled:
                etree.SubElement(place, f"{{{_MARC}}}subfield", code=code).text = value

    parts = one.parts
    add("020", "  ", ("a", parts.get("isbn", "")))
    add("022", "  ", ("a", parts.get("issn", "")))
    if "doi" in parts:
        add("024", "7 ", ("a", parts["doi"]), ("2", "doi"))
    add("041", "0 ", ("a", "" if language == "und" else language))
    add("245", "00", ("a", one.title or one.url))
    add("264", " 1", ("b", parts.get("publisher", "") or one.source), ("c", one.date))
    add("500", "  ", ("a", parts.get("number", "")))
    add("520", "  ", ("a", one.abstract))
    for word in one.keywords:
        add("653", "  ", ("a", word))
    add("653", " 6", ("a", one.category))
    for name in one.authors:
        add("720", "  ", ("a", name))
    journal = tuple((code, parts.get(part, "")) for code, part in (("t", "journal"), ("x", "issn")))
    if parts.get("journal"):
        place = " ".join(parts[part] for part in ("volume", "issue", "pages") if part in parts)
        add("773", "0 ", *journal, ("g", place))
    add("856", "40", ("u", one.url))
    return record


# -- RIS and BibTeX


def ris(resources: Resources, file: BinaryIO) -> int:
    """RIS, as reference managers (Zotero, EndNote, NoteExpress) read it."""
    count = 0
    for one in references(resources()):
        lines = [("TY", one.kind.ris), ("ID", one.key), ("TI", one.title)]
        lines += [("AU", name) for name in one.authors]
        if one.date:
            year, month, day = (*one.date.split("-"), "", "")[:3]
            lines += [("PY", year), ("DA", f"{year}/{month}/{day}/")]
        parts = one.parts
        for tag, part in (("JO", "journal"), ("VL", "volume"), ("IS", "issue"), ("SP", "pages"), ("DO", "doi")):
            lines.append((tag, parts.get(part, "")))
        lines.append(("SN", parts.get("isbn", "") or parts.get("issn", "")))
        lines.append(("PB", parts.get("publisher", "") or one.source))
        lines.append(("M1", parts.get("number", "")))
        lines += [("KW", word) for word in one.keywords]
        lines += [("LA", one.language), ("AB", one.abstract), ("UR", one.url), ("Y2", one.seen.replace("-", "/"))]
        text = "".join(f"{tag}  - {value}\r\n" for tag, value in lines if value)
        file.write((text + "ER  - \r\n\r\n").encode())
        count += 1
    return count


_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "$": r"\$",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in text)


def bibtex(resources: Resources, file: BinaryIO) -> int:
    """BibTeX in UTF-8, keys ``ht`` and the resource's number."""
    count = 0
    for one in references(resources()):
        parts = one.parts
        entry = one.kind.bibtex
        values = {
            "title": f"{{{_tex(one.title)}}}" if one.title else "",
            "author": " and ".join(f"{{{_tex(name)}}}" for name in one.authors),
            "year": one.date[:4],
            "date": one.date,
            "journal": _tex(parts.get("journal", "")),
            "volume": _tex(parts.get("volume", "")),
            "number": _tex(parts.get("issue", "") or parts.get("number", "")),
            "pages": _tex(parts.get("pages", "")).replace("-", "--"),
            "institution" if entry == "techreport" else "publisher": _tex(parts.get("publisher", "") or one.source),
            "doi": parts.get("doi", ""),
            "isbn": parts.get("isbn", ""),
            "issn": parts.get("issn", ""),
            "keywords": _tex(", ".join(one.keywords)),
            "abstract": _tex(one.abstract),
            "url": one.url.replace("{", "%7B").replace("}", "%7D"),
            "urldate": one.seen,
            "langid": {"zh": "chinese", "en": "english"}.get(one.language, ""),
        }
        body = "".join(f"  {name} = {{{value}}},\n" for name, value in values.items() if value)
        file.write(f"@{entry}{{{one.key},\n{body}}}\n\n".encode())
        count += 1
    return count
