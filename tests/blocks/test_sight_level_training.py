"""Training the levels of drawn pages: the gate, and networks that know pages they have not seen."""

import numpy as np

from hometextile.blocks.block import LEVELS
from hometextile.blocks.outline import outline
from hometextile.blocks.sight import values_of
from hometextile.blocks.sight_level_training import SightLesson, fit_gate, fit_sight_levels
from hometextile.blocks.sight_training import drawn_page
from hometextile.page.document import Document
from tests.blocks.test_sight import drawn, levels_of


def lesson(number):
    document = Document(drawn(number), "http://a.example/")
    found = drawn_page(document, levels_of(document), f"site {number}")
    level = np.array([found.level[found.groups.region == at][0] for at in range(len(found.groups))])
    values = values_of(found.table, found.spans, found.table.names)
    none = np.zeros(len(found.level))
    return document, SightLesson(values, found.table, none, found.groups, level, found.looks, found.spans, found.site)


def of_the_web(number):
    text = f"<html data-box='0 0 1280 900' data-drawn='1280 900 1280 800'><body data-box='0 0 1280 900'>{number}"
    links = "".join(
        f"<p data-box='0 {20 * n} 90 20'><a href=/{n} data-box='0 {20 * n} 90 20'>{n}</a></p>" for n in range(30)
    )
    return drawn_page(Document(f"{text}{links}</body></html>", "http://b.example/"), None, f"web {number}").table


def test_the_gate_tells_pages_of_programs_from_those_of_the_web():
    programs = [lesson(number)[1].table for number in range(4)]
    web = [of_the_web(number) for number in range(4)]
    found = fit_gate(programs[:3], web[:3])
    assert found.share(programs[3]) > 0.5 > found.share(web[3])


def test_without_pages_of_the_web_every_page_is_a_programs():
    programs = [lesson(number)[1].table for number in range(2)]
    assert fit_gate(programs, []).share(of_the_web(0)) > 0.99


def test_levels_of_a_page_that_was_not_learned_from():
    lessons = [lesson(number)[1] for number in range(8)]
    model = fit_sight_levels(lessons, [])
    document, unseen = lesson(99)
    levels, share = model.judge(outline(document), unseen.spans, unseen.table, (unseen.values, unseen.seen))
    said = [LEVELS[each] for each in levels.argmax(axis=1)]
    assert said == [LEVELS[each] for each in unseen.level[unseen.groups.region]]
    assert share > 0.99
