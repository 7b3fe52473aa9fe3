"""``scrapy blocks show|label|train``: see a page's blocks, give them levels, train the model from levels."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hometextile.blocks.content import main_text
from hometextile.blocks.importance import load_model
from hometextile.blocks.labelling import LabelServer
from hometextile.blocks.labels import kappa, page_id, parse_levels, read_labels, vote, write_labels
from hometextile.blocks.learning import train_from_data
from hometextile.blocks.outline import outline
from hometextile.blocks.picture import draw_picture
from hometextile.blocks.regions import regions
from hometextile.blocks.segment import segment
from hometextile.blocks.sight import rate_blocks
from hometextile.blocks.sight_training import train_sight
from hometextile.page.document import Document
from hometextile.spiders.look import LookSpider
from hometextile.text.encodings import decode
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_EXCERPT = 160


class Command(ScrapyCommand):
    """Blocks of a page: show, label, train."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    def syntax(self) -> str:
        return "show PAGE | label PAGE ... | label | train --data FOLDER | train --rendered FOLDER"

    def short_desc(self) -> str:
        return _("Show a page's blocks; give them levels; train the model from levels")

    def long_desc(self) -> str:
        return _(
            "show PAGE: the page's blocks with level and score, as text, as JSON (--json) or as a picture (--picture). "
            "label PAGE ...: give levels in the browser; --print lists a page's blocks by number, --read FILE takes "
            "levels from a file; without a page: votes and agreement so far. "
            "train: train the model from pages with their true text (--data) and from labels (--labels), or the model "
            "of drawn pages from those that script/bench rendered made (--rendered). "
            "PAGE is a file (.html, .html.gz) or an address."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help=_("show: print the blocks as JSON"))
        parser.add_argument("--picture", metavar="FILE", help=_("show: draw the page with its blocks into a PNG file"))
        parser.add_argument("--text", action="store_true", help=_("show: print the main text as Markdown"))
        parser.add_argument("--model", default="importance", help=_("name or file of the importance model"))
        parser.add_argument(
            "--render",
            choices=["never", "auto", "always"],
            default="auto",
            help=_("whether a browser draws an address"),
        )
        parser.add_argument("--print", action="store_true", dest="listing", help=_("label: list the blocks by number"))
        parser.add_argument("--read", metavar="FILE", help=_("label: take levels from a file, NUMBER LEVEL a line"))
        parser.add_argument("--who", metavar="NAME", default="", help=_("label: who gives the levels"))
        parser.add_argument("--labels", metavar="FOLDER", default="bench/labels", help=_("folder of the labels"))
        parser.add_argument("--port", type=int, default=0, help=_("label: port of the local page (0: any free one)"))
        parser.add_argument("--data", metavar="FOLDER", help=_("train: pages and true texts (index.jsonl)"))
        parser.add_argument(
            "--also",
            metavar="FOLDER",
            action="append",
            help=_("train: pages with labels but no true text (index.jsonl); levels are learned from them too"),
        )
        parser.add_argument(
            "--rendered",
            metavar="FOLDER",
            action="append",
            help=_("train: drawn pages with levels; the model of drawn pages is trained"),
        )
        parser.add_argument("--out", metavar="FILE", help=_("train: the model file to write (.skops)"))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        actions = {"show": self._show, "label": self._label, "train": self._train}
        if not args or args[0] not in actions:
            raise UsageError
        try:
            actions[args[0]](args[1:], opts)
        except Fault as fault:
            print(fault, file=sys.stderr)
            self.exitcode = 2

    # show -----------------------------------------------------------------------------------------------------------
    def _show(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError
        document = self._page(args[0], opts.render)
        blocks = segment(document)
        rate_blocks(blocks, document, load_model(opts.model))
        if opts.picture:
            drawn = draw_picture(document, blocks, opts.picture)
            print(_("Drawn: {path}").format(path=drawn.path), file=sys.stderr)
        if opts.json:
            print(
                json.dumps(
                    {
                        "url": document.url,
                        "method": blocks.method,
                        "reason": blocks.reason,
                        "blocks": [_as_data(block) for block in blocks],
                    },
                    ensure_ascii=False,
                    indent=1,
                )
            )
        elif opts.text:
            content = main_text(blocks, document)
            print(f"# {content.title}\n\n{content.markdown}")
        elif not opts.picture:
            self._list(blocks)
        if blocks.reason:
            print(_("Not all could be had: {reason}").format(reason=blocks.reason), file=sys.stderr)

    def _list(self, blocks: Any) -> None:
        for block in blocks:
            text = " ".join(block.text.split())[:90]
            doc = f" DoC {block.doc}" if block.doc is not None else ""
            print(
                f"{block.id:4} {block.level or '-':8}{block.score if block.score is not None else 0:6.2f}{doc}  {text}"
            )

    # label ----------------------------------------------------------------------------------------------------------
    def _label(self, args: list[str], opts: argparse.Namespace) -> None:
        folder = Path(opts.labels)
        if not args:
            self._agreement(folder)
        elif opts.listing:
            for name in args:
                _print_regions(name, self._page(name, opts.render))
        elif opts.read:
            if len(args) != 1:
                raise UsageError
            self._read(args[0], folder, opts)
        else:
            pages = {page_id(name): self._page(name, opts.render) for name in args}
            LabelServer(pages, folder).serve(opts.port)

    def _read(self, name: str, folder: Path, opts: argparse.Namespace) -> None:
        source = Path(opts.read)
        try:
            text = source.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Fault(_("the levels file cannot be read"), file=source) from error
        document = self._page(name, opts.render)
        found = regions(outline(document))
        labels = parse_levels(text, found, page_id(name), opts.who, file=str(source))
        path = write_labels(folder, opts.who, page_id(name), labels)
        print(_("{n} levels of {page} written to {path}").format(n=len(labels), page=page_id(name), path=path))

    def _agreement(self, folder: Path) -> None:
        labels = read_labels(folder)
        pages = {label.page for label in labels}
        people = sorted({label.who for label in labels})
        votes = vote(labels)
        name, value, number = kappa(labels)
        print(
            _("{pages} pages, {people} people, {blocks} blocks").format(
                pages=len(pages), people=len(people), blocks=len(votes)
            )
        )
        for level in ("noise", "related", "main"):
            print(f"  {level:8} {sum(said == level for said in votes.values())}")
        if name != "none":
            print(
                _("agreement on {n} blocks that two people or more labelled: {name} kappa {value:.3f}").format(
                    n=number, name=name.capitalize(), value=value
                )
            )

    # train ----------------------------------------------------------------------------------------------------------
    def _train(self, args: list[str], opts: argparse.Namespace) -> None:
        if args or bool(opts.data) == bool(opts.rendered) or (opts.rendered and opts.also):
            raise UsageError(_("train needs --data FOLDER (with --also FOLDER if you like) or --rendered FOLDER"))
        if opts.rendered:
            out = Path(opts.out or "sight.skops")
            card = train_sight([Path(folder) for folder in opts.rendered], out)
        else:
            out = Path(opts.out or "importance.skops")
            also = [Path(folder) for folder in opts.also or ()]
            card = train_from_data(Path(opts.data), Path(opts.labels), out, also=also)
        print(json.dumps(card, ensure_ascii=False, indent=1))
        print(_("Written: {path}").format(path=out))

    def _page(self, name: str, render: str) -> Document:
        """A page from a file, or fetched as a crawl would."""
        if "://" not in name:
            return _from_file(Path(name))
        found: list[Any] = []
        failed: list[str] = []
        assert self.crawler_process
        self.crawler_process.crawl(LookSpider, url=name, found=found, failed=failed, render=render)
        self.crawler_process.start()
        if not found:
            raise Fault(_("the page could not be fetched: {why}").format(why=failed[0] if failed else "?"), key=name)
        page = found[0]
        return Document(page.text, page.url, page.encoding)


def _from_file(path: Path) -> Document:
    try:
        body = path.read_bytes()
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
    except (OSError, EOFError) as error:
        raise Fault(_("the page cannot be read"), file=path) from error
    decoded = decode(body)
    return Document(decoded.text, path.resolve().as_uri(), decoded.encoding)


def _as_data(block: Any) -> dict[str, Any]:
    return {
        "id": block.id,
        "path": block.path,
        "level": block.level,
        "in_text": block.in_text,
        "score": block.score,
        "doc": block.doc,
        "box": block.box,
        "text": block.text,
    }


def _print_regions(name: str, document: Document) -> None:
    out = outline(document)
    found = regions(out)
    print(f"# {page_id(name)}  {out.title[:100]}")
    for number, region in enumerate(found, 1):
        runs = out.runs[region.first : region.last]
        text = " / ".join(" ".join(run.text.split()) for run in runs if run.text)
        chars = sum(len(run.text) for run in runs)
        links = round(100 * sum(run.link_chars for run in runs) / max(chars, 1))
        pictures = sum(run.images for run in runs)
        place = round(100 * region.first / max(len(out.runs), 1))
        excerpt = text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 50]} … {text[-45:]}"
        print(
            f"{number}\t{place}%\t{chars} chars\t{min(links, 100)}% links\t{pictures} img\t{region.path}\n\t{excerpt}"
        )
