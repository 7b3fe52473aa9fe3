from __future__ import annotations

import time
from collections import Counter

import pytest

from hometextile.forms import wording
from hometextile.forms.form import Form, Query
from hometextile.forms.reading import MAX_FORMS, read_forms
from hometextile.forms.source import mark
from hometextile.forms.submission import Refused, Submission, submit
from hometextile.forms.wording import short_text
from hometextile.page.document import Document


def forms_of(source: str, encoding: str = "utf-8") -> list[Form]:
    return read_forms(Document(source, "http://museum.example/a/b?c=1", encoding))


def test_the_five_parts():
    (form,) = forms_of("<form id=f name=find action=s.asp method=POST accept-charset=gbk><input name=q></form>", "big5")
    assert (form.name, form.action, form.method, form.url) == ("find", "s.asp", "post", "http://museum.example/a/b?c=1")
    assert (form.page_encoding, form.accept_charset) == ("big5", "gbk")
    assert [(c.kind, c.name) for c in form.controls] == [("text", "q")]
    assert form.attributes["id"] == "f"


def test_elements_are_those_of_the_pages_tree():
    document = Document("<form><table><tr><input name=a><td><input name=b></table></form>", "http://h.example/")
    (form,) = read_forms(document)
    assert form.element is document.tree.find(".//form")
    assert [c.element.get("name") for c in form.controls] == ["a", "b"]
    assert all(c.element.getroottree().getroot() is document.tree for c in form.controls)
    assert document.tree.xpath(form.path) == [form.element]


def test_elements_are_found_where_lxml_reads_more():
    # Shows a form and boxes within noscript, which lxml reads and a browser does not.
    document = Document(
        "<noscript><form><input name=q class=n></form></noscript><form action=/x><input name=q></form>",
        "http://h.example/",
    )
    (form,) = read_forms(document)
    assert form.element.get("action") == "/x"
    assert form.controls[0].element.getparent() is form.element


def test_states_and_options():
    (form,) = forms_of(
        "<form><input type=checkbox name=c checked><input type=radio name=r value=1 checked>"
        "<input type=radio name=r value=2 checked><fieldset disabled><input name=d></fieldset>"
        "<select name=s><optgroup disabled label=G><option value=1>一</optgroup><option value=2> 二  三</select></form>"
    )
    box, first, second, disabled, chooser = form.controls
    assert (box.checked, box.value) == (True, "on")
    assert (first.checked, second.checked) == (False, True)
    assert disabled.disabled
    assert [(o.value, o.text, o.selected, o.disabled) for o in chooser.options] == [
        ("1", "一", False, True),
        ("2", "二 三", True, False),
    ]


def test_words():
    (form,) = forms_of(
        """<h2>藏品检索</h2><form title=T><table><tr><th>名称<th>年代<tr><td><input name=n><td><select name=y></select>
        </table><p>关键词：<input name=q placeholder=输入 title=提示 aria-labelledby=z></p><span id=z>读作</span>
        <label for=k>材质</label> <input id=k name=k><label>产地 <input name=o></label>
        <fieldset><legend>范围</legend><input type=radio name=r value=1> 全文
        <input type=checkbox name=c><b>图片</b></fieldset><table><tr><td>作者<td><input name=a></table>
        <button>搜 <b>索</b></button><input type=image alt=查询></form>"""
    )
    words = {control.name or control.kind: control.words for control in form.controls}
    assert words["n"]["header"] == "名称"
    assert words["y"]["header"] == "年代"
    assert words["q"] == {"placeholder": "输入", "title": "提示", "aria": "读作", "near": "关键词："}
    assert words["k"]["label"] == "材质"
    assert words["o"]["label"] == "产地"
    assert (words["r"]["near"], words["r"]["legend"]) == ("全文", "范围")
    assert words["c"]["near"] == "图片"
    assert words["a"]["header"] == "作者"
    assert words["submit"] == {"text": "搜 索"}
    assert form.words["submit"] == "搜 索 查询"
    assert form.words["heading"] == "藏品检索"
    assert form.words["title"] == "T"


def test_a_box_and_a_button_without_a_form():
    forms = forms_of(
        "<form action=/login><input name=u></form><div id=top><div><input id=kw placeholder=搜索></div>"
        "<a class='btn-search'>搜</a></div>"
    )
    assert [form.virtual for form in forms] == [False, True]
    virtual = forms[1]
    assert virtual.name == "top"
    assert [control.words.get("placeholder") for control in virtual.controls] == ["搜索"]
    assert submit(Query(virtual)) == Refused("virtual")


