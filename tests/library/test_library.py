"""What a library promises: saved once, changed with a version, told with its story; on both databases."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, func, select, update

from hometextile.forms.form import Control, Form, Query
from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.library.limits import Limits
from hometextile.library.recording import StoredFile
from hometextile.library.saving import Saved
from hometextile.page.page import Way
from hometextile.text.faults import Fault
from tests.library.conftest import page, resource


def test_a_page_and_its_resource_are_stored_once(library: Library) -> None:
    first = library.save(page(1, resource(1)))
    again = library.save(page(1, resource(1)))
    assert [saved.what for saved in first] == ["new"]
    assert [saved.what for saved in again] == ["same"]
    assert first[0].id == again[0].id
    counts = library.counts()
    assert (counts["pages"], counts["resources"], counts["versions"]) == (1, 1, 0)
    assert counts["by_library"] == {"trade": 1}
    assert counts["by_site"] == {"example": 1}


def test_what_is_read_is_what_was_saved(library: Library) -> None:
    given = resource(1)
    number = library.save(page(1, given))[0].id
    found = library.get(number)
    assert found is not None
    for name in ("title", "text", "published", "source", "fields", "images", "rules", "blocks", "relevance"):
        assert found[name] == getattr(given, name), name
    assert (found["class"], found["site"], found["price"], found["currency"]) == ("product", "example", 299.0, "CNY")
    assert library.get(number + 1) is None


def test_a_change_makes_a_version_that_says_what_and_until_when(library: Library) -> None:
    library.save(page(1, resource(1)))
    later = page(1, resource(1, title="宋锦六件套", fields={"price": "399元"}), fetched="2026-01-12T10:00:00.000000Z")
    saved = library.save(later)[0]
    assert (saved.what, saved.changed) == ("changed", ("title", "fields"))
    story = library.story(saved.id)
    assert story is not None
    version = story["versions"][0]
    assert version["before"] == {"title": "宋锦四件套 1", "fields": {"price": "299元", "weave": "缎纹"}}
    assert version["until"] == "2026-01-12T10:00:00.000000Z"
    found = story["resource"]
    assert (found["version"], found["title"], found["price"]) == (2, "宋锦六件套", 399.0)
    assert library.search("六件套").total == 1
    assert library.search('"宋锦四件套"').total == 0


def test_a_better_class_is_no_new_version(library: Library) -> None:
    library.save(page(1, resource(1)))
    saved = library.save(page(1, resource(1, category="quotation", relevance=0.9)))[0]
    assert saved.what == "same"
    found = library.get(saved.id)
    assert found is not None
    assert (found["category"], found["relevance"], found["version"]) == ("quotation", 0.9, 1)


def test_a_dropped_page_is_stored_with_its_reason(library: Library) -> None:
    assert library.save(page(1, dropped="off-topic")) == []
    assert library.counts()["dropped"] == {"off-topic": 1}
    assert [one.dropped for one in library.pages()] == ["off-topic"]


def test_pages_come_back_as_they_were(library: Library) -> None:
    gbk = page(1, encoding="gb18030", text="<p>家纺</p>", body="<p>家纺</p>".encode("gb18030"), headers={"etag": "x"})
    drawn = page(2, text="<p data-box='0 0 1 1'>画</p>", body=b"<p></p>", rendered=True)
    for one in (gbk, drawn, page(3, body=b"")):
        library.save(one)
    back = list(library.pages(site="example"))
    assert [(one.text, one.body) for one in back] == [
        (gbk.text, gbk.body), (drawn.text, drawn.body), (page(3).text, b"")
    ]  # fmt: skip
    assert (back[0].headers, back[0].encoding, back[1].rendered) == ({"etag": "x"}, "gb18030", True)
    assert back[0].way == gbk.way
    assert next(iter(library.pages(after=back[1].story["page_id"]))).url.endswith("/3")


def test_answers_of_one_address_are_told_apart_by_what_was_sent(library: Library) -> None:
    for keyword in ("宋锦", "云锦", "宋锦"):
        way = Way("answer", form="f00d", keyword=keyword, values=[("q", keyword)])
        library.save(page(1, way=way, url="http://site.example/search"))
    assert library.counts()["pages"] == 2


def test_old_content_goes_and_shared_content_stays(library: Library) -> None:
    library.save(page(1, text="same", body=b"same"))
    library.save(page(2, text="same", body=b"same"))
    library.save(page(1, text="other", body=b"other", fetched="2026-01-12T10:00:00.000000Z"))
    assert [one.text for one in library.pages()] == ["other", "same"]
    library.save(page(2, text="other", body=b"other", fetched="2026-01-12T10:00:00.000000Z"))
    count = library.database.read(lambda c: c.execute(select(func.count()).select_from(t.contents)).scalar())
    assert count == 1


def test_contents_are_kept_as_settings_say(library: Library) -> None:
    for number in range(1, 11):
        body = Random(number).randbytes(300)
        library.save(page(number, text="", body=body, fetched=f"2026-01-{number:02}T00:00:00.000000Z"))
    library.limits = Limits(keep_bytes=1500)
    assert library.prune() > 0
    kept = [bool(one.body) for one in library.pages()]
    assert kept == sorted(kept), "the oldest go first"
    assert kept[-1]
    library.limits = Limits(keep_days=1)
    library.prune()
    assert not any(one.body for one in library.pages())
    assert library.counts()["pages"] == 10


def test_every_way_to_a_resource_is_kept(library: Library) -> None:
    for keyword in ("宋锦", "四件套", "宋锦"):
        library.save(page(1, resource(1), way=Way("result", form="f00d", keyword=keyword)))
    story = library.story(1)
    assert story is not None
    assert [way["keyword"] for way in story["ways"]] == ["四件套", "宋锦"]


def test_a_duplicate_is_noted_at_its_original(library: Library) -> None:
    library.save(page(1, resource(1)))
    twin = resource(2, duplicate_of="http://site.example/1", extra={"duplicate_kind": "near", "similarity": 0.93})
    saved = library.save(page(2, twin))[0]
    assert (saved.what, saved.id) == ("duplicate", 1)
    assert library.save(page(2, twin))[0].what == "duplicate"
    story = library.story(1)
    assert story is not None
    assert [(one["url"], one["kind"]) for one in story["duplicates"]] == [("http://site.example/2", "near")]
    assert library.counts()["resources"] == 1


def test_a_duplicate_of_what_was_never_stored_is_stored(library: Library) -> None:
    saved = library.save(page(2, resource(2, duplicate_of="http://site.example/lost")))
    assert saved[0].what == "new"
    assert library.search("宋锦").total == 1


def test_a_resource_that_became_a_duplicate_is_no_longer_found(library: Library) -> None:
    library.save(page(1, resource(1)))
    library.save(page(2, resource(2)))
    library.save(page(2, resource(2, duplicate_of="http://site.example/1")))
    assert [hit.id for hit in library.search("宋锦").hits] == [1]
    assert len(list(library.resources())) == 1
    assert len(list(library.resources(duplicates=True))) == 2


def test_withdrawn_is_marked_and_comes_back(library: Library) -> None:
    library.save(page(1, resource(1)))
    assert library.withdraw("http://site.example/1")
    assert not library.withdraw("http://site.example/none")
    assert [one["id"] for one in library.resources(withdrawn=True)] == [1]
    assert library.search("宋锦").hits[0].withdrawn is not None
    library.save(page(1, resource(1)))
    assert list(library.resources(withdrawn=True)) == []


def test_a_class_set_by_hand_stays(library: Library) -> None:
    library.save(page(1, resource(1)))
    assert library.mark([1, 1, 99], "reviewed", library="craft", category="special_craft") == 1
    library.save(page(1, resource(1)))
    found = library.get(1)
    assert found is not None
    assert (found["library"], found["category"], found["mark"]) == ("craft", "special_craft", "reviewed")
    assert library.search("宋锦", library="craft").total == 1
    assert library.search("宋锦", library="trade").total == 0


def test_withdrawn_by_hand_is_taken_back_by_hand(library: Library) -> None:
    library.save(page(1, resource(1)))
    library.mark([1], "withdrawn")
    library.save(page(1, resource(1)))
    assert [one["id"] for one in library.resources(withdrawn=True)] == [1], "a crawl does not take it back"
    library.mark([1], "")
    assert list(library.resources(withdrawn=True)) == []
    library.withdraw("http://site.example/1")
    library.mark([1], "reviewed")
    assert [one["id"] for one in library.resources(withdrawn=True)] == [1]


def test_files_are_kept_once(library: Library) -> None:
    library.save(page(1, resource(1)))
    for path in ("full/a.jpg", "full/b.jpg"):
        assert library.record_file(
            "http://site.example/1", StoredFile("http://x/a.jpg", "image", path, size=3_000_000_000)
        )
    assert not library.record_file("http://site.example/2", StoredFile("http://x/a.jpg", "image"))
    story = library.story(1)
    assert story is not None
    assert [(file["path"], file["size"]) for file in story["files"]] == [("full/b.jpg", 3_000_000_000)]


def test_nul_and_surrogates_do_no_harm(library: Library) -> None:
    odd = resource(
        1, title="a\x00b\ud800c\ud83d\ude00", text="x\udfff\x00", fields={"k\x00": ["\ud800", {"x": "\x00"}]}
    )
    odd.identity = "http://site.example/\ud800\x00"
    saved = library.save(page(1, odd, text="<p>\x00\ud800</p>", body=b"", headers={"x": "\udcff"}))[0]
    found = library.get(saved.id)
    assert found is not None
    assert (found["title"], found["text"]) == ("ab\ufffdc😀", "x\ufffd")
    assert found["fields"] == {"k": ["\ufffd", {"x": ""}]}
    assert library.save(page(1, odd, text="<p>\x00\ud800</p>", body=b""))[0].what == "same"
    assert next(iter(library.pages())).text == "<p>\x00\ud800</p>", "bytes are kept as they are"


def test_a_resource_over_the_limits_is_cut_and_said_so(library: Library) -> None:
    library.limits = Limits(text=1000, page=2000, value=50)
    long = resource(1, text="锦" * 5000, title="长" * 100, links=[{"url": "x" * 2000, "text": ""}])
    saved = library.save(page(1, long, text="页" * 5000, body=b""))[0]
    assert saved.cut
    found = library.get(saved.id)
    assert found is not None
    assert (len(found["text"]), len(found["title"]), found["links"]) == (1000, 50, [])
    stored = next(iter(library.pages()))
    assert (stored.text, stored.story["not_kept"]) == ("", 5000)


def test_the_crawl_that_was_cut_off_is_resumed(library: Library) -> None:
    first = library.begin_crawl("example", {"mode": "both"})
    assert (first.visit, first.resumed) == (1, False)
    again = library.begin_crawl("example")
    assert (again.id, again.resumed) == (first.id, True)
    library.end_crawl(again, state="stopped", reason="shutdown")
    assert library.begin_crawl("example").id == first.id
    library.end_crawl(first.id, counts={"pages": 3})
    second = library.begin_crawl("example")
    assert (second.visit, second.resumed) == (2, False)
    assert library.begin_crawl("example", resume=False).visit == 3
    assert library.begin_crawl("other").visit == 1


def test_queries_forms_and_errors_are_kept_once(library: Library) -> None:
    crawl = library.begin_crawl("example")
    form = Form(controls=[Control("text", "q")], action="/search", url="http://site.example/")
    query = Query(form, {"q": ["宋锦"]}, keyword="宋锦")
    library.record_form("example", form, {"is_query": True, "reasons": ["results"]})
    library.record_form("example", form)
    for results in (3, 10):
        library.record_query(query, site="example", crawl=crawl, answer="results", results=results, new=2)
    library.record_error(step="extract", kind="ValueError", message="x\x00" * 9000, url="http://x", site="example")
    counts = library.counts()
    assert (counts["forms"], counts["queries"], counts["errors"]) == (1, 1, 1)
    library.save(page(1, resource(1), way=Way("result", form=form.fingerprint, keyword="宋锦")))
    story = library.story(1)
    assert story is not None
    assert story["form"]["verdict"] == {"is_query": True, "reasons": ["results"]}
    assert [row["results"] for row in story["queries"]] == [10]


def test_the_story_tells_which_blocks_were_kept(library: Library) -> None:
    library.save(page(1, resource(1), story={"topic": {"relevance": 0.5}}))
    story = library.story(1)
    assert story is not None
    assert [(block["level"], block["used"]) for block in story["blocks"]] == [("noise", False), ("main", True)]
    assert story["page"]["story"] == {"topic": {"relevance": 0.5}}
    assert library.story(99) is None


def test_filters_of_resources(library: Library) -> None:
    for number, published in enumerate(("2022-12-31", "2023", "2023-05-06T09:00", "2024-01-01", ""), 1):
        library.save(page(number, resource(number, published=published, fields={"price": number * 10})))

    def numbers(**filters: object) -> list[int]:
        return [one["id"] for one in library.resources(batch=2, **filters)]

    assert numbers() == [1, 2, 3, 4, 5]
    assert numbers(newest=True, limit=3) == [5, 4, 3]
    assert numbers(since="2023-05") == [2, 3, 4]
    assert numbers(until="2023-05-06") == [1, 2, 3]
    assert numbers(price_from=20, price_to=30) == [2, 3]
    assert numbers(library="trade", category="product", site="example") == [1, 2, 3, 4, 5]
    assert numbers(site="none") == numbers(library="culture") == []
    with pytest.raises(Fault, match="no filter colour"):
        library.resources(colour="red")


def test_known_by_identity_and_by_content(library: Library) -> None:
    library.save(page(1, resource(1, content_hash="c0")))
    assert library.known("http://site.example/1")
    assert not library.known("http://site.example/2")
    assert library.known_content("c0") == "http://site.example/1"
    assert library.known_content("c1") is None
    assert library.known_content("") is None


def test_what_is_done_within_the_save_is_undone_with_it(library: Library) -> None:
    class Stop(Exception):
        pass

    def within(connection: Connection, saved: list[Saved]) -> None:
        assert [one.what for one in saved] == ["new"]
        connection.execute(update(t.sites).values(last_crawled="then"))
        raise Stop

    with pytest.raises(Stop):
        library.save(page(1, resource(1)), within=within)
    assert library.counts()["resources"] == library.counts()["sites"] == 0


def test_two_crawls_write_to_one_library(any_url: str) -> None:
    """Eight threads, half of them on the same pages: nothing lost, nothing twice, no error."""
    Library.open(any_url).close()
    troubles: list[BaseException] = []

    def crawl(worker: int) -> None:
        try:
            with Library.open(any_url, wait=30, patience=30) as library:
                for number in range(12):
                    at = number if worker % 2 else number + 100 * worker
                    library.save(page(at, resource(at, text=f"宋锦 {at}")))
        except BaseException as trouble:  # noqa: BLE001 -- told by the test's own thread
            troubles.append(trouble)

    threads = [threading.Thread(target=crawl, args=[worker]) for worker in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    with Library.open(any_url) as library:
        counts = library.counts()
        assert (counts["pages"], counts["resources"], counts["versions"]) == (48, 48, 0)
        assert len(library.matches("宋锦")) == 48


def test_settings_of_the_library(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'library.db'}"
    settings = {"LIBRARY_MAX_TEXT": "1000", "LIBRARY_KEEP_DAYS": 30, "LIBRARY_WAIT": 1, "LIBRARY_KEEP_BYTES": ""}
    with Library.of_settings(url, settings) as library:
        assert library.limits == Limits(text=1000, keep_days=30)
        assert library.database.wait == 1
    with pytest.raises(Fault, match="LIBRARY_MAX_PAGE: is not a number: much"):
        Library.of_settings(url, {"LIBRARY_MAX_PAGE": "much"})


def test_a_reprint_whose_original_is_not_there_stays_on_the_next_visit(library: Library) -> None:
    one = page(1, resource(1, duplicate_of="http://gone.example/"))
    for _visit in range(2):
        library.save(one)
        assert [found["url"] for found in library.resources()] == ["http://site.example/1"]
