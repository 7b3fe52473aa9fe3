"""Forms that people have labelled, for training and for measuring.

A folder with ``index.jsonl``, one page a line: ``{"file": "pages/1.html.gz", "url": ..., "forms": [{"n": 0, "kind":
"search"}]}``. ``n`` counts the page's ``<form>`` tags in document order, ``kind`` is ``search`` for a query interface;
a form without a kind is not labelled and not counted. Identical forms of one site count once.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from hometextile.forms.controls import TEXT_KINDS
from hometextile.forms.form import Form
from hometextile.forms.reading import read_forms
from hometextile.page.document import Document
from hometextile.text.encodings import decode
from hometextile.text.faults import Fault
from hometextile.text.hosts import suffix_list
from hometextile.text.messages import _

QUERY = "search"
_HIDDEN = re.compile(r"<input\b[^>]*type=[\"']?hidden[^>]*>", re.I)


@dataclass
class Labelled:
    """One labelled form.

    Attributes:
        form: as :func:`hometextile.forms.reading.read_forms` reads it.
        kind: the label.
        site: the registrable domain of its page; folds are grouped by it.
        file: the page's file.
        n: which form of the page.
        element: the lxml element.
    """

    form: Form
    kind: str
    site: str
    file: str
    n: int
    element: Any

    @property
    def is_query(self) -> bool:
        """The label as the recogniser gives it."""
        return self.kind == QUERY

    @property
    def has_text(self) -> bool:
        """Whether it has a box for free text."""
        return any(control.kind in TEXT_KINDS for control in self.form.controls)


def site_of(url: str) -> str:
    """The registrable domain of *url*, by the public suffix list that comes with tldextract (nothing is fetched)."""
    return suffix_list()(url).top_domain_under_public_suffix or (urlsplit(url).hostname or url)


def pages(folder: Path) -> Iterator[tuple[dict[str, Any], Document]]:
    """The pages of a set with their index entries.

    Raises:
        Fault: there is no index, a line of it is not JSON, or a page is missing.
    """
    index = folder / "index.jsonl"
    if not index.is_file():
        raise Fault(_("there is no index.jsonl here"), file=str(folder), remedy=_("name the folder of labelled forms"))
    for number, line in enumerate(index.read_text(encoding="utf-8").splitlines(), 1):
        try:
            entry = json.loads(line)
            source = folder / entry["file"]
            body = gzip.decompress(source.read_bytes()) if source.suffix == ".gz" else source.read_bytes()
            url = str(entry["url"])
        except (ValueError, KeyError, TypeError):
            raise Fault(_("not an entry of a labelled page"), file=str(index), line=number) from None
        except OSError as error:
            raise Fault(str(error), file=str(index), line=number) from None
        decoded = decode(body)
        yield entry, Document(decoded.text, url, decoded.encoding)


def labelled_forms(folder: Path) -> list[Labelled]:
    """All labelled forms of a set, each once a site."""
    found: list[Labelled] = []
    seen: set[tuple[str, str]] = set()
    for entry, document in pages(folder):
        kinds = {int(one["n"]): one["kind"] for one in entry["forms"] if one.get("kind")}
        if not kinds:
            continue
        site = site_of(str(entry["url"]))
        by_element = {form.element: form for form in read_forms(document) if form.element is not None}
        for n, element in enumerate(document.tree.iter("form")):
            if n not in kinds:
                continue
            key = (site, same_form(element))
            if key not in seen:
                seen.add(key)
                form = by_element.get(element) or _alone(element, document)
                found.append(Labelled(form, kinds[n], site, str(entry["file"]), n, element))
    return found


def _alone(element: Any, document: Document) -> Form:
    """A form tag within an open form, read by itself: in a browser it makes no form, but its label is about it."""
    inner = Document(
        etree.tostring(element, encoding="unicode", method="html", with_tail=False), document.url, document.encoding
    )
    form = next(iter(read_forms(inner)), None) or Form()
    form.url, form.base_url, form.element = document.url, document.base_url, element
    return form


def same_form(element: Any) -> str:
    """What identical forms have in common: their HTML without hidden fields and white space."""
    html = _HIDDEN.sub("", etree.tostring(element, encoding="unicode", method="html", with_tail=False))
    return sha256(" ".join(html.split()).encode()).hexdigest()


def data_hash(folder: Path) -> str:
    """A hash of a set: of its index."""
    return sha256((folder / "index.jsonl").read_bytes()).hexdigest()
