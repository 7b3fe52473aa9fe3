"""Form tags of a page numbered: what is passed over in one step counts as what is looked at tag by tag."""

from __future__ import annotations

import pytest

from hometextile.forms import source
from hometextile.forms.numbering import number
from hometextile.forms.source import mark

#: More tags than a page may have whose nesting is not counted.
MANY = "<p>" * 3_001


def numbered(text: str) -> list[str]:
    return [token.attributes.get("name", token.name) for token in mark(text).tokens if not token.end]


@pytest.mark.parametrize(
    "before",
    [
        "<a title='<input name=no>'>",
        '<a title="<input name=no>">',
        '<a title = "x><input name=no>">',
        "<a t='x' title=\"'><input name=no>\">",
        "<!-- <input name=no> -->",
        "<script>'<input name=no>'</script>",
        "<noscript><input name=no></noscript>",
        "a < b </ <? <!x>",
        '<a href=foo"bar>',
        "<a href=foo'bar title=x>",
        "<ſcript>",
    ],
)
@pytest.mark.parametrize("filling", ["", MANY])
def test_only_what_a_browser_takes_for_a_tag_is_one(before: str, filling: str) -> None:
    assert numbered(f"{filling}{before}<form name=f><INPUT name=x>") == ["f", "x"]


def test_what_lies_too_deep_is_left_out() -> None:
    marked = mark(f"{MANY}{'<div>' * 600}<input name=x>{'</div>' * 600}<section><input name=y></section>")
    assert marked.text.count("<div>") == 512
    assert "<section>" in marked.text
    assert [token.attributes["name"] for token in marked.tokens] == ["x", "y"]


def test_end_tags_that_end_nothing_do_not_make_room() -> None:
    assert mark(f"{MANY}{'</div>' * 50}{'<div>' * 600}").text.count("<div>") == 512


def test_a_page_that_opens_formatting_again_and_again_is_cut() -> None:
    text = f"{'<b>' * 400}{'<p>' * 6_000}<input name=x>"
    assert numbered(text) == []
    assert numbered(text.replace("<b>", "<b></b>")) == ["x"]


def test_options_after_the_ten_thousandth_are_left_out() -> None:
    marked = mark(f"<select name=s>{'<option>1' * 10_500}</select><input name=x>")
    assert marked.text.count("<option>") == 10_000
    assert len(marked.tokens) == 2


def test_a_tag_with_very_many_attributes_is_left_out() -> None:
    attributes = " ".join(f"a{n}" for n in range(1_200))
    assert "<i " not in mark(f"<i {attributes}><input name=x>").text


def test_counting_in_one_step_is_counting_tag_by_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{MANY}<div><b>x</b><svg><path d='' /></svg><select><option>1</select></div><form name=f></form>" * 3
    quick = mark(text)
    monkeypatch.setattr(source._Marker, "_pass_over", lambda self, start, end: False)
    assert mark(text) == quick


_HEAD = "<!DOCTYPE html><!-- <form> --><title>a</title><style><input></style><script>'<input>'</script>"
_BODY = (
    "<FORM name=f action='/a?b>c'><input name=a><Select name=s><option>1</select><noscript><input></noscript>"
    "<textarea name=t>a > b</textarea><button name=b>x</button></form><formula><inputs><input name=c />"
)


@pytest.mark.parametrize("more", ["", "<br>" * 3_001, "<iframe><input></iframe>"])
def test_a_tidy_source_is_numbered_as_tag_by_tag(more: str) -> None:
    quick, slow = number(_HEAD + _BODY + more), source._Marker(_HEAD + _BODY + more).mark()
    assert quick is not None
    assert [(t.name, t.end, t.attributes) for t in quick.tokens] == [(t.name, t.end, t.attributes) for t in slow.tokens]
    assert quick.text.count("data-form-token=") == slow.text.count("data-form-token=") == 6


def test_where_tags_may_stand_in_raw_text_nesting_is_counted_tag_by_tag() -> None:
    assert number(f"<title></div></title>{_BODY}{MANY}") is None


@pytest.mark.parametrize("many", ["<div>" * 600, "<b>" * 1_500 + "<p>" * 3_000, "<option>" * 10_500])
def test_over_a_limit_a_tidy_source_is_gone_through_tag_by_tag(many: str) -> None:
    assert number(f"{MANY}{many}<input name=x>") is None


def test_nesting_that_closes_again_is_within_the_limits() -> None:
    assert number(f"{MANY}{'</div>' * 50}{'<div><b>x</b></div>' * 2_000}<input name=x>") is not None
