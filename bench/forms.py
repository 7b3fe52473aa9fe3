"""``script/bench forms``: query interface or not, on labelled real forms.

Five folds grouped by site, the mean of four shuffled splits; identical forms of one site count once, forms without a
label are not counted. Rows: the paper's five steps alone (the fifth, submitting, cannot be taken on saved pages: the
similarity decides), rules alone, the learned score alone, all together; Formasaurus's features in the same run with
``--peers``.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lxml.html

from bench.score import binary_report
from hometextile.forms.dataset import Labelled, labelled_forms, pages
from hometextile.forms.features import features
from hometextile.forms.query_model import QueryModel
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Recogniser
from hometextile.page.document import Document
from hometextile.text.faults import Fault

SPLITS, FOLDS = 4, 5
#: Pages that ours and the peer read by turns; the first turns warm both up (tables that are made as they are used).
_TURN, _WARM = 20, 5


@dataclass
class Row:
    """What one method said of each form in each split."""

    name: str
    splits: list[list[bool]] = field(default_factory=list)
    scores: list[list[float]] = field(default_factory=list)


def folds(forms: Sequence[Labelled], seed: int) -> list[int]:
    """The fold of each form: sites shuffled, then dealt out, so that no site is in two folds."""
    sites = sorted({form.site for form in forms})
    random.Random(seed).shuffle(sites)
    fold = {site: n % FOLDS for n, site in enumerate(sites)}
    return [fold[form.site] for form in forms]


def figures(
    row: Row, forms: Sequence[Labelled], keep: Callable[[Labelled], bool] = lambda form: True
) -> dict[str, float]:
    """Mean of the splits."""
    reports = []
    for said in row.splits:
        reports.append(binary_report([(p, f.is_query) for p, f in zip(said, forms, strict=True) if keep(f)]))
    return {key: sum(r[key] for r in reports) / len(reports) for key in ("precision", "recall", "f1", "accuracy")}


def in_folds(forms: Sequence[Labelled], rows: list[dict[str, float]], base: Recogniser) -> list[Row]:
    """Every method on every form, models trained on the other folds."""
    five, rules, learned, together = Row("five steps"), Row("rules"), Row("learned"), Row("all together")
    steps = [base.five_steps(form.form) for form in forms]
    by_rule = [base.rules(form.form) for form in forms]
    for split in range(SPLITS):
        fold = folds(forms, split)
        scores = [0.0] * len(forms)
        alone = [False] * len(forms)
        both = [False] * len(forms)
        for n in range(FOLDS):
            train = [i for i, f in enumerate(fold) if f != n]
            test = [i for i, f in enumerate(fold) if f == n]
            model = QueryModel.train([rows[i] for i in train], [forms[i].is_query for i in train])
            recogniser = base.with_model(model)
            for i, score in zip(test, model.score_rows([rows[i] for i in test]), strict=True):
                scores[i], alone[i] = score, score >= model.threshold
                both[i] = recogniser.decide(forms[i].form, score)
        for row, said in ((five, steps), (rules, by_rule), (learned, alone), (together, both)):
            row.splits.append(said)
            row.scores.append(scores)
    return [five, rules, learned, together]


def shipped(forms: Sequence[Labelled], rows: list[dict[str, float]], base: Recogniser) -> list[Row]:
    """The shipped model on every form; nothing is trained."""
    scores = base.model.score_rows(rows)
    return [
        Row("five steps", [[base.five_steps(f.form) for f in forms]], [scores]),
        Row("rules", [[base.rules(f.form) for f in forms]], [scores]),
        Row("learned", [[s >= base.model.threshold for s in scores]], [scores]),
        Row("all together", [[base.decide(f.form, s) for f, s in zip(forms, scores, strict=True)]], [scores]),
    ]


def formasaurus(forms: Sequence[Labelled]) -> list[Row]:
    """Formasaurus's features in the same folds: its own model (eight classes), a linear SVM (query or not)."""
    import warnings

    from formasaurus import formtype_model
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    eight, binary = Row("Formasaurus, its classes"), Row("Formasaurus's features, binary")
    elements = [_with_lists_of_controls(form.element) for form in forms]
    for split in range(SPLITS):
        fold = folds(forms, split)
        said = {id(eight): [False] * len(forms), id(binary): [False] * len(forms)}
        for n in range(FOLDS):
            train = [i for i, f in enumerate(fold) if f != n]
            test = [i for i, f in enumerate(fold) if f == n]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                own = formtype_model.get_model(prob=True).fit(
                    [elements[i] for i in train], [forms[i].kind for i in train]
                )
                features_ = formtype_model._create_feature_union(formtype_model.FEATURES)
                two = make_pipeline(features_, LinearSVC(C=0.5, random_state=0)).fit(
                    [elements[i] for i in train], [forms[i].is_query for i in train]
                )
                kinds, yes = own.predict([elements[i] for i in test]), two.predict([elements[i] for i in test])
            for i, kind, one in zip(test, kinds, yes, strict=True):
                said[id(eight)][i], said[id(binary)][i] = kind == "search", bool(one)
        eight.splits.append(said[id(eight)])
        binary.splits.append(said[id(binary)])
    return [eight, binary]


