"""Query interface or not, and why."""

from __future__ import annotations

import pytest

from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Recogniser, Verdict
from hometextile.page.document import Document

# Forms of one page each, written for these tests.
QUERIES = {
    "plain": "<form action=/search><input name=q><input type=submit value=Search></form>",
    "chinese post": "<form method=post action=so.asp><input name=keyword value=请输入关键字>"
    "<input type=submit value=搜索></form>",
    "role": "<form role=search action=/><input type=search name=s placeholder='Search …'></form>",
    "advanced": "<form action=/adv><input name=title placeholder=题名><input name=author placeholder=作者>"
    "<select name=year><option>2024<option>2023</select><input type=submit value=检索></form>",
    "no button, no name, no action": "<form><input placeholder='Find a fabric or a maker'></form>",
    "ticks that narrow a list": "<form action=/list id=facet-filters><input type=checkbox name=c value=1>Cotton"
    "<input type=checkbox name=c value=2>Linen<input type=checkbox name=c value=3>Silk</form>",
    "interval": "<form action=/fabrics><select name=weave><option>All<option>Plain</select>"
    "<label>Price from <input name=pmin></label><label>to <input name=pmax></label><button>Apply</button></form>",
    "what records are described by, by post": "<form method=post action=/patents><label>Title <input name=ti></label>"
    "<label>Applicant <input name=pa></label><label>Publication number <input name=pn></label><button>Go</button></form>",
    "a table's filter": "<form action=/t><select name=c><option value=''>- column -<option>title<option>width</select>"
    "<select name=op><option value=eq>=<option value=ne>!=<option value=has>contains</select><input name=v>"
    "<button>Apply</button></form>",
    "picker": "<form action=/parts><select name=make title=Make><option>Ford<option>Kia</select>"
    "<select name=model title=Model><option>Focus<option>Rio</select><input type=submit value=Show></form>",
}
OTHERS = {
    "login": "<form method=post action=/login><input name=user><input type=password name=pw>"
    "<input type=submit value='Log in'></form>",
    "upload": "<form method=post enctype=multipart/form-data><input type=file name=f>"
    "<input type=submit value=Search></form>",
    "comment": "<form method=post action=/comment><textarea name=c></textarea>"
    "<input type=submit value='Post comment'></form>",
    "newsletter": "<form method=post action=/subscribe><input name=email placeholder='Your e-mail'>"
    "<input type=submit value=Subscribe></form>",
    "cart": "<form method=post action=/cart><input name=qty value=1><input type=hidden name=product_id value=7>"
    "<input type=submit value='Add to cart'></form>",
    "vote": "<form method=post action=/poll><input type=radio name=v value=1>"
    "<input type=radio name=v value=2><input type=submit value=Vote></form>",
    "sort": "<form action=/list><select name=sort><option>Price low to high<option>Newest</select></form>",
    "per page": "<form action=/list><select name=pagesize><option>20<option>50</select></form>",
    "recovery": "<form method=post action=/lostpassword><input name=email>"
    "<input type=submit value='Reset password'></form>",
    "empty": "<form action=/x></form>",
    "nothing to fill in": "<form action=/search><button>Open search</button></form>",
    "sort, and which way": "<form action=/list><select name=by><option>Sort by date<option>Sort by title</select>"
    "<label><input type=radio name=way>Ascending order</label><label><input type=radio name=way>Descending order</label>"
    "<button>Go</button></form>",
    "jump": "<form method=post action=/forum><label>Hop to <select name=f><option>News<option>Trade</select></label></form>",
    "directions": "<form action=/route><input name=from><input name=to><button>Get directions</button></form>",
    "two codes": "<form method=post><label>Reference code <input name=a></label><label>Employee code <input name=b>"
    "</label><button>Enter</button></form>",
    "a person": "<form method=post action=/c><label>Title <input name=t></label><label>Company <input name=o></label>"
    "<label>E-mail <input name=e></label><button>Send</button></form>",
}


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser.load()


def judge(recogniser: Recogniser, html: str) -> Verdict:
    document = Document(f"<html><body><h1>Page</h1>{html}</body></html>", "https://example.org/page")
    return recogniser.recognise(read_forms(document)[0], document)


@pytest.mark.parametrize("name", QUERIES)
def test_query_interfaces(recogniser: Recogniser, name: str) -> None:
    verdict = judge(recogniser, QUERIES[name])
    assert verdict.is_query
    assert verdict.reasons
    assert not verdict.veto


@pytest.mark.parametrize("name", OTHERS)
def test_others(recogniser: Recogniser, name: str) -> None:
    verdict = judge(recogniser, OTHERS[name])
    assert not verdict.is_query
    assert not verdict.certain
    assert verdict.reasons


def test_a_post_is_certain_only_with_a_plain_word(recogniser: Recogniser) -> None:
    assert judge(recogniser, QUERIES["chinese post"]).certain
    assert not judge(
        recogniser, "<form method=post action=/go><input name=q><input type=submit value=Go></form>"
    ).certain


