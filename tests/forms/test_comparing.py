"""Boxes whose word is compared with a field."""

from __future__ import annotations

import pytest

from hometextile.forms.comparing import Comparison, comparison_of, field_points
from hometextile.forms.form import Form
from hometextile.forms.reading import read_forms
from hometextile.forms.words import form_words
from hometextile.page.document import Document

# A table of a database: no field named, and a field that is no more than the word.
TABLE = (
    "<select name=col><option value=''>- column -<option>width<option>department<option>title<option>date</select>"
    "<select name=op><option value=exact>=<option value=not>!=<option value=has>contains<option value=gt>&gt;"
    "<option value=null>is null</select><input name=val>"
)
# A Chinese library's catalogue: the field is named, the way of comparing stands after the box.
CATALOGUE = (
    "<select name=item><option value=t>题名<option value=a>责任者</select><input name=kw>"
    "<label><input type=radio name=m value=1 checked>精确</label><label><input type=radio name=m value=2>模糊</label>"
)


def form(html: str) -> Form:
    return read_forms(Document(f"<form>{html}</form>", "https://example.org/"))[0]


def comparison(html: str) -> Comparison | None:
    return comparison_of(form(html), form_words())


def test_a_table_of_a_database() -> None:
    found = comparison(TABLE)
    assert found is not None
    assert (found.box.name, found.manner, found.within, found.field, found.unset) == ("val", "op", "has", "col", True)
    assert found.fields == ("title", "department", "width", "date")


def test_a_catalogue_names_its_field() -> None:
    found = comparison(CATALOGUE)
    assert found is not None
    assert (found.box.name, found.manner, found.within, found.field, found.unset) == ("kw", "m", "2", "item", False)


@pytest.mark.parametrize("standing", ["contains", "is null"])
def test_what_the_page_has_is_left_where_it_is_not_all_of_a_field(standing: str) -> None:
    found = comparison(TABLE.replace(f">{standing}", f" selected>{standing}"))
    assert found is not None
    assert found.within == ""


@pytest.mark.parametrize("all_of_them", ["All fields", "全部"])
def test_all_fields_are_no_missing_field(all_of_them: str) -> None:
    found = comparison(TABLE.replace("- column -", all_of_them))
    assert found is not None
    assert not found.unset


@pytest.mark.parametrize(
    "html",
    [
        "<input name=q><select name=sort><option>Price<option>Newest</select>",
        # All words, any word, a phrase: that says nothing of fields.
        "<input name=q><select name=m><option>All words<option>Any word<option>Exact phrase</select>",
        # The list has a box neither before nor after it.
        TABLE.replace("<input name=val>", "<input type=date name=d><input name=val>"),
        TABLE.replace("<input name=val>", "<input name=val disabled>"),
    ],
)
def test_none(html: str) -> None:
    assert comparison(html) is None


def test_what_nobody_can_choose_is_no_field_and_no_way() -> None:
    disabled = "<option disabled value=sep>common fields<option disabled value=x>contains"
    html = TABLE
    for first in ("<option>width", "<option value=exact"):
        html = html.replace(first, disabled + first)
    found = comparison(html)
    assert found is not None
    assert (found.within, found.fields) == ("has", ("title", "department", "width", "date"))
    placeholder = comparison(TABLE.replace("<option value=''>- column -", "<option value=none disabled selected>which?"))
    assert placeholder is not None
    assert placeholder.unset


def test_choose_is_no_way_to_compare() -> None:
    found = comparison(TABLE.replace("<option value=exact", "<option value=''>Choose<option value=exact"))
    assert found is not None
    assert found.within == "has"


def test_radio_buttons_of_which_none_is_chosen_name_no_field() -> None:
    radio = "".join(f"<label><input type=radio name=col value={one}>{one}</label>" for one in ("title", "author"))
    found = comparison(radio + TABLE[TABLE.index("<select name=op") :])
    assert found is not None
    assert (found.field, found.unset, found.fields) == ("col", True, ("title", "author"))


def test_a_list_without_fields_says_only_how() -> None:
    found = comparison(TABLE[TABLE.index("<select name=op") :])
    assert found is not None
    assert (found.field, found.fields, found.unset, found.within) == ("", (), False, "has")


def test_fields_that_a_keyword_is_looked_for_in_come_first() -> None:
    points = [field_points({concept}) for concept in ("title", "subject", "nothing known", "author", "date")]
    assert points == sorted(points, reverse=True)
    assert len(set(points)) == 5
