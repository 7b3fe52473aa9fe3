"""The mediator on SQLite, PostgreSQL and MariaDB: nothing twice, nothing lost, nothing altered, all or nothing."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from sqlalchemy import event

from hometextile.mediator.mediator import Mediator
from hometextile.mediator.sources import Record
from hometextile.text.faults import Fault
from tests.mediator.conftest import User, read

MAP = """
table: products
key: url
create: true
columns:
  url: {from: url, length: 200}
  title: {from: title, required: true}
  price: {from: fields.price, type: price, decimals: 2}
  weight: {from: [fields.克重, fields.weight], unit: g/m², decimals: 2}
  season: {from: fields.season, values: {春: spring, 夏: summer}}
  day: {from: published, type: date}
  new: {from: fields.new, type: boolean}
  seen: {from: seen, type: datetime}
  count: {from: fields.count, type: integer}
"""


def product(number: int = 1, **values: Any) -> dict[str, Any]:
    fields = {"price": "¥1.2万", "克重": "19姆米", "season": "春", "new": "是", "count": "1,200"}
    return {
        "url": f"http://a.example/{number}",
        "title": f"宋锦四件套 𠮷 {number}",
        "published": "2023年5月6日",
        "seen": "2023-05-06T10:00:00+08:00",
        "fields": {**fields, **values.pop("fields", {})},
        **values,
    }


def test_a_table_is_made_and_filled_and_nothing_stands_there_twice(user: User) -> None:
    first = user.run(MAP, product(1), product(2))
    assert first.counts == {"read": 2, "new": 2}
    row = user.rows("SELECT * FROM products ORDER BY url")[0]
    assert (row["url"], row["title"]) == ("http://a.example/1", "宋锦四件套 𠮷 1")
    assert (float(row["price"]), float(row["weight"]), row["season"]) == (12000, 82.46, "spring")
    assert (str(row["day"]), row["new"], str(row["seen"])) == ("2023-05-06", 1, "2023-05-06 02:00:00")
    assert row["count"] == 1200
    assert user.run(MAP, product(1), product(2)).counts == {"read": 2, "same": 2}
    changed = user.run(MAP, product(1, fields={"price": "99元"}), product(3))
    assert changed.counts == {"read": 2, "changed": 1, "new": 1}
    assert len(user.rows("SELECT * FROM products")) == 3


def test_rejected_records_wait_with_their_reason_and_are_tried_again(user: User) -> None:
    done = user.run(MAP, product(1), product(2, fields={"season": "冬"}), product(3, title=" "))
    assert done.counts == {"read": 3, "new": 1, "rejected": 2}
    assert done.places == {
        ("season", "冬 is not listed under `values`"): "file:2",
        ("title", "no value"): "file:3",
    }
    aside = user.rows("SELECT * FROM hometextile_rejected ORDER BY id")
    assert [(row["map"], row["column_name"], row["tries"]) for row in aside] == [
        ("products", "season", 1),
        ("products", "title", 1),
    ]
    user.run(MAP, product(2, fields={"season": "冬"}))
    assert [row["tries"] for row in user.rows("SELECT * FROM hometextile_rejected ORDER BY id")] == [2, 1], "not twice"
    corrected = MAP.replace("夏: summer", "夏: summer, 冬: winter")
    assert user.retry(corrected).counts == {"read": 2, "new": 1, "rejected": 1}
    assert [row["season"] for row in user.rows("SELECT season FROM products ORDER BY url")] == ["spring", "winter"]
    assert [row["tries"] for row in user.rows("SELECT * FROM hometextile_rejected")] == [2]
    user.run(corrected, product(3, title="有了"))
    assert user.rows("SELECT * FROM hometextile_rejected") == [], "what is written later leaves the quarantine"


def test_a_retry_that_fails_for_another_reason_keeps_one_row(user: User) -> None:
    bad = {"url": "", "title": "无址", "fields": {"season": "冬"}}
    user.run(MAP, bad)
    other = MAP.replace("url: {from: url,", "url: {from: [url, title],")
    assert user.retry(other).counts == {"read": 1, "rejected": 1}
    rows = user.rows("SELECT * FROM hometextile_rejected")
    assert [(row["column_name"], row["tries"]) for row in rows] == [("season", 2)]


def test_stop_leaves_everything_as_it_was(user: User) -> None:
    user.run(MAP, product(1))
    stopping = MAP.replace("夏: summer}", "夏: summer}, on_error: stop")
    with pytest.raises(Fault) as caught:
        user.run(stopping, product(1, title="别的"), product(2, title=""), product(3, fields={"season": "冬"}))
    assert str(caught.value) == (
        "products.yaml:11: columns.season: file:3: 冬 is not listed under `values` → "
        "correct the rule or the record; nothing of this run was written"
    )
    assert [row["title"] for row in user.rows("SELECT title FROM products")] == ["宋锦四件套 𠮷 1"]
    assert user.rows("SELECT * FROM hometextile_rejected") == []


def test_a_source_that_breaks_off_leaves_everything_as_it_was(user: User) -> None:
    def broken() -> Any:
        yield Record(product(1), "x:1")
        raise Fault("broken", file="x", line=2)

    with Mediator(read(MAP)) as mediator, pytest.raises(Fault, match="broken"):
        mediator.run(broken())
    assert user.rows("SELECT * FROM products") == []


def test_the_users_own_table_is_used_as_it_is(user: User) -> None:
    user.do(
        "CREATE TABLE stock (id INTEGER NOT NULL PRIMARY KEY, sku VARCHAR(20) NOT NULL, name VARCHAR(6), "
        "shelf VARCHAR(10) DEFAULT 'A1', CHECK (name <> '禁'))",
        "INSERT INTO stock (id, sku, name, shelf) VALUES (1, 'S1', '旧', 'B7')",
        "CREATE TABLE bystander (id INTEGER)",
    )
    mapping = """
