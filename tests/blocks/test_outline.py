"""Text runs, paths and odd pages: an answer each time, soon."""

from __future__ import annotations

import time

import pytest

from hometextile.blocks.importance import load_model
from hometextile.blocks.outline import MAX_NODES, outline
from hometextile.blocks.segment import segment
from hometextile.page.document import Document


def page(html: str) -> Document:
    return Document(html, "http://example.test/")


def texts(html: str) -> list[str]:
    return [run.text for run in outline(page(html)).runs]


def test_runs_end_at_line_breaking_tags() -> None:
    # a paragraph with inline tags, then a list
    html = "<body><p>One <b>bold</b> word<p>Two<ul><li>a<li>b</ul>tail</body>"
    assert texts(html) == ["One bold word", "Two", "a", "b", "tail"]


def test_single_br_is_a_line_double_br_a_boundary() -> None:
    # text of one cell, broken by br as old sites do
    assert texts("<td>one<br>two<br><br>three<br>&nbsp;<br>four</td>") == ["one\ntwo", "three", "four"]


def test_script_style_comment_and_template_are_not_text() -> None:
    # nothing but "seen" is for people
    html = "<script>x</script><style>y</style><!-- c --><template>t</template>seen<select><option>o</select>"
    assert texts(html) == ["seen"]


def test_tails_behind_unread_elements_are_text() -> None:
    assert texts("<div>a<script>x</script>b<!-- c -->c</div>") == ["abc"]


def test_noscript_is_read() -> None:
    # a forum that keeps its posts in noscript
    assert texts("<body><div></div><noscript><p>the whole post</p></noscript></body>") == ["the whole post"]


def test_text_in_svg_is_read_titles_are_not() -> None:
    html = "<body><svg><title>no</title><text>seen</text></svg></body>"
    assert texts(html) == ["seen"]


def test_pre_keeps_its_lines() -> None:
    assert texts("<pre>a\n  b</pre>") == ["a\n  b"]


def test_link_characters_are_counted_inside_links_only() -> None:
    run = outline(page("<p>ab <a href=/x>cde</a> f</p>")).runs[0]
    assert (run.link_chars, run.links) == (3, 1)


@pytest.mark.parametrize("number", range(6))
def test_paths_lead_to_the_run(number: int) -> None:
    # mixed content: text beside elements, custom elements, table cells
    html = (
        "<body>lead<div>one<p>two</p>three</div><x-card>four</x-card>"
        "<table><tr><td>five</td><td>six</td></tr></table></body>"
    )
    document = page(html)
    out = outline(document)
    found = document.tree.getroottree().xpath(out.run_path(number))
    assert len(found) == 1
    content = found[0] if isinstance(found[0], str) else "".join(found[0].itertext())
    assert " ".join(content.split()) == out.runs[number].text


ODD = {
    "empty": "",
    "one element": "<p>x</p>",
    "only white space": "<body> \n </body>",
    "one cell": "<table><tr><td>" + "布 " * 20_000 + "</td></tr></table>",
    "deep": "<div>" * 2_000 + "inside" + "</div>" * 2_000,
    "many": "<ul>" + "<li>a</li>" * 50_000 + "</ul>",
    "hidden by style": "<body style='visibility:hidden'><p>The text of a page that a script would show.</p></body>",
    "right to left": "<html dir=rtl><body><p>نص الصفحة هنا.</p></body></html>",
    "nothing closed": "<div><p>a<table><td>b<div>c",
    "no tags": "just words, no tags at all",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_pages_get_an_answer_in_time(name: str) -> None:
    document = page(ODD[name])
    started = time.process_time()
    blocks = segment(document)
    load_model().rate(blocks, document)
    assert time.process_time() - started < 20
    assert all(block.level in {"noise", "related", "main"} for block in blocks)
    if not blocks:
        assert blocks.reason == "no-text"


def test_frames_are_told() -> None:
    blocks = segment(page("<html><frameset><frame src=a><frame src=b></frameset></html>"))
    assert blocks.reason == "frames"


def test_too_many_elements_are_told() -> None:
    blocks = segment(page("<body>" + "<p>a" * (MAX_NODES + 10) + "</body>"))
    assert blocks.reason == "too-many-elements"
    assert blocks
