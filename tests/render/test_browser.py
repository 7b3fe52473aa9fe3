"""The browser: what it draws, what it asks for, and that it comes back when it falls over."""

import asyncio
import io
import time

import pytest
from PIL import Image

from hometextile.page.document import Document
from hometextile.page.layout import read_layout
from hometextile.render.actions import read_actions
from hometextile.render.browser import Browser, Limits, RenderFailed
from hometextile.render.guard import AddressGuard
from tests.render.servers import Server

pytestmark = [pytest.mark.browser, pytest.mark.network]

LIMITS = Limits(seconds=15, load_seconds=6, patience=2)


class Shared:
    """One browser for the tests that do it no harm."""

    def __init__(self):
        self.runner = asyncio.Runner()
        self.browser = Browser(AddressGuard(["127.0.0.1"]), limits=LIMITS, concurrency=2)
        self.runner.run(self.browser.open())

    def draw(self, url, html=None, **more):
        return self.runner.run(self.browser.draw(url, html=html, **more))

    def close(self):
        self.runner.run(self.browser.close())
        self.runner.close()


@pytest.fixture(scope="module")
def shared():
    one = Shared()
    yield one
    one.close()


def once(work, **more):
    """Run *work* with a browser of its own."""

    async def go():
        async with Browser(more.pop("guard", AddressGuard(["127.0.0.1"])), **{"limits": LIMITS, **more}) as browser:
            return await work(browser)

    return asyncio.run(go())


def layout_of(drawn):
    document = Document(drawn.html, drawn.url)
    layout = read_layout(document)
    return document, layout


# Shows: every way of which we know that a page can make a browser talk to an address.
REACHING = """
<html><head><base href="{own}/"><link rel=stylesheet href="{bad}/css"><link rel=icon href="{bad}/icon">
<link rel=preconnect href="{bad}"><link rel=dns-prefetch href="{bad}"><link rel=prefetch href="{bad}/prefetch">
<link rel=preload as=script href="{bad}/preload"><link rel=modulepreload href="{bad}/modulepreload">
<style>@import "{bad}/import"; @font-face {{ font-family: x; src: url({bad}/font) }}
body {{ background: url({bad}/background); font-family: x }}</style>
<meta http-equiv=refresh content="0;url={bad}/refresh"></head>
<body><p>text</p><img src="{bad}/img"><script src="{bad}/script"></script><script src="/moved"></script>
<iframe src="{bad}/iframe"></iframe><iframe src="/moved"></iframe><object data="{bad}/object"></object>
<embed src="{bad}/embed"><video src="{bad}/video" poster="{bad}/poster"></video>
<audio src="{bad}/audio" autoplay></audio>
<form id=f action="{bad}/form" method=post><input name=a value=b></form><a id=a href="{bad}/a" ping="{bad}/ping">a</a>
<script src="/good.js"></script>
<script>
const bad = "{bad}", decimal = "{decimal}";
for (const host of [bad, decimal]) {{
  fetch(host + "/fetch", {{mode: "no-cors"}}).catch(() => 0);
  fetch("/moved").catch(() => 0);
  const x = new XMLHttpRequest(); x.open("GET", host + "/xhr"); x.send();
  try {{ new WebSocket(host.replace("http", "ws") + "/socket"); }} catch (e) {{}}
  try {{ new EventSource(host + "/events"); }} catch (e) {{}}
  navigator.sendBeacon(host + "/beacon", "x");
  import(host + "/module").catch(() => 0);
  new Worker(URL.createObjectURL(new Blob(["importScripts('" + host + "/worker')"])));
  new Worker(URL.createObjectURL(new Blob(["fetch('" + host + "/worker-fetch', {{mode: 'no-cors'}})"])));
  window.open(host + "/open");
}}
const turn = {{urls: "turn:127.0.0.2:{port}?transport=tcp", username: "a", credential: "b"}};
try {{ new RTCPeerConnection({{iceServers: [turn]}}).createDataChannel("x"); }} catch (e) {{}}
try {{ navigator.serviceWorker.register("/worker.js").catch(() => 0); }} catch (e) {{}}
document.getElementById("f").submit();
document.getElementById("a").click();
setTimeout(() => {{ location.href = bad + "/location"; }}, 50);
setTimeout(() => {{ document.body.append("still here"); }}, 200);
</script></body></html>
"""


def reach(server, canary, guard):
    server.pages = {
        "/moved": (302, {"Location": f"{canary.url}/moved"}, b""),
        "/good.js": (200, {"Content-Type": "text/javascript"}, b"document.body.append('good')"),
    }
    html = REACHING.format(
        own=server.url, bad=canary.url, decimal=f"http://{(127 << 24) + 2}:{canary.port}", port=canary.port
    )

    async def work(browser):
        drawn = await browser.draw(f"{server.url}/page", html=html)
        await asyncio.sleep(0.3)
        return drawn, dict(browser.refused)

    return once(work, guard=guard)