@pytest.mark.parametrize(
    "source",
    [
        "<div><input name=q></div><p>no button anywhere</p>",
        "<div><input type=hidden name=q><button>Go</button></div>",
        "<div><input name=q disabled><button>Go</button></div>",
        "".join("<li><div><input name=quantity value=1><button>Add</button></div></li>" for _ in range(5)),
    ],
)
def test_what_is_no_search_box_without_a_form(source: str):
    assert forms_of(source) == []


def test_a_page_without_forms_is_not_parsed_twice():
    assert forms_of("<p>text</p>") == []
    assert mark("<p>text</p>").tokens == []


def test_five_thousand_controls():
    (form,) = forms_of("<form action=/s>" + "<input name=a value=1>" * 5000)
    made = submit(Query(form))
    assert isinstance(made, Submission)
    assert made.url.count("a=1") == 5000


@pytest.mark.parametrize(
    "source",
    [
        "<form>" + "<div>" * 30_000 + "<input name=q>" * 500,
        "<form>" + "<x-y>" * 30_000 + "<input name=q>",
        "<form><table>" * 8_000 + "<input name=q>",
        "<form><input name=q></form>" * 3_000,
        "<form><input name=q>" + "<p><b id=1></p>" * 30_000,
        "<form><input name=q><select>" + "<option>a</option>" * 20_000,
        "<form><input name=q><input " + " ".join(f"a{n}" for n in range(6_000)) + ">",
        "<form><input name=q>" + "<template>" * 60_000,
        "<form><input name=q>" + "<template></template>" * 20_000,
        "<form><input name=q>" + "<!--" * 200_000,
        "<form><input name=q>" + "<" * 500_000,
        "<form><input name=q>" + '<a b="' * 100_000,
        "<form><input name=q>" + "<fieldset disabled><legend>" * 5_000 + "<input name=a>",
        "<div>" + "<a>x</a>" * 20_000 + "<input name=q>" * 2_000 + "<button>x</button>",
    ],
    ids=range(14),
)
def test_hostile_pages_cost_little(source: str):
    document = Document(source, "http://h.example/")
    started = time.process_time()
    forms = read_forms(document)
    assert len(forms) <= MAX_FORMS
    assert time.process_time() - started < 8
    if not source.startswith(("<div>",)) and '<a b="' not in source:
        assert forms[0].controls[0].name == "q"


def test_what_lies_too_deep_is_flattened_and_not_lost():
    deep = "<div>" * 2_000 + "<input name=b>" + "</div>" * 2_000
    (form,) = forms_of(f"<form><input name=a>{deep}<input name=c></form><input name=d>")
    assert [control.name for control in form.controls] == ["a", "b", "c"]


def test_long_pages_are_read_like_short_ones():
    # Shows more than 3,000 tags, from where every tag is looked at one by one.
    source = "<table><form action=/s><tr><td><input name=a><p title='</form>'></table><script>'<form>'</script><input>"
    short, long = mark(source), mark(source + "<br>" * 4_000)
    assert short.tokens == long.tokens
    assert long.text == short.text + "<br>" * 4_000


@pytest.mark.parametrize(
    "source",
    [
        "<form action=/s><table><tr>" + "<td><span></span></td><td><input name=q></td>" * 5_000 + "</table></form>",
        f"<form action=/s><table><tr>{'<th>a' * 5_000}<tr>{'<td><input name=q></td>' * 5_000}</table></form>",
        "<form action=/s>" + "<select name=q><option>1<option>2</select>" * 5_000 + "</form>",
        "<form action=/s>" + "<div><input type=checkbox name=q id=i><label for=i>x</label></div>" * 5_000 + "</form>",
    ],
)
def test_five_thousand_controls_are_read_in_steps_that_grow_with_their_number(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Shows forms with 5,000 controls: in one row, under a row of headings, lists, boxes to tick.
    document, texts = Document(source, "http://h.example/"), 0

    def counted(*arguments: object) -> str:
        nonlocal texts
        texts += 1
        return short_text(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(wording, "short_text", counted)
    above = Counter[object]()
    cells_above = wording._cells_above
    monkeypatch.setattr(wording, "_cells_above", lambda row: above.update([row]) or cells_above(row))
    started = time.process_time()
    (form,) = read_forms(document)
    assert len(form.controls) == 5_000
    assert texts < 30_000
    assert set(above.values()) <= {1}
    assert time.process_time() - started < 4
