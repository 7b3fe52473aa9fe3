"""A changed site file over stored pages: what changes is told, a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from hometextile.library.library import Library
from hometextile.page.page import Page, Way
from hometextile.reprocessing import Run, page_numbers, reprocess
from hometextile.sites import Site, parse_site
from hometextile.text.faults import Fault

PAGE = """<!DOCTYPE html><html><head><title>{title}</title></head><body>
<h1>{title}</h1><p class="note">编号 {number}</p>
<div class="body"><p>这款{title}采用全棉缎纹面料，贡缎四件套，包括被套、床单和枕套。编号 {number}。</p></div>
</body></html>"""
#: First without the note, then with it.
RULES = """
start: [http://site.example/]
relevance: 0
templates:
  - name: detail
    marks: [h1]
    fields:
      title: {{css: h1}}
      text: {{css: div.body}}{more}
"""


def site(more: str = "") -> Site:
    return parse_site(RULES.format(more=more), "example", "example.yaml")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(f"sqlite:///{tmp_path / 'library.db'}") as opened:
        for number in range(45):
            title = f"{'宋锦云锦蜀锦缂丝夏布'[number % 9 : number % 9 + 2]}四件套{number}"
            opened.save(
                Page(
                    "example", f"http://site.example/{number}", PAGE.format(title=title, number=number * 7919),
                    way=Way("result"), fetched="2026-01-05T10:00:00.000000Z", dropped="no-content",
                )
            )  # fmt: skip
        yield opened


def test_numbers_go_on_after_one(library: Library) -> None:
    numbers = page_numbers(library, "example", 0)
    assert len(numbers) == 45
    assert page_numbers(library, "example", numbers[9]) == numbers[10:]
    assert page_numbers(library, "other", 0) == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_run_tells_what_changed_and_goes_on_where_it_was(library: Library, tmp_path: Path) -> None:
    run = Run.open(library, "example", tmp_path)
    told: list[tuple[int, int]] = []
    done, through = reprocess(
        library, site(), run, jobs=1, model="importance", told=lambda n, of: told.append((n, of)),
        stopped=lambda: bool(told),
    )  # fmt: skip
    assert not through
    assert run.file.exists()
    first = done.counts["pages"]
    assert 0 < first < 45
    again = Run.open(library, "example", tmp_path)
    assert again.after == run.after
    done, through = reprocess(library, site(), again, jobs=1, model="importance")
    assert through
    assert not again.file.exists()
    assert done.counts["pages"] == 45 - first
    assert again.counts["new"] + again.counts["duplicate"] == 45
    before = library.counts()["resources"]
    done, _through = reprocess(
        library, site('\n      number: {css: p.note}'), Run.open(library, "example", tmp_path), jobs=1,
        model="importance",
    )  # fmt: skip
    assert done.counts["changed"] >= 1
    assert done.counts["new"] == 0
    assert library.counts()["resources"] == before
    assert {values for what, _url, values in done.changes if what == "changed"} == {"fields"}
    (page,) = library.pages(ids=[1])
    assert page.fetched == "2026-01-05T10:00:00.000000Z"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_run_brings_the_sites_own_table_up_to_date(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = f"sqlite:///{tmp_path / 'own.db'}"
    (tmp_path / "own.yaml").write_text(
        f"database: {own}\ntable: own\nkey: url\ncreate: true\n"
        "columns: {url: url, title: title, number: {from: fields.number, default: none}}\n",
        encoding="utf-8",
    )
    numbers = []
    for more in ("\nintegrate: own.yaml", "\n      number: {css: p.note}\nintegrate: own.yaml"):
        done, through = reprocess(
            library, site(more), Run.open(library, "example", tmp_path), jobs=1, model="importance"
        )
        assert through
        with create_engine(own).connect() as connection:
            rows = connection.execute(text("SELECT url, number FROM own")).all()
        assert len(rows) == len({row.url for row in rows}) == library.counts()["resources"]
        numbers.append({row.number for row in rows})
    assert numbers[0] == {"none"}
    assert all(number.startswith("编号") for number in numbers[1])
    assert done.counts["integrate/changed"] == len(rows)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_table_that_is_away_ends_no_run(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(
        f"database: sqlite:///{tmp_path / 'own.db'}\ntable: own\nkey: url\ncreate: true\non_error: stop\n"
        "columns: {url: url, number: {from: fields.number}, published: {from: published, type: date}, "
        "weave: {from: title, values: {none: none}}}\n",
        encoding="utf-8",
    )
    done, through = reprocess(
        library, site("\nintegrate: own.yaml"), Run.open(library, "example", tmp_path), jobs=1, model="importance"
    )
    assert through
    assert done.counts["integrate/failed"] == 1
    assert done.counts["pages"] == 45


def test_a_damaged_file_of_a_run_is_one_clear_fault(library: Library, tmp_path: Path) -> None:
    (tmp_path / "reprocess-example.json").write_text('{"library": ', encoding="utf-8")
    with pytest.raises(Fault, match=r"reprocess-example\.json.*delete it"):
        Run.open(library, "example", tmp_path)


def test_a_run_over_another_library_is_not_gone_on_with(library: Library, tmp_path: Path) -> None:
    (tmp_path / "reprocess-example.json").write_text(
        '{"library": "sqlite:///other.db", "after": 9, "counts": {}}', encoding="utf-8"
    )
    assert Run.open(library, "example", tmp_path).after == 0
