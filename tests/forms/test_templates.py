"""Query templates and the informativeness test."""

from __future__ import annotations

import datetime
import json

from hometextile.forms.form import Form
from hometextile.forms.meanings import Meanings
from hometextile.forms.plain import from_plain, to_plain
from hometextile.forms.reading import read_forms
from hometextile.forms.templates import SAMPLES, TemplateSearch, Values, inputs_of, signature
from hometextile.forms.words import form_words
from hometextile.page.document import Document

TODAY = datetime.date(2026, 5, 1)
# A shop: a keyword box, a category, a colour, an order, a price range, dates, a stock box.
SHOP = (
    "<input name=q placeholder=Search><select name=cat title=Category>"
    "<option value=''>All<option value=1>Beds<option value=2>Baths</select>"
    "<select name=col title=Colour><option value=''>Any<option value=r>Red<option value=b>Blue</select>"
    "<select name=sort title='Sort by'><option value=p>Price<option value=n>Newest</select>"
    "<input name=pmin title='Price from'><input name=pmax title='Price to'>"
    "<input type=date name=d1 title=Date><input type=date name=d2 title=Date>"
    "<input type=checkbox name=stock value=1 title='In stock'>"
)


def form(html: str = SHOP, method: str = "get") -> Form:
    return read_forms(Document(f"<form method={method}>{html}</form>", "https://example.org/"))[0]


def meanings() -> Meanings:
    words = form_words()
    return Meanings(words.fields, words.stopwords)


def answer(values: Values) -> str | None:
    """A shop in which category and stock matter and colour is ignored."""
    category = values.get("cat", [""])[0]
    stock = values.get("stock", [""])[0]
    return signature([f"/item{category}{stock}{n}" for n in range(3)])


def search() -> TemplateSearch:
    return TemplateSearch(inputs_of(form(), meanings(), today=TODAY))


def test_inputs() -> None:
    found = {one.name: one for one in inputs_of(form(), meanings(), today=TODAY)}
    assert list(found) == ["cat", "col", "pmin–pmax", "d1–d2", "stock"]
    assert found["cat"].settings == ((("cat", "1"),), (("cat", "2"),))
    assert found["stock"].settings == ((), (("stock", "1"),))
    assert found["d1–d2"].values(0) == {"d1": ["2026-01-01"], "d2": ["2026-12-31"]}
    assert found["pmin–pmax"].values(1) == {"pmin": ["10"], "pmax": ["50"]}


def test_lists_of_a_range_give_neighbouring_values() -> None:
    html = (
        "<select name=y1 title='Year from'><option>2000<option>2010<option>2020</select>"
        "<select name=y2 title='Year to'><option>2010<option>2020</select>"
    )
    (one,) = inputs_of(form(html), meanings(), today=TODAY)
    assert [one.values(n) for n in range(2)] == [{"y1": ["2000"], "y2": ["2010"]}, {"y1": ["2010"], "y2": ["2020"]}]


def test_only_templates_whose_answers_differ_are_kept_and_grow() -> None:
    one = search()
    asked = 0
    while settings := one.next():
        assert len(settings) <= SAMPLES
        asked += len(settings)
        for values in settings:
            assert one.testing
            one.learn(values, answer(values))
    assert [template.name for template in one.informative] == ["cat", "stock", "cat × stock"]
    assert asked < 80
    assert one.settings(4) == [{"cat": ["1"]}, {"cat": ["2"]}, {}, {"stock": ["1"]}]
    assert len(one.settings()) == 8


def test_one_template_at_a_time() -> None:
    one = search()
    assert one.next()
    assert one.next() == []


def test_no_answers_are_not_informative() -> None:
    one = search()
    while settings := one.next():
        for values in settings:
            one.learn(values, None)
    assert (one.informative, one.settings(), one.testing) == ([], [], False)


def test_a_search_goes_on_after_a_restart() -> None:
    one = search()
    first, *rest = one.next()
    one.learn(first, answer(first))
    one = from_plain(json.loads(json.dumps(to_plain(one))))
    for values in rest:
        one.learn(values, answer(values))
    assert [template.name for template in one.informative] == ["cat"]
    assert one.next()


def test_signature() -> None:
    assert signature(["/b", "/a"]) == signature(["/a", "/b", "/a"]) != signature(["/a"])
    assert signature([], "no  results") == signature([], "no results")


def test_of_a_box_that_is_compared_only_the_field_is_set() -> None:
    lists = (
        "<select name=c><option value=''>- column -<option>date<option>title</select>"
        "<select name=op><option value=eq>=<option value=not>!=<option value=has>contains</select><input name=v>"
        "<label><input type=checkbox name=desc value=1>descending</label>"
    )
    (one,) = inputs_of(form(lists), meanings(), today=TODAY)
    assert one.settings == ((("c", "title"),), (("c", "date"),))
    # With a box of its own for a keyword, these lists change nothing.
    assert inputs_of(form(f"<input type=search name=q>{lists}"), meanings(), today=TODAY) == []
