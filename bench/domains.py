"""``script/bench domains``: which domain a query interface belongs to, and when the domain model is stable.

On interfaces of ours (``bench/interfaces``), the pack's and six other domains'. Accuracy: five folds, four shuffles;
the models are grown from four folds and asked about the fifth. Stable: five shuffles of all of the pack's interfaces;
from which form on fewer than 1 % of the nodes are new over 50 forms, to the end. ``--shipped`` asks the shipped models,
which have seen the interfaces, and grows nothing.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from bench.interfaces import Interface, interfaces
from hometextile.forms.attributes import Attribute, attributes_of
from hometextile.forms.domain_model import DomainModel, stable_at
from hometextile.forms.domain_store import load
from hometextile.forms.domains import Domains, load_domains, load_meanings, model_file
from hometextile.forms.words import form_words
from hometextile.text.pack import load_pack

SHUFFLES, FOLDS, ORDERS = 4, 5, 5
Read = list[tuple[Interface, list[Attribute]]]


class Said(NamedTuple):
    """An interface, the domain most like it, how similar that is, and whether the interface tells it."""

    interface: Interface
    domain: str
    similarity: float
    told: bool

    @property
    def right(self) -> bool:
        """Whether it is the interface's."""
        return self.domain == self.interface.domain


def said_of(domains: Domains, interface: Interface, attributes: list[Attribute]) -> Said:
    """What *domains* say of an interface."""
    best = domains.match(attributes)[0]
    return Said(interface, best.domain, best.similarity, domains.told(attributes) is not None)


def grown(read: Read) -> list[DomainModel]:
    """One model a domain."""
    models: dict[str, DomainModel] = {}
    for interface, attributes in read:
        models.setdefault(interface.domain, DomainModel(interface.domain)).grow(attributes)
    return [models[key] for key in sorted(models)]


def read_all() -> Read:
    """Every interface with its attributes, read afresh: growing a model leaves marks on none of them."""
    meanings, words = load_meanings(load_pack()), form_words()
    return [(interface, attributes_of(interface.form, meanings, words)) for interface in interfaces()]


def in_folds(read: Read, seed: int) -> list[Said]:
    """Every interface with what is said of it by models that have not seen it."""
    order = list(range(len(read)))
    random.Random(seed).shuffle(order)
    found = []
    for fold in range(FOLDS):
        test = set(order[fold::FOLDS])
        domains = Domains(grown([read[i] for i in order if i not in test]), load_pack().cutter.cut)
        for i in sorted(test):
            found.append(said_of(domains, *read[i]))
    return found


def stable(read: Read) -> list[int | None]:
    """From which form on the pack's model is stable, in five shuffles."""
    own = [attributes for interface, attributes in read if interface.domain == load_pack().name]
    found: list[int | None] = []
    for seed in range(ORDERS):
        order = list(own)
        random.Random(seed).shuffle(order)
        model = DomainModel(load_pack().name)
        for attributes in order:
            model.grow(attributes)
        found.append(stable_at(model.growth))
    return found


def main(argv: list[str]) -> int:
    """Run it; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="script/bench domains", description=__doc__)
    parser.add_argument("--data", type=Path, help="not needed: the set is the project's own")
    parser.add_argument("--peers", action="store_true", help="there are none")
    parser.add_argument("--shipped", action="store_true")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args(argv)
    read = read_all()
    if arguments.shipped:
        domains = load_domains(load_pack())
        said = [[said_of(domains, *one) for one in read]]
        steady: Sequence[int | None] = [stable_at(load(model_file(load_pack())).growth)]
    else:
        said = [in_folds(read, seed) for seed in range(SHUFFLES)]
        steady = stable(read)
    right = [sum(each.right for each in one) / len(one) for one in said]
    accuracy = sum(right) / len(right)
    _print(said, accuracy, steady)
    if arguments.out:
        _write(arguments.out, said)
    last = max((n for n in steady if n is not None), default=None) if all(n is not None for n in steady) else None
    print(json.dumps({"accuracy": round(accuracy, 4), "stable_at": last}))
    return 0


def _print(said: list[list[Said]], accuracy: float, steady: Sequence[int | None]) -> None:
    hits: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for each in chain.from_iterable(said):
        key = (each.interface.domain, each.interface.language)
        total[key] += 1
        hits[key] += each.right
    print(f"{'domain':14s}  language  interfaces  accuracy")
    for key in sorted(total):
        print(f"{key[0]:14s}  {key[1]:8s}  {total[key] // len(said):10d}  {hits[key] / total[key]:.3f}")
    print(f"all: {accuracy:.4f}")
    told = [each.right for each in chain.from_iterable(said) if each.told]
    print(f"told: {len(told) / sum(total.values()):.3f} of them, {len(told) - sum(told)} of {len(told)} wrong")
    for each in said[0]:
        if not each.right:
            print(f"  {each.interface.domain} ({each.interface.source}) taken for {each.domain}, {each.similarity:.2f}")
    print("stable from form", ", ".join(str(n) if n is not None else "never" for n in steady))


def _write(path: Path, said: list[list[Said]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for shuffle, one in enumerate(said):
            for each in one:
                line: dict[str, Any] = {
                    "source": each.interface.source,
                    "domain": each.interface.domain,
                    "said": each.domain,
                    "similarity": each.similarity,
                    "told": each.told,
                    "language": each.interface.language,
                    "shuffle": shuffle,
                }
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