def test_nothing_arrives_where_the_guard_refuses(server, canary):
    drawn, refused = reach(server, canary, AddressGuard([f"127.0.0.1:{server.port}"]))
    assert canary.connections == 0
    assert refused.get("loopback", 0) > 5
    # The page was drawn all the same, and what it may ask for it got. Its own address was not asked for again.
    assert "good" in drawn.html and "still here" in drawn.html
    assert "/good.js" in server.paths() and "/page" not in server.paths()
    assert drawn.wanted is not None and drawn.wanted.startswith(canary.url)


def test_the_page_above_does_arrive_where_it_may(server, canary):
    # Else the test above could not fail.
    reach(server, canary, AddressGuard(["127.0.0.0/8"]))
    arrived = {path.strip("/") for path in canary.paths()}
    assert {"script", "css", "fetch", "xhr", "moved", "socket", "events", "module", "worker"} <= arrived
    # Frames, pictures, media and navigations are not asked for even where they may be.
    assert not {"iframe", "img", "video", "font", "location", "refresh", "form", "a", "open", "object"} & arrived


def test_redirects_and_clicks_of_the_main_frame_are_guarded(server, canary):
    server.pages = {
        "/go": (302, {"Location": f"{canary.url}/landed"}, b""),
        "/links": (200, {"Content-Type": "text/html"}, f'<a href="{canary.url}/clicked">x</a>'.encode()),
        "/next": (200, {"Content-Type": "text/html"}, b"<p>next page"),
    }

    async def work(browser):
        with pytest.raises(RenderFailed):
            await browser.draw(f"{canary.url}/direct")
        with pytest.raises(RenderFailed) as failed:
            await browser.draw(f"{server.url}/go")
        assert failed.value.reason == "refused"
        await browser.draw(f"{server.url}/links", actions=read_actions([{"click": "a"}, {"wait": 0.3}]))
        own = '<a href="/next">x</a>'
        return await browser.draw(
            f"{server.url}/start", html=own, actions=read_actions([{"click": "a"}, {"wait": "p"}])
        )

    drawn = once(work, guard=AddressGuard([f"127.0.0.1:{server.port}"]))
    assert canary.connections == 0
    assert "next page" in drawn.html and drawn.url == f"{server.url}/next"


def test_killed_in_the_middle_it_is_started_again_and_the_page_tried_again(server):
    async def slow(writer):
        await asyncio.sleep(1.0)
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nConnection: close\r\n\r\ndocument.body.append('late')"
        )
        await writer.drain()

    server.pages = {"/slow.js": slow}

    async def work(browser):
        html = "<body><script src=/slow.js></script>"
        tasks = [asyncio.create_task(browser.draw(f"{server.url}/{n}", html=html)) for n in range(3)]
        while len(server.seen) < 2:
            await asyncio.sleep(0.02)
        browser._kill()
        return await asyncio.gather(*tasks), browser.restarts

    drawn, restarts = once(work, concurrency=2)
    assert all("late" in one.html for one in drawn)
    assert restarts == 1


def test_an_endless_script_ends_and_the_next_page_comes(server):
    async def work(browser):
        start = time.monotonic()
        with pytest.raises(RenderFailed, match="timeout"):
            await browser.draw("http://127.0.0.1/a", html="<body>text<script>for (;;) {}</script>")
        taken = time.monotonic() - start
        return taken, await browser.draw("http://127.0.0.1/b", html="<body>next")

    taken, drawn = once(work, limits=Limits(seconds=2, load_seconds=1), concurrency=1)
    assert "next" in drawn.html
    assert taken < 15


@pytest.mark.slow
def test_a_page_that_takes_all_memory_is_ended(server):
    hungry = "<body><script>const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));</script>"

    async def work(browser):
        with pytest.raises(RenderFailed) as failed:
            await browser.draw("http://127.0.0.1/a", html=hungry)
        return failed.value.reason, await browser.draw("http://127.0.0.1/b", html="<body>next")

    reason, drawn = once(work, concurrency=1)
    assert reason in {"crashed", "memory", "timeout"}
    assert "next" in drawn.html


