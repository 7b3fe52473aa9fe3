"""Pictures and videos."""

from __future__ import annotations

import pytest

from hometextile.blocks.media import pictures, seconds, videos
from hometextile.page.document import Document


def document(html: str) -> Document:
    return Document(html, "http://e.test/v/1.html")


def test_lazy_pictures_and_decoration() -> None:
    # a lazy picture, one of several sizes, a pixel, an icon, a data address
    tree = document(
        '<img src="blank.gif" data-original="/a.jpg"><img srcset="/s.jpg 300w, /l.jpg 900w" src="data:x">'
        '<img src=/p.gif width=1><img src=/icon/x.png><img src="data:image/png;base64,xx">'
    ).tree
    assert [found["url"] for found in pictures(tree.iter("img"), "http://e.test/")] == [
        "http://e.test/a.jpg",
        "http://e.test/l.jpg",
    ]


def test_a_video_is_told_once_with_all_that_is_said_of_it() -> None:
    # the same file in JSON-LD and as an element
    found = videos(
        document(
            '<script type="application/ld+json">{"@type":"VideoObject","contentUrl":"/f.mp4","duration":"PT1M30S",'
            '"name":"Weaving"}</script><video poster="/p.jpg"><source src="/f.mp4"></video>'
        )
    )
    assert found == [
        {"url": "http://e.test/f.mp4", "poster": "http://e.test/p.jpg", "duration": 90.0, "title": "Weaving"}
    ]


def test_players_in_frames_and_opengraph() -> None:
    found = videos(
        document(
            '<meta property="og:video" content="http://cdn.test/v.mp4"><meta property="og:image" content="/i.jpg">'
            '<iframe src="//player.bilibili.com/player.html?bvid=1"></iframe><iframe src="/advert"></iframe>'
        )
    )
    assert [video["url"] for video in found] == [
        "http://player.bilibili.com/player.html?bvid=1",
        "http://cdn.test/v.mp4",
    ]
    assert found[1]["poster"] == "http://e.test/i.jpg"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("PT2H3M4S", 7384.0),
        ("P1DT1S", 86401.0),
        ("1:30", 90.0),
        ("1:00:05", 3605.0),
        ("75", 75.0),
        (12, 12.0),
        ("soon", None),
        ("", None),
    ],
)
def test_durations(said: object, meant: float | None) -> None:
    assert seconds(said) == meant
