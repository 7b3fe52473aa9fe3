"""``scrapy domain-model show [--plot FILE]``: the pack's domain model; ``learn PAGES...``: grow it from pages.

Scrapy names a command after its module, and a module that is only ever imported by name may have a hyphen in it.
"""  # noqa: N999

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from hometextile.text.pack import Pack

# Scrapy imports every command whenever one is called: what takes long to import is imported where it is needed.


class Command(ScrapyCommand):
    """The attribute tree of the pack's query interfaces."""

    requires_project = False

    def syntax(self) -> str:
        return "show [--plot FILE] | learn URL-or-file ... [--to FILE]"

    def short_desc(self) -> str:
        return _("Show the domain model as a tree; grow it from pages")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--pack", default="home_textile", help=_("domain pack"))
        parser.add_argument("--model", type=Path, help=_("another file than the pack's"))
        parser.add_argument("--plot", type=Path, help=_("write a picture of nodes against forms (show)"))
        parser.add_argument("--least", type=int, default=1, help=_("leave out nodes seen in fewer forms (show)"))
        parser.add_argument("--to", type=Path, help=_("where the grown model goes (learn); else the pack's file"))
        parser.add_argument("--fresh", action="store_true", help=_("start from nothing (learn)"))
        parser.add_argument("--every", action="store_true", help=_("take every form of the pages (learn)"))
        parser.add_argument(
            "--terms",
            action="store_true",
            help=_("keep short labels and names only, no choices and no sentences: for pages of others (learn)"),
        )
        parser.add_argument(
            "--source", choices=["real", "own"], default="real", help=_("whose forms these are (learn)")
        )
        parser.add_argument(
            "--render",
            choices=["never", "auto", "always"],
            default="never",
            help=_("whether a browser draws fetched pages first (learn)"),
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.commands.fetching import quiet

        super().process_options(args, opts)
        quiet(self, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            if args == ["show"]:
                self._show(opts)
            elif len(args) > 1 and args[0] == "learn":
                self._learn(args[1:], opts)
            else:
                raise UsageError
        except Fault as fault:
            print(fault, file=sys.stderr)
            self.exitcode = 2

    def _show(self, opts: argparse.Namespace) -> None:
        from hometextile.forms.domain_model import stable_at
        from hometextile.forms.domain_store import load
        from hometextile.forms.domains import model_file
        from hometextile.forms.drawing import plot_growth, tree_lines
        from hometextile.text.pack import load_pack

        model = load(opts.model or model_file(load_pack(opts.pack)))
        print("\n".join(tree_lines(model, least=opts.least)))
        sources = ", ".join(f"{source} {n}" for source, n in sorted(model.sources.items()))
        print(_("forms: {sources}").format(sources=sources))
        stable = stable_at(model.growth)
        print(_("stable from form {n} on").format(n=stable) if stable else _("not stable yet"))
        if opts.plot:
            note = plot_growth(model, opts.plot)
            if note:
                print(note, file=sys.stderr)
            print(_("Written: {path}").format(path=opts.plot))

    def _learn(self, places: list[str], opts: argparse.Namespace) -> None:
        from hometextile.commands.fetching import get_documents
        from hometextile.forms.attributes import attributes_of, terms_of
        from hometextile.forms.domain_model import DomainModel
        from hometextile.forms.domain_store import dump, load
        from hometextile.forms.domains import load_meanings, model_file
        from hometextile.forms.reading import read_forms
        from hometextile.forms.recognising import Recogniser
        from hometextile.forms.words import form_words
        from hometextile.text.pack import load_pack

        pack = load_pack(opts.pack)
        source = opts.model or model_file(pack)
        fresh = opts.fresh or not source.is_file()
        model = DomainModel(pack.name, dict(pack.settings.names)) if fresh else load(source)
        meanings, words = load_meanings(pack), form_words()
        recogniser = None if opts.every else Recogniser.load(pack)
        done: Counter[str] = Counter()
        for document in get_documents(self, places, opts.render):
            for form in read_forms(document):
                if recogniser is None or recogniser.recognise(form, document).is_query:
                    attributes = attributes_of(form, meanings, words)
                    if opts.terms:
                        attributes = terms_of(attributes, meanings.concepts)
                    operations = model.grow(attributes, opts.source)
                    done.update(operation.name for operation in operations)
                    done["forms"] += 1
        path = opts.to or _pack_file(pack)
        path.write_text(dump(model), encoding="utf-8")
        print(
            _("{forms} forms: {add} added, {update} updated, {refine} refined, {generalise} generalised").format(
                forms=done["forms"],
                add=done["add"],
                update=done["update"],
                refine=done["refine"],
                generalise=done["generalise"],
            )
        )
        print(_("Written: {path} ({nodes} nodes)").format(path=path, nodes=len(model.nodes)))


def _pack_file(pack: Pack) -> Path:
    from hometextile.forms.domains import model_file

    source = model_file(pack)
    if not isinstance(source, Path):
        raise Fault(_("the pack cannot be written to"), file=str(source), remedy=_("name a file with --to"))
    return source
