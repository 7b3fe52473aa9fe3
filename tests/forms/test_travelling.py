"""Parameters of results that say how one came to them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from hometextile.dedup.urls import canonical_url
from hometextile.forms.answers import judge_answer
from hometextile.forms.plain import from_plain, to_plain
from hometextile.forms.results import Baseline
from hometextile.forms.travelling import MAX_FIRST, MAX_SEEN, MAX_SETS, MAX_TRIES, Travelling
from hometextile.page.document import Document

#: Answers to queries, one after another: numbers of records, in the order in which they are listed.
ANSWERS = [[1, 2, 3, 4, 5], [3, 1, 9, 4, 5], [5, 4, 3, 2, 1, 9, 10]]


def met(address: Callable[[int, int, int], str], words: Callable[[int], str] = lambda n: f"Piece {n}") -> int:
    """How many records there are, as they are known after the answers; the first two teach."""
    one = Travelling()
    told = [
        one.known([(address(n, search, rank), words(n)) for rank, n in enumerate(numbers)])
        for search, numbers in enumerate(ANSWERS)
    ]
    given = {address(n, search, rank) for search, numbers in enumerate(ANSWERS) for rank, n in enumerate(numbers)}
    assert {url for answer in told for url in answer} <= given  # nothing is fetched that the site did not give
    return len({*told[0], *told[2]})


@pytest.mark.parametrize(
    "address",
    [
        lambda n, search, rank: f"http://m.example/record/{n}?from=s{search}&pos={rank}",
        lambda n, search, rank: f"http://m.example/show?id={n}&rank={rank}&sid=abc{search}",
        lambda n, search, rank: f"http://m.example/show?sid=abc{search}&id={n}",
    ],
)
def test_records_met_again_are_known_again(address: Callable[[int, int, int], str]) -> None:
    assert met(address) == 7


@pytest.mark.parametrize(
    ("address", "words"),
    [
        # An edition each time: the same title, and the parameter is the record.
        (lambda n, search, rank: f"http://m.example/show?id={n}{search}", lambda n: f"Piece {n}"),
        (lambda n, search, rank: f"http://m.example/show?vol={n % 2}&no={n}{search}", lambda n: f"Piece {n}"),
        # Words that say nothing of the record.
        (lambda n, search, rank: f"http://m.example/record/{n}?pos={rank}{search}", lambda n: "more"),
        (lambda n, search, rank: f"http://m.example/record/{n}?pos={rank}{search}", lambda n: ""),
        # The path differs as well.
        (lambda n, search, rank: f"http://m.example/{search}/{n}?pos={rank}{search}", lambda n: f"Piece {n}"),
    ],
)
def test_what_may_name_a_record_stays(address: Callable[[int, int, int], str], words: Callable[[int], str]) -> None:
    assert met(address, words) == len(ANSWERS[0]) + len(ANSWERS[2])


def test_once_known_a_record_keeps_its_first_address() -> None:
    one = Travelling()
    for search in range(2):
        one.known([(f"http://m.example/record/{n}?s={search}", f"Piece {n}") for n in range(5)])
    assert one.names == ("s",)
    one = from_plain(json.loads(json.dumps(to_plain(one))))
    assert one.known([("http://m.example/record/3?s=8", "Piece 3"), ("http://m.example/record/7?s=8", "New")]) == [
        "http://m.example/record/3?s=0",
        "http://m.example/record/7?s=8",
    ]
    assert one.known([("http://m.example/record/7?s=9", "Lit up: New")]) == ["http://m.example/record/7?s=8"]


def test_what_stands_side_by_side_in_one_answer_is_two_records() -> None:
    one = Travelling()
    for search in range(3):  # goods of one name: the path is made of the name
        one.known(
            [(f"http://m.example/{kind}?sku={n}{search}", f"{kind} {n}") for kind in ("rug", "throw") for n in range(3)]
        )
    assert one.names == ()
    one = Travelling(names=("sku",))
    urls = ["http://m.example/rug?sku=1", "http://m.example/rug?sku=2"]
    assert one.known([(url, "rug") for url in urls]) == urls
    assert (one.names, one.over) == ((), True)


def test_ranks_are_learned_where_the_first_results_stay_in_their_places() -> None:
    # the first three differ in the search's number alone, the others change places
    one, found = Travelling(), []
    for search in range(12):
        numbers = [0, 1, 2, *((n + 7 * search) % 27 + 3 for n in range(27))]
        urls = [f"http://m.example/r?id={n}&from=s{search}&pos={rank}" for rank, n in enumerate(numbers)]
        found.append(one.known([(url, f"Piece {n}") for url, n in zip(urls, numbers, strict=True)]))
    assert one.names == ("from", "pos")
    assert len({url for answer in found for url in answer}) == 30


def test_one_record_met_again_and_again_tells_nothing() -> None:
    one = Travelling()
    for n in range(8):
        assert one.known([(f"http://m.example/ad?id={n}", "Ad")]) == [f"http://m.example/ad?id={n}"]
    assert one.names == ()


def test_an_answer_made_to_be_slow_is_not() -> None:
    more = [(f"http://m.example/x?id={n}", "more") for n in range(4_500)]
    one, begun = Travelling(), time.process_time()
    for search in range(10):
        cards = [(f"http://m.example/r?id={n}x{search}", f"Piece {n}") for n in range(390)]
        one.known([*cards, *more, ("http://m.example/y?id=1", "one"), ("http://m.example/y?id=2", "two")])
    assert time.process_time() - begun < 1
    assert (one.names, one.refused) == ((), [("id",)])


def test_sets_that_are_ready_at_once_are_tried_one_after_another() -> None:
    # each record differs in a parameter of its own three: twenty sets have their votes in the same answer
    one, longest = Travelling(), 0.0
    more = [("http://m.example/x?" + "&".join(f"p{k}=1" for k in range(20)) + f"&id={n}", "more") for n in range(1_000)]
    for search in range(8):
        urls = [f"r{n}?" + "&".join(f"p{k}={search if k == n % 20 else 0}" for k in range(20)) for n in range(60)]
        begun = time.process_time()
        one.known([*((f"http://m.example/{url}", url.partition("?")[0]) for url in urls), *more])
        longest = max(longest, time.process_time() - begun)
        assert len(one.names) == min(MAX_TRIES * search, 20)
    assert longest < 1


def test_learning_goes_on_after_the_program_was_killed() -> None:
    kept, killed = Travelling(), Travelling()
    for search in range(8):
        numbers = [0, 1, 2, *((n + 2 * search) % 27 + 3 for n in range(5))]
        urls = [f"http://m.example/r?id={n}&from=s{search}&pos={rank}" for rank, n in enumerate(numbers)]
        answer = [(url, f"Piece {n}") for url, n in zip(urls, numbers, strict=True)]
        told = kept.known(answer)
        killed = from_plain(json.loads(json.dumps(to_plain(killed))))
        assert (killed.known(answer), killed) == (told, kept)
    assert (kept.names, kept.over) == (("from", "pos"), False)


def test_sets_that_are_thought_of_are_bounded() -> None:
    one = Travelling()
    for n in range(60):
        names = "&".join(f"p{k}={{}}" for k in range(n + 1))
        for search in range(2):
            one.known([(f"http://m.example/r{n}?" + names.format(*[search] * (n + 1)), f"Piece {n}")])
    assert len(one.votes) <= MAX_SETS


def test_what_is_remembered_is_bounded() -> None:
    one = Travelling()
    one.known([(f"http://m.example/show?id={n}", f"Piece {n}") for n in range(MAX_SEEN + 50)])
    assert (one.over, one.seen) == (True, {})
    one = Travelling(names=("s",))
    for n in range(MAX_FIRST + 50):
        one.known([(f"http://m.example/record/{n}?s=1", "")])
    assert len(one.first) == MAX_FIRST
    assert one.known([("http://m.example/record/999999?s=2", "")]) == ["http://m.example/record/999999?s=2"]


def test_answers_of_a_form_give_each_record_one_address() -> None:
    made, found = Baseline(), []
    for search, numbers in enumerate(ANSWERS):
        cards = "".join(
            f'<li><a href="/record/{n}?from=s{search}&amp;pos={rank}">Piece {n}</a><p>A silk rug, number {n}</p></li>'
            for rank, n in enumerate(numbers)
        )
        document = Document(f"<ul class=found>{cards}</ul>", f"http://m.example/find?q=word{search}")
        answer = judge_answer(document, made, canonical=canonical_url, keyword=f"word{search}", least=1)
        found.append([link.url for link in answer.links])
    assert len(found[2]) == len(ANSWERS[2])
    assert set(found[2]) & set(found[0]) == set(found[0])
