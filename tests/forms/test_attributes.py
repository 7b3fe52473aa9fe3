"""From controls to attributes."""

from __future__ import annotations

from hometextile.forms.attributes import Attribute, attributes_of
from hometextile.forms.meanings import Meanings
from hometextile.forms.reading import read_forms
from hometextile.forms.words import form_words
from hometextile.page.document import Document


def read(html: str) -> list[Attribute]:
    words = form_words()
    form = read_forms(Document(f"<form>{html}</form>", "https://example.org/"))[0]
    return attributes_of(form, Meanings(words.fields, words.stopwords), words)


def test_radio_buttons_of_one_name_are_one_attribute() -> None:
    found = read("<input type=radio name=r value=1 title=New><input type=radio name=r value=2 title=Used>")
    assert [(one.kinds, one.names, one.values) for one in found] == [(["radio button"], ["r"], ["New", "Used"])]


def test_buttons_and_hidden_controls_are_none() -> None:
    assert read("<input type=hidden name=h><input type=submit><button>Go</button>") == []


def test_no_choice_is_no_value() -> None:
    (found,) = read("<select name=category><option>All categories<option>不限<option>Towels</select>")
    assert found.values == ["Towels"]


def test_dates_under_one_label_are_a_range() -> None:
    (found,) = read("<input type=date name=d1 title='Issue date'> <input type=date name=d2 title='Issue date'>")
    assert [child.relation for child in found.children] == ["range", "range"]
    assert found.heads == {"date"}


def test_keyword_boxes_numbered_are_a_group_and_no_range() -> None:
    (found,) = read("<input name=k1 title=Keyword><input name=k2 title=Keyword>")
    assert [child.relation for child in found.children] == ["group", "group"]


def test_search_in_any_language_is_a_keyword() -> None:
    for label in ("Buscar", "Suchbegriff eingeben", "Поиск по каталогу", "站内搜索"):
        (found,) = read(f"<input name=x7 placeholder='{label}'>")
        assert found.heads == {"keyword"}, label


def test_a_constraint_waits_for_its_box() -> None:
    found = read("<select name=type><option>题名<option>作者<option>主题</select><input name=w placeholder=检索词>")
    assert [(one.heads, [child.relation for child in one.children]) for one in found] == [({"keyword"}, ["constraint"])]
