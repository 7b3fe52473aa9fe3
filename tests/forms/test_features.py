"""The features of a form."""

from __future__ import annotations

from hometextile.forms.controls import main_box
from hometextile.forms.features import features
from hometextile.forms.form import Form
from hometextile.forms.reading import read_forms
from hometextile.forms.words import form_words
from hometextile.forms.zones import look_at
from hometextile.page.document import Document


def forms(html: str) -> list[Form]:
    return read_forms(Document(html, "https://example.org/find"))


def test_every_form_has_the_same_features_in_the_same_order() -> None:
    words = form_words()
    rows = [
        features(form, words)
        for form in [Form(), *forms("<form></form><form><input name=q><textarea></textarea></form>")]
    ]
    assert len({tuple(row) for row in rows}) == 1
    assert all(isinstance(value, float) for row in rows for value in row.values())


def test_what_is_seen() -> None:
    (form,) = forms(
        "<header><form method=post action=//other.example/s><h2>Find it</h2><a href=/a>Advanced search</a>"
        "<script>login()</script><input name=q size=4><select name=c onchange=go()>"
        "<option>1<option>2</select></form></header>"
    )
    found = features(form, form_words())
    for name in (
        "post",
        "other_host",
        "one_text",
        "query_name",
        "short_name",
        "box_small",
        "select_submits",
        "no_button",
        "near_top",
        "links:search",
        "inside:search",
        "box_name:search",
    ):
        assert found[name] == 1, name
    for name in ("no_text", "password", "inside:login", "near_foot", "multipart"):
        assert found[name] == 0, name


def test_text_before_a_form() -> None:
    (form,) = forms("<div><h3>Newsletter</h3><form><input name=e></form></div>")
    look = look_at(form, form_words())
    assert look.zones.text["before"] == "Newsletter"
    assert "subscribe" in look.intents["before"]


def test_main_box_is_the_first_that_can_be_typed_into() -> None:
    (form,) = forms(
        "<form><input type=hidden name=h><input type=email name=e><input name=a disabled><input name=b></form>"
    )
    box = main_box(form)
    assert box is not None
    assert box.name == "b"


def test_a_form_around_a_whole_page_is_not_read_to_its_end() -> None:
    (form,) = forms("<form>" + "<p>word</p>" * 20_000 + "search</form>")
    look = look_at(form, form_words())
    assert look.inside.elements <= 800
    assert "search" not in look.intents["inside"]
