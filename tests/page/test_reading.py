"""The text of an element as a person sees it."""

from __future__ import annotations

from hometextile.page.document import Document
from hometextile.page.reading import is_hidden, lines, text_of

PAGE = """<!-- an article with everything that breaks a line, and things that are not shown -->
<body><h1>题</h1><p>一<br>二  三<!--x--> 四<b>五</b></p><div style="DISPLAY : none">不</div><div>六<div>七</div>八</div>
<pre>a
  b</pre><table><tr><td>键</td><td>值</td></tr></table><script>no</script>尾<p>　　段</p>
<select><option>no</option></select></body>"""


def test_line_breaks_are_kept() -> None:
    root = Document(PAGE, "http://example.cn/").tree
    assert text_of(root.find("body")) == "题\n\n一\n二 三 四五\n\n六\n七\n八\n\na\nb\n\n键 值\n\n尾\n\n段"


def test_what_is_skipped_takes_its_subtree_and_leaves_its_tail() -> None:
    root = Document("<div>一<b>二<i>三</i></b>四</div>", "http://example.cn/").tree
    assert text_of(root, skip={root.find(".//b")}) == "一四"


def test_hidden_parts_can_be_asked_for() -> None:
    root = Document("<div>一<span hidden>二</span></div>", "http://example.cn/").tree
    assert is_hidden(root.find(".//span"))
    assert text_of(root, hidden=True) == "一二"


def test_lines_are_trimmed() -> None:
    assert lines(" a \n\n\n\n\u3000b\t c\u200b \n") == "a\n\nb c"
