"""``scrapy integrate MAP``: resources into the user's own tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hometextile.addon import library_url
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_REASONS = 10


class Command(ScrapyCommand):
    """Write the library's resources, or an intermediate file's records, into a table of the user's."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    def syntax(self) -> str:
        return "MAP [--retry | --from FILE.xml|FILE.jsonl]"

    def short_desc(self) -> str:
        return _("Write resources into your own tables by a map")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--retry", action="store_true", help=_("try the rejected records again"))
        parser.add_argument(
            "--from",
            dest="source",
            metavar="FILE",
            help=_("records of this file (.xml, .jsonl) instead of the library"),
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1 or (opts.retry and opts.source):
            raise UsageError
        try:
            self._integrate(args[0], opts)
        except Fault as fault:
            for each in (fault, *fault.others):
                print(each, file=sys.stderr)
            self.exitcode = 2

    def _integrate(self, name: str, opts: argparse.Namespace) -> None:
        from hometextile.library.library import Library
        from hometextile.mediator.mediator import Mediator
        from hometextile.mediator.schema import load_map
        from hometextile.mediator.sources import from_file, from_library

        assert self.settings is not None
        mapping = load_map(map_path(name))
        with Mediator(mapping) as mediator:
            if opts.retry:
                report = mediator.retry()
            elif opts.source:
                report = mediator.run(from_file(Path(opts.source), mapping.data.record))
            else:
                with Library.of_settings(library_url(self.settings), self.settings, create=False) as library:
                    report = mediator.run(from_library(library))
            aside = mediator.aside()
        self._tell(report, mapping.data.table, mapping.data.rejected, aside)

    def _tell(self, report: Any, table: str, rejected: str, aside: int) -> None:
        counts = report.counts
        words = {
            "new": _("new"),
            "changed": _("changed"),
            "same": _("as they were"),
            "kept": _("kept as they were, though different"),
            "rejected": _("rejected"),
        }
        said = [f"{word} {counts[name]}" for name, word in words.items() if counts[name] or name in {"new", "rejected"}]
        print(_("{table}: {n} records read").format(table=table, n=counts["read"]) + "; " + ", ".join(said))
        if counts["passed"]:
            print(_("Left out, since the map does not take them: {n}").format(n=counts["passed"]))
        for (column, reason), count in report.reasons.most_common(_REASONS):
            where = _("such as {place}").format(place=report.places[column, reason])
            print(f"  {count} × {column + ': ' if column else ''}{reason} ({where})")
        if len(report.reasons) > _REASONS:
            print("  " + _("and {n} other reasons").format(n=len(report.reasons) - _REASONS))
        if counts["again"]:
            print(
                _(
                    "{n} records had the key of an earlier one, and took its place: does the key tell them apart?"
                ).format(n=counts["again"])
            )
        if counts["lost"]:
            print(_("{n} rejected records were too long to be kept; run it without --retry").format(n=counts["lost"]))
        if aside:
            print(
                _("In the table {name} wait {n} rejected records; correct the map, then run it with --retry").format(
                    name=rejected, n=aside
                )
            )
        for fault in report.unknown:
            print(fault, file=sys.stderr)


def map_path(name: str) -> Path:
    """The map's file: a path, or a name of the folder ``maps/``."""
    path = Path(name)
    if path.suffix in {".yaml", ".yml"} or path.exists():
        return path
    return Path("maps") / f"{name}.yaml"
