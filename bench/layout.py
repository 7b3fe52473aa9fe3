"""``script/bench layout``: what it costs to draw a page, and to segment what was drawn.

Small pages of our own (an article, a list of cards, a layout table, a page drawn by script), with their style sheet and
script on loopback, are drawn as a crawl draws them: from the answer that was fetched. Memory is that of this process
and of the browser's, taken while pages are drawn.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from pathlib import Path
from statistics import mean

import psutil
from aiohttp import web

from hometextile.blocks.vips import segment_by_sight
from hometextile.page.document import Document
from hometextile.page.layout import read_layout
from hometextile.render.browser import Browser, RenderFailed
from hometextile.render.guard import AddressGuard

_STYLE = """
body { margin: 0; font: 16px/1.5 sans-serif } header { background: #234; color: #fff; padding: 16px }
nav a { color: #fff; margin-right: 12px } .card { float: left; width: 220px; margin: 8px; border: 1px solid #ccc }
.side { float: right; width: 240px; background: #f4f4f4 } article { width: 720px; padding: 12px } footer { clear: both }
"""
_SCRIPT = "document.querySelectorAll('.late').forEach((e) => { for (let i = 0; i < 12; i++) e.innerHTML += CARD; });"
_WORDS = ("棉", "麻", "丝", "毛", "提花", "印花", "刺绣", "绗缝", "床单", "被套", "窗帘", "地毯", "毛巾", "cotton",
          "linen", "silk", "quilt", "towel", "carpet")
_SAMPLE_EVERY = 10


def _text(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(_WORDS) for _number in range(words))


def page(number: int, own: str) -> str:
    """The *number*-th small page; the same number gives the same page.

    Args:
        number: decides kind and words.
        own: address of the server that has its style sheet and script.
    """
    chance = random.Random(number)
    links = "".join(f"<a href='/{n}'>{_text(chance, 1)}</a>" for n in range(8))
    head = f"<link rel=stylesheet href='{own}/style.css'><title>{_text(chance, 3)}</title>"
    title, words = _text(chance, 2), _text(chance, 8)
    card = f"<div class=card><img src='/x.png' width=200 height=120><h3>{title}</h3><p>{words}</p></div>"
    row = "<tr>" + "".join(f"<td>{_text(chance, 4)}</td>" for _n in range(4)) + "</tr>"
    kinds = (
        "<article><h1>" + _text(chance, 4) + "</h1>"
        + "".join(f"<p>{_text(chance, 60)}</p>" for _n in range(8)) + "</article>",
        "<main>" + card * 16 + "</main>",
        "<table width=960 align=center>" + row * 20 + "</table>",
        f"<main class=late></main><script>const CARD = `{card}`;</script><script src='{own}/script.js'></script>",
    )
    side = "<div class=side><h2>" + _text(chance, 2) + "</h2><ul>" + "<li><a href=/>x</a></li>" * 8 + "</ul></div>"
    return (
        f"<!DOCTYPE html><html><head>{head}</head><body><header><nav>{links}</nav></header>{side}"
        f"{kinds[number % len(kinds)]}<footer>{_text(chance, 12)}</footer></body></html>"
    )


def laid_page(elements: int) -> str:
    """A page with at least so many elements and a hand-made layout: sections of cards in rows of three."""
    count, y, sections = 3, 0, []
    while count < elements:
        top, cards = y, []
        y += 40
        for _row in range(5):
            for x in (20, 440, 860):
                cards.append(
                    f'<div class="card" data-box="{x} {y} 400 180"><a data-box="{x} {y} 100 20">title of it</a>'
                    f'<img data-box="{x} {y + 20} 80 80"><p data-box="{x} {y + 110} 400 40" '
                    f'data-texts="{x} {y + 110} 300 18">some words about it <b data-box="{x + 300} {y + 110} 50 18" '
                    f'data-style="font-weight:700">bold</b></p></div>'
                )
            y += 200
        heading = f'<h2 data-box="20 {top} 1240 30" data-style="font-size:24;font-weight:700">Heading</h2>'
        inside = f'<div data-box="20 {top + 40} 1240 {y - top - 40}">{"".join(cards)}</div>'
        sections.append(f'<section data-box="0 {top} 1280 {y - top}">{heading}{inside}</section>')
        count += 3 + 5 * len(cards)
        y += 40
    box = f"0 0 1280 {y}"
    return (
        f'<html data-box="{box}" data-drawn="1280 {y} 1280 800"><body data-box="{box}"><div data-box="{box}">'
        f'{"".join(sections)}</div></body></html>'
    )


async def _serve() -> tuple[web.AppRunner, str]:
    async def answer(request: web.Request) -> web.Response:
        css = request.path == "/style.css"
        # They may be kept for an hour, as style sheets are.
        return web.Response(
            text=_STYLE if css else _SCRIPT, content_type="text/css" if css else "text/javascript",
            headers={"Cache-Control": "max-age=3600"},
        )

    application = web.Application()
    application.router.add_get("/{name}", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    return runner, f"http://{host}:{port}"


async def _draw(pages: int, concurrency: int) -> dict[str, float]:
    runner, own = await _serve()
    samples: list[float] = []
    failed = done = elements = 0
    numbers = iter(range(pages))

    async def worker(browser: Browser) -> None:
        nonlocal failed, done, elements
        for number in numbers:
            try:
                drawn = await browser.draw(f"{own}/pages/{number}", html=page(number, own))
                elements += drawn.elements
            except RenderFailed as problem:
                failed += 1
                print(f"page {number}: {problem}")
            done += 1
            if done % _SAMPLE_EVERY == 0:
                held = psutil.Process().memory_info().rss + await asyncio.to_thread(browser.memory, exact=True)
                samples.append(held / 2**20)

    async with Browser(AddressGuard([own.partition("//")[2]]), concurrency=concurrency) as browser:
        await browser.draw(f"{own}/pages/0", html=page(0, own))
        start = time.perf_counter()
        await asyncio.gather(*(worker(browser) for _n in range(concurrency)))
        seconds = time.perf_counter() - start
        restarts = browser.restarts
    await runner.cleanup()
    print("memory as it went, MB:", *(round(sample) for sample in samples))
    # The first fifth is warming up: caches, pools and the first contexts are filled.
    settled = samples[max(1, len(samples) // 5):] or samples
    third = max(1, len(settled) // 3)
    growth = mean(settled[-third:]) - mean(settled[:third]) if settled else 0.0
    return {
        "pages": pages, "failed": failed, "restarts": restarts, "elements": elements / max(1, pages),
        "pages_per_second": pages / seconds, "rss_mb": mean(settled) if settled else 0.0, "rss_growth_mb": growth,
    }


def _vips(elements: int, runs: int) -> tuple[float, float]:
    """Milliseconds of processor time to read a layout and to segment it, the best of some runs."""
    document = Document(laid_page(elements), "http://laid.example/")
    assert len(document.tree)
    reading, segmenting = [], []
    for _run in range(runs):
        start = time.process_time()
        layout = read_layout(document)
        middle = time.process_time()
        assert layout is not None
        blocks = segment_by_sight(document, layout)
        end = time.process_time()
        assert blocks
        reading.append(middle - start)
        segmenting.append(end - middle)
    return 1000 * min(reading), 1000 * min(segmenting)


def main(argv: list[str]) -> int:
    """Run the benchmark.

    Returns:
        0, or 1 where a page could not be drawn.
    """
    parser = argparse.ArgumentParser(prog="script/bench layout", description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--concurrency", type=int, default=3)
    parser.add_argument("--data", help="not used: the pages are our own")
    parser.add_argument("--peers", action="store_true", help="not used: nobody to compare with")
    parser.add_argument("--shipped", action="store_true", help="not used: nothing is trained")
    parser.add_argument("--out", help="write the figures there, one JSON line")
    options = parser.parse_args(argv)
    reading, segmenting = _vips(5000, 9)
    drawn = asyncio.run(_draw(options.pages, options.concurrency))
    print(f"{'pages drawn':36}{drawn['pages']:8.0f}")
    print(f"{'of them failed':36}{drawn['failed']:8.0f}")
    print(f"{'elements a page':36}{drawn['elements']:8.0f}")
    print(f"{'pages a second':36}{drawn['pages_per_second']:8.2f}")
    print(f"{'memory held, MB':36}{drawn['rss_mb']:8.0f}")
    print(f"{'memory grown, MB':36}{drawn['rss_growth_mb']:8.1f}")
    print(f"{'browser restarts':36}{drawn['restarts']:8.0f}")
    print(f"{'reading 5,000 boxes, ms (CPU)':36}{reading:8.1f}")
    print(f"{'segmenting 5,000 elements, ms (CPU)':36}{segmenting:8.1f}")
    figures = {
        "pages_per_second": round(drawn["pages_per_second"], 2),
        "rss_growth_mb": round(drawn["rss_growth_mb"], 1),
        "vips_ms_5000": round(segmenting, 1),
    }
    line = json.dumps(figures)
    if options.out:
        Path(options.out).write_text(line + "\n", encoding="utf-8")
    print(line)
    return 1 if drawn["failed"] else 0