def test_tabs_are_left_empty_or_closed_and_contexts_renewed(server):
    async def work(browser):
        contexts, tabs = set(), []
        for number in range(5):
            script = "setInterval(() => fetch('/beat'), 10); window.open('/x')"
            await browser.draw(f"{server.url}/a", html=f"<body>{number}<script>{script}</script>")
            for context in browser._chromium.contexts:
                contexts.add(id(context))
                tabs += [page.url for page in context.pages]
        asked = len(server.seen)
        await asyncio.sleep(0.3)
        quiet = len(server.seen) == asked
        with pytest.raises(RenderFailed):
            await browser.draw(f"{server.url}/a", html="<body><script>for (;;) {}</script>")
        tabs += [page.url for context in browser._chromium.contexts for page in context.pages]
        return len(browser._chromium.contexts), len(contexts), tabs, quiet

    left, seen, tabs, quiet = once(
        work, concurrency=1, pages_per_context=2, limits=Limits(seconds=5, settle_seconds=0.5)
    )
    assert left <= 1
    assert seen >= 2
    assert set(tabs) == {"about:blank"}
    assert quiet


def test_a_browser_that_holds_too_much_is_renewed_between_pages(monkeypatch):
    monkeypatch.setattr("hometextile.render.browser._WATCH_SECONDS", 0.1)

    async def work(browser):
        async def some(name):
            for number in range(6):
                drawn = await browser.draw("http://127.0.0.1/a", html=f"<body>{name}{number}<script>1</script>")
                assert f"{name}{number}" in drawn.html

        browser.memory = lambda exact=False: browser._max_memory + 1 if browser.restarts < 2 else 0
        await asyncio.gather(some("a"), some("b"), some("c"))
        return browser.restarts

    assert once(work, concurrency=3) == 2


def test_no_browser():
    with pytest.raises(RenderFailed) as failed:
        once(None, executable="/bin/false")
    assert failed.value.reason == "no-browser"


def test_layout_is_written_into_the_page(shared):
    html = """<style>p { font-size: 20px; color: oklch(0.5 0.2 20); background: #ffeedd } .hide { visibility: hidden }
    .gone { display: none } i { display: block }</style>
    <body style="margin:0"><p>text <b>bold</b> tail</p><div class=hide>h</div><div class=gone><b>g</b></div><i>i</i>"""
    document, layout = layout_of(shared.draw("http://127.0.0.1/a", html))
    p, b, i = (document.tree.find(f".//{tag}") for tag in "pbi")
    hide, gone = document.tree.findall(".//div")
    assert layout.sight(p).font_size == 20
    assert layout.sight(p).background == "#ffeedd" == layout.sight(b).background
    assert layout.sight(p).color.startswith("#") and layout.sight(p).color != "#000000"
    assert layout.sight(b).font_weight == 700
    assert layout.sight(b).inline and not layout.sight(i).inline
    assert len(layout.sight(p).texts) == 2
    assert layout.box(p)[2] == 1280
    assert layout.sight(hide).visible is False
    assert layout.sight(gone).drawn is False and layout.sight(gone[0]) is None
    assert (layout.window_width, layout.window_height) == (1280, 800)


def test_what_is_folded_away_is_not_drawn(shared):
    html = """<body><details id=shut><summary>shown</summary><p>folded <b>away</b></p></details>
    <details open><summary>head</summary><p>unfolded</p></details>
    <div id=plain style="display:contents"><i>inside</i></div>
    <div id=skipped style="content-visibility:hidden">skipped<u>too</u></div>"""
    document, layout = layout_of(shared.draw("http://127.0.0.1/a", html))
    folded, unfolded = document.tree.findall(".//p")
    assert [layout.visible(one) for one in document.tree.iter("summary")] == [True, True]
    assert layout.sight(folded).drawn is False and layout.sight(folded[0]) is None
    assert layout.visible(unfolded) and layout.visible(document.tree.find(".//i"))
    assert layout.sight(document.tree.find(".//u")).drawn is False


def test_what_scripts_draw_is_there(shared):
    hidden = "<style>body{display:none}</style><body><p>text</p><script>document.body.style.display = 'block'</script>"
    document, layout = layout_of(shared.draw("http://127.0.0.1/a", hidden))
    assert layout.visible(document.tree.find(".//p"))
    later = "<body><script>setTimeout(() => document.body.append('later'), 100)</script>"
    assert "later" in shared.draw("http://127.0.0.1/a", later).html


def test_text_that_waits_to_be_scrolled_to_is_shown(shared):
    html = (
        "<style>p{opacity:0;margin:400px 0} p.in{opacity:1}</style><body>"
        + "<p>cotton and linen, silk and wool</p>" * 12
        + """<script>const eye = new IntersectionObserver((all) => all.forEach((e) => {
        if (e.isIntersecting) e.target.className = "in"; }));
        document.querySelectorAll("p").forEach((p) => eye.observe(p))</script>"""
    )
    document, layout = layout_of(shared.draw("http://127.0.0.1/a", html))
    assert all(layout.visible(p) for p in document.tree.iter("p"))


