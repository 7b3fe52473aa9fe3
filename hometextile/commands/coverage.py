"""``scrapy coverage``: what the queries of a site's forms have brought, and how much there is behind them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from sqlalchemy import Connection, select

from hometextile.addon import library_url
from hometextile.library import tables as t
from hometextile.text.faults import Fault
from hometextile.text.messages import _


@dataclass
class Asked:
    """A form of the site and its queries, in the order in which they were asked.

    Attributes:
        form: its fingerprint.
        url: of the page it stands on.
        queries: keyword, answer, results, new records, pages.
        state: how far it is asked, as the crawl keeps it.
    """

    form: str
    url: str = ""
    queries: list[tuple[str, str, int, int, int]] = field(default_factory=list)
    state: Any = None


class Command(ScrapyCommand):
    """A table and a plot of records against queries."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "SITE [--queries] [--plot FILE]"

    def short_desc(self) -> str:
        return _("What the queries of a site's forms have brought, and how complete it is")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--queries", action="store_true", help=_("list each query too"))
        parser.add_argument("--plot", metavar="FILE", help=_("draw records against queries into a .png or .svg file"))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library.library import Library

        if len(args) != 1:
            raise UsageError
        assert self.settings is not None
        try:
            with Library.of_settings(library_url(self.settings), self.settings, create=False) as library:
                forms = library.database.read(lambda connection: read_queries(connection, args[0]))
            if not forms:
                remedy = _("crawl it first: scrapy crawl {site}").format(site=args[0])
                raise Fault(_("no form of {site} has been asked yet").format(site=args[0]), remedy=remedy)
            _print(forms, opts.queries)
            if opts.plot:
                note = draw(forms, opts.plot)
                if note:
                    print(note, file=sys.stderr)
        except Fault as fault:
            print(fault, file=sys.stderr)
            self.exitcode = 2


def read_queries(connection: Connection, site: str) -> list[Asked]:
    """The forms of *site* that were asked, as the last crawl that asked them left them; the most asked first."""
    s, q, f, i = t.sites.c, t.queries.c, t.forms.c, t.interrogations.c
    number = connection.execute(select(s.id).where(s.name == site)).scalar()
    found: dict[str, Asked] = {}
    last: dict[str, int | None] = {}
    columns = select(q.form, q.crawl_id, q.url, q.keyword, q.answer, q.results, q.new, q.pages)
    for row in connection.execute(columns.where(q.site_id == number).order_by(q.id)):
        if last.get(row.form, row.crawl_id) != row.crawl_id:
            found.pop(row.form)
        last[row.form] = row.crawl_id
        asked = found.setdefault(row.form, Asked(row.form, row.url))
        asked.queries.append((row.keyword or "", row.answer, row.results, row.new, row.pages))
    for form, url in connection.execute(select(f.fingerprint, f.url).where(f.site_id == number)):
        if form in found:
            found[form].url = url
    for form, state in connection.execute(select(i.form, i.state).where(i.site_id == number)):
        if form in found:
            found[form].state = state
    return sorted(found.values(), key=lambda asked: -len(asked.queries))


def estimate(asked: Asked) -> Any:
    """The :class:`~hometextile.forms.coverage.Coverage` of a form; None where its crawl left nothing to tell it by."""
    from hometextile.forms.coverage import coverage
    from hometextile.forms.keywords import KeywordChooser
    from hometextile.forms.plain import from_plain

    try:
        chooser = getattr(from_plain(asked.state), "chooser", None)
    except ValueError:
        return None
    return coverage(chooser) if isinstance(chooser, KeywordChooser) else None


def _print(forms: list[Asked], queries: bool) -> None:
    from rich.table import Table

    from hometextile.library.display import console, plain

    table = Table()
    table.add_column(_("form on page"), overflow="fold")
    for name in (_("queries"), _("pages"), _("records"), _("on topic"), _("there are about"), _("complete")):
        table.add_column(name, justify="right")
    for asked in forms:
        told = estimate(asked)
        shown = ["", "", ""]
        if told is not None:
            about = f"{told.there:.0f} ({told.low:.0f}–{told.high:.0f})"
            shown = [f"{told.seen:.0f}", about, f"{told.share:.0%}"]
        pages, new = sum(q[4] for q in asked.queries), sum(q[3] for q in asked.queries)
        table.add_row(plain(asked.url), str(len(asked.queries)), str(pages), str(new), *shown)
    out = console()
    out.print(table)
    if not queries:
        return
    for asked in forms:
        each = Table(title=plain(asked.url), title_justify="left")
        each.add_column(_("keyword"))
        each.add_column(_("answer"))
        for name in (_("results"), _("new"), _("all so far")):
            each.add_column(name, justify="right")
        so_far = 0
        for keyword, answer, results, new, _pages in asked.queries:
            so_far += new
            each.add_row(plain(keyword), plain(answer), str(results), str(new), str(so_far))
        out.print(each)


def draw(forms: list[Asked], path: str) -> str:
    """Plot records against queries, one line a form.

    Args:
        forms: from :func:`read_queries`.
        path: of a ``.png`` or ``.svg`` file.

    Returns:
        What the user should know about it; empty where there is nothing.

    Raises:
        Fault: the ending is another one, the file can't be written.
    """
    from hometextile.text.fonts import chinese_font, drawn_with, no_font

    if Path(path).suffix.lower() not in {".png", ".svg"}:
        raise Fault(_("a plot is .png or .svg"), file=path, remedy=_("name the file so"))
    font = chinese_font()
    with drawn_with(font):
        figure, ascii_only = _figure(forms)
        try:
            figure.savefig(path, dpi=120)
        except OSError as error:
            raise Fault(_("can't be written: {why}").format(why=error.strerror or error), file=path) from error
    return "" if font or ascii_only else no_font()


def _figure(forms: list[Asked]) -> tuple[Any, bool]:
    """The plot, and whether it has no other words than English ones."""
    from itertools import accumulate

    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5.5), layout="constrained")
    axes = figure.add_subplot()
    words = [_("queries"), _("records")]
    for number, asked in enumerate(forms):
        counts = [0, *accumulate(query[3] for query in asked.queries)]
        words.append(asked.url[:70])
        # A "$" in an address would begin a formula.
        label = asked.url[:70].replace("$", r"\$")
        axes.plot(range(len(counts)), counts, label=label, color=f"C{number % 10}")
    axes.set_xlabel(words[0])
    axes.set_ylabel(words[1])
    axes.legend(fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, all(word.isascii() for word in words)
