"""The judge itself: Chromium still sends what was recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.submit_cases import load_cases
from hometextile.render.finding import find_browser

RECORDED = json.loads(Path(__file__).with_name("submit_recorded.json").read_text(encoding="utf-8"))["answers"]
NAMES = {"gbk-lacks-emoji", "form-in-a-table", "multipart-gbk", "formaction", "javascript-action-sends-nothing"}


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no Chromium on this machine")
def test_recorded_answers_are_chromiums():
    from bench.chromium import Judge
    from bench.submit import shown

    cases = [case for case in load_cases() if case.name in NAMES]
    assert len(cases) == len(NAMES)
    with Judge() as judge:
        for case in cases:
            judge.load(case.url, case.body, case.content_type)
            sent = judge.submit(case.form, case.values, case.button)
            assert shown(sent) == RECORDED[case.name], case.name
