"""Main blocks as text and Markdown, with pictures, links and title."""

from __future__ import annotations

from hometextile.blocks.content import main_text, page_title
from hometextile.blocks.outline import outline
from hometextile.blocks.segment import segment
from hometextile.page.document import Document

# an article with heading, list, table of facts, quote, code, picture with a caption, a menu before and a footer behind
ARTICLE = """<html><head><title>Indigo on linen - Mill Journal</title></head><body>
<nav><a href=/>Home</a> <a href=/shop>Shop</a></nav>
<article><h1>Indigo on linen</h1><p>First paragraph, with <a href="/dye">a link</a>.</p>
<ol><li>soak</li><li>dip</li></ol>
<table><tr><th>Width</th><td>150 cm</td></tr><tr><th>Weight</th><td>200 g</td></tr></table>
<blockquote><p>As the dyer said.</p></blockquote><pre>step 1
step 2</pre>
<figure><img src="/img/vat.jpg" alt="A vat" width="600" height="400"><figcaption>The vat</figcaption></figure>
<h2>Last part</h2><p>The end *here*.</p></article>
<footer>Copyright <img src="/img/icon.png"></footer></body></html>"""


def rated(html: str, away: tuple[str, ...] = ("nav", "footer")) -> tuple[Document, list]:
    document = Document(html, "http://e.test/a/1.html")
    blocks = segment(document)
    for block in blocks:
        block.level = "noise" if any(f"/{tag}[" in block.path for tag in away) else "main"
    return document, blocks


def test_plain_text_in_reading_order() -> None:
    document, blocks = rated(ARTICLE)
    content = main_text(blocks, document)
    assert content.text.split("\n") == [
        "Indigo on linen",
        "First paragraph, with a link.",
        "soak",
        "dip",
        "Width\t150 cm",
        "Weight\t200 g",
        "As the dyer said.",
        "step 1",
        "step 2",
        "The vat",
        "Last part",
        "The end *here*.",
    ]


def test_markdown() -> None:
    document, blocks = rated(ARTICLE)
    assert main_text(blocks, document).markdown == (
        "# Indigo on linen\n\nFirst paragraph, with a link.\n\n1. soak\n2. dip\n\n"
        "| Width | 150 cm |\n| --- | --- |\n| Weight | 200 g |\n\n> As the dyer said.\n\n```\nstep 1\nstep 2\n```\n\n"
        "The vat\n\n## Last part\n\nThe end \\*here\\*."
    )


def test_pictures_links_title_and_shares() -> None:
    document, blocks = rated(ARTICLE)
    content = main_text(blocks, document)
    assert content.images == [
        {"url": "http://e.test/img/vat.jpg", "alt": "A vat", "caption": "The vat", "width": 600, "height": 400}
    ]
    assert content.links == [{"url": "http://e.test/dye", "text": "a link"}]
    assert content.title == "Indigo on linen"
    assert set(content.dropped) == {"main", "noise"}
    assert abs(sum(content.dropped.values()) - 1) < 0.001
    assert content.block_ids == [block.id for block in blocks if block.level == "main"]


def test_what_stands_twice_is_kept_once() -> None:
    # a copy for phones below the text
    sentence = "A sentence that is long enough to tell."
    document, blocks = rated(f"<body><p>{sentence}</p><div><p>{sentence}</p></div></body>")
    assert main_text(blocks, document).text == sentence


def test_text_from_data_when_the_page_is_a_shell() -> None:
    # a page that a script would fill, with its article in JSON-LD
    body = "The loom stands in the barn. " + "The weaver comes every morning to see whether the warp has held. " * 2
    body = body.strip()
    html = (
        '<body><div id="app"></div><script type="application/ld+json">'
        f'{{"@type": "Article", "articleBody": "{body}"}}</script></body>'
    )
    document, blocks = rated(html)
    assert main_text(blocks, document).text == body


def test_title_without_headings_loses_the_site() -> None:
    document = Document("<title>真丝被面 - 布商网</title><p>x", "http://e.test/")
    assert page_title(outline(document), document) == "真丝被面"
