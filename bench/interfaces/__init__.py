"""Query interfaces of ours: compact YAML made into pages, as sources of the kind would write them.

The markup varies (label before, label around, table cells, placeholder), chosen by the interface's number and by
nothing else, so that every run sees the same pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from hometextile.forms.form import Form
from hometextile.forms.reading import read_forms
from hometextile.page.document import Document
from hometextile.text.strict_yaml import load_yaml

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Interface:
    """One interface.

    Attributes:
        domain: ``home_textile``, ``jobs`` ...
        library: of the pack, or the domain again.
        language: ``zh`` or ``en``.
        source: what kind of source asks so.
        page: HTML of a page with the one form.
    """

    domain: str
    library: str
    language: str
    source: str
    page: str

    @property
    def form(self) -> Form:
        """The form, read as any page's is."""
        return read_forms(Document(self.page, f"https://{self.library}.example/search", "utf-8"))[0]


def interfaces(*, others: bool = True) -> list[Interface]:
    """All interfaces, those of the pack first."""
    found = []
    for file, domain in (("home_textile.yaml", "home_textile"), ("others.yaml", "")):
        if file == "others.yaml" and not others:
            continue
        data = load_yaml((_FOLDER / file).read_text(encoding="utf-8"), file).data
        for library, entries in data.items():
            for entry in entries:
                language, source, button, *fields = entry
                page = _page(len(found), str(source), str(button), [str(one) for one in fields])
                found.append(Interface(domain or library, library, str(language), str(source), page))
    return found


def _page(number: int, source: str, button: str, fields: list[str]) -> str:
    rows = "\n".join(_field(number, n, one) for n, one in enumerate(fields))
    if number % 3 == 1:
        rows = f"<table>\n{rows}\n</table>"
    method = "post" if number % 4 == 3 else "get"
    send = f"<button>{escape(button)}</button>" if number % 2 else f'<input type="submit" value="{escape(button)}">'
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>{escape(source)}</title></head><body>\n"
        f'<form action="/search" method="{method}">\n{rows}\n{send}\n</form></body></html>'
    )


def _field(number: int, n: int, line: str) -> str:
    head, _bar, rest = line.partition(" | ")
    kind, _space, label = head.partition(" ")
    placeholder = ""
    if "(" in kind:
        kind, _bracket, placeholder = kind.partition("(")
        while ")" not in placeholder:
            more, _space, label = label.partition(" ")
            placeholder += " " + more
        placeholder = placeholder.replace(")", "")
    label = "" if label.strip() == "-" else label.strip()
    names, _equals, options = rest.partition(" = ")
    controls = _controls(
        kind, names.split(), [o.strip() for o in options.split(";") if o.strip()], placeholder, f"f{number}_{n}"
    )
    return _laid_out(number, kind, label, controls, f"f{number}_{n}")


def _controls(kind: str, names: list[str], options: list[str], placeholder: str, id_: str) -> str:
    hint = f' placeholder="{escape(placeholder)}"' if placeholder else ""
    if kind == "text":
        return f'<input type="text" id="{id_}" name="{names[0]}"{hint}>'
    if kind in {"select", "scope"}:
        return _select(names[0], options, id_)
    if kind in {"radio", "check"}:
        type_ = "radio" if kind == "radio" else "checkbox"
        if options == ["1"]:
            return f'<input type="{type_}" id="{id_}" name="{names[0]}" value="1">'
        return " ".join(
            f'<label><input type="{type_}" name="{names[0]}" value="{k}"> {escape(o)}</label>'
            for k, o in enumerate(options)
        )
    if kind in {"range", "dates"}:
        type_ = "date" if kind == "dates" else "text"
        low = f'<input type="{type_}" id="{id_}" name="{names[0]}">'
        return f'{low} - <input type="{type_}" name="{names[1]}" title="到 to">'
    if kind == "ranges":
        return f"{_select(names[0], options, id_)} - {_select(names[1], options, '', '到 to')}"
    if kind == "ymd":
        years, months = [str(y) for y in range(2020, 2025)], [str(m) for m in range(1, 13)]
        return (
            _select(names[0], years, id_)
            + _select(names[1], months)
            + _select(names[2], [str(d) for d in range(1, 32)])
        )
    raise ValueError(f"no such kind of field: {kind}")


def _select(name: str, options: list[str], id_: str = "", title: str = "") -> str:
    attributes = (f' id="{id_}"' if id_ else "") + (f' title="{title}"' if title else "")
    items = "".join(f'<option value="{k}">{escape(o)}</option>' for k, o in enumerate(options, 1))
    return f'<select name="{name}"{attributes}><option value="">--</option>{items}</select>'


def _laid_out(number: int, kind: str, label: str, controls: str, id_: str) -> str:
    if not label:
        return controls
    several = kind in {"radio", "check"} and "<label>" in controls
    if several and number % 3 != 1:
        return f"<fieldset><legend>{escape(label)}</legend>{controls}</fieldset>"
    if number % 3 == 1:
        return f"<tr><th>{escape(label)}：</th><td>{controls}</td></tr>"
    if number % 3 == 2 and kind == "text":
        return f"<label>{escape(label)} {controls}</label>"
    return f'<label for="{id_}">{escape(label)}</label> {controls}'
