"""``scrapy coverage``: what is printed and drawn of a library's queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.commands import coverage as command
from hometextile.forms.form import Control, Form, Query
from hometextile.forms.keywords import KeywordChooser
from hometextile.forms.plain import to_plain
from hometextile.forms.sample import Found
from hometextile.library.library import Library
from hometextile.text import fonts
from hometextile.text.faults import Fault


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A form asked three times, with eight new records."""
    made = Library.open(f"sqlite:///{tmp_path / 'l.db'}")
    crawl = made.begin_crawl("shop", {})
    form = Form([Control("text", "q")], "/find", url="http://s.example/")
    for word, new in (("锦", 5), ("绣", 3), ("麻", 0)):
        query = Query(form, {"q": [word]}, word, url=form.url)
        made.record_query(query, site="shop", crawl=crawl.id, answer="results", results=5, new=new, pages=1)
    return made


def test_queries_are_read_in_the_order_asked(library: Library) -> None:
    (asked,) = library.database.read(lambda connection: command.read_queries(connection, "shop"))
    assert asked.url == "http://s.example/"
    assert [(query[0], query[3]) for query in asked.queries] == [("锦", 5), ("绣", 3), ("麻", 0)]
    assert library.database.read(lambda connection: command.read_queries(connection, "other")) == []


def test_the_table_says_what_there_is(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    forms = library.database.read(lambda connection: command.read_queries(connection, "shop"))
    command._print(forms, queries=True)
    out = capsys.readouterr().out
    assert "http://s.example/" in out
    assert next(line for line in out.splitlines() if "绣" in line).count("8") == 1


def test_the_estimate_comes_of_what_the_crawl_kept() -> None:
    chooser = KeywordChooser()
    for word, numbers in (("a", range(10)), ("b", range(5, 15))):
        chooser.saw(word, [Found(str(n), []) for n in numbers])
        chooser.done(word)
    asked = command.Asked("f", state={"is": "no"})
    assert command.estimate(asked) is None
    asked.state = to_plain(_holder(chooser))
    told = command.estimate(asked)
    assert told is not None
    assert (told.seen, told.there > 15) == (15, True)


def _holder(chooser: KeywordChooser) -> object:
    from hometextile.forms.answers import Baseline
    from hometextile.forms.asking import Interrogated
    from hometextile.forms.recognising import Verdict

    return Interrogated(Form(), Verdict(True, True, 1.0), None, chooser, Baseline())


def test_a_plot_is_drawn(library: Library, tmp_path: Path) -> None:
    forms = library.database.read(lambda connection: command.read_queries(connection, "shop"))
    assert command.draw(forms, str(tmp_path / "plot.svg")) == ""
    assert "http://s.example/" in (tmp_path / "plot.svg").read_text(encoding="utf-8")
    with pytest.raises(Fault):
        command.draw(forms, str(tmp_path / "plot.txt"))
    with pytest.raises(Fault):
        command.draw(forms, str(tmp_path / "nowhere" / "plot.png"))


def test_a_plot_has_the_words_of_the_user_and_a_word_about_fonts(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = library.database.read(lambda connection: command.read_queries(connection, "shop"))
    forms[0].url = "http://s.example/搜索"
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    command.draw(forms, str(tmp_path / "plot.svg"))
    drawn = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert "记录" in drawn and "http://s.example/搜索" in drawn and "queries" not in drawn
    monkeypatch.setattr(fonts, "chinese_font", lambda: None)
    assert "fonts-noto-cjk" in command.draw(forms, str(tmp_path / "plot.png"))
