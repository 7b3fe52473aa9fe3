"""What a page shows of its site, and the site file to begin with."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hometextile.blocks.records import RecordList, find_records
from hometextile.extract.metadata import metadata
from hometextile.forms.answers import page_links
from hometextile.forms.form import Form
from hometextile.forms.permission import needed
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Recogniser, Verdict
from hometextile.forms.results import page_lines
from hometextile.page.page import Page
from hometextile.render.guard import AddressGuard
from hometextile.text.messages import _
from hometextile.text.words import language_of

#: Lists and forms shown at the most.
SHOWN = 8
#: A page is in one language if no more than this share of it is in the other, and has so many characters at least.
_OTHER, _ENOUGH = 0.1, 30
#: Characters of an action, a name or an address that an entry is found by.
_NAMED = 200


@dataclass
class Sight:
    """What was seen on a page.

    Attributes:
        page: the page.
        title: of it.
        hosts: where its forms may be sent.
        forms: with what each was taken for.
        language: what it is written in, ``zh``, ``en`` (or another in Latin letters), ``both`` if mixed.
        lists: of records, the longest first.
        link_shapes: folders that its links lead to, how many, one of them.
    """

    page: Page
    title: str
    hosts: set[str] = field(default_factory=set)
    language: str = "both"
    forms: list[tuple[Form, Verdict]] = field(default_factory=list)
    lists: list[RecordList] = field(default_factory=list)
    link_shapes: list[tuple[str, int, str]] = field(default_factory=list)

    @property
    def held_back(self) -> list[tuple[Form, list[str]]]:
        """Query interfaces that are not sent unless the site file allows it, with the keys that do."""
        told = [(form, needed(form, verdict, self.hosts)) for form, verdict in self.forms[:SHOWN]]
        return [(form, keys) for form, keys in told if keys]

    def print(self, console: Console) -> None:
        """Show it to a person."""
        console.print(f"{self.title}  <{self.page.url}>  {self.page.encoding}", markup=False)
        table = Table(title=_("Forms"), title_justify="left")
        for column in (_("form"), _("decision"), _("why")):
            table.add_column(column)
        held_back = {id(form): keys for form, keys in self.held_back}
        for form, verdict in self.forms[:SHOWN]:
            decision = _("query interface") if verdict.is_query else _("not a query interface")
            if id(form) in held_back:
                decision = _("query interface, but not asked")
            # An empty action leads to the page itself.
            where = form.action[:_NAMED] or _("(this page)")
            reasons = [*verdict.reasons, *map(_why_not, held_back.get(id(form), []))]
            row = (f"{form.method.upper()} {where} [{control_names(form)}]", decision, "; ".join(reasons))
            table.add_row(*map(escape, row))
        console.print(table)
        if held_back:
            console.print(_("The site file has the lines by which such a form is asked, behind a #."), markup=False)
        table = Table(title=_("Lists of this page"), title_justify="left")
        for column in (_("entries"), _("first entry"), _("its link")):
            table.add_column(column)
        for found in self.lists[:SHOWN]:
            first = found.records[0]
            words = " ".join((first.title or first.text).split())[:60]
            table.add_row(str(len(found.records)), escape(words), escape(first.link or ""))
        console.print(table)


def look_at(page: Page, url: str = "") -> Sight:
    """Forms, lists and links of a page.

    Args:
        page: as fetched.
        url: what was asked for, if that led to another host.
    """
    document = page.document
    recogniser = Recogniser.load()
    forms = read_forms(document)
    sight = Sight(page, metadata(document).title or urlsplit(page.url).hostname or "")
    sight.hosts = {urlsplit(each).hostname or "" for each in (page.url, url or page.url)}
    sight.language = _language("\n".join(page_lines(document)))
    sight.forms = list(zip(forms, recogniser.recognise_all(forms, document), strict=True))
    sight.lists = sorted(find_records(document), key=lambda found: -len(found.records))
    host = urlsplit(page.url).hostname
    shapes: Counter[str] = Counter()
    example: dict[str, str] = {}
    for url, _text, _element in page_links(document):
        parts = urlsplit(url)
        folder = parts.path.rsplit("/", 1)[0] + "/"
        if folder == "/" and parts.query:
            # Old sites have all their pages in one folder, told apart by what is asked: /show.asp?id=7
            folder = parts.path + "?"
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
        "# " + _("which of the pack's words: zh, en or both; by what the start page is written in"),
        f"language: {sight.language}",
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
    entries = sight.held_back
    held_back = {id(form): keys for form, keys in entries}
    for form, verdict in sight.forms[:SHOWN]:
        keys = held_back.get(id(form), [])
        decision = _("is asked") if verdict.is_query and not keys else _("is not asked")
        why = " ".join("; ".join(map(_why_not, keys) if keys else verdict.reasons).split())
        where = form.action[:_NAMED] or url
        lines.append(f"#   {form.method.upper()} {where} [{control_names(form)[:_NAMED]}]: {decision} ({why})")
    if held_back:
        lines += [
            "# " + _allowed_by(),
            "#forms:",
            *(line for form, keys in entries for line in _entry(form, keys)),
        ]
    else:
        lines += ["# " + _("To decide otherwise, name the form:"), "#forms:", "#  - action: search"]
        lines += ["#    use: true", "#    keyword_in: q"]
    lines += [
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
    # What a page says must not end a comment: the next line would be read.
    return "\n".join(" ".join(line.splitlines()) for line in lines) + "\n"


def _language(text: str) -> str:
    """Which of a pack's words a site is asked, by a text of it."""
    said = {language_of(text, share=share) for share in (_OTHER, 1 - _OTHER)}
    # A text in neither script is of no language that a pack has.
    return (said.pop() or "both") if len(text) >= _ENOUGH and len(said) == 1 else "both"


def control_names(form: Form) -> str:
    """The names of the controls that a person sees."""
    return ", ".join(control.name for control in form.controls if control.name and control.kind != "hidden")


def _allowed_by() -> str:
    return _("Looks like a search. If that is all it does, take away the # of these lines, and it is asked:")


def _why_not(key: str) -> str:
    """Why a query interface is not sent without this key of its entry."""
    if key == "post":
        return _("it is sent by POST, as forms that write are, and is not a search beyond doubt")
    return _("it leads to another host")


def _entry(form: Form, keys: list[str]) -> list[str]:
    """An entry of the site file for one form, each line behind a #."""
    return [f"#  - {entry_name(form)}", *(f"#    {key}: true" for key in keys)]


def entry_name(form: Form) -> str:
    """The line of an entry of the site file that names a form: by its action, else its name, else its page."""
    # Both are searched for, so that a beginning is enough.
    if form.action.strip():
        return f"action: {_quoted(re.escape(form.action.strip()[:_NAMED]))}"
    named = form.name and len(form.name) <= _NAMED
    return f"name: {_quoted(form.name)}" if named else f"url: {_quoted('^' + re.escape(form.url[:_NAMED]))}"


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar (JSON's is one)."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
