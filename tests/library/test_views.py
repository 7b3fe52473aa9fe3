"""Several pages of one resource: what another view of it is taken for; on both databases."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete

from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.library.saving import Saved
from hometextile.page.page import Page
from tests.library.conftest import page, resource

OWN = "http://site.example/1"
MARKED = OWN + "?s[]=宋锦"
PRINTED = OWN + "?do=print"


def view(url: str, crawl: int | None, text: str = "宋锦是苏州的丝织品。", day: int = 5, **values: Any) -> Page:
    """A page of the resource at *url*, as a crawl had it on a day."""
    shown = resource(1, text=text, url=url, **values)
    return page(1, shown, url=url, crawl_id=crawl, text=f"<p>{text}</p>", fetched=f"2026-01-{day:02}T10:00:00.000000Z")


def crawls(library: Library, number: int = 2) -> list[int]:
    """Numbers of crawls."""
    return [library.begin_crawl("example", {}, resume=False).id for _ in range(number)]


def save(library: Library, *pages: Page) -> list[str]:
    """What became of the resource at each page."""
    return [library.save(each)[0].what for each in pages]


def stored(library: Library) -> tuple[str, str, int, int]:
    """Text, address, version of the resource, and how many versions are kept."""
    found = library.get(1)
    assert found is not None
    return found["text"], found["url"], found["version"], library.counts()["versions"]


def test_another_view_in_the_same_crawl_is_no_change(library: Library) -> None:
    (crawl,) = crawls(library, 1)
    said = save(
        library, view(OWN, crawl), view(MARKED, crawl, "宋锦是苏州的丝织品。打印", title="x"), view(PRINTED, crawl, "")
    )
    assert said == ["new", "same", "same"]
    assert stored(library) == ("宋锦是苏州的丝织品。", OWN, 1, 0)
    story = library.story(1)
    assert story is not None
    assert len(story["ways"]) == 3, "every way is kept"


def test_the_page_at_its_own_address_speaks_for_it(library: Library) -> None:
    (crawl,) = crawls(library, 1)
    said = save(library, view(MARKED, crawl, "宋锦是苏州的丝织品。打印"), view(OWN, crawl), view(PRINTED, crawl))
    assert said == ["new", "same", "same"]
    assert stored(library) == ("宋锦是苏州的丝织品。", OWN, 1, 0)
    assert library.search("打印").total == 0


def test_of_two_views_elsewhere_the_fuller_one_is_kept_whichever_came_first(library: Library) -> None:
    (crawl,) = crawls(library, 1)
    short, full = view(MARKED, crawl, "宋锦。"), view(PRINTED, crawl, "宋锦是丝织品。")
    assert save(library, short, full, short) == ["new", "same", "same"]
    assert stored(library) == ("宋锦是丝织品。", PRINTED, 1, 0)


def test_the_same_page_in_a_later_crawl_makes_a_version_and_other_views_make_none(library: Library) -> None:
    first, second = crawls(library)
    save(library, view(OWN, first), view(MARKED, first, "宋锦 标"))
    said = save(
        library,
        view(MARKED, second, "宋锦 又标", 12),
        view(OWN, second, "宋锦改了。", 12),
        view(PRINTED, second, "印", 12),
    )
    assert said == ["same", "changed", "same"]
    assert stored(library) == ("宋锦改了。", OWN, 2, 1)


def test_the_same_page_twice_in_one_crawl_is_read_again(library: Library) -> None:
    (crawl,) = crawls(library, 1)
    assert save(library, view(OWN, crawl), view(OWN, crawl), view(OWN, crawl, "宋锦改了。")) == [
        "new",
        "same",
        "changed",
    ]


def test_a_page_of_its_own_that_is_found_at_a_later_crawl_takes_over_with_a_version(library: Library) -> None:
    first, second = crawls(library)
    assert save(library, view(MARKED, first, "宋锦。"), view(OWN, second, day=12)) == ["new", "changed"]
    assert stored(library) == ("宋锦是苏州的丝织品。", OWN, 2, 1)


def test_another_view_speaks_when_the_page_is_gone(library: Library) -> None:
    first, second = crawls(library)
    save(library, view(OWN, first))
    library.withdraw(OWN)
    assert save(library, view(MARKED, second, "宋锦 标", 12)) == ["changed"]
    assert list(library.resources(withdrawn=True)) == []


def test_another_view_speaks_when_the_page_came_again_without_the_resource(library: Library) -> None:
    first, second = crawls(library)
    save(library, view(OWN, first))
    library.save(page(1, url=OWN, crawl_id=second, dropped="no-content", fetched="2026-01-12T10:00:00.000000Z"))
    assert save(library, view(MARKED, second, "宋锦 标", 12)) == ["changed"]


def test_another_view_speaks_when_the_page_has_not_come_for_two_crawls(library: Library) -> None:
    first, second, third = crawls(library, 3)
    save(library, view(OWN, first), view(MARKED, first, "宋锦 标"))
    said = save(library, view(MARKED, second, "宋锦 二", 12), view(MARKED, third, "宋锦 三", 19))
    assert said == ["same", "changed"]


def test_another_view_speaks_when_the_page_is_no_longer_stored(library: Library) -> None:
    (crawl,) = crawls(library, 1)
    save(library, view(OWN, crawl))
    library.database.write(lambda connection: connection.execute(delete(t.pages)))
    assert save(library, view(MARKED, crawl, "宋锦 标")) == ["changed"]


def test_what_a_person_withdrew_is_not_spoken_for_by_others(library: Library) -> None:
    (crawl,) = crawls(library, 1)
    save(library, view(OWN, crawl))
    library.mark([1], "withdrawn")
    assert save(library, view(MARKED, crawl, "宋锦 标")) == ["same"]


def test_a_crawl_that_goes_on_is_the_same_crawl(library: Library) -> None:
    crawl = library.begin_crawl("example", {}, resume=True).id
    save(library, view(OWN, crawl))
    again = library.begin_crawl("example", {}, resume=True)
    assert again.resumed
    saved: list[Saved] = library.save(view(MARKED, again.id, "宋锦 标"))
    assert [(one.what, one.changed) for one in saved] == [("same", ())]
    assert stored(library)[2:] == (1, 0)


def test_a_page_that_is_run_through_again_changes_its_resource_and_its_other_views_do_not(library: Library) -> None:
    (crawl,) = crawls(library, 1)
    save(library, view(OWN, crawl), view(MARKED, crawl, "宋锦 标"))
    assert save(library, view(OWN, crawl, "新规则。"), view(MARKED, crawl, "标 新规则。")) == ["changed", "same"]
    assert stored(library) == ("新规则。", OWN, 2, 1)
