"""What a page shows of its site, and the site file to begin with."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from hometextile.forms.asking import Advice
from hometextile.forms.permission import advice_for, refusal
from hometextile.page.page import Page
from hometextile.sites import load_site
from hometextile.spiders.proposal import Sight, entry_name, look_at, write_site_file

URL = "http://shop.example.cn/"
# A shop of the nineties: its search posts, and nothing says it beyond doubt.
SEARCH = (
    '<form name="sform" method="post" action="{action}"><input name="txtKey" size="20"><select name="cls">'
    '<option value="">全部<option value="1">家纺</select><input type="submit" value="搜索"></form>'
)
MAIL = '<form method="post" action="/dy.asp">邮件订阅：<input name="mail"><input type="submit" value="订阅"></form>'


def sight(forms: str, url: str = URL, asked: str = "") -> Sight:
    one = look_at(Page("look", url, f"<html><title>锦绣家纺</title><body>{forms}</body></html>"), asked)
    # How sure the learned score is of each is measured elsewhere.
    one.forms = [(form, replace(verdict, certain=False)) for form, verdict in one.forms]
    return one


def shown(one: Sight) -> str:
    out = io.StringIO()
    one.print(Console(file=out, width=400))
    return out.getvalue()


def written(one: Sight, folder: Path) -> Path:
    path = folder / "shop.yaml"
    path.write_text(write_site_file(one, URL), encoding="utf-8")
    return path


def uncommented(text: str) -> str:
    """The file after a person has taken away the # of the lines for a form."""
    lines = text.splitlines()
    first = lines.index("#forms:")
    last = next(n for n in range(first, len(lines)) if not lines[n])
    return "\n".join(line[1:] if first <= n < last else line for n, line in enumerate(lines)) + "\n"


@pytest.mark.parametrize(
    ("action", "keys"),
    [
        ("/so.asp", {"post"}),
        ("/so.asp?type=[a]+b", {"post"}),
        ("http://search.other.cn/so", {"post", "elsewhere"}),
        ("", {"post"}),
    ],
)
def test_a_search_that_is_held_back_is_said_to_be_and_its_lines_allow_it(
    action: str, keys: set[str], tmp_path: Path
) -> None:
    one = sight(SEARCH.format(action=action) + MAIL)
    ((form, needed),) = one.held_back
    assert set(needed) == keys
    assert "query interface, but not asked" in shown(one)
    assert "behind a #" in shown(one)
    path = written(one, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert "is asked (" not in text
    assert load_site(path).data.forms == []
    path.write_text(uncommented(text), encoding="utf-8")
    (rule,) = load_site(path).data.forms
    advice = advice_for(form, [Advice(**rule.model_dump())])
    assert advice is not None
    verdict = next(verdict for each, verdict in one.forms if each is form)
    assert refusal(form, verdict, advice, hosts={"shop.example.cn"}) == ""
    mail, told = next((each, verdict) for each, verdict in one.forms if each is not form)
    if action:
        assert advice_for(mail, [advice]) is None
        assert refusal(mail, told, None, hosts={"shop.example.cn"}) == "no-query-interface"


def test_a_search_that_is_asked_has_no_lines(tmp_path: Path) -> None:
    one = sight("<form action=/search role=search><input type=search name=q><button>搜索</button></form>")
    assert one.held_back == []
    assert "not asked" not in shown(one)
    text = written(one, tmp_path).read_text(encoding="utf-8")
    assert "GET /search [q]: is asked (" in text
    assert "post: true" not in text


def test_the_host_that_was_asked_for_belongs_to_the_site() -> None:
    forms = "<form action=http://shop.example.cn/s><input type=search name=q><button>Search</button></form>"
    assert sight(forms, "http://www.shop.example.cn/", "http://shop.example.cn/").held_back == []
    assert [keys for _form, keys in sight(forms, "http://www.shop.example.cn/").held_back] == [["elsewhere"]]


def test_names_of_controls_are_shown() -> None:
    assert "[txtKey, cls]" in shown(sight(SEARCH.format(action="/so.asp")))


def test_what_a_page_says_ends_no_comment(tmp_path: Path) -> None:
    forms = SEARCH.format(action="/s&#10;mode: surface&#10;").replace("txtKey", "k&#10;keywords: [x]&#10;")
    path = written(sight(forms), tmp_path)
    data = load_site(path).data
    assert (data.mode, data.keywords) == ("both", [])


def test_pages_of_one_script_are_one_kind() -> None:
    links = "".join(f"<a href='/show.asp?id={n}'>被套 {n}</a>" for n in range(5)) + "<a href=/about>关于</a>"
    assert sight(links).link_shapes == [("/show.asp?", 5, f"{URL}show.asp?id=0")]


def test_a_form_is_named_by_what_it_has() -> None:
    (by_name, _keys), *_rest = sight(SEARCH.format(action="")).held_back
    assert entry_name(by_name) == 'name: "sform"'
    (by_page, _keys), *_rest = sight(SEARCH.format(action="").replace('name="sform" ', "")).held_back
    assert entry_name(by_page) == 'url: "^http://shop\\\\.example\\\\.cn/"'


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("锦绣家纺商城成立于一九九八年，主营床上用品、窗帘、毛巾与地毯，欢迎选购。联系 QQ", "zh"),
        ("A small shop of textiles for the house: bed linen, curtains and towels. " * 3, "en"),
        ("Une petite maison de textiles : linge de lit, rideaux et serviettes, tissés à la main. " * 3, "en"),
        ("锦绣家纺商城主营床上用品 Bed linen and curtains of silk and cotton for the whole house", "both"),
        ("家纺", "both"),
    ],
)
def test_the_words_asked_are_of_the_language_of_the_start_page(text: str, language: str, tmp_path: Path) -> None:
    assert load_site(written(sight(f"<p>{text}</p>"), tmp_path)).data.language == language


@pytest.mark.parametrize(
    "text",
    [
        "Ткани для дома, шторы и покрывала ручной работы. ",
        "20 19 18 17 16 15 14 13 12 11 10 ",
        "커튼과 침구 그리고 수건을 판매합니다 ",
    ],
)
def test_a_page_in_a_script_of_no_pack_is_asked_in_both(text: str, tmp_path: Path) -> None:
    assert load_site(written(sight(f"<p>{text * 3}</p>"), tmp_path)).data.language == "both"


def test_an_action_without_end_is_named_by_its_beginning(tmp_path: Path) -> None:
    one = sight(SEARCH.format(action="/so" + "-" * 100_000))
    path = written(one, tmp_path)
    assert path.stat().st_size < 20_000
    ((form, _keys),) = one.held_back
    path.write_text(uncommented(path.read_text(encoding="utf-8")), encoding="utf-8")
    (rule,) = load_site(path).data.forms
    assert advice_for(form, [Advice(**rule.model_dump())]) is not None
