"""From a folder of pages with their true text, and from people's labels, to a trained model with its card."""

from __future__ import annotations

import gzip
import json
import platform
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from hometextile.blocks.aligning import align
from hometextile.blocks.labels import Label, levels_of_runs, page_id, read_labels, vote
from hometextile.blocks.outline import Outline, outline
from hometextile.blocks.tag_classes import spans_of_runs
from hometextile.blocks.topics import NaiveBayes, marks
from hometextile.blocks.training import Corpus, Effort, Example, example, fit
from hometextile.page.document import Document
from hometextile.text.encodings import decode
from hometextile.text.faults import Fault
from hometextile.text.messages import _


@dataclass
class Truth:
    """A page with its true text.

    Attributes:
        name: of its file.
        document: the page.
        text: the true main text.
        site: what keeps pages of one template on one side of a fold.
        kind, language, source: as the index says.
    """

    name: str
    document: Document
    text: str
    site: str
    kind: str = ""
    language: str = ""
    source: str = ""


def read_index(folder: Path) -> list[dict[str, Any]]:
    """The rows of ``index.jsonl``.

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
            rows.append({"file": str(row["file"]), "text": str(row["text"]), **row})
        except (ValueError, KeyError, TypeError) as error:
            raise Fault(_("this line has no file and text"), file=index, line=number) from error
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


def _domain(host: str) -> str:
    import tldextract

    found = tldextract.TLDExtract(suffix_list_urls=())(host)
    return found.top_domain_under_public_suffix or host


def read_truth(folder: Path) -> Iterator[Truth]:
    """The pages of a folder, one at a time."""
    for row in read_index(folder):
        document = read_page(folder, row)
        yield Truth(
            str(row["file"]),
            document,
            row["text"],
            site_of(row, document),
            str(row.get("kind") or ""),
            str(row.get("language") or ""),
            str(row.get("source") or ""),
        )


def example_of(truth: Truth, labels: dict[tuple[str, str], str] | None = None) -> tuple[Outline, Example]:
    """A page as an example: main by alignment with the true text, levels by people's votes where there are any."""
    out = outline(truth.document)
    spans = spans_of_runs(out)
    main = align([run.text for run in out.runs], truth.text)
    levels = levels_of_runs(out, labels) if labels else None
    return out, example(out, spans, main, truth.site, levels)


def votes_by_page(labels: list[Label]) -> dict[str, dict[tuple[str, str], str]]:
    """Voted levels of the regions of each page."""
    pages: dict[str, dict[tuple[str, str], str]] = {}
    for (page, path, to), level in vote(labels).items():
        pages.setdefault(page, {})[path, to] = level
    return pages


def bayes_marks(out: Outline) -> list[list[str]]:
    """What naive Bayes sees of each run."""
    return [marks(run.text, min(1.0, run.link_chars / max(len(run.text), 1))) for run in out.runs]


def train_from_data(folder: Path, labels: Path, to: Path, effort: Effort | None = None) -> dict[str, Any]:
    """Train the importance model and the naive Bayes of topic blocks, and write both with a card.

    Args:
        folder: pages with true text, as the benchmark ``blocks`` reads them.
        labels: folder of people's labels; may be missing.
        to: the model's file (``.skops``); ``topics.json`` is written beside it.
        effort: how much is trained.

    Returns:
        the card.
    """
    voted = votes_by_page(read_labels(labels)) if labels.is_dir() else {}
    examples: list[Example] = []
    seen: list[tuple[list[str], bool]] = []
    digest = sha256()
    labelled = 0
    for truth in read_truth(folder):
        own = voted.get(page_id(truth.name))
        labelled += own is not None
        out, page = example_of(truth, own)
        examples.append(page)
        seen.extend(zip(bayes_marks(out), page.main.tolist(), strict=True))
        digest.update(truth.name.encode() + sha256(truth.text.encode()).digest())
    bayes = NaiveBayes.fit(seen)
    model = fit(Corpus(examples), np.arange(len(examples)), effort)
    model.card = {
        "what": "block importance: lexicon, two looks of RBF SVM and gradient boosting, related against noise",
        "trained_on": {
            "pages": len(examples),
            "blocks": sum(len(e.main) for e in examples),
            "labelled_pages": labelled,
            "sha256": digest.hexdigest(),
        },
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("scikit-learn", "skops", "numpy")},
        },
    }
    model.save(to)
    topics = {
        "prior": bayes.prior,
        "words": {word: weight for word, weight in bayes.words.items() if abs(weight) > 0.3},
    }
    (to.parent / "topics.json").write_text(json.dumps(topics, ensure_ascii=False) + "\n", "utf-8")
    return model.card
