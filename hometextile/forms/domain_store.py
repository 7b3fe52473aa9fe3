"""Domain models as readable YAML, one node a mapping, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hometextile.forms.attributes import CHECK_BOX, RADIO_BUTTON, SELECT_LIST, TEXT_BOX
from hometextile.forms.domain_model import DomainModel, Node
from hometextile.forms.meanings import Sense
from hometextile.text.faults import Fault
from hometextile.text.messages import _
from hometextile.text.strict_yaml import faults_of, load_yaml

_KINDS = (TEXT_BOX, SELECT_LIST, RADIO_BUTTON, CHECK_BOX)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _NodeFile(_Strict):
    id: Annotated[str, Field(min_length=1, max_length=200)]
    means: list[Annotated[str, Field(min_length=1)]] = []
    relation: Annotated[str, Field(pattern="^(|range|part|group|constraint)$")] = ""
    tf: Annotated[int, Field(ge=0)] = 0
    types: dict[str, Annotated[int, Field(ge=0)]] = {}
    labels: list[str] = []
    names: list[str] = []
    values: list[str] = []
    before: dict[str, Annotated[int, Field(ge=0)]] = {}
    children: list[_NodeFile] = []


class _ModelFile(_Strict):
    domain: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    names: dict[str, str]
    forms: Annotated[int, Field(ge=0)]
    sources: dict[str, int] = {}
    growth: list[int] = []
    nodes: list[_NodeFile]


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _sense_out(sense: Sense) -> str:
    return " + ".join((sense.head, *sorted(sense.modifiers)))


def _sense_in(text: str) -> Sense:
    head, *modifiers = text.split(" + ")
    return Sense(head, frozenset(modifiers))


def _out(node: Node, children: Iterable[Node]) -> dict[str, Any]:
    found: dict[str, Any] = {"id": node.id}
    if node.senses:
        found["means"] = sorted(map(_sense_out, node.senses))
    if node.relation:
        found["relation"] = node.relation
    found["tf"] = node.tf
    found["types"] = {kind: node.kinds[kind] for kind in _KINDS if node.kinds[kind]}
    for key in ("labels", "names", "values"):
        if getattr(node, key):
            found[key] = list(getattr(node, key))
    if node.before:
        found["before"] = dict(sorted(node.before.items()))
    if node.children:
        found["children"] = [_out(child, child.children) for child in children]
    return found


def dump(model: DomainModel) -> str:
    """*model* as YAML text, top-level nodes in the order ≤."""
    data = {
        "domain": model.key,
        "names": dict(model.names),
        "forms": model.forms,
        "sources": dict(sorted(model.sources.items())),
        "growth": list(model.growth),
        "nodes": [_out(node, model.ordered(node)) for node in model.ordered()],
    }
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=None, width=118)


def load(source: Path | Traversable) -> DomainModel:
    """A model from a YAML file.

    Raises:
        Fault: the file is missing, no YAML, or not a domain model.
    """
    if not source.is_file():
        raise Fault(
            _("there is no such domain model"),
            file=str(source),
            remedy=_("grow one: scrapy domain-model learn PAGES..."),
        )
    loaded = load_yaml(source.read_text(encoding="utf-8"), str(source))
    try:
        data = _ModelFile.model_validate(loaded.data)
    except ValidationError as error:
        raise faults_of(error, loaded, _ModelFile)[0] from None
    model = DomainModel(
        data.domain, data.names, forms=data.forms, growth=list(data.growth), sources=Counter(data.sources)
    )
    model.root.children = [_in(node) for node in data.nodes]
    return model


def _in(data: _NodeFile) -> Node:
    return Node(
        data.id,
        {_sense_in(text) for text in data.means},
        Counter(data.types),
        data.names,
        data.labels,
        data.values,
        data.tf,
        data.relation,
        [_in(child) for child in data.children],
        Counter(data.before),
    )