table: stock
key: sku
create: true
columns:
  id: {from: n, type: integer}
  sku: sku
  name: name
"""
    records = [
        {"n": 1, "sku": "S1", "name": "新"},
        {"n": 2, "sku": "S2", "name": "禁"},
        {"n": 3, "sku": "S3", "name": "太长的名字了吧"},
        {"n": 1, "sku": "S4", "name": "同号"},
        {"n": 5, "sku": "S5", "name": "好"},
    ]
    done = user.run(mapping, *records)
    assert done.counts == {"read": 5, "changed": 1, "rejected": 3, "new": 1}
    assert user.rows("SELECT id, sku, name, shelf FROM stock ORDER BY id") == [
        {"id": 1, "sku": "S1", "name": "新", "shelf": "B7"},
        {"id": 5, "sku": "S5", "name": "好", "shelf": "A1"},
    ]
    reasons = [row["reason"] for row in user.rows("SELECT reason FROM hometextile_rejected ORDER BY id")]
    assert reasons[1] == "name: 7 characters, more than the column's 6"
    assert user.run(mapping.replace("name: name", "name: {from: name, cut: true}"), records[2]).counts["new"] == 1
    assert user.rows("SELECT name FROM stock WHERE id = 3") == [{"name": "太长的名字了"[:6]}]


def test_existing_rows_can_be_kept(user: User) -> None:
    user.run(MAP, product(1))
    keeping = MAP + "existing: keep\n"
    assert user.run(keeping, product(1, title="别的"), product(2)).counts == {"read": 2, "kept": 1, "new": 1}
    assert user.rows("SELECT title FROM products ORDER BY url")[0]["title"] == "宋锦四件套 𠮷 1"


def test_a_key_of_two_columns_tells_case_apart(user: User) -> None:
    mapping = "table: t\nkey: [a, b]\ncreate: true\ncolumns: {a: a, b: {from: b, type: integer}, c: c}\n"
    done = user.run(mapping, {"a": "x", "b": 1}, {"a": "X", "b": 1}, {"a": "x", "b": 2}, {"a": "x", "b": 1, "c": "z"})
    assert done.counts == {"read": 4, "new": 3, "changed": 1, "again": 1}
    assert user.run(mapping, {"a": "x", "b": 1, "c": "z"}).counts == {"read": 1, "same": 1}


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        (
            "{sku: sku, colour: c}",
            "columns.colour: the table stock has no column colour → write one of: sku, name, n, d",
        ),
        ("{sku: sku, name: {from: n, type: date}}", "columns.name.type: the table's column is"),
        ("{sku: sku, name: {from: n, type: number}}", "→ write one of: json, text"),
        ("{sku: sku, n: n}", "the map's is text → write one of: boolean, integer, year"),
        ("{sku: sku, d: d}", "columns.d.type: the table's column is DATE, the map's is text → write one of: date"),
        ("{name: n}", "key: the key sku is none of the columns"),
    ],
)
def test_a_map_that_does_not_fit_the_table_is_told_before_anything_is_written(
    user: User, columns: str, fault: str
) -> None:
    user.do("CREATE TABLE stock (sku VARCHAR(20) NOT NULL PRIMARY KEY, name VARCHAR(9), n INTEGER, d DATE)")
    with pytest.raises(Fault) as caught:
        user.run(f"table: stock\nkey: sku\ncreate: true\ncolumns: {columns}\n", {"sku": "1"})
    assert fault in str(caught.value)
    assert str(caught.value).startswith("products.yaml:")


def test_a_column_that_must_be_filled_and_is_not_in_the_map(user: User) -> None:
    user.do("CREATE TABLE stock (sku VARCHAR(20) NOT NULL PRIMARY KEY, owner VARCHAR(9) NOT NULL)")
    with pytest.raises(Fault, match="the table's column owner must have a value, and the map gives none"):
        user.run("table: stock\nkey: sku\ncreate: true\ncolumns: {sku: sku}\n", {"sku": "1"})


def test_nothing_is_made_unless_asked(user: User) -> None:
    user.do("CREATE TABLE bystander (id INTEGER)")
    with pytest.raises(Fault, match="there is no table products → write `create: true`"):
        user.run(MAP.replace("create: true\n", ""), product())
    user.do("CREATE TABLE products (url VARCHAR(50))")
    lean = "table: products\nkey: url\ncolumns: {url: url}\n"
    with pytest.raises(Fault, match="there is no table hometextile_rejected → write `create: true`"):
        user.run(lean, product())


def test_a_table_without_a_constraint_that_has_the_key_twice(user: User) -> None:
    user.do("CREATE TABLE products (url VARCHAR(50), title VARCHAR(90))")
    user.do("INSERT INTO products VALUES ('u', 'a')", "INSERT INTO products VALUES ('u', 'b')")
    done = user.run("table: products\nkey: url\ncreate: true\ncolumns: {url: url, title: title}\n", {"url": "u"})
    assert list(done.reasons) == [("", "the table has several rows with this key")]


def test_texts_that_databases_choke_on(user: User) -> None:
    user.run(MAP, product(1, title="a\x00b\ud800c'; DROP TABLE products; --" + "长" * 100_000))
    title = user.rows("SELECT title FROM products")[0]["title"]
    assert title.startswith("ab�c'; DROP TABLE products; --长")
    assert len(title) > 100_000


def test_numbers_and_dates_as_the_database_gives_them_back_are_the_same(user: User) -> None:
    mapping = """
