"""Site files: read strictly, every fault with file, line, key and remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hometextile.sites import json_schema, load_site, parse_site, secret, site_files
from hometextile.text.faults import Fault

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad_rules").glob("*.yaml"))


@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_each_bad_rule_file_gives_one_clear_message(file: Path) -> None:
    expected = file.read_bytes().decode("utf-8", "replace").splitlines()[0].removeprefix("# expect: ")
    with pytest.raises(Fault) as caught:
        load_site(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert "\n" not in message
    place, _, rest = expected.partition(": ")
    if place.isdecimal():
        assert message.startswith(f"{file}:{place}: "), message
        expected = rest
    assert expected in message, message


def test_a_good_file_with_everything() -> None:
    site = parse_site(
        "title: 样例\nstart: [https://www.example.cn/]\nkeywords: [NO, 床品]\nmode: deep\nrender: never\n"
        "allow: {hosts: [img.example.cn]}\nlimits: {pages: 10, delay: 2}\n"
        "session: {headers: {X-Token: 'env:TOKEN', Accept-Language: zh}, cookies: 'file:~/cookies.txt'}\n"
        "follow: {accept: ['/a/'], refuse: ['\\?print']}\nforms: [{action: search, keyword_in: q, set: {type: '1'}}]\n"
        "templates:\n  - name: a\n    match: /a/\n    fields: {price: {css: .p, type: price}}\n"
        "check: [{url: 'https://www.example.cn/a/1', text: 提花}]\n",
        "sample",
        "sample.yaml",
    )
    assert site.hosts == {"www.example.cn", "img.example.cn"}
    assert site.data.keywords == ["NO", "床品"]  # no word of a user becomes a truth value
    assert site.data.limits.delay == 2.0


def test_all_faults_of_a_file_are_told() -> None:
    with pytest.raises(Fault) as caught:
        parse_site("start: [x]\nmode: all\n", "s", "s.yaml")
    assert [fault.line for fault in (caught.value, *caught.value.others)] == [1, 2]


def test_messages_come_in_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    with pytest.raises(Fault) as caught:
        parse_site("start: [https://example.cn/]\nmod: deep\n", "s", "s.yaml")
    assert str(caught.value) == "s.yaml:2: mod: 未知的键 → 是否想写 `mode`？"


def test_secrets_come_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOKEN", "s3cret")
    (tmp_path / "t").write_text("from file\n", encoding="utf-8")
    assert secret("env:TOKEN", file="f", key="k") == "s3cret"
    assert secret(f"file:{tmp_path / 't'}", file="f", key="k") == "from file"
    monkeypatch.delenv("TOKEN")
    with pytest.raises(Fault, match="TOKEN is not set"):
        secret("env:TOKEN", file="f", key="k")
    with pytest.raises(Fault, match="cannot be read"):
        secret(f"file:{tmp_path / 'none'}", file="f", key="k")


def test_the_schema_for_editors_is_the_one_in_docs() -> None:
    written = json.loads((HERE.parent / "docs" / "site.schema.json").read_text(encoding="utf-8"))
    assert written == json_schema(), "run: scrapy site schema docs/site.schema.json"


def test_every_file_in_rules_and_every_example_is_in_order() -> None:
    files = [
        *dict(site_files(str(HERE.parent / "rules"))).values(),
        *(HERE.parent / "docs" / "examples").glob("*.yaml"),
    ]
    assert files
    for file in files:
        load_site(file)


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "big.yaml").write_text("title: " + "x" * 1_100_000, encoding="utf-8")
    with pytest.raises(Fault, match="more than the"):
        load_site(tmp_path / "big.yaml")