@pytest.mark.parametrize("kind", ["password", "file"])
def test_vetoes_stand_above_everything(recogniser: Recogniser, kind: str) -> None:
    form = (
        f"<form role=search action=/search><input type=search name=q placeholder=Search>"
        f"<input type={kind} name=p></form>"
    )
    verdict = judge(recogniser, form)
    assert (verdict.is_query, verdict.veto) == (False, kind)


def test_reasons_name_what_is_seen(recogniser: Recogniser) -> None:
    assert any("Search" in reason for reason in judge(recogniser, QUERIES["plain"]).reasons)
    assert judge(recogniser, OTHERS["login"]).reasons[0] == "it asks for a password"
    assert "it only sorts or pages a list" in judge(recogniser, OTHERS["sort"]).reasons


def test_a_list_that_filters_beside_one_that_sorts_is_not_only_sorting(recogniser: Recogniser) -> None:
    sort = "<select name=sort><option>Price low to high<option>Newest</select>"
    brand = "<select name=brand title='Filter by brand'><option>Frette<option>Sferra</select>"
    both = f"<form action=/list>{brand}{sort}</form>"
    assert "it only sorts or pages a list" not in " ".join(judge(recogniser, both).reasons)


def test_box_without_a_form(recogniser: Recogniser) -> None:
    document = Document(
        "<div class=sbox><input type=text placeholder=搜索商品><button onclick=go()>搜索</button></div>",
        "https://e.org/",
    )
    (form,) = read_forms(document)
    assert form.virtual
    assert recogniser.recognise(form, document).is_query


def test_a_box_that_a_cookie_dialog_or_an_editor_put_there_is_none(recogniser: Recogniser) -> None:
    box = "<div><input {} placeholder='Search…'><button>Filter</button></div>"
    assert judge(recogniser, box.format("id=site-box")).is_query
    assert not judge(recogniser, box.format("id=vendor-search-handler")).is_query
    assert not judge(recogniser, box.format("id=mceu_54")).is_query


def test_a_decision_by_definition_does_not_quote_a_score_that_says_otherwise(recogniser: Recogniser) -> None:
    verdict = judge(recogniser, QUERIES["ticks that narrow a list"])
    assert verdict.score < 0.5
    assert verdict.reasons[0] == "its choices narrow a list"


def test_step_five_confirms(recogniser: Recogniser) -> None:
    doubtful = judge(recogniser, "<form method=post action=/go><input name=q><input type=submit value=Go></form>")
    assert recogniser.confirm(doubtful, 2) == doubtful
    confirmed = recogniser.confirm(doubtful, 3)
    assert confirmed.is_query
    assert confirmed.certain
    vetoed = judge(recogniser, OTHERS["login"])
    assert recogniser.confirm(vetoed, 100) == vetoed


def test_five_steps_and_rules_alone(recogniser: Recogniser) -> None:
    def form(html: str):  # type: ignore[no-untyped-def]
        return read_forms(Document(html, "https://example.org/"))[0]

    assert recogniser.five_steps(form(QUERIES["plain"]))
    assert not recogniser.five_steps(form(OTHERS["login"]))
    assert not recogniser.five_steps(form(OTHERS["empty"]))
    assert recogniser.rules(form(QUERIES["plain"]))
    assert not recogniser.rules(form(OTHERS["newsletter"]))


def test_a_lone_box_is_of_no_domain(recogniser: Recogniser) -> None:
    assert judge(recogniser, QUERIES["plain"]).domain == ""
    verdict = judge(
        recogniser,
        "<form action=/s><input name=k placeholder=花型名称><select name=m title=面料><option>棉<option>丝</select>"
        "<input type=submit value=搜索></form>",
    )
    assert verdict.domain == "home_textile"
    assert verdict.similarity > 0.1


def test_hostile_forms_are_judged(recogniser: Recogniser) -> None:
    many = "<form>" + "".join(f"<select name=s{n}><option>{n}</select>" for n in range(5000)) + "</form>"
    odd = "<form action='http://[bad' method=get><input name=q></form>"
    document = Document(odd + many + "<form>" * 200 + "<input>", "https://example.org/")
    forms = read_forms(document)
    assert len(recogniser.recognise_all(forms, document)) == len(forms)


def test_a_heading_is_told_and_decides_nothing() -> None:
    # An advanced search whose button says nothing of searching.
    html = (
        "<form action=/a><h2>Advanced search</h2><input name=t title=Title><input name=m title=Maker>"
        "<input name=y title=Year><select name=k><option>All<option>Silk</select><button>Show results</button></form>"
    )
    recogniser = Recogniser.load()
    document = Document(html, "https://example.org/")
    (form,) = read_forms(document)
    verdict = recogniser.recognise(form, document)
    assert verdict.is_query
    assert "its heading says “Advanced search”" in verdict.reasons
    form.words.pop("heading")
    assert recogniser.recognise(form, document).score == verdict.score