table: t
key: k
create: true
columns:
  k: {from: k, type: integer}
  n: {from: n, type: number, decimals: 3}
  y: {from: y, type: year}
  j: {from: j, type: json}
  r: {from: r, type: date, whole: true}
"""
    record = {"k": "1", "n": "1.23456", "y": "1998年", "j": {"b": [1, None], "a": "锦"}, "r": "2023-05"}
    assert user.run(mapping, record).counts["new"] == 1
    assert user.run(mapping, record).counts["same"] == 1
    row = user.rows("SELECT * FROM t")[0]
    assert (float(row["n"]), row["y"], row["j"]) == (1.235, 1998, '{"a": "锦", "b": [1, null]}')
    assert row["r"] in {date(2023, 5, 1), "2023-05-01"}


def test_two_runs_at_once_write_nothing_twice(user: User) -> None:
    import threading

    user.do("CREATE TABLE products (url VARCHAR(50), title VARCHAR(90))")
    mapping = "table: products\nkey: url\ncreate: true\ncolumns: {url: url, title: title}\n"
    records = [{"url": f"u{number}", "title": "t"} for number in range(20)]
    user.run(mapping)
    counts: list[int] = []
    runs = [threading.Thread(target=lambda: counts.append(user.run(mapping, *records).counts["new"])) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert sorted(counts) == [0, 0, 20]
    assert len(user.rows("SELECT * FROM products")) == 20


def test_defaults(small: User) -> None:
    mapping = """
table: t
key: k
create: true
on_error: default
columns:
  k: k
  price: {from: price, type: price}
  brand: {from: brand, default: 未知}
  weight: {from: weight, unit: g/m², default: 100, decimals: 0}
  kind: {from: kind, values: {床品: bedding}, unlisted: default, default: other}
  raw: {from: kind, values: {床品: bedding}, unlisted: keep}
  currency: {constant: CNY}
  needed: {from: needed, type: integer, required: true}
