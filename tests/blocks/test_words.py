"""The words that a lexicon weighs: what elements call themselves, each once, and bags that like elements share."""

from __future__ import annotations

from hometextile.blocks.lexicon import Lexicon
from hometextile.blocks.outline import outline
from hometextile.blocks.words import TextReader, WordReader, Words, class_words, names_of
from hometextile.page.document import Document


def words_of(page: str) -> list[Words]:
    out = outline(Document(page, "http://a.example/"))
    nodes = [run.node for run in out.runs]
    reader = WordReader(out, [None] * len(out.tag), TextReader())
    return reader.read(nodes, list(range(len(nodes))), [run.text for run in out.runs])


def test_names_are_class_id_role_and_property_in_this_order() -> None:
    attributes = {"id": "main", "style": "x", "itemprop": "name", "class": "card", "role": ""}
    assert names_of(attributes) == "card main name"
    assert names_of({}) == ""


def test_words_of_a_name_are_small_and_each_stands_once() -> None:
    assert class_words("div", "postBody post-body_2 x") == ("div", "post", "body")


def test_a_tag_that_is_also_a_class_is_one_word() -> None:
    [block] = words_of('<section class="section wide">One</section>')
    assert block.own == ("section", "wide")


def test_own_words_are_those_of_the_element_and_of_what_stands_inline() -> None:
    [block] = words_of('<div class="list"><p class="entry"><a class="name">One</a></p></div>')
    assert block.own == ("p", "entry", "a", "name")
    assert block.around == ("div", "list", "body", "html")


def test_the_heading_before_is_known_to_what_follows() -> None:
    before, heading, after = words_of("<p>intro</p><h2>Related items</h2><p>quilt</p>")
    assert before.heading == frozenset()
    assert heading.heading == frozenset()
    assert after.heading == {"related", "items"}


def test_like_elements_share_their_bags() -> None:
    blocks = words_of("<ul>" + '<li class="card"><b>x</b></li>' * 3 + "</ul>")
    assert len({id(block.own) for block in blocks}) == 1
    assert len({id(block.around) for block in blocks}) == 1


def test_a_lexicon_sums_each_word_of_a_bag_once() -> None:
    blocks = words_of('<div class="side"><p class="side">Copyright owner</p></div><p>copyright</p>')
    lexicon = Lexicon({"o:side": 1.0, "a:side": 2.0, "w:copyright": 4.0, "w:owner": 8.0, "h:copyright": 16.0})
    assert lexicon.scores(blocks).tolist() == [[1.0, 2.0, 12.0, 0.0], [0.0, 0.0, 4.0, 0.0]]


def test_words_are_english_words_and_pairs_of_characters() -> None:
    reader = TextReader()
    assert reader.words("Silk 2020 织锦缎 a织b") == {"silk", "a", "b", "织锦", "锦缎"}
    assert reader.pairs("One two Two") == {("one", "two"), ("two", "two")}
