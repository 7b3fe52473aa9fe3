"""Tags with so many attributes that a parser's time would grow with their square."""

from __future__ import annotations

import time

import pytest

from hometextile.forms.reading import read_forms
from hometextile.page.document import Document
from hometextile.page.tags import MAX_ATTRIBUTES, crowded, is_tidy, without_crowded_tags

MANY = " ".join(f"a{n}=1" for n in range(50_000))


def test_ordinary_text_stays_as_it_is() -> None:
    text = "<p a=1 b='>' c=\"<i>\">x < y <!-- <b --> <script>if (a<b) {}</script></p><br/><img src=a"
    assert without_crowded_tags(text) is text
    usual = "<p " + " ".join(f"a{n}=1" for n in range(MAX_ATTRIBUTES)) + ">x</p>"
    assert without_crowded_tags(usual) == usual


@pytest.mark.parametrize("opening", ["<p ", '<p title="a > b" ', "<p\n/", "<svg:x "])
def test_a_crowded_tag_is_left_out_and_what_it_holds_stays(opening: str) -> None:
    text = f"<h1>before</h1>{opening}{MANY}>inside</p><i>after</i>"
    assert without_crowded_tags(text) == "<h1>before</h1>inside</p><i>after</i>"


def test_the_tree_and_the_forms_of_such_a_page_take_no_time() -> None:
    form = "<form action=/find><input name=q><button>Search</button></form>"
    text = f"<body><p>one</p><div {MANY}><p {MANY}>two</p>{form}</div></body>"
    begun = time.process_time()
    document = Document(text, "http://s.example/")
    assert "two" in document.tree.text_content()
    assert [form.action for form in read_forms(document)] == ["/find"]
    assert time.process_time() - begun < 3


def test_scripts_and_comments_are_no_tags() -> None:
    code = " ".join(f'if(i<n{n})x="' if n % 2 else f'";y{n}' for n in range(5_000))
    for text in (f"<SCRIPT>{code}</SCRIPT><p>x</p>", f"<style>a<b {code}</style><p>x", f"<!-- <b {code} --><p>x"):
        assert without_crowded_tags(text) == text
    assert without_crowded_tags(f"<script {MANY}>x</script>") == "x</script>"


@pytest.mark.parametrize(
    "hostile", ["<a" * 200_000, "<a b='" * 100_000, '<a b="' + "<a b" * 100_000, "<a =" * 100_000, "<script>" * 100_000]
)
def test_hostile_text_costs_linear_time(hostile: str) -> None:
    begun = time.process_time()
    without_crowded_tags(hostile)
    assert time.process_time() - begun < 3


def test_attributes_are_counted() -> None:
    assert not crowded(" a=1" * MAX_ATTRIBUTES)
    assert crowded(" a=1" * (MAX_ATTRIBUTES + 1))
    assert not crowded(' a="' + "x y " * 5_000 + '"')


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a < b << 1",
        "<!doctype html><p class=a title='x>y' data-b = \"c\"d='e' f/>text</p>",
        "<!-- <input> -- > --><!--><!---><!----><![endif]--></></ x><?php a ?>",
        "<a =b c= d>",
        "<script>if (a<b && '</scr' + '</p>') {}</SCRIPT ><style>a<b</style><title><b></title>",
        "<scripts><titles><x-form>",
    ],
)
def test_tidy(text: str) -> None:
    assert is_tidy(text)


@pytest.mark.parametrize(
    "text",
    [
        "<p",
        "a <",
        "<a title='<input>'>",
        "<a title=<input>",
        "<div <p>",
        "<a title='x>",
        "<!-- open",
        "<!-- a --!><input> -->",
        "<script>'<p>'",
        "<textarea></text",
        "<template><p></template>",
        "<plaintext>",
        "<? < ?>",
        f"<p {'a ' * 1_200}>",
    ],
)
def test_what_is_not_tidy(text: str) -> None:
    assert not is_tidy(text)


def test_a_tag_that_only_comes_about_by_leaving_out_controls_is_no_way_round() -> None:
    crowded = f"<\x01i {' '.join(f'a{n}' for n in range(1_200))}>x"
    assert Document(f"<p>{crowded}", "http://h.example/").tree.xpath("//i") == []
    assert Document(f"<script></scr</body>ipt>{crowded}</script>", "http://h.example/").tree.xpath("//i") == []