def test_shadow_trees_are_laid_into_their_hosts(shared):
    html = """<body><x-card><span slot=name>cotton</span>loose</x-card><script>
    customElements.define("x-card", class extends HTMLElement { connectedCallback() {
      this.attachShadow({mode: "open"}).innerHTML =
        "<style>p{color:red}</style><p>card <slot name=name></slot></p><div><slot></slot></div>"; } })</script>"""
    drawn = shared.draw("http://127.0.0.1/a", html)
    document, layout = layout_of(drawn)
    card = document.tree.find(".//x-card")
    assert " ".join(card.text_content().split()) == "card cottonloose"
    assert layout.visible(card.find(".//p"))


def test_cookies_go_to_their_host_and_not_to_the_next_page(shared, server):
    server.pages = {"/who": (200, {"Content-Type": "text/plain"}, b"x")}
    asks = "<body><script>fetch('/who')</script>"
    shared.draw(f"{server.url}/a", asks, cookies={"session": "secret"})
    shared.draw(f"{server.url}/b", asks)
    heads = [head for _method, path, head, _body in server.seen if path == "/who"]
    assert ["session=secret" in head for head in heads] == [True, False]


def test_actions(shared):
    html = """<body><input id=q><select id=s><option value=1>one<option value=2>two</select><input type=checkbox id=c>
    <button id=go onclick="out.textContent = [q.value, s.value, c.checked].join()">go</button><p id=out></p>
    <ul id=list></ul>
    <button id=more onclick="n++; list.innerHTML += '<li>item' + n; if (n > 2) this.remove()">more</button>
    <script>let n = 0; const ids = ["q", "s", "c", "out", "list"];
    const [q, s, c, out, list] = ids.map((id) => document.getElementById(id))</script>"""
    actions = read_actions(
        [
            {"fill": "#q", "value": "棉布"},
            {"choose": "#s", "value": "two"},
            {"check": "#c"},
            {"click": "#go"},
            {"wait": "#out:not(:empty)"},
            {"more": "#more", "times": 9},
            {"press": "Enter"},
            {"scroll": 1},
        ]
    )
    drawn = shared.draw("http://127.0.0.1/a", html, actions=actions)
    assert drawn.failed == ""
    assert "棉布,2,true" in drawn.html
    assert drawn.html.count("<li") == 3


def test_a_picture_of_the_page(shared):
    drawn = shared.draw("http://127.0.0.1/a", "<body>text" + "<p>x" * 200, screenshot="page")
    assert drawn.screenshot is not None and drawn.screenshot.startswith(b"\x89PNG")
    long = shared.draw("http://127.0.0.1/a", "<body style=margin:0><div style=height:90000px>tall", screenshot="page")
    assert Image.open(io.BytesIO(long.screenshot)).size == (1280, 16_000)


def test_size_limits():
    many = "<body>" + "<p>x</p>" * 3000

    async def work(browser):
        return await browser.draw("http://127.0.0.1/a", html=many), await browser.draw(
            "http://127.0.0.1/b", html="<body>b"
        )

    cut, whole = once(work, limits=Limits(elements=1000))
    assert cut.cut and cut.elements == 1000
    assert layout_of(cut)[1].cut
    assert not whole.cut


@pytest.mark.parametrize(
    "html",
    [
        "",
        "x",
        "<html></html>",
        "<body>" + "<div>" * 2000 + "deep" + "</div>" * 2000,
        "<frameset cols='50%,50%'><frame src=/a><frame src=/b></frameset>",
        "<html dir=rtl><body><p>نص</p>",
        "<body><svg><text y=20>in svg</text></svg>",
        "<table><tr><td>" + "<p>cell</p>" * 500 + "</td></tr></table>",
        "\ud800 lone surrogate",
    ],
    ids=["empty", "word", "html", "deep", "frames", "rtl", "svg", "cell", "surrogate"],
)
def test_odd_pages_are_drawn(shared, html):
    drawn = shared.draw("http://127.0.0.1/a", html)
    assert "data-drawn" in drawn.html
    assert layout_of(drawn)[1] is not None


def test_a_page_that_takes_all_of_itself_away_is_not_taken_for_drawn(shared):
    html = "<body><p>x</p><script>onload = () => document.documentElement.remove()</script>"
    with pytest.raises(RenderFailed, match="took all of it away") as failed:
        shared.draw("http://127.0.0.1/a", html)
    assert failed.value.reason == "broken"
    assert "data-drawn" in shared.draw("http://127.0.0.1/b", "<body><p>x</p>").html


@pytest.mark.slow
def test_fifty_thousand_elements():
    async def work(browser):
        return await browser.draw("http://127.0.0.1/a", html="<body>" + "<p>x <b>y</b></p>" * 25_000)

    drawn = once(work, limits=Limits(seconds=60))
    assert drawn.elements == 50_002


def test_server_of_tests_is_what_it_says():
    one = Server()
    assert one.connections == 0
    one.close()
