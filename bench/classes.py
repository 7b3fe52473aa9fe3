"""Libraries and classes: short texts that we wrote (``bench/classes_set.jsonl``), sorted into 35 classes.

Without ``--shipped``, a model is trained in five folds, each text sorted by a model that has not seen it. With it, the
pack's own model sorts the texts that it was not trained on (every fifth of each class). ``--train`` trains and writes
that model. The texts off topic among them measure relevance, which has no model. Whoever wrote the texts also wrote the
pack's words: pages of other hands are harder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from hometextile.extract.resource import Resource
from hometextile.text.pack import Pack, load_pack
from hometextile.topic.class_model import MODEL, train_class_model
from hometextile.topic.classify import WordClassifier, classify
from hometextile.topic.relevance import relevance

_SET = Path(__file__).with_name("classes_set.jsonl")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/bench classes", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder or file of texts of the form of classes_set.jsonl")
    parser.add_argument("--peers", action="store_true", help="also a linear SVM on character n-grams")
    parser.add_argument("--shipped", action="store_true", help="measure the pack's model on the texts it has not seen")
    parser.add_argument("--train", action="store_true", help="train the pack's model and write it")
    parser.add_argument("--out", type=Path, help="write each verdict, one JSON line each")
    options = parser.parse_args(argv)
    pack = load_pack()
    rows = _rows(options.data)
    topical = [row for row in rows if row["class"]]
    if options.train:
        _train(topical, pack)
    if options.shipped or options.train:
        topical = [row for row in topical if row["held"]]
        verdicts = {"model": [classify(_resource(row), pack).category for row in topical]}
    else:
        verdicts = {"model": _folds(topical, pack)}
    verdicts["words alone"] = _by_words(topical, pack)
    if options.peers:
        verdicts["character n-grams"] = _by_characters([row for row in rows if row["class"]])
        topical_of = {"character n-grams": [row for row in rows if row["class"]]}
    else:
        topical_of = {}
    figures = {}
    print(f"{'':<20}{'texts':>6}{'libraries F1':>14}{'classes F1':>12}{'right':>8}")
    for name, found in verdicts.items():
        figures[name] = _report(name, topical_of.get(name, topical), found, pack)
    _relevance(rows, pack)
    if options.out:
        with options.out.open("w", encoding="utf-8") as out:
            for row, category in zip(topical, verdicts["model"], strict=True):
                answer = {**row, "found_class": category, "found_library": pack.library_of(category)}
                out.write(json.dumps(answer, ensure_ascii=False) + "\n")
    print(json.dumps(figures["model"]))
    return 0


def _rows(data: Path | None) -> list[dict[str, Any]]:
    path = _SET if data is None else data / "classes_set.jsonl" if data.is_dir() else data
    if not path.is_file():
        path = _SET
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    seen: dict[str, int] = defaultdict(int)
    for row in rows:
        row["held"] = seen[row["class"]] % 5 == 4
        seen[row["class"]] += 1
    return rows


def _resource(row: dict[str, Any]) -> Resource:
    return Resource("", "", title=row["title"], text=row["text"], language=row["language"])


def _evidence(rows: list[dict[str, Any]], pack: Pack) -> tuple[list[dict[str, float]], list[str]]:
    words = WordClassifier(pack)
    return [words.scores(_resource(row)) for row in rows], words.classes


def _folds(rows: list[dict[str, Any]], pack: Pack) -> list[str]:
    scores, classes = _evidence(rows, pack)
    labels = [row["class"] for row in rows]
    found = [""] * len(rows)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=7).split(labels, labels):
        model = train_class_model([scores[n] for n in train], [labels[n] for n in train], classes)
        for n in test:
            shares = model.shares(scores[n])
            found[n] = max(shares, key=lambda key: shares[key]) if sum(scores[n].values()) else ""
    return found


def _by_words(rows: list[dict[str, Any]], pack: Pack) -> list[str]:
    scores, _classes = _evidence(rows, pack)
    return [max(each, key=lambda key: each[key]) if sum(each.values()) else "" for each in scores]


def _by_characters(rows: list[dict[str, Any]]) -> list[str]:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    texts = np.array([f"{row['title']}\n{row['text']}" for row in rows], dtype=object)
    labels = np.array([row["class"] for row in rows])
    found = np.empty(len(rows), dtype=object)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=7).split(labels, labels):
        vectors = TfidfVectorizer(analyzer="char", ngram_range=(1, 2), sublinear_tf=True)
        found[test] = make_pipeline(vectors, LinearSVC()).fit(texts[train], labels[train]).predict(texts[test])
    return [str(each) for each in found]


def _report(name: str, rows: list[dict[str, Any]], found: list[str], pack: Pack) -> dict[str, float]:
    labels = [row["class"] for row in rows]
    libraries = [row["library"] for row in rows]
    libraries_found = [pack.library_of(category) for category in found]
    figures = {
        "libraries_f1": _macro_f1(libraries, libraries_found),
        "classes_f1": _macro_f1(labels, found),
    }
    right = sum(one == other for one, other in zip(labels, found, strict=True)) / max(1, len(labels))
    print(f"{name:<20}{len(rows):>6}{figures['libraries_f1']:>14.3f}{figures['classes_f1']:>12.3f}{right:>8.3f}")
    return figures


def _macro_f1(truth: list[str], found: list[str]) -> float:
    return round(float(f1_score(truth, found, average="macro", labels=sorted(set(truth)), zero_division=0.0)), 4)


def _relevance(rows: list[dict[str, Any]], pack: Pack) -> None:
    pairs = [(relevance(_resource(row), pack) >= pack.threshold, bool(row["class"])) for row in rows]
    hits = sum(found and truth for found, truth in pairs)
    precision = hits / max(1, sum(found for found, _truth in pairs))
    recall = hits / max(1, sum(truth for _found, truth in pairs))
    print(f"relevance at {pack.threshold}: {len(pairs)} texts, precision {precision:.3f}, recall {recall:.3f}")


def _train(rows: list[dict[str, Any]], pack: Pack) -> None:
    seen = [row for row in rows if not row["held"]]
    scores, classes = _evidence(seen, pack)
    model = train_class_model(scores, [row["class"] for row in seen], classes)
    held = [row for row in rows if row["held"]]
    held_scores, _classes = _evidence(held, pack)
    found = []
    for each in held_scores:
        shares = model.shares(each)
        found.append(max(shares, key=lambda key: shares[key]))
    card = {
        "what": "class of a resource from the evidence of the taxonomy's word lists (logistic regression)",
        "trained_on": f"{len(seen)} short texts of bench/classes_set.jsonl, written for it",
        "data_sha256": hashlib.sha256(json.dumps(seen, ensure_ascii=False, sort_keys=True).encode()).hexdigest(),
        "held_out": len(held),
        "held_out_classes_f1": _macro_f1([row["class"] for row in held], found),
        "note": "whoever wrote the texts also wrote the word lists: pages of other hands are harder",
    }
    model.save(Path(str(pack.resource(MODEL))), card)


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1:]))