"""
    done = small.run(
        mapping,
        {"k": "1", "price": "面议", "weight": "很轻", "kind": "窗帘", "needed": 1},
        {"k": "2", "price": "9", "brand": "水星", "kind": " 床品", "needed": "2"},
        {"k": "3", "needed": "?"},
        {"k": "", "needed": 1},
    )
    assert done.counts == {"read": 4, "new": 2, "rejected": 2}
    assert small.rows("SELECT * FROM t ORDER BY k") == [
        {"k": "1", "price": None, "brand": "未知", "weight": 100, "kind": "other", "raw": "窗帘", "currency": "CNY",
         "needed": 1},
        {"k": "2", "price": 9, "brand": "水星", "weight": 100, "kind": "bedding", "raw": "bedding", "currency": "CNY",
         "needed": 2},
    ]  # fmt: skip


def test_a_name_that_no_record_has_is_told(small: User) -> None:
    mapping = "table: t\nkey: k\ncreate: true\ncolumns: {k: k, t: titel, w: [fields.weight, fields.克重]}\n"
    done = small.run(mapping, {"k": "1", "title": "x", "fields": {"克重": ""}})
    assert [str(fault) for fault in done.unknown] == [
        "products.yaml:5: columns.t: no record has titel → did you mean `title`?"
    ]


def test_take(small: User) -> None:
    mapping = MAP + "take: {library: [trade, craft], withdrawn: false, relevance: 0.5}\n"
    rows = [
        product(1, library="trade", relevance=0.9),
        product(2, library="culture", relevance=0.9),
        product(3, library="craft", relevance=0.1),
        product(4, library="craft", relevance=0.9, withdrawn="2024-01-01"),
    ]
    assert small.run(mapping, *rows).counts == {"read": 4, "new": 1, "passed": 3}


def test_the_librarys_own_tables_are_out_of_reach(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from hometextile.library.library import Library

    url = f"sqlite:///{tmp_path / 'library.db'}"
    Library.open(url).close()
    monkeypatch.setenv("USERS_DATABASE", url)
    with pytest.raises(Fault, match="resources is one of the library's own tables"):
        Mediator(read("table: resources\nkey: url\ncreate: true\ncolumns: {url: url}\n"))


def test_a_record_too_long_to_be_kept_says_so(small: User) -> None:
    small.run(MAP, product(1, fields={"season": "冬"}, text="长" * 1_000_001))
    assert small.rows("SELECT record FROM hometextile_rejected") == [{"record": None}]
    assert small.retry(MAP).counts == {"lost": 1}
    assert len(small.rows("SELECT * FROM hometextile_rejected")) == 1


@pytest.mark.parametrize("user", [pytest.param("postgresql", marks=pytest.mark.postgresql),
                                  pytest.param("mariadb", marks=pytest.mark.mariadb)], indirect=True)  # fmt: skip
def test_a_server_that_goes_away_in_the_middle(user: User) -> None:
    with Mediator(read(MAP)) as mediator:
        own: list[int] = []

        @event.listens_for(mediator._target.engine, "checkout")
        def note(connection: Any, *_others: Any) -> None:
            own.append(connection.info.backend_pid if "postgresql" in user.url else connection.thread_id())

        def records() -> Any:
            yield Record(product(1), "x:1")
            user.do(f"SELECT pg_terminate_backend({own[-1]})" if "postgresql" in user.url else f"KILL {own[-1]}")
            yield Record(product(2), "x:2")

        with pytest.raises(Fault) as caught:
            mediator.run(records())
        assert "products.yaml:1: database: the database env:USERS_DATABASE does not work: " in str(caught.value)
        assert "nothing of this run was written" in str(caught.value)
        assert user.rows("SELECT * FROM products") == []
        assert mediator.run([Record(product(1), "x:1")]).counts["new"] == 1, "it goes on when the server is back"


def test_a_run_that_is_killed_leaves_everything_as_it_was(user: User, tmp_path: Any) -> None:
    import subprocess
    import sys

    user.run(MAP, product(1))
    (tmp_path / "products.yaml").write_text("database: env:USERS_DATABASE\n" + MAP, encoding="utf-8")
    program = f"""
import os, signal
from pathlib import Path
from hometextile.mediator.mediator import Mediator
from hometextile.mediator.schema import load_map
from hometextile.mediator.sources import Record
def records():
    for number in range(50):
        yield Record({{"url": f"u{{number}}", "title": "t" if number % 2 else ""}}, "x")
    os.kill(os.getpid(), signal.SIGKILL)
Mediator(load_map(Path({str(tmp_path / "products.yaml")!r}))).run(records())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert done.returncode == -9, done.stderr
    assert len(user.rows("SELECT * FROM products")) == 1
    assert user.rows("SELECT * FROM hometextile_rejected") == []
    assert user.run(MAP, product(1), product(2)).counts == {"read": 2, "same": 1, "new": 1}
