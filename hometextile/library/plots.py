"""A page of plots: resources by library, class, site and week."""

from __future__ import annotations

import html
import io
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from hometextile.library import reading
from hometextile.library import tables as t
from hometextile.library.display import told
from hometextile.library.library import Library
from hometextile.text.faults import Fault
from hometextile.text.fonts import chinese_font, drawn_with
from hometextile.text.messages import _

_BARS = 40


def figures(connection: Connection) -> dict[str, Any]:
    """The counts of :func:`hometextile.library.reading.counts`, and ``by_week`` (ISO week to new resources)."""
    found = reading.counts(connection)
    r = t.resources.c
    day = func.substr(r.first_seen, 1, 10)
    weeks: Counter[str] = Counter()
    for text, count in connection.execute(select(day, func.count()).where(r.duplicate_of.is_(None)).group_by(day)):
        try:
            year, week, _day = date.fromisoformat(text).isocalendar()
        except ValueError:
            continue
        weeks[f"{year}-W{week:02}"] += count
    found["by_week"] = dict(sorted(weeks.items()))
    return found


def _panels(found: Mapping[str, Any], names: Mapping[str, str]) -> list[tuple[str, list[tuple[str, int]]]]:
    def bars(kind: str) -> list[tuple[str, int]]:
        counts = list(found[kind].items())[:_BARS]
        return [(names.get(key, key) or _("(none)"), count) for key, count in counts]

    return [
        (_("Resources by library"), bars("by_library")),
        (_("Resources by class"), bars("by_class")),
        (_("Resources by site"), bars("by_site")),
        (_("New resources by week"), list(found["by_week"].items())[-104:]),
    ]


def draw(library: Library, path: str, names: Mapping[str, str] | None = None) -> str:
    """Write the page of plots.

    Args:
        library: opened.
        path: of an ``.html`` or ``.png`` file.
        names: of libraries and classes in the user's language, by key.

    Returns:
        What the user should know about it; empty where there is nothing.

    Raises:
        Fault: the ending is another one, the file can't be written.
    """
    ending = Path(path).suffix.lower()
    if ending not in {".html", ".png"}:
        raise Fault(_("a page of plots is .html or .png"), file=path, remedy=_("name the file so"))
    found = library.database.read(figures)
    panels = _panels(found, names or {})
    note = ""
    if ending == ".png":
        font = chinese_font()
        if font is None and any(not label.isascii() for _title, bars in panels for label, _count in bars):
            note = _("no font with Chinese characters is installed: install fonts-noto-cjk, or write .html")
        data = _png(panels, font)
    else:
        data = _page(panels, found).encode()
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise Fault(_("can't be written: {why}").format(why=error.strerror or error), file=path) from error
    return note


def _figure(panels: list[tuple[str, list[tuple[str, int]]]], columns: int) -> Any:
    from matplotlib.figure import Figure

    rows = -(-len(panels) // columns)
    longest = max((len(bars) for _title, bars in panels), default=1)
    figure = Figure(figsize=(7 * columns, rows * max(3.0, 0.24 * longest + 1)), layout="constrained")
    for place, (title, bars) in enumerate(panels, 1):
        axes = figure.add_subplot(rows, columns, place)
        axes.set_title(title)
        axes.spines[["top", "right"]].set_visible(False)
        if not bars:
            axes.text(0.5, 0.5, _("nothing yet"), ha="center")
            axes.set_axis_off()
            continue
        # A "$" in a name would begin a formula.
        labels = [(label[:40] + "…" if len(label) > 40 else label).replace("$", r"\$") for label, _count in bars]
        values = [count for _label, count in bars]
        places = range(len(bars))
        axes.barh(places, values, color="#4c6a92")
        axes.set_yticks(places, labels)
        axes.set_ylim(max(len(bars), 6) - 0.4, -0.6)
        for at, value in enumerate(values):
            axes.annotate(f" {value:,}", (value, at), va="center", fontsize=8)
    return figure


def _png(panels: list[tuple[str, list[tuple[str, int]]]], font: str | None) -> bytes:
    file = io.BytesIO()
    with drawn_with(font):
        _figure(panels, 2).savefig(file, format="png", dpi=110)
    return file.getvalue()


def _page(panels: list[tuple[str, list[tuple[str, int]]]], found: Mapping[str, Any]) -> str:
    """A page by itself: bars are boxes, text is text, so that any browser has the fonts for it."""
    shown = ("resources", "pages", "sites", "crawls", "queries", "versions", "duplicates", "errors")
    totals = "".join(f"<li><b>{found[name]:,}</b> {html.escape(told(name))}</li>" for name in shown)
    parts = []
    for title, bars in panels:
        most = max((count for _label, count in bars), default=1)
        rows = "".join(
            f"<tr><th>{html.escape(label)}</th><td><i style='width:{100 * count / most:.1f}%'></i>"
            f"<span>{count:,}</span></td></tr>"
            for label, count in bars
        )
        body = f"<table>{rows}</table>" if bars else f"<p>{html.escape(_('nothing yet'))}</p>"
        parts.append(f"<section><h2>{html.escape(title)}</h2>{body}</section>")
    heading = html.escape(_("The library in figures"))
    return (
        f"<!doctype html><html><head><meta charset='utf-8'><title>{heading}</title><style>"
        "body{font:15px/1.5 system-ui,'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif;margin:2em auto;"
        "max-width:76em;padding:0 1em;color:#222}main{display:grid;grid-template-columns:repeat(auto-fit,minmax(26em,"
        "1fr));gap:2em}h2{font-size:1.1em}ul{display:flex;flex-wrap:wrap;gap:1.5em;list-style:none;padding:0}"
        "table{width:100%;border-collapse:collapse}th{font-weight:400;text-align:right;padding-right:.7em;width:38%;"
        "overflow-wrap:anywhere}td{display:flex;align-items:center;gap:.5em}i{display:block;height:1em;min-width:1px;"
        "background:#4c6a92}span{font-size:.85em}</style></head><body>"
        f"<h1>{heading}</h1><ul>{totals}</ul><main>{''.join(parts)}</main></body></html>"
    )
