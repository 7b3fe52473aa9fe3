"""The domain model: an ordered attribute tree with eleven parts, grown form by form.

Paper 1, sections 2.2.1 and 2.2.2: DM = (V, v0, E, Δ, TP, N, Lb, Val, tf, R, ≤). The parts are found here as

====  ==========================================================================
V     :attr:`DomainModel.nodes`
v0    :attr:`DomainModel.root`
E     :attr:`DomainModel.edges`
Δ     :attr:`DomainModel.alphabet`
TP    :attr:`Node.kinds`: text box, select list, radio button, check box
N     :attr:`Node.names`
Lb    :attr:`Node.labels`
Val   :attr:`Node.values`
tf    :attr:`Node.tf`
R     :attr:`Node.relation`: range, part, group, constraint
≤     :meth:`DomainModel.precedes`
====  ==========================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hometextile.forms.attributes import CONSTRAINT, GROUP, PART, RANGE, Attribute
from hometextile.forms.meanings import Sense

ADD, UPDATE, REFINE, GENERALISE = "add", "update", "refine", "generalise"
#: What a node keeps of names, labels and values: enough to be known by, short enough to be read.
MAX_NAMES, MAX_LABELS, MAX_VALUES = 24, 24, 40
#: Boxes for the same thing that are told apart; further ones are taken for the last of them.
MAX_GROUP = 3


@dataclass
class Node:
    """One attribute of the domain.

    Attributes:
        id: what it means, readable and unique in its model.
        senses: what it means.
        kinds: control types, with how often.
        names: names of its controls.
        labels: what people read about it.
        values: what can be chosen.
        tf: in how many forms it stood.
        relation: to its parent: ``range``, ``part``, ``group``, ``constraint``, or empty where it only narrows it or
            stands at the top.
        children: in the order in which they came.
        before: id of a sibling to how often this node stood before it.
    """

    id: str
    senses: set[Sense] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    tf: int = 0
    relation: str = ""
    children: list[Node] = field(default_factory=list)
    before: Counter[str] = field(default_factory=Counter)

    def walk(self) -> Iterator[Node]:
        """This node and all below it, depth first."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Operation:
    """What an attribute did (``add``, ``update``, ``refine``, ``generalise``) and which node it is now."""

    name: str
    node: str


