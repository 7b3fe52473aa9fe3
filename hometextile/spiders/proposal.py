"""What a page shows of its site, and the site file to begin with."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

from hometextile.blocks.records import RecordList, find_records
from hometextile.extract.metadata import metadata
from hometextile.forms.answers import page_links
from hometextile.forms.form import Form
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Recogniser, Verdict
from hometextile.page.page import Page
from hometextile.render.guard import AddressGuard
from hometextile.text.messages import _

#: Lists and forms shown at the most.
SHOWN = 8


@dataclass
class Sight:
    """What was seen on a page."""

    page: Page
    title: str
    forms: list[tuple[Form, Verdict]] = field(default_factory=list)
    lists: list[RecordList] = field(default_factory=list)
    link_shapes: list[tuple[str, int, str]] = field(default_factory=list)

    def print(self, console: Console) -> None:
        """Show it to a person."""
        console.print(f"{self.title}  <{self.page.url}>  {self.page.encoding}", markup=False)
        table = Table(title=_("Forms"), title_justify="left")
        for column in (_("form"), _("decision"), _("why")):
            table.add_column(column)
        for form, verdict in self.forms[:SHOWN]:
            names = ", ".join(c.name for c in form.controls if c.name and c.kind != "hidden")
            decision = _("query interface") if verdict.is_query else _("not a query interface")
            # An empty action leads to the page itself.
            where = form.action or _("(this page)")
            table.add_row(f"{form.method.upper()} {where} [{names}]", decision, "; ".join(verdict.reasons))
        console.print(table)
        table = Table(title=_("Lists of this page"), title_justify="left")
        for column in (_("entries"), _("first entry"), _("its link")):
            table.add_column(column)
        for found in self.lists[:SHOWN]:
            first = found.records[0]
            table.add_row(str(len(found.records)), " ".join((first.title or first.text).split())[:60], first.link or "")
        console.print(table)


def look_at(page: Page) -> Sight:
    """Forms, lists and links of a page.

    Args:
        page: as fetched.
    """
    document = page.document
    recogniser = Recogniser.load()
    forms = read_forms(document)
    sight = Sight(page, metadata(document).title or urlsplit(page.url).hostname or "")
    sight.forms = list(zip(forms, recogniser.recognise_all(forms, document), strict=True))
    sight.lists = sorted(find_records(document), key=lambda found: -len(found.records))
    host = urlsplit(page.url).hostname
    shapes: Counter[str] = Counter()
    example: dict[str, str] = {}
    for url, _text, _element in page_links(document):
        parts = urlsplit(url)
        folder = parts.path.rsplit("/", 1)[0] + "/"
        if parts.hostname == host and folder != "/":
            shapes[folder] += 1
            example.setdefault(folder, url)
    sight.link_shapes = [(folder, number, example[folder]) for folder, number in shapes.most_common(SHOWN)]
    return sight


def write_site_file(sight: Sight, url: str) -> str:
    """A commented site file that crawls as it is.

    Args:
        sight: what was seen.
        url: the start page, as the user wrote it.
    """
    host = urlsplit(sight.page.url).hostname or ""
    lines = [
        "# yaml-language-server: $schema=../docs/site.schema.json",
        "# " + _("Written by `scrapy site new`. Look at what would be stored: scrapy crawl NAME -a preview=20"),
        f"title: {_quoted(sight.title)}",
        "start:",
        f"  - {_quoted(url)}",
        "domain: home_textile",
        "",
        "# " + _("What the site's forms are asked. Without this key: the pack's words."),
        "#keywords: [床品, 提花, 刺绣]",
        "",
        "# " + _("surface: follow links only; deep: ask forms only; both"),
        "mode: both",
        "# " + _("auto: a browser draws a page where scripts make its content; never; always"),
        "render: auto",
        "",
        "limits:",
        "  # " + _("seconds between two requests"),
        "  delay: 1.0",
        "  # " + _("pages fetched in one crawl at the most"),
        "  pages: 2000",
    ]
    hosts = {urlsplit(sight.page.url).hostname or ""} - {urlsplit(url).hostname or "", ""}
    private = AddressGuard().check(url) is not None
    if private or hosts:
        lines += ["", "allow:"]
        if hosts:
            lines += [
                "  # " + _("the start page leads to this host"),
                f"  hosts: [{', '.join(map(_quoted, sorted(hosts)))}]",
            ]
        if private:
            lines += ["  # " + _("this host is private or on this machine"), f"  private: [{_quoted(host)}]"]
    lines += ["", "# " + _("Forms seen on the start page:")]
    for form, verdict in sight.forms[:SHOWN]:
        names = ", ".join(c.name for c in form.controls if c.name and c.kind != "hidden")
        decision = _("is asked") if verdict.is_query else _("is not asked")
        why = " ".join("; ".join(verdict.reasons).split())
        lines.append(f"#   {form.method.upper()} {form.action or url} [{names}]: {decision} ({why})")
    lines += [
        "# " + _("To decide otherwise, name the form:"),
        "#forms:",
        "#  - action: search",
        "#    use: true",
        "#    keyword_in: q",
        "",
        "# " + _("Addresses seen on the start page, by folder:"),
        *(f"#   {number} x {folder}  {example}" for folder, number, example in sight.link_shapes),
        "# " + _("A template says how one kind of page is read:"),
        "#templates:",
        "#  - name: article",
        "#    match: /news/\\d+",
        "#    kind: detail",
        "#    fields:",
        "#      title: {css: h1}",
        "#      published: {label: 发布时间, type: date}",
        "#      text: {between: ['<div class=\"content\">', '</div>']}",
        "",
        "# " + _("A page and a text that must come out of it, so that a dead rule is found out:"),
        "#check:",
        "#  - url: " + url,
        "#    text: ...",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar (JSON's is one)."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
