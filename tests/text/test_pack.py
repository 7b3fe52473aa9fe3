"""The domain pack: the one that ships, a second one from a folder, and bad ones."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from zipfile import ZipFile

import pytest

from hometextile.extract.resource import Resource
from hometextile.text.faults import Fault
from hometextile.text.pack import Pack, load_pack
from hometextile.topic.classify import classify
from hometextile.topic.relevance import relevance

FORESTRY = {
    "pack.yaml": """
        name: forestry
        names: {zh: 林业, en: Forestry}
        languages: [zh, en]
        relevance: 0.5
        """,
    "words/keywords.yaml": """
        keywords:
          zh: [森林, 小班]
          en: [forest]
        """,
    "words/terms.yaml": """
        topic:
          - weight: 1
            words: [森林经营, 小班, 造林, forest management]
          - weight: .5
            words: [森林, 林业, 树木, forest, timber]
        against:
          - weight: 1
            words: [幼儿园, kindergarten]
        """,
    "words/synonyms.yaml": """
        synonyms:
          - [森林, forest, woodland]
        """,
    "taxonomy.yaml": """
        libraries:
          knowledge:
            names: {zh: 知识, en: Knowledge}
            classes:
              tending:
                names: {zh: 抚育, en: Tending}
                words: [{weight: 3, words: [抚育, 间伐, thinning]}]
              protection:
                names: {zh: 保护, en: Protection}
                words: [{weight: 3, words: [虫害, 防火, pests]}]
        """,
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return folder


def test_the_pack_has_nine_libraries_and_35_classes_named_in_both_languages() -> None:
    pack = load_pack()
    assert list(pack.libraries) == [
        "culture", "information", "directory", "academic", "design", "craft", "customisation", "trade", "video",
    ]  # fmt: skip
    assert sum(len(library.classes) for library in pack.libraries.values()) == 35
    for library in pack.libraries.values():
        assert set(library.names) == {"zh", "en"}
        for entry in library.classes.values():
            assert set(entry.names) == {"zh", "en"}
    assert pack.library_of("patent") == "academic"
    assert pack.class_name("patent") == "专利信息"
    assert pack.library_name("trade", "en") == "Trade"


def test_words_come_in_order_and_by_language() -> None:
    pack = load_pack()
    assert pack.keywords("zh")[0] == "家纺"
    assert {"textile", "lace", "velvet", "carpet"} <= set(pack.keywords("en")[:15])
    assert pack.keywords() == [*pack.keywords("zh"), *pack.keywords("en")]
    assert pack.keywords("fr") == []
    assert pack.terms["四件套"] == 1
    assert pack.terms["蠶絲被"] == pack.terms["蚕丝被"]
    assert not set(pack.terms) & set(pack.against)
    assert "bed linen" in pack.same_as("床品")


def test_the_cutter_knows_the_pack(tmp_path: Path) -> None:
    assert load_pack().cutter.cut("云锦抱枕") == ["云锦", "抱枕"]


def test_a_second_pack_from_a_folder_makes_another_library(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path, FORESTRY))
    plan = Resource("", "", title="小班抚育间伐设计", text="对杉木小班进行间伐，促进森林生长。")
    class_of_children = Resource("", "", title="幼儿园小班教案", text="认识红黄蓝三色，做游戏。")
    assert relevance(plan, pack) >= pack.threshold > relevance(class_of_children, pack)
    assert classify(plan, pack)[:2] == ("knowledge", "tending")
    assert relevance(plan, load_pack()) < load_pack().threshold


def test_a_pack_is_read_from_a_zip(tmp_path: Path) -> None:
    from zipfile import Path as ZipPath

    with ZipFile(tmp_path / "egg.zip", "w") as archive:
        for name, text in FORESTRY.items():
            archive.writestr(f"forestry/{name}", dedent(text).lstrip("\n"))
    pack = Pack(ZipPath(tmp_path / "egg.zip", "forestry/"))
    assert pack.keywords("en") == ["forest"]
    assert not pack.resource("domain_model.yaml").is_file()


@pytest.mark.parametrize(
    ("file", "text", "line", "part"),
    [
        ("pack.yaml", "name: forestry\nnames: {en: Forestry}\n", None, "languages"),
        ("pack.yaml", "name: forestry\nnames: {en: F}\nlanguages: [zh, en]\nrelevence: 1\n", 4, "relevance"),
        ("pack.yaml", "name: forestry\nnames: {en: F}\nlanguages: [zh, en]\nrelevance: 7\n", 4, "relevance"),
        ("pack.yaml", "name: [\n", 2, "YAML"),
        ("words/terms.yaml", "topic:\n  - weight: heavy\n    words: [a]\n", 2, "weight"),
        ("words/keywords.yaml", "keywords:\n  zh: [森林]\n", None, "en"),
        ("words/keywords.yaml", "keywords:\n  zh: [森林]\n  zh: [树]\n", 3, "twice"),
        ("taxonomy.yaml", "libraries: {}\n", 1, "libraries"),
    ],
)
def test_a_bad_file_gives_one_fault_with_its_place(
    tmp_path: Path, file: str, text: str, line: int | None, part: str
) -> None:
    write(tmp_path, FORESTRY)
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(Fault) as caught:
        Pack(tmp_path)
    assert caught.value.file == str(tmp_path.joinpath(*file.split("/")))
    if line is not None:
        assert caught.value.line == line
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_class_in_two_libraries_is_a_fault(tmp_path: Path) -> None:
    write(tmp_path, FORESTRY)
    entry = "    names: {en: N}\n    classes:\n      same: {names: {en: S}, words: [{weight: 1, words: [x]}]}\n"
    (tmp_path / "taxonomy.yaml").write_text(f"libraries:\n  one:\n{entry}  two:\n{entry}", encoding="utf-8")
    with pytest.raises(Fault, match="same"):
        Pack(tmp_path)


def test_a_file_that_is_not_utf8_is_a_fault(tmp_path: Path) -> None:
    write(tmp_path, FORESTRY)
    (tmp_path / "pack.yaml").write_bytes("name: 林业".encode("gbk"))
    with pytest.raises(Fault, match="UTF-8"):
        Pack(tmp_path)


def test_no_such_pack(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="home_textile"):
        load_pack("astronomy")
    with pytest.raises(Fault):
        load_pack(tmp_path / "nowhere")


def test_a_resource_stays_in_the_pack() -> None:
    with pytest.raises(Fault):
        load_pack().resource("../../settings.py")
