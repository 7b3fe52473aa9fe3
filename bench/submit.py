"""``script/bench submit``: the same form, filled in alike, submitted by Chromium and by us.

(a) cases of ours (``bench/submit_cases``), (b) every form of the data that makes a request without script: once as it
stands, once filled in. Method, URL, body and content type must be the same.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.chromium import Judge, Sent
from bench.submit_cases import Case, load_cases
from hometextile.forms.encoders import canonical_name
from hometextile.forms.form import Control, Form, Query
from hometextile.forms.reading import read_forms
from hometextile.forms.submission import Refused, submit
from hometextile.page.document import Document
from hometextile.text.encodings import decode

_WORD = "床单 & é"
_TEXT_KINDS = frozenset({"text", "search", "textarea"})


def document(url: str, body: bytes, content_type: str) -> Document:
    """A page as the crawl has it."""
    decoded = decode(body, content_type)
    return Document(decoded.text, url, decoded.encoding)


def buttons(form: Form) -> list[Control]:
    """The submit buttons of a form."""
    return [control for control in form.controls if control.kind in ("submit", "image")]


def ours(forms: list[Form], number: int, values: dict[str, list[str]], button: int | None) -> Sent:
    """What we would send."""
    if number >= len(forms):
        return Sent()
    form = forms[number]
    submitter = None if button is None else buttons(form)[button]
    made = submit(Query(form, values, submitter=submitter))
    if isinstance(made, Refused):
        return Sent()
    return Sent(made.method, made.url, made.headers.get("Content-Type", ""), made.body or b"")


def sent_by(case: Case) -> Sent:
    """What we would send for a case."""
    forms = [f for f in read_forms(document(case.url, case.body, case.content_type)) if not f.virtual]
    return ours(forms, case.form, case.values, case.button)


def shown(sent: Sent) -> dict[str, str]:
    """For files: every byte of the body a character."""
    method, url, kind, body = sent.comparable()
    return {"method": method, "url": url, "content_type": kind, "body": body.decode("latin-1")}


@dataclass
class Row:
    """One comparison."""

    part: str
    name: str
    group: str
    judge: dict[str, str]
    ours: dict[str, str]
    peers: dict[str, bool]
    deviation: str = ""

    @property
    def right(self) -> bool:
        """The same request."""
        return self.judge == self.ours


def run_cases(judge: Judge, peers: bool) -> Iterator[Row]:
    """Our cases."""
    for case in load_cases():
        judge.load(case.url, case.body, case.content_type)
        told = judge.submit(case.form, case.values, case.button)
        arguments = (case.url, case.body, case.content_type, case.form, case.values, case.button)
        yield Row(
            "cases",
            case.name,
            case.group,
            shown(told),
            shown(sent_by(case)),
            _peers(arguments, told) if peers else {},
            case.deviation,
        )


def _peers(arguments: tuple[Any, ...], told: Sent) -> dict[str, bool]:
    from bench.submit_peers import PEERS, ask

    return {name: ask(peer, *arguments).comparable() == told.comparable() for name, peer in PEERS.items()}


def filling(form: Form) -> dict[str, list[str]]:
    """Something for every kind of control: words into text, the last option, each first check box turned round."""
    values: dict[str, list[str]] = {}
    for control in form.controls:
        if not control.name or control.name in values:
            continue
        if control.kind in _TEXT_KINDS:
            values[control.name] = [_WORD]
        elif control.kind == "select" and control.options:
            values[control.name] = [control.options[-1].value]
        elif control.kind in ("checkbox", "radio"):
            values[control.name] = [] if control.checked else [control.value]
    return values


def run_forms(judge: Judge, data: Path, peers: bool) -> Iterator[list[Row]]:
    """Every form of the data: as it stands, and filled in with its last button pressed."""
    for line in (data / "index.jsonl").read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        body = gzip.decompress((data / page["file"]).read_bytes())
        read = document(page["url"], body, "text/html")
        forms = [f for f in read_forms(read) if not f.virtual]
        content_type = _agree(judge, page["url"], body, canonical_name(read.encoding))
        for number in range(max(len(forms), len(judge.controls()))):
            form = forms[number] if number < len(forms) else Form()
            pressable = [n for n, button in enumerate(buttons(form)) if not button.disabled]
            last = pressable[-1] if pressable else None
            rows = []
            for way, values, button in (("plain", {}, None), ("filled", filling(form), last)):
                told = judge.submit(number, values, button)
                made = ours(forms, number, values, button)
                asked = (page["url"], body, content_type, number, values, button)
                name = f"{page['file']}#{number} {way}"
                rows.append(Row("forms", name, "", shown(told), shown(made), _peers(asked, told) if peers else {}))
            if any(row.judge["method"] or row.ours["method"] for row in rows):
                yield rows


def _agree(judge: Judge, url: str, body: bytes, encoding: str) -> str:
    """Show a page so that Chromium reads it in the encoding that we read it in; returns the content type it took.

    The saved bytes come without their headers, and many were saved as UTF-8 whatever their meta says: what a page's
    encoding is, is another question than what a form sends in it.
    """
    judge.load(url, body, "text/html")
    if judge.encoding() == encoding:
        return "text/html"
    content_type = f"text/html; charset={encoding}"
    judge.load(url, body, content_type)
    return content_type


def main(argv: list[str]) -> int:
    """Run it; the last line printed is JSON."""
    parser = argparse.ArgumentParser(prog="script/bench submit", description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder of forms (index.jsonl, pages/); without it, our cases only")
    parser.add_argument("--peers", action="store_true", help="Scrapy, form2request and MechanicalSoup beside us")
    parser.add_argument("--shipped", action="store_true", help="nothing is trained here: makes no difference")
    parser.add_argument("--out", type=Path, help="a file for every comparison, one JSON line each")
    parser.add_argument("--record", type=Path, help="a file for Chromium's answers to our cases")
    options = parser.parse_args(argv)
    started = time.monotonic()
    with Judge() as judge:
        cases = list(run_cases(judge, options.peers))
        forms = list(run_forms(judge, options.data, options.peers)) if options.data else []
        version = judge.version
    compared = [row for row in cases if not row.deviation]
    result: dict[str, Any] = {
        "cases": len(compared),
        "cases_right": sum(row.right for row in compared),
        "forms": len(forms),
        "forms_right": sum(all(row.right for row in rows) for rows in forms),
    }
    result["forms_share"] = round(result["forms_right"] / len(forms), 4) if forms else None
    _print(version, cases, forms, time.monotonic() - started)
    if options.record:
        _record(options.record, version, cases)
    if options.out:
        rows = cases + [row for group in forms for row in group]
        lines = (json.dumps({**vars(row), "right": row.right}, ensure_ascii=False) for row in rows)
        options.out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(json.dumps(result))
    return 0


def _print(version: str, cases: list[Row], forms: list[list[Row]], seconds: float) -> None:
    names = list(cases[0].peers)
    print(f"Chromium {version}, {seconds:.0f} s")
    print(f"{'':14}{'all':>6}{'ours':>6}" + "".join(f"{name:>24}" for name in names))
    for group, rows in _groups(cases).items():
        _line(group, [[row] for row in rows], names)
    if forms:
        _line("real forms", forms, names)
    for row in [*cases, *(row for rows in forms for row in rows)]:
        if row.deviation:
            print(f"declared: {row.name}: {row.deviation}")
        elif not row.right:
            print(f"differs: {row.name}\n  Chromium {_short(row.judge)}\n  ours     {_short(row.ours)}")


def _groups(cases: list[Row]) -> dict[str, list[Row]]:
    compared = [row for row in cases if not row.deviation]
    groups = {group: [row for row in compared if row.group == group] for group in Counter(r.group for r in compared)}
    return {**groups, "all cases": compared}


def _line(title: str, forms: list[list[Row]], names: list[str]) -> None:
    right = sum(all(row.right for row in rows) for rows in forms)
    peers = "".join(f"{sum(all(row.peers[name] for row in rows) for rows in forms):>24}" for name in names)
    print(f"{title:14}{len(forms):>6}{right:>6}{peers}")


def _short(sent: dict[str, str]) -> str:
    text = " ".join(f"{value!r}" for value in sent.values())
    return text if len(text) <= 600 else text[:600] + " ..."


def _record(path: Path, version: str, cases: list[Row]) -> None:
    answers = {row.name: row.judge for row in cases}
    text = json.dumps({"chromium": version, "answers": answers}, ensure_ascii=True, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
