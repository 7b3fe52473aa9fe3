"""Which domain a form is of."""

from __future__ import annotations

import pytest

from hometextile.forms.attributes import Attribute, attributes_of
from hometextile.forms.domains import load_domains, neighbours
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Recogniser
from hometextile.page.document import Document
from hometextile.text.pack import load_pack

_FORMS = {
    # Written for this test; no interface of bench/interfaces.
    "home_textile": "<input name=k placeholder='花型名称'><select name=a title=面料><option>雪纺<option>天丝</select>"
    "<select name=b title=印花工艺><option>活性<option>涂料</select>",
    "jobs": "<input name=k placeholder='Job title'><select name=s title='Salary range'><option>30k<option>50k</select>",
    "flights": "<input name=a placeholder='Flying from'><input name=b placeholder='Flying to'>"
    "<input name=c placeholder=Depart>",
    "medicine": "<input name=a placeholder=医生姓名><select name=b title=科室><option>内科<option>骨科</select>",
    "cars": "<select name=a title=品牌><option>比亚迪<option>宝马</select><select name=b title=变速箱>"
    "<option>手动<option>自动</select>"
    "<input name=c placeholder=行驶里程>",
    "flats": "<input name=a placeholder=Neighbourhood><select name=b title=Bedrooms><option>1<option>2</select>"
    "<input name=c placeholder='Monthly rent'>",
    "books": "<input name=t placeholder=书名><select name=b title=装帧><option>平装<option>精装</select>"
    "<input name=y placeholder=译者>",
}


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser.load()


@pytest.mark.parametrize("domain", _FORMS)
def test_domain(recogniser: Recogniser, domain: str) -> None:
    form = read_forms(Document(f"<form>{_FORMS[domain]}<button>Go</button></form>", "https://example.org/"))[0]
    match = recogniser.match(form)
    assert match is not None
    assert match.domain == domain
    assert 0.1 < match.similarity <= 1
    assert match.nodes


def test_nothing_known_is_no_domain(recogniser: Recogniser) -> None:
    form = read_forms(Document("<form><input name=zzz></form>", "https://example.org/"))[0]
    assert recogniser.match(form) is None


def test_every_domain_has_a_model() -> None:
    assert {model.key for model in load_domains(load_pack()).models} == {"home_textile", *neighbours()}


@pytest.mark.parametrize("domain", _FORMS)
def test_what_tells_a_domain_is_told(recogniser: Recogniser, domain: str) -> None:
    match = recogniser.domains.told(attributes(recogniser, _FORMS[domain]))
    assert match is not None
    assert match.domain == domain


@pytest.mark.parametrize(
    "html",
    [
        # Cars are sold by it and museums searched.
        "<input name=t placeholder=Title><input name=m placeholder=Maker><input name=y placeholder=Year>",
        "<input name=t placeholder=标题><input name=m placeholder=厂家><input name=y placeholder=年份>",
        "<input name=t placeholder=Title><input name=a placeholder=Author><input name=y placeholder=Year>",
        "<input name=k placeholder=Keyword><select name=c title=Category><option>Beds<option>Baths</select>",
        "<input name=k placeholder=Keyword><input name=a title='Price from'><input name=b title='Price to'>",
        "<input name=zzz>",
    ],
)
def test_what_any_domain_asks_for_tells_none(recogniser: Recogniser, html: str) -> None:
    assert recogniser.domains.told(attributes(recogniser, html)) is None


def test_what_a_domain_does_not_know_speaks_against_it(recogniser: Recogniser) -> None:
    # A library of the trade asks as a bookshop does, and for the craft, which no bookshop asks for.
    html = (
        "<input name=t placeholder=书名><input name=a placeholder=著者><input name=y placeholder=出版年>"
        "<select name=c title=工艺><option>刺绣<option>缂丝</select><input name=f placeholder=面料>"
    )
    best, *others = recogniser.domains.match(attributes(recogniser, html))
    books = next(match for match in others if match.domain == "books")
    assert best.domain == "home_textile"
    assert (best.share, best.likeness) == (1.0, best.similarity)
    assert books.likeness < books.similarity


def attributes(recogniser: Recogniser, html: str) -> list[Attribute]:
    form = read_forms(Document(f"<form>{html}<button>Go</button></form>", "https://example.org/"))[0]
    return attributes_of(form, recogniser.meanings, recogniser.words)
