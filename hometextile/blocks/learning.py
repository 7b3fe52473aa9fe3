"""From a folder of pages with their true text, and from people's labels, to a trained model with its card."""

from __future__ import annotations

import gzip
import json
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.aligning import align
from hometextile.blocks.labels import Label, labelled_ranges, page_id, read_labels, vote
from hometextile.blocks.outline import Outline, outline
from hometextile.blocks.regions import ranges
from hometextile.blocks.tag_classes import spans_of_runs
from hometextile.blocks.topics import NaiveBayes, marks
from hometextile.blocks.training import Corpus, Effort, Example, example, fit
from hometextile.page.document import Document
from hometextile.text.encodings import decode
from hometextile.text.faults import Fault
from hometextile.text.hosts import suffix_list
from hometextile.text.messages import _

#: Folds by site in which the figures of a model are taken.
FOLDS = 5


def read_index(folder: Path, *, texts: bool = True) -> list[dict[str, Any]]:
    """The rows of ``index.jsonl``.

    Args:
        folder: with the index.
        texts: whether every row must have the page's true text.

    Raises:
        Fault: there is no index, or a line of it is none.
    """
    index = folder / "index.jsonl"
    if not index.is_file():
        raise Fault(_("there is no index.jsonl"), file=folder, remedy=_("give a folder of pages with their true text"))
    rows = []
    for number, line in enumerate(index.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            said = {"text": str(row["text"])} if texts else {}
            rows.append({"file": str(row["file"]), **said, **row})
        except (ValueError, KeyError, TypeError) as error:
            lacks = _("this line has no file and text") if texts else _("this line has no file")
            raise Fault(lacks, file=index, line=number) from error
    return rows


def read_page(folder: Path, row: dict[str, Any]) -> Document:
    """The page of a row, decoded."""
    file = folder / row["file"]
    try:
        body = file.read_bytes()
        body = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
    except (OSError, EOFError) as error:
        raise Fault(_("the page cannot be read"), file=file) from error
    decoded = decode(body)
    return Document(decoded.text, row.get("url") or "http://unknown.invalid/", decoded.encoding)


def site_of(row: dict[str, Any], document: Document) -> str:
    """The site: the address's domain, or the commonest domain of the page's links where there is no address."""
    address = row.get("url")
    if address:
        return _domain(urlsplit(address).hostname or "")
    domains: Counter[str] = Counter()
    for link in document.tree.iter("a"):
        href = link.get("href") or ""
        if href.startswith(("http://", "https://")):
            try:
                domains[_domain(urlsplit(href).hostname or "").split(".")[0]] += 1
            except ValueError:
                continue
    return domains.most_common(1)[0][0] if domains else str(row["file"])


@lru_cache(maxsize=10_000)
def _domain(host: str) -> str:
    found = suffix_list()(host)
    return found.top_domain_under_public_suffix or host


def example_of(
    document: Document, text: str | None, site: str, labels: dict[tuple[str, str], str] | None = None
) -> tuple[Outline, Example]:
    """A page as an example: main by alignment with the true text, levels by people's votes where there are any.

    What a person labelled as one box and is cut into several today is left out: one word for a menu and the text beside
    it would teach that the menu is text.
    """
    out = outline(document)
    spans = spans_of_runs(out)
    main = None if text is None else align([run.text for run in out.runs], text)
    levels = _levels_of_regions(out, labels) if labels else None
    return out, example(out, spans, main, site, levels)


def _levels_of_regions(out: Outline, labels: dict[tuple[str, str], str]) -> list[int]:
    """Number of the level of each run in a region that was labelled as it is cut, else -1."""
    today = set(ranges(out))
    found = [-1] * len(out.runs)
    for first, last, level in labelled_ranges(out, labels):
        if (first, last) in today:
            found[first:last] = [level] * (last - first)
    return found


def votes_by_page(labels: list[Label]) -> dict[str, dict[tuple[str, str], str]]:
    """Voted levels of the regions of each page."""
    pages: dict[str, dict[tuple[str, str], str]] = {}
    for (page, path, to), level in vote(labels).items():
        pages.setdefault(page, {})[path, to] = level
    return pages


def bayes_marks(out: Outline) -> list[list[str]]:
    """What naive Bayes sees of each run."""
    return [marks(run.text, min(1.0, run.link_chars / max(len(run.text), 1))) for run in out.runs]


@dataclass
class Study:
    """Pages to learn from, measured.

    Attributes:
        rows: of the index.
        examples: the pages, in order of the rows; after them those that have labels only.
        texts: of each page's runs.
        marks: what naive Bayes sees of each page's runs.
        labelled: pages with people's labels.
        also: ids of those that have no true text.
    """

    rows: list[dict[str, Any]]
    examples: list[Example]
    texts: list[list[str]]
    marks: list[list[list[str]]]
    labelled: int = 0
    also: list[str] = field(default_factory=list)

    def bayes(self, pages: Iterable[int]) -> NaiveBayes:
        """Naive Bayes of the blocks of some pages."""
        return NaiveBayes.fit(
            pair for page in pages for pair in zip(self.marks[page], self.examples[page].main.tolist(), strict=True)
        )

    def digest(self) -> str:
        """Hash of names and true texts; where there are pages without these, of their ids as well."""
        said = digest(self.rows)
        return sha256("\n".join([said, *self.also]).encode()).hexdigest() if self.also else said


def digest(rows: Iterable[dict[str, Any]]) -> str:
    """Hash of the names and true texts of pages."""
    hashed = sha256()
    for row in rows:
        hashed.update(row["file"].encode() + sha256(row["text"].encode()).digest())
    return hashed.hexdigest()


def versions() -> dict[str, str]:
    """What a model was trained with, for its card."""
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in ("scikit-learn", "skops", "numpy")},
    }


