"""Begin and end tags as a person copies them."""

from __future__ import annotations

import time

import pytest

from hometextile.extract.betweens import between, check_begin, check_end

SOURCE = """<!-- nested tags, a comment that closes nothing, a script with tags in it -->
<DIV  id='x' CLASS = "content main"  data-a=1><p>甲<div>乙</div><!-- </div> --><script>"</div>"</script>丙</div>
<div class="content">丁</div><span>来源：</span> <b>南通日报</b>\u3000
<!-- begin -->戊<br>己<!--  end  --><div class="last">未完"""


@pytest.mark.parametrize(
    ("begin", "end", "found"),
    [
        ('<div class="content">', "</div>", ["丁"]),
        ("<div data-a='1' id=x>", "</div>", ['<p>甲<div>乙</div><!-- </div> --><script>"</div>"</script>丙']),
        ('<div class="main">', "</div>", ['<p>甲<div>乙</div><!-- </div> --><script>"</div>"</script>丙']),
        ("<span>来源：</span><b>", "</b>", ["南通日报"]),
        ("来源：</span>", "</b>", [" <b>南通日报"]),
        ("<!-- begin -->", "<!-- end -->", ["戊<br>己"]),
        ('<div class="last">', "</div>", ["未完"]),
        ('<div class="none">', "</div>", []),
        ("<!-- begin -->", "<!-- never -->", []),
    ],
)
def test_found(begin: str, end: str, found: list[str]) -> None:
    assert between(SOURCE, begin, end) == found


def test_each_place_is_found() -> None:
    assert between("<li>a</li><li>b</li>", "<li>", "</li>") == ["a", "b"]
    assert between("[a][b]", "[", "]") == ["a", "b"]


@pytest.mark.parametrize("begin", ["", "  ", "<div", "<div class='a", "x" * 2000])
def test_refused_begin(begin: str) -> None:
    with pytest.raises(ValueError, match="→"):
        check_begin(begin)


@pytest.mark.parametrize("end", ["", "x" * 2000])
def test_refused_end(end: str) -> None:
    with pytest.raises(ValueError, match="→"):
        check_end(end)


@pytest.mark.parametrize(
    "source", ["<div>" * 50_000, "<div class=" * 50_000, "<!--" * 50_000, "</div>" * 50_000, "<div '" * 50_000]
)
def test_hostile_sources_take_no_time(source: str) -> None:
    start = time.process_time()
    between(source, '<div class="a">', "</div>")
    between(source, "<div>", "</div>")
    assert time.process_time() - start < 5
