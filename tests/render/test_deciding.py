"""Which static pages need a browser."""

import pytest

from hometextile.page.document import Document
from hometextile.render.deciding import read_signs, why_render

TEXT = "<p>" + "这套四件套选用长绒棉，活性印花，手感柔软。" * 20 + "</p>"
NAV = "<ul>" + "".join(f"<li><a href=/{n}>栏目{n}</a></li>" for n in range(40)) + "</ul>"


@pytest.mark.parametrize(
    ("html", "why"),
    [
        # Shows: a single-page application before its script has run.
        ("<title>花型库</title><div id=root></div><script src=/app.js></script>", "shell"),
        # Shows: the same with its navigation in the HTML.
        (NAV + "<div id=list></div><script src=/app.js></script>", "shell"),
        # Shows: a list that a Vue template will fill.
        (
            NAV
            + "<li v-for='item in items'>{{ item.name }}</li><p>"
            + "说明" * 60
            + "</p><script src=/vue.js></script>",
            "templates",
        ),
        # Shows: a page that says that its results are on their way.
        ("<p>" + "面料" * 80 + "</p><div>正在加载...</div><script>load()</script>", "loading"),
        # Shows: an empty place that an inline script names.
        (
            "<p>" + "面料" * 80 + "</p><ul id=hits></ul><script>draw(document.getElementById('hits'))</script>",
            "loading",
        ),
        # Shows: an article with the scripts that every article has.
        (NAV + TEXT + "<div id=ad></div><script>document.getElementById('ad')</script>", None),
        # Shows: little text, and nothing that could draw more.
        ("<p>short</p>", None),
        # Shows: the data of a page is no script that runs.
        ("<p>short</p><script type='application/ld+json'>{}</script>", None),
        # Shows: a word about loading in the middle of a text.
        (TEXT + "<p>Loading docks are in the east.</p><script>1</script>", None),
        ("", None),
    ],
)
def test_why(html, why):
    assert why_render(Document(html, "http://a.example/")) == why


def test_signs():
    html = (
        "<noscript>Please enable JavaScript to view this page.</noscript><a href=/>链接</a>文 字"
        "<div id=empty></div><div id=full>x</div><script>$('#empty').load()</script><svg><text>no</text></svg>"
    )
    signs = read_signs(Document(html, "http://a.example/"))
    assert (signs.text, signs.link_text, signs.scripts) == (5, 4, 1)
    assert (signs.empty, signs.named, signs.warned) == (1, 1, True)
