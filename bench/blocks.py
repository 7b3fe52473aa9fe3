"""Main text of pages against the truth: by kind and language, with rules alone, paper 5's topic blocks and the peers.

Models are trained in five folds by site; every figure is of pages that the model did not see. ``--shipped`` takes the
shipped models instead and trains nothing (on pages that they were trained on that flatters them: use it on others).
Of rendered pages (``--rendered``) the model of drawn pages is trained in folds by family of sites, beside the shipped
importance model, which knows none of them.
The figure ``f1_all`` and those by kind are of the SVM with its partner, by the way that a crawl goes: parse, segment,
rate, text. ``pages_per_second`` is that whole way on one thread.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from bench.pages.measuring import Rendered, level_report, said_of_runs
from bench.score import content_prf
from hometextile.blocks.block import LEVELS, Block
from hometextile.blocks.content import keep_once, main_text, plain_text
from hometextile.blocks.importance import ImportanceModel, load_model
from hometextile.blocks.labels import labelled_ranges, page_id, read_labels
from hometextile.blocks.learning import (
    FOLDS,
    folds_by_site,
    read_index,
    read_page,
    read_study,
    votes_by_page,
)
from hometextile.blocks.outline import outline
from hometextile.blocks.rules import levels_by_rule
from hometextile.blocks.segment import segment
from hometextile.blocks.topics import NaiveBayes, load_bayes, topic_blocks
from hometextile.blocks.training import Corpus, fit
from hometextile.page.document import Document
from hometextile.text.faults import Fault
from hometextile.text.memory import settle

METHODS = ("rules", "similarity", "bayes", "both", "svm", "svm+partner")
KEYS = {"rules": "f1_rules", "similarity": "f1_similarity", "bayes": "f1_bayes", "both": "f1_both"}
KINDS = ("article", "forum", "product", "listing", "collection")


@dataclass
class Result:
    """Predictions and scores of one method on all pages."""

    texts: list[str] = field(default_factory=list)
    prf: list[tuple[float, float, float]] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, text: str, truth: str) -> None:
        self.texts.append(text)
        self.prf.append(content_prf(text, truth))

    def mean(self, mask: Sequence[bool]) -> tuple[float, float, float]:
        rows = np.array([row for row, wanted in zip(self.prf, mask, strict=True) if wanted])
        return tuple(rows.mean(axis=0).tolist()) if len(rows) else (0.0, 0.0, 0.0)  # type: ignore[return-value]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/bench blocks", description=__doc__)
    parser.add_argument("--data", type=Path, help="pages with their true text; without it only --rendered is measured")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--shipped", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--labels", type=Path, default=Path("bench/labels"))
    parser.add_argument("--also", type=Path, action="append", default=[], help="pages with labels only, to learn from")
    parser.add_argument("--rendered", type=Path, help="folder that script/bench rendered wrote")
    parser.add_argument("--drawn", type=Path, help="folder of other drawn pages, to learn from (rendered --saved)")
    parser.add_argument("--pages", type=int, default=0, help="take only so many pages, drawn evenly")
    options = parser.parse_args(argv)
    if options.data is None and options.rendered is None:
        parser.error("give --data, --rendered or both")
    try:
        with threadpool_limits(limits=1):
            rendered = measure_rendered(options)
            if options.data is None:
                print(json.dumps(rendered))
            else:
                Bench(options, rendered).run()
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


def measure_rendered(options: argparse.Namespace) -> dict[str, float | None]:
    """Figures of the rendered pages, none without a folder of them."""
    if options.rendered is None:
        return {}
    pages = Rendered(options.rendered)
    pages.measure(load_model(), None if options.shipped else pages.train(options.drawn))
    if options.peers:
        pages.peers(peers())
    if options.out and options.data is None:
        pages.write(options.out)
    return pages.report()


class Bench:
    def __init__(self, options: argparse.Namespace, rendered: dict[str, float | None]) -> None:
        self.options = options
        self.rendered = rendered
        rows = read_index(options.data)
        self.every = max(1, len(rows) // options.pages) if options.pages else 1
        self.rows = rows[:: self.every]
        self.voted = votes_by_page(read_labels(options.labels)) if options.labels.is_dir() else {}
        self.results: dict[str, Result] = {name: Result() for name in METHODS}
        self.order: list[int] = []
        self.level_pairs: list[tuple[int, int]] = []
        self.pairs_of_three: list[tuple[int, int]] = []
        self.by_three = self._by_three()

    # the run --------------------------------------------------------------------------------------------------------
    def run(self) -> None:
        if self.options.shipped:
            self._measure(range(len(self.rows)), load_model(), load_bayes())
        else:
            self._folds()
        if self.options.peers:
            self._peers()
        self._print()

    def _folds(self) -> None:
        study = read_study(self.options.data, self.options.labels, also=self.options.also, every=self.every)
        corpus = Corpus(study.examples)
        fold = folds_by_site([page.site for page in study.examples])
        for number in range(FOLDS):
            others = np.flatnonzero(fold != number)
            told = others[others < len(study.rows)]
            mine = np.flatnonzero(fold[: len(study.rows)] == number)
            self._measure(mine, fit(corpus, others), study.bayes(told))

    def _measure(self, pages: Any, model: ImportanceModel, bayes: NaiveBayes) -> None:
        # as a crawl does once it is open; the peers find the same heap
        settle()
        for number in pages:
            row = self.rows[int(number)]
            self.order.append(int(number))
            document = read_page(self.options.data, row)
            started = time.perf_counter()
            blocks = segment(document)
            model.rate(blocks, document)
            text = main_text(blocks, document).text
            self.results["svm+partner"].seconds += time.perf_counter() - started
            self.results["svm+partner"].add(text, row["text"])
            self._baselines(document, blocks, row, model, bayes)
            self._levels(document, blocks, row)

    def _baselines(
        self,
        document: Document,
        blocks: Sequence[Block],
        row: dict[str, Any],
        model: ImportanceModel,
        bayes: NaiveBayes,
    ) -> None:
        out = outline(document)
        texts = [run.text for run in out.runs]
        links = [min(1.0, run.link_chars / max(len(run.text), 1)) for run in out.runs]
        choices = dict(topic_blocks(texts, links, bayes))
        choices["rules"] = [level == "main" for level in levels_by_rule(out)]
        choices["svm"] = model.choose(document, partner=False)
        for name, chosen in choices.items():
            kept = keep_once([block for block, main in zip(blocks, chosen, strict=True) if main])
            self.results[name].add(plain_text(kept, out), row["text"])

    def _levels(self, document: Document, blocks: Sequence[Block], row: dict[str, Any]) -> None:
        labels = self.voted.get(page_id(row["file"]))
        if labels:
            pairs = level_pairs(document, blocks, labels)
            self.level_pairs.extend(pairs)
            if page_id(row["file"]) in self.by_three:
                self.pairs_of_three.extend(pairs)

    def _by_three(self) -> set[str]:
        """Pages that three people or more have labelled."""
        people: dict[str, set[str]] = {}
        for label in read_labels(self.options.labels) if self.options.labels.is_dir() else ():
            people.setdefault(label.page, set()).add(label.who)
        return {page for page, who in people.items() if len(who) > 2}

    def _peers(self) -> None:
        for name, extract in peers().items():
            result = self.results[name] = Result()
            for number in self.order:
                row = self.rows[number]
                text = read_page(self.options.data, row).text
                started = time.perf_counter()
                found = extract(text, row.get("url"))
                result.seconds += time.perf_counter() - started
                result.add(found, row["text"])

    # the report -----------------------------------------------------------------------------------------------------
    def _print(self) -> None:
        rows = [self.rows[number] for number in self.order]
        groups: dict[str, list[bool]] = {"all": [True] * len(rows)}
        groups["zh"] = [row.get("language") == "zh" for row in rows]
        for kind in KINDS:
            groups[kind] = [
                row.get("kind") == kind
                and row.get("language") == "en"
                and row.get("source", "seven-kinds") == "seven-kinds"
                for row in rows
            ]
        groups["zh forum"] = [row.get("language") == "zh" and row.get("kind") == "forum" for row in rows]
        groups = {name: mask for name, mask in groups.items() if any(mask)}
        print(f"{'P / R / F1':16}" + "".join(f"{name + ' ' + str(sum(mask)):>19}" for name, mask in groups.items()))
        for method, result in self.results.items():
            cells = ["{:.3f} {:.3f} {:.3f}".format(*result.mean(mask)) for mask in groups.values()]
            speed = f"{len(rows) / result.seconds:8.1f}/s" if result.seconds else ""
            print(f"{method:16}" + "".join(f"{cell:>19}" for cell in cells) + speed)
        self._report(rows, groups)

    def _report(self, rows: list[dict[str, Any]], groups: dict[str, list[bool]]) -> None:
        best = self.results["svm+partner"]
        line: dict[str, Any] = {}
        for name, mask in groups.items():
            line["f1_" + name.replace(" ", "_")] = round(best.mean(mask)[2], 4)
        for method, key in KEYS.items():
            line[key] = round(self.results[method].mean(groups["all"])[2], 4)
        line["f1_svm"] = round(self.results["svm"].mean(groups["all"])[2], 4)
        line["level_micro_f1"] = level_report(self.level_pairs)
        line["level_micro_f1_of_three"] = level_report(self.pairs_of_three, "by three people or more")
        line.update(self.rendered)
        line["pages_per_second"] = round(len(rows) / best.seconds, 1) if best.seconds else None
        line["peer_pages_per_second"] = {
            name: round(len(rows) / result.seconds, 1)
            for name, result in self.results.items()
            if name not in METHODS and result.seconds
        } or None
        if self.options.out:
            with self.options.out.open("w", encoding="utf-8") as file:
                for at, row in enumerate(rows):
                    said = {name: result.texts[at] for name, result in self.results.items()}
                    scores = {name: round(result.prf[at][2], 4) for name, result in self.results.items()}
                    file.write(
                        json.dumps(
                            {"file": row["file"], "text": best.texts[at], "f1": scores, "texts": said},
                            ensure_ascii=False,
                        )
                        + "\n"
                    )
        print(json.dumps(line, ensure_ascii=False))


def level_pairs(
    document: Document, blocks: Sequence[Block], labels: dict[tuple[str, str], str]
) -> list[tuple[int, int]]:
    """(said, voted) level of each region that people labelled: the level that most of its tokens were given."""
    out = outline(document)
    said = said_of_runs(out, blocks)
    pairs = []
    for first, last, truth in labelled_ranges(out, labels):
        weight = np.zeros(len(LEVELS))
        for run in range(first, last):
            if said[run] >= 0:
                weight[said[run]] += out.tokens[run] + 0.1
        if weight.sum():
            pairs.append((int(weight.argmax()), truth))
    return pairs


def peers() -> dict[str, Callable[[str, str | None], str]]:
    """The public extractors, each as text of a page."""
    import lxml.html
    import trafilatura
    from readability import Document as Readable
    from resiliparse.extract.html2text import extract_plain_text

    def by_trafilatura(text: str, url: str | None) -> str:
        return trafilatura.extract(text, url=url) or ""

    def by_readability(text: str, url: str | None) -> str:
        try:
            summary = Readable(text).summary()
            return str(lxml.html.fromstring(summary).text_content())
        except (ValueError, lxml.etree.LxmlError):
            return ""

    def by_resiliparse(text: str, url: str | None) -> str:
        return str(extract_plain_text(text, main_content=True))

    return {"trafilatura": by_trafilatura, "readability-lxml": by_readability, "resiliparse": by_resiliparse}