def _with_lists_of_controls(element: Any) -> Any:
    """The form as the peer reads it: an element of lxml's class for forms, which trees of ours are not made of."""
    if element is None:
        return None
    inner = lxml.html.fromstring(lxml.html.tostring(element, encoding="unicode", with_tail=False))
    return inner if inner.tag == "form" else next(inner.iter("form"))


def speeds(folder: Path, recogniser: Recogniser, *, peers: bool) -> tuple[float, float]:
    """Pages a second of ours and of Formasaurus (0 where it was not asked for), one thread, by turns over a few pages.

    Ours: parsed, forms read, each recognised with its reasons; theirs: parsed and typed, fields left out. Processor
    time, so that other work on the machine does not count; by turns, so that a fast or slow minute is shared. The first
    five turns are not counted.
    """
    documents = [document for _entry, document in pages(folder)]
    theirs_of = _formasaurus_reader(documents[0].text) if peers else None
    ours = theirs = 0.0
    counted = 0
    for number, start in enumerate(range(0, len(documents), _TURN)):
        if number == _WARM:
            ours = theirs = 0.0
            counted = 0
        turn = [Document(page.text, page.url, page.encoding) for page in documents[start : start + _TURN]]
        begun = time.process_time()
        for document in turn:
            recogniser.recognise_all(read_forms(document), document)
        ours += time.process_time() - begun
        counted += len(turn)
        if theirs_of is not None:
            begun = time.process_time()
            for document in turn:
                if document.text.strip():
                    theirs_of(document.text)
            theirs += time.process_time() - begun
    return counted / ours, counted / theirs if theirs else 0.0


def _formasaurus_reader(text: str) -> Callable[[str], object]:
    """Formasaurus, loaded and warm."""
    import warnings

    import formasaurus
    from formasaurus.html import load_html

    def read(page: str) -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return formasaurus.extract_forms(load_html(page), proba=False, fields=False)

    read(text)
    return read


def main(argv: list[str]) -> int:
    """Run it; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="script/bench forms", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with index.jsonl, or one with such a folder 'forms'"
    )
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--shipped", action="store_true")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args(argv)
    folder = arguments.data if (arguments.data / "index.jsonl").is_file() else arguments.data / "forms"
    try:
        forms = labelled_forms(folder)
        base = Recogniser.load()
    except Fault as fault:
        print(fault)
        return 2
    rows = [features(form.form, base.words) for form in forms]
    found = shipped(forms, rows, base) if arguments.shipped else in_folds(forms, rows, base)
    if arguments.peers:
        found += formasaurus(forms)
    _print(found, forms)
    rate, peer = speeds(folder, base, peers=arguments.peers)
    print(f"pages a second, one thread: {rate:.0f}")
    if arguments.peers:
        print(f"Formasaurus's pages a second, one thread: {peer:.0f} (ours: {rate / peer:.1f} times)")
    if arguments.out:
        _write(arguments.out, found[3], forms)
    print(json.dumps(_line(found, forms, rate)))
    return 0


def _print(found: list[Row], forms: Sequence[Labelled]) -> None:
    queries = sum(form.is_query for form in forms)
    texts = sum(form.has_text for form in forms)
    print(f"{len(forms)} forms, {queries} query interfaces, {texts} with a free-text box")
    print(f"{'':32s}  P       R       F1      accuracy      F1 and accuracy with a free-text box")
    for row in found:
        whole, text = figures(row, forms), figures(row, forms, lambda form: form.has_text)
        shown = [f"{whole[key]:.4f}" for key in ("precision", "recall", "f1", "accuracy")]
        print(f"{row.name:32s}  {'  '.join(shown)}        {text['f1']:.4f}  {text['accuracy']:.4f}")


def _write(path: Path, row: Row, forms: Sequence[Labelled]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for split, (said, scores) in enumerate(zip(row.splits, row.scores, strict=True)):
            for form, one, score in zip(forms, said, scores, strict=True):
                line: dict[str, Any] = {
                    "file": form.file,
                    "n": form.n,
                    "site": form.site,
                    "kind": form.kind,
                    "split": split,
                    "query": one,
                    "score": round(score, 4),
                    "text": form.has_text,
                }
                out.write(json.dumps(line) + "\n")


def _line(found: list[Row], forms: Sequence[Labelled], rate: float) -> dict[str, float]:
    five, rules, _learned, together = found[:4]
    whole, text = figures(together, forms), figures(together, forms, lambda form: form.has_text)
    line = {
        "f1": whole["f1"],
        "accuracy": whole["accuracy"],
        "text_f1": text["f1"],
        "text_accuracy": text["accuracy"],
        "five_steps_precision": figures(five, forms)["precision"],
        "five_steps_accuracy": figures(five, forms)["accuracy"],
        "rules_precision": figures(rules, forms)["precision"],
        "rules_accuracy": figures(rules, forms)["accuracy"],
        "pages_per_second": rate,
    }
    return {key: round(value, 4) for key, value in line.items()}