def read_study(folder: Path, labels: Path, *, also: Sequence[Path] = (), every: int = 1) -> Study:
    """Read, align and measure the pages of a folder.

    Args:
        folder: pages with true text.
        labels: folder of people's labels; may be missing.
        also: folders of pages that have labels but no true text: the levels are learned from them as well. In the
            labels their pages are called by the folder's name, a dash and their own id.
        every: take every so many-th page.
    """
    voted = votes_by_page(read_labels(labels)) if labels.is_dir() else {}
    study = Study([], [], [], [])
    for row in read_index(folder)[::every]:
        document = read_page(folder, row)
        own = voted.get(page_id(row["file"]))
        out, page = example_of(document, row["text"], site_of(row, document), own)
        study.rows.append(row)
        study.examples.append(page)
        study.texts.append([run.text for run in out.runs])
        study.marks.append(bayes_marks(out))
        study.labelled += own is not None
    for other in also:
        for name, page in _labelled_pages(other, voted, every):
            study.examples.append(page)
            study.also.append(name)
            study.labelled += 1
    return study


def _labelled_pages(
    folder: Path, voted: dict[str, dict[tuple[str, str], str]], every: int
) -> Iterator[tuple[str, Example]]:
    """The pages of a folder that people have labelled, by their ids, without a true text."""
    for row in read_index(folder, texts=False)[::every]:
        name = f"{folder.name}-{page_id(row['file'])}"
        labels = voted.get(name)
        if labels:
            document = read_page(folder, row)
            yield name, example_of(document, None, site_of(row, document), labels)[1]


def folds_by_site(sites: Sequence[str]) -> NDArray[np.int64]:
    """The fold of each page: pages of one site are in one fold, whatever the order of the pages."""
    return np.array([crc32(site.encode()) % 1_000_003 % FOLDS for site in sites], dtype=np.int64)


def train_from_data(
    folder: Path, labels: Path, to: Path, effort: Effort | None = None, *, also: Sequence[Path] = ()
) -> dict[str, Any]:
    """Train the importance model and the naive Bayes of topic blocks, and write both with a card.

    Args:
        folder: pages with true text, as the benchmark ``blocks`` reads them.
        labels: folder of people's labels; may be missing.
        to: the model's file (``.skops``); ``topics.json`` is written beside it.
        effort: how much is trained.
        also: see :func:`read_study`.

    Returns:
        the card.
    """
    study = read_study(folder, labels, also=also)
    model = fit(Corpus(study.examples), np.arange(len(study.examples)), effort)
    model.card = {
        "what": "block importance: lexicon, two looks of RBF SVM, networks beside them; levels by region",
        "trained_on": {
            "pages": len(study.rows),
            "blocks": sum(len(page.main) for page in study.examples[: len(study.rows)]),
            "labelled_pages": study.labelled,
            "without_true_text": len(study.also),
            "sha256": study.digest(),
        },
        "figures": "script/bench blocks takes them in five folds by site",
        "versions": versions(),
    }
    model.save(to)
    bayes = study.bayes(range(len(study.rows)))
    strong = {word: weight for word, weight in bayes.words.items() if abs(weight) > 0.3}
    text = json.dumps({"prior": bayes.prior, "words": strong}, ensure_ascii=False)
    (to.parent / "topics.json").write_text(text + "\n", "utf-8")
    return model.card
