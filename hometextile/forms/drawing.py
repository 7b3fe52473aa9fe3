"""A domain model drawn: the tree as text, and nodes against forms as a picture."""

from __future__ import annotations

from pathlib import Path

from hometextile.forms.attributes import (
    CHECK_BOX,
    CONSTRAINT,
    GROUP,
    PART,
    RADIO_BUTTON,
    RANGE,
    SELECT_LIST,
    TEXT_BOX,
)
from hometextile.forms.domain_model import DomainModel, Node, stable_at
from hometextile.text.fonts import chinese_font, drawn_with, no_font
from hometextile.text.messages import N_, _, locale_name


def tree_lines(model: DomainModel, *, least: int = 1, labels: int = 4) -> list[str]:
    """The tree, one node a line, in the order ≤.

    Args:
        model: the model.
        least: nodes that stood in fewer forms are left out.
        labels: how many labels are shown.
    """
    lines = [
        _("{domain}: {nodes} nodes from {forms} forms").format(
            domain=_title(model), nodes=len(model.nodes), forms=model.forms
        )
    ]
    _draw(model, model.root, "", lines, least, labels)
    return lines


def _title(model: DomainModel) -> str:
    return model.names.get(locale_name()[:2]) or model.names.get("en", model.key)


def _draw(model: DomainModel, parent: Node, indent: str, lines: list[str], least: int, labels: int) -> None:
    children = [child for child in model.ordered(parent) if child.tf >= least]
    for n, child in enumerate(children):
        last = n == len(children) - 1
        relation = f"({_told(child.relation)}) " if child.relation else ""
        kinds = ", ".join(_told(kind) for kind, _count in child.kinds.most_common())
        shown = " · ".join(child.labels[:labels])
        lines.append(f"{indent}{'└─' if last else '├─'} {relation}{child.id}  [{kinds}; {child.tf}]  {shown}".rstrip())
        _draw(model, child, indent + ("   " if last else "│  "), lines, least, labels)


#: The paper's words for what controls are and how they belong together.
_WORDS = {
    TEXT_BOX: N_("text box"),
    SELECT_LIST: N_("select list"),
    RADIO_BUTTON: N_("radio button"),
    CHECK_BOX: N_("check box"),
    RANGE: N_("range"),
    PART: N_("part"),
    GROUP: N_("group"),
    CONSTRAINT: N_("constraint"),
}


def _told(word: str) -> str:
    return _(_WORDS[word]) if word in _WORDS else word


def plot_growth(model: DomainModel, path: Path) -> str:
    """Nodes against forms, with the point from which on the model is stable.

    Args:
        model: the model.
        path: the picture; its ending says which kind (png, svg, pdf).

    Returns:
        What the user should know about it; empty where there is nothing.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    font = chinese_font()
    with drawn_with(font):
        figure = Figure(figsize=(7, 4), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        axes.plot(range(1, len(model.growth) + 1), model.growth, color="#1f4e79")
        words = [_("forms"), _("nodes"), _title(model)]
        stable = stable_at(model.growth)
        if stable is not None:
            words.append(_("stable at {n}").format(n=stable))
            axes.axvline(stable, color="#b0301c", linestyle="--", linewidth=1)
            axes.annotate(words[-1], (stable, model.growth[-1] * 0.1), textcoords="offset points", xytext=(4, 0))
        axes.set_xlabel(words[0])
        axes.set_ylabel(words[1])
        axes.set_title(words[2].replace("$", r"\$"))
        axes.set_ylim(bottom=0)
        figure.savefig(path)
    return "" if font or all(word.isascii() for word in words) else no_font()