@dataclass
class DomainModel:
    """The attribute tree of a domain's query interfaces.

    Attributes:
        key: of the domain.
        names: by language.
        root: v0.
        forms: how many forms it was grown from.
        growth: number of nodes after each form.
        sources: how many forms of which kind: ``real``, ``own``.
    """

    key: str
    names: dict[str, str] = field(default_factory=dict)
    root: Node = field(default_factory=lambda: Node("root"))
    forms: int = 0
    growth: list[int] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)

    @property
    def nodes(self) -> list[Node]:
        """V without v0, depth first."""
        return list(self.root.walk())[1:]

    @property
    def edges(self) -> list[tuple[str, str]]:
        """E: parent and child, by id."""
        return [(node.id, child.id) for node in self.root.walk() for child in node.children]

    @property
    def alphabet(self) -> set[str]:
        """Δ: every character in labels, names and values."""
        return {c for node in self.nodes for text in (*node.labels, *node.names, *node.values) for c in text}

    def node(self, id_: str) -> Node | None:
        """The node of an id."""
        return next((node for node in self.nodes if node.id == id_), None)

    def precedes(self, u: str, v: str) -> bool:
        """Whether (u, v) ∈ ≤: u stands before v more often than after it; siblings only."""
        one, two = self.node(u), self.node(v)
        return one is not None and two is not None and one.before[v] > two.before[u]

    def ordered(self, parent: Node | None = None) -> list[Node]:
        """A node's children in the order ≤ (by how many siblings each stands before)."""
        children = (parent or self.root).children
        ids = {child.id for child in children}

        def rank(node: Node) -> tuple[float, int]:
            wins = sum(node.before[o.id] > o.before[node.id] for o in children)
            losses = sum(node.before[o.id] < o.before[node.id] for o in children)
            met = sum(1 for id_ in ids if node.before[id_]) or 1
            return (-(wins - losses) / (wins + losses or 1), -met)

        return sorted(children, key=rank)

    def grow(self, attributes: Sequence[Attribute], source: str = "own") -> list[Operation]:
        """Take in one form's attributes.

        Args:
            attributes: from :func:`hometextile.forms.attributes.attributes_of`; those without a meaning are left out.
            source: ``real`` or ``own``, counted for the card.

        Returns:
            what each attribute did, in order.
        """
        done: list[Operation] = []
        taken: list[Node] = []
        for attribute in attributes:
            if attribute.senses:
                node, operation = self._take(attribute, taken)
                taken.append(node)
                done.append(operation)
        _note_order(self.root, taken)
        self.forms += 1
        self.sources[source] += 1
        self.growth.append(len(self.nodes))
        return done

    def _take(self, attribute: Attribute, taken: Sequence[Node]) -> tuple[Node, Operation]:
        """The four conditions of the paper's figure 2."""
        senses = set(attribute.senses)
        candidates = [node for node in self._attributes() if node not in taken]
        same = next((node for node in self._attributes() if node.senses == senses), None)
        if same is not None:
            return self._update(same, attribute, again=same in taken)
        covered = [node for node in self.root.children if node in candidates and _covers(senses, node.senses)]
        if len(covered) > 1:
            return self._generalise(covered, attribute)
        narrowed = [node for node in candidates if _narrows(senses, node.senses)]
        if narrowed:
            return self._refine(max(narrowed, key=lambda node: len(_shared(senses, node.senses))), attribute)
        within = [node for node in candidates if senses < node.senses or _covers(node.senses, senses)]
        if within:
            return self._update(min(within, key=lambda node: len(node.senses)), attribute)
        return self._add(self.root, attribute, ADD)

    def _attributes(self) -> Iterator[Node]:
        """The nodes that stand for attributes of their own: not ends of ranges, parts, constraints or group members."""
        stack = list(self.root.children)
        while stack:
            node = stack.pop(0)
            yield node
            stack.extend(child for child in node.children if not child.relation)

    def _add(self, parent: Node, attribute: Attribute, name: str) -> tuple[Node, Operation]:
        node = Node(self._new_id(attribute, parent), relation=attribute.relation if parent is not self.root else "")
        parent.children.append(node)
        _merge(node, attribute)
        self._children(node, attribute)
        return node, Operation(name, node.id)

    def _update(self, node: Node, attribute: Attribute, *, again: bool = False) -> tuple[Node, Operation]:
        _merge(node, attribute)
        node.tf -= again
        self._children(node, attribute)
        return node, Operation(UPDATE, node.id)

    def _refine(self, node: Node, attribute: Attribute) -> tuple[Node, Operation]:
        return self._add(node, attribute, REFINE)

    def _generalise(self, covered: Sequence[Node], attribute: Attribute) -> tuple[Node, Operation]:
        place = self.root.children.index(covered[0])
        node = Node(self._new_id(attribute, self.root))
        self.root.children = [child for child in self.root.children if child not in covered]
        self.root.children.insert(min(place, len(self.root.children)), node)
        node.children = list(covered)
        _merge(node, attribute)
        self._children(node, attribute)
        return node, Operation(GENERALISE, node.id)

    def _children(self, node: Node, attribute: Attribute) -> None:
        """Ends of a range, parts, constraints and group members go below, each once."""
        taken: list[Node] = []
        for child in attribute.children:
            candidates = [known for known in node.children if known.relation == child.relation and known not in taken]
            known = self._like(child, node, candidates)
            if known is None:
                known, _operation = self._add(node, child, ADD)
            else:
                _merge(known, child)
                self._children(known, child)
            taken.append(known)
        _note_order(node, taken)

    @staticmethod
    def _like(child: Attribute, node: Node, candidates: Sequence[Node]) -> Node | None:
        """The child node that plays the part *child* plays: by place in ranges and groups, else by meaning."""
        if child.relation in {RANGE, GROUP}:
            if candidates:
                return candidates[0]
            known = [other for other in node.children if other.relation == child.relation]
            return known[-1] if len(known) >= (2 if child.relation == RANGE else MAX_GROUP) else None
        senses = set(child.senses)
        if child.relation == CONSTRAINT and not senses:
            return candidates[0] if candidates else None
        return next((known for known in candidates if known.senses == senses or _shared(known.senses, senses)), None)

    def _new_id(self, attribute: Attribute, parent: Node) -> str:
        base = (
            " / ".join(sorted(str(sense) for sense in attribute.senses))
            or (attribute.labels or attribute.names or ["?"])[0]
        )
        if parent is not self.root and attribute.relation:
            siblings = sum(child.relation == attribute.relation for child in parent.children)
            if attribute.relation == RANGE:
                base = f"{parent.id}: {('from', 'to')[min(siblings, 1)]}"
            elif attribute.relation == GROUP:
                base = f"{parent.id}: {siblings + 1}"
            elif attribute.relation in {PART, CONSTRAINT}:
                base = f"{parent.id}: {base}"
        known = {node.id for node in self.nodes}
        found, n = base, 2
        while found in known:
            found, n = f"{base} ({n})", n + 1
        return found


def _merge(node: Node, attribute: Attribute) -> None:
    node.tf += 1
    node.senses |= attribute.senses
    node.kinds.update(attribute.kinds[:1])
    for kept, new, limit in (
        (node.names, attribute.names, MAX_NAMES),
        (node.labels, attribute.labels, MAX_LABELS),
        (node.values, attribute.values, MAX_VALUES),
    ):
        kept.extend(text for text in dict.fromkeys(new) if text and text not in kept)
        del kept[limit:]


def _note_order(parent: Node, taken: Sequence[Node]) -> None:
    siblings = [node for node in taken if node in parent.children]
    for n, node in enumerate(siblings):
        for later in siblings[n + 1 :]:
            if later is not node:
                node.before[later.id] += 1


def _shared(one: Iterable[Sense], two: Iterable[Sense]) -> set[Sense]:
    return {s for s in one if any(s.head == t.head for t in two)}


def _covers(one: Iterable[Sense], two: Iterable[Sense]) -> bool:
    """Whether whatever *two* asks for is asked for by *one* too, and *one* asks for more."""
    one, two = set(one), set(two)
    return bool(two) and one != two and all(any(s == t or t.narrows(s) for s in one) for t in two)


def _narrows(one: Iterable[Sense], two: Iterable[Sense]) -> bool:
    """Whether *one* is like *two* and richer: a narrower sense, or a sense that *two* lacks."""
    one, two = set(one), set(two)
    if any(s.narrows(t) for s in one for t in two):
        return True
    return bool(one > two)


def stable_at(growth: Sequence[int], window: int = 50, share: float = 0.01) -> int | None:
    """The number of forms after which the model no longer changes: under *share* new nodes over *window* forms.

    Args:
        growth: number of nodes after each form.
        window: forms looked back.
        share: of all nodes.

    Returns:
        the first such number from which on it stays so to the end, None if it is not stable at the end.
    """
    found = None
    for n in range(window, len(growth)):
        new = growth[n] - growth[n - window]
        steady = new < share * growth[n]
        found = None if not steady else n + 1 if found is None else found
    return found
