"""``scrapy library``: list, search, show, mark, export, stats, check, copy, upgrade."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hometextile.addon import library_url
from hometextile.library.library import Library
from hometextile.text.faults import Fault
from hometextile.text.messages import _, locale_name

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_MARKS = {"reviewed": "reviewed", "wrong-class": "wrong class", "withdrawn": "withdrawn", "none": ""}


class Command(ScrapyCommand):
    """Look at the library, search it, mark, export, check, copy and upgrade it."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return (
            "list | search WORDS | show ID ... | mark ID ... --as MARK | export FILE | stats [FILE] | check | "
            "copy URL | upgrade"
        )

    def short_desc(self) -> str:
        return _("Look at the library, search, mark, export, check, copy, upgrade it")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        chosen = parser.add_argument_group(_("which resources (list, search, export)"))
        chosen.add_argument("--library", metavar="NAME", help=_("of this library"))
        chosen.add_argument("--class", dest="category", metavar="NAME", help=_("of this class; mark: the right class"))
        chosen.add_argument("--site", metavar="NAME", help=_("of this site"))
        chosen.add_argument("--since", metavar="DATE", help=_("published then or later: 2023, 2023-05 or 2023-05-06"))
        chosen.add_argument("--until", metavar="DATE", help=_("published then or earlier"))
        chosen.add_argument("--price-from", type=float, metavar="AMOUNT", help=_("least price"))
        chosen.add_argument("--price-to", type=float, metavar="AMOUNT", help=_("greatest price"))
        chosen.add_argument("--limit", type=int, metavar="N", help=_("no more than so many"))
        chosen.add_argument("--offset", type=int, default=0, metavar="N", help=_("search: leave out the first N"))
        chosen.add_argument("--marked", choices=sorted(_MARKS), help=_("list, export: with this mark"))
        chosen.add_argument("--withdrawn", action="store_true", help=_("list, export: those gone from their site"))
        chosen.add_argument("--duplicates", action="store_true", help=_("list, export: with those that repeat others"))
        other = parser.add_argument_group(_("what to do"))
        other.add_argument("--as", dest="mark", choices=sorted(_MARKS), help=_("mark: the mark to set"))
        other.add_argument("--format", metavar="NAME", help=_("export: the format, if the file's ending doesn't say"))
        other.add_argument("--full", action="store_true", help=_("show: the whole text"))
        other.add_argument("--reindex", action="store_true", help=_("check: build the search index anew first"))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        actions: dict[str, Callable[[list[str], argparse.Namespace], None]] = {
            "list": self._list,
            "search": self._search,
            "show": self._show,
            "mark": self._mark,
            "export": self._export,
            "stats": self._stats,
            "check": self._check,
            "copy": self._copy,
            "upgrade": self._upgrade,
        }
        if not args or args[0] not in actions:
            raise UsageError
        try:
            actions[args[0]](args[1:], opts)
        except Fault as fault:
            print(fault, file=sys.stderr)
            self.exitcode = 2
        except BrokenPipeError:
            # The reader (head, less) has seen enough; nothing may be written at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    # -- opening

    def _address(self) -> str:
        assert self.settings is not None
        return library_url(self.settings)

    def _open(self) -> Library:
        assert self.settings is not None
        return Library.of_settings(self._address(), self.settings, create=False)

    # -- the actions

    def _list(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library import display

        _none(args)
        limit = opts.limit if opts.limit is not None else 50
        with self._open() as library:
            found = library.resources(**_filters(opts), limit=limit, newest=True)
            table, count = display.resource_table(found, names())
        out = display.console()
        if count:
            out.print(table)
        else:
            out.print(_("Nothing found."))
        if count == limit and opts.limit is None:
            out.print(_("The newest {n}; --limit shows more.").format(n=limit))

    def _search(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library import display

        words = " ".join(args)
        if not words.strip():
            raise UsageError
        filters = _filters(opts)
        for name in ("mark", "withdrawn", "duplicates"):
            filters.pop(name, None)
        with self._open() as library:
            library.cut = _cut()
            limit = opts.limit if opts.limit is not None else 20
            found = library.search(words, limit=limit, offset=max(0, opts.offset), marks=display.MARKS, **filters)
        display.print_hits(display.console(), found, names(), max(0, opts.offset))

    def _show(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library import display

        out = display.console()
        with self._open() as library:
            for number in _numbers(args):
                story = library.story(number)
                if story is None:
                    raise Fault(_("there is no resource {id}").format(id=number), remedy=_("see scrapy library list"))
                display.print_story(out, story, names(), full=opts.full)

    def _mark(self, args: list[str], opts: argparse.Namespace) -> None:
        numbers = _numbers(args)
        if opts.mark is None and opts.category is None:
            raise Fault(
                _("what shall they be marked as?"), remedy=_("add --as reviewed, --as wrong-class ... or --class NAME")
            )
        library_name, category = _class_of(opts.library, opts.category)
        word = _MARKS[opts.mark] if opts.mark is not None else "reviewed"
        with self._open() as library:
            count = library.mark(numbers, word, library=library_name, category=category)
        print(_("Marked: {n}").format(n=count))
        if count < len(set(numbers)):
            raise Fault(_("not all of these resources are in the library"), remedy=_("see scrapy library list"))

    def _export(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library.exports import exporting

        path = _one(args)
        name = exporting.format_of(path, opts.format)
        filters = _filters(opts)
        if opts.limit is not None:
            filters["limit"] = opts.limit
        with self._open() as library:
            count = exporting.export(library, path, name, filters)
        print(_("Written: {n} to {path}").format(n=count, path=path))

    def _stats(self, args: list[str], opts: argparse.Namespace) -> None:
        from rich.table import Table

        from hometextile.library import display, plots

        shown = names()
        out = display.console()
        with self._open() as library:
            note = plots.draw(library, _one(args), shown) if args else ""
            counts = library.counts()
        for title, kind in ((_("library"), "by_library"), (_("class"), "by_class"), (_("site"), "by_site")):
            table = Table(box=None, pad_edge=False, header_style="bold")
            table.add_column(title)
            table.add_column(_("resources"), justify="right")
            for name, count in counts[kind].items():
                table.add_row(display.line(shown.get(name, name) or _("(none)")), str(count))
            out.print(table)
            out.print()
        totals = [
            f"{display.told(name)} {counts[name]}"
            for name in ("pages", "crawls", "queries", "versions", "duplicates", "errors")
        ]
        out.print(", ".join(totals))
        if args:
            print(_("Written: {path}").format(path=args[0]))
        if note:
            print(note, file=sys.stderr)

    def _check(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library.checking import check
        from hometextile.library.search import index

        _none(args)
        wrong = 0
        with self._open() as library:
            if opts.reindex:
                count = library.database.write(index.rebuild)
                print(_("Search index built anew: {n} resources").format(n=count))
            for finding in check(library.database):
                bad = finding.wrong and finding.count
                wrong += bool(bad)
                sign = "✗" if bad else ("✓" if finding.wrong else " ")
                print(f"{sign} {finding.what}: {finding.count}" + (f" ({finding.note})" if finding.note else ""))
        if wrong:
            self.exitcode = 1
            print(_("The library is not whole."), file=sys.stderr)
        else:
            print(_("The library is whole."))

    def _copy(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library.copying import copy
        from hometextile.library.database import read_url, shown

        url = read_url(_one(args))
        with self._open() as library:
            counts = copy(
                library,
                url.render_as_string(hide_password=False),
                lambda name, count: print(f"{name}: {count}", flush=True),
            )
        total = sum(counts.values())
        print(_("Copied to {url}: {n} rows, all equal").format(url=shown(url), n=total))

    def _upgrade(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.library.upgrading import upgrade

        _none(args)
        before, after = upgrade(self._address())
        if before == after:
            print(_("The library is up to date ({revision}).").format(revision=after))
        else:
            print(_("Upgraded from {before} to {after}.").format(before=before or "-", after=after))


def _none(args: list[str]) -> None:
    if args:
        raise UsageError


def _one(args: list[str]) -> str:
    if len(args) != 1:
        raise UsageError
    return args[0]


def _numbers(args: list[str]) -> list[int]:
    """Resource numbers as typed, with or without ``#``."""
    if not args:
        raise UsageError
    numbers = []
    for each in args:
        digits = each.removeprefix("#")
        if not digits.isascii() or not digits.isdigit() or len(digits) > 15:
            raise Fault(
                _("is not a resource's number: {value}").format(value=each), remedy=_("see scrapy library list")
            )
        numbers.append(int(digits))
    return numbers


def _filters(opts: argparse.Namespace) -> dict[str, Any]:
    """The filters that were given."""
    filters: dict[str, Any] = {}
    for name in ("library", "category", "site", "since", "until", "price_from", "price_to"):
        value = getattr(opts, name)
        if value is not None:
            filters[name] = value
    for name in ("since", "until"):
        if name in filters and not _DATE.fullmatch(filters[name]):
            raise Fault(
                _("is not a date: {value}").format(value=filters[name]),
                key=f"--{name}",
                remedy=_("write 2023, 2023-05 or 2023-05-06"),
            )
    for name in ("library", "category"):
        if name in filters:
            filters[name] = _keys().get(filters[name].lower(), filters[name])
    if opts.marked is not None:
        filters["mark"] = _MARKS[opts.marked]
    if opts.withdrawn:
        filters["withdrawn"] = True
    if opts.duplicates:
        filters["duplicates"] = True
    return filters


def _cut() -> Callable[[str], list[str]]:
    from hometextile.text.pack import load_pack
    from hometextile.text.words import Cutter

    return Cutter(load_pack().dictionary).cut


def names() -> dict[str, str]:
    """Names of libraries and classes in the user's language, by key."""
    from hometextile.text.pack import load_pack

    language = "zh" if locale_name().startswith("zh") else "en"
    found: dict[str, str] = {}
    for key, library in load_pack().libraries.items():
        found[key] = library.names.get(language, key)
        found.update({name: each.names.get(language, name) for name, each in library.classes.items()})
    return found


def _keys() -> dict[str, str]:
    """Keys of libraries and classes by any of their names, lower case."""
    from hometextile.text.pack import load_pack

    found: dict[str, str] = {}
    for key, library in load_pack().libraries.items():
        for one, each in ((key, library.names), *((name, each.names) for name, each in library.classes.items())):
            for name in (one, *each.values()):
                found.setdefault(name.lower(), one)
    return found


def _class_of(library: str | None, category: str | None) -> tuple[str | None, str | None]:
    """Library and class for ``mark``: the class must be one of the pack's, its library follows from it."""
    from hometextile.text.pack import load_pack

    libraries = load_pack().libraries
    keys = _keys()
    if library is not None:
        library = keys.get(library.lower(), library)
        if library not in libraries:
            raise Fault(
                _("there is no library {name}").format(name=library),
                remedy=_("use one of: {names}").format(names=", ".join(libraries)),
            )
    if category is None:
        return library, None
    category = keys.get(category.lower(), category)
    for key, each in libraries.items():
        if category in each.classes and library in (None, key):
            return key, category
    known = [name for key, each in libraries.items() if library in (None, key) for name in each.classes]
    raise Fault(
        _("there is no class {name}").format(name=category),
        remedy=_("use one of: {names}").format(names=", ".join(known)),
    )
