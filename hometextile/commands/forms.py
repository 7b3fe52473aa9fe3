"""``scrapy forms show URL-or-file``: what each form of a page is taken for, and why; ``train``: train the score."""

from __future__ import annotations

import argparse
import datetime
import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hometextile.text.faults import Fault
from hometextile.text.messages import _, locale_name

if TYPE_CHECKING:
    from rich.table import Table

    from hometextile.forms.form import Form
    from hometextile.forms.recognising import Verdict
    from hometextile.page.document import Document
    from hometextile.text.pack import Pack

# Scrapy imports every command whenever one is called: what takes long to import is imported where it is needed.

_WIDTH = 150


class Command(ScrapyCommand):
    """Forms of a page: query interfaces or not, and why."""

    requires_project = False

    def syntax(self) -> str:
        return "show URL-or-file ... | URL-or-file ... | train --data DIR [--to DIR]"

    def short_desc(self) -> str:
        return _("Show what the forms of a page are taken for, and why; train the score anew")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--data", type=Path, help=_("folder of labelled forms, with index.jsonl (train)"))
        parser.add_argument("--to", type=Path, help=_("folder for the trained model (train)"))
        parser.add_argument("--pack", default="home_textile", help=_("domain pack (show)"))
        parser.add_argument(
            "--render",
            choices=["never", "auto", "always"],
            default="never",
            help=_("whether a browser draws the page first (show)"),
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        from hometextile.commands.fetching import quiet

        super().process_options(args, opts)
        quiet(self, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError
        try:
            if args[0] == "train":
                self._train(opts)
            else:
                places = args[1:] if args[0] == "show" else args
                if not places:
                    raise UsageError
                self._show(places, opts)
        except Fault as fault:
            print(fault, file=sys.stderr)
            self.exitcode = 2

    def _show(self, places: list[str], opts: argparse.Namespace) -> None:
        from rich.console import Console

        from hometextile.commands.fetching import get_documents
        from hometextile.forms.reading import read_forms
        from hometextile.forms.recognising import Recogniser
        from hometextile.text.pack import load_pack

        pack = load_pack(opts.pack)
        recogniser = Recogniser.load(pack)
        console = Console()
        if console.width < _WIDTH and not console.is_terminal:
            console = Console(width=_WIDTH)
        for place, document in zip(places, get_documents(self, places, opts.render), strict=True):
            forms = read_forms(document)
            if not forms:
                console.print(_("{place}: no forms").format(place=place), markup=False)
                continue
            console.print(table(forms, recogniser.recognise_all(forms, document), document, pack))

    def _train(self, opts: argparse.Namespace) -> None:
        from hometextile.forms.dataset import data_hash, labelled_forms
        from hometextile.forms.features import features
        from hometextile.forms.query_model import QueryModel
        from hometextile.forms.words import form_words

        if opts.data is None:
            raise UsageError(_("train needs --data DIR"))
        forms = labelled_forms(opts.data)
        words = form_words()
        queries = sum(form.is_query for form in forms)
        card = {
            "model": "query interface or not: RBF-kernel SVM over form features, calibrated by a sigmoid",
            "trained": datetime.date.today().isoformat(),
            "data": {
                "index_sha256": data_hash(opts.data),
                "forms": len(forms),
                "query_interfaces": queries,
                "sites": len({form.site for form in forms}),
            },
            "counted": "identical forms of one site once; forms without a label not at all",
            "figures": "script/bench forms (five folds by site); this model has seen all of the data",
            "scikit_learn": version("scikit-learn"),
        }
        model = QueryModel.train(
            [features(form.form, words) for form in forms], [form.is_query for form in forms], card
        )
        folder = opts.to or Path(str(files("hometextile.forms").joinpath("models")))
        model.save(folder)
        print(
            _("Trained on {forms} forms, {queries} of them query interfaces: {folder}").format(
                forms=len(forms), queries=queries, folder=folder
            )
        )


def table(forms: list[Form], verdicts: list[Verdict], document: Document, pack: Pack) -> Table:
    """The forms of a page with what they were taken for."""
    from rich.markup import escape
    from rich.table import Table

    found = Table(title=escape(document.url), title_justify="left", show_lines=True, expand=True)
    found.add_column(_("form"), ratio=5, overflow="fold")
    found.add_column(_("decision"), ratio=3, overflow="fold")
    found.add_column(_("score"), min_width=5)
    found.add_column(_("domain"), ratio=2, overflow="fold")
    found.add_column(_("similarity"), min_width=10)
    found.add_column(_("words"), ratio=4, overflow="fold")
    found.add_column(_("why"), ratio=9, overflow="fold")
    for n, (form, verdict) in enumerate(zip(forms, verdicts, strict=True), 1):
        found.add_row(
            escape(f"{n}. {describe(form)}"),
            decision(verdict),
            f"{verdict.score:.2f}",
            escape(domain_name(verdict.domain, pack)),
            f"{verdict.similarity:.2f}" if verdict.domain else "",
            escape(", ".join(verdict.words[:8])),
            escape("\n".join([*(f"• {reason}" for reason in verdict.reasons), *_would_do(form, verdict)])),
        )
    return found


def describe(form: Form) -> str:
    """A form so that a person finds it on the page: name, what it asks for, button, where it is sent."""
    from hometextile.forms.controls import said, visible

    asked = [
        said(control) or control.name
        for control in visible(form)
        if control.kind not in {"submit", "image", "reset", "button"}
    ]
    pressed = [
        said(control) for control in visible(form) if control.kind in {"submit", "image", "button"} and said(control)
    ]
    parts = [
        form.name and f"“{form.name}”",
        ", ".join(filter(None, asked))[:80],
        pressed and f"[{pressed[0][:30]}]",
        f"{form.method.upper()} {form.action[:50]}" if not form.virtual else _("no form tag; script sends it"),
    ]
    return " ".join(part for part in parts if part)


def decision(verdict: Verdict) -> str:
    """The decision in words."""
    if not verdict.is_query:
        return _("no query interface")
    return _("query interface, beyond doubt") if verdict.certain else _("query interface")


def domain_name(key: str, pack: Pack) -> str:
    """A domain's name in the user's language."""
    from hometextile.forms.domains import neighbours

    names = pack.settings.names if key == pack.name else neighbours()[key].names if key in neighbours() else {}
    return names.get("zh" if locale_name() == "zh_CN" else "en", key)


def _would_do(form: Form, verdict: Verdict) -> list[str]:
    from hometextile.forms.filling import fill, keyword_control

    if not verdict.is_query:
        return []
    query = fill(form, "…", verdict)
    if query is None:
        if form.method == "post" and not verdict.certain:
            return ["→ " + _("it posts, so it is left alone unless the site file says of it: post: true")]
        if (nameless := keyword_control(form)) is not None and not nameless.name:
            return ["→ " + _("its box has no name, so only the page's script can send it")]
        return ["→ " + _("it has no box for a keyword; its lists would be tried one by one")]
    box = query.box.name if query.box is not None and query.box.name else _("the box without a name")
    return ["→ " + _("a keyword would go into “{box}”").format(box=box)]
