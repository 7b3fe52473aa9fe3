# ruff: noqa: E501 (a line of HTML is as long as it is)
"""The document service: standards and patents behind select lists and radio buttons, literature behind a text box."""

from __future__ import annotations

from html import escape

from hometextile.demo.call import Call, Reply
from hometextile.demo.content import Item, items, search
from hometextile.demo.sections.common import NOTHING, brief, cut, link, numbered, paragraphs, rows, show
from hometextile.demo.skins import bureau

SIZE = 8
KINDS = {"": "全部", "standard": "标准", "patent": "专利"}
STATES = {"": "不限状态", "现行": "现行", "废止": "废止", "有效": "有效", "审查中": "审查中"}
FIELDS = {
    "": "不限领域",
    "床上用品": "床上用品",
    "窗帘布艺": "窗帘布艺",
    "毛巾": "毛巾",
    "地毯": "地毯",
    "通用": "通用",
}
NOISE = ("全文获取请凭读者证到馆办理", "打印本页 关闭窗口", "您可能还需要：标准查新服务")


def _choices(name: str, values: dict[str, str], chosen: str) -> str:
    options = "".join(
        f'<option value="{key}"{" selected" if key == chosen else ""}>{label}</option>' for key, label in values.items()
    )
    return f'<select name="{name}">{options}</select>'


def _std_form(asked: dict[str, str]) -> str:
    radios = " ".join(
        f'<label><input type="radio" name="type" value="{key}"{" checked" if key == asked.get("type", "") else ""} /> {label}</label>'
        for key, label in KINDS.items()
    )
    return f"""<form action="/std/search" method="get"><fieldset><legend>标准与专利检索</legend>
检索词 <input type="text" name="kw" size="32" value="{escape(asked.get("kw", ""))}" /> {radios}<br />
适用领域 {_choices("field", FIELDS, asked.get("field", ""))} 状态 {_choices("state", STATES, asked.get("state", ""))}
<input type="submit" value="检 索" /></fieldset></form>"""


def _lit_form(word: str = "") -> str:
    return f"""<form action="/lit/search" method="get"><fieldset><legend>文献检索（图书、论文、会议）</legend>
题名或摘要 <input type="text" name="words" size="40" value="{escape(word)}" /> <input type="submit" name="go" value="查询文献" />
</fieldset></form>"""


def _hits(part: list[Item], keys: tuple[str, ...]) -> str:
    return "".join(
        f"""<div class="hit"><h3><a href="{escape(item.path)}">{escape(item.title)}</a></h3>
<div class="m">{escape("　".join(item.fields[key] for key in keys if key in item.fields))}</div><p>{brief(item, 60)}</p></div>"""
        for item in part
    )


def _std_answer(call: Call) -> Reply:
    asked = {key: call.query.get(key, "").strip() for key in ("kw", "type", "field", "state")}
    hits = list(search("std", asked["kw"], call.visit) if asked["kw"] else items("std", call.visit))
    if not any(asked.values()):
        hits = []
    hits = [
        i for i in hits
        if asked["type"] in ("", i.category) and asked["field"] in ("", i.fields.get("适用领域"))
        and asked["state"] in ("", i.fields.get("状态"))
    ]  # fmt: skip
    part, count = cut(hits, call.page(), SIZE)
    turn = numbered(count, call.page(), lambda n: link("/std/search", **asked, page=n), here="strong")
    shown = _hits(list(part), ("标准号", "专利号", "状态")) or f'<p class="none">{NOTHING}。请放宽条件后重试。</p>'
    main = f"""<h1>检索结果</h1>{_std_form(asked)}<p>命中 {len(hits)} 条</p>{shown}<div class="pages">{turn}</div>"""
    return Reply(bureau.page("检索结果", main))


def _lit_answer(call: Call) -> Reply:
    word = call.query.get("words", "").strip()
    hits = search("lit", word, call.visit)
    part, count = cut(hits, call.page(), SIZE)
    turn = numbered(count, call.page(), lambda n: link("/lit/search", words=word, page=n), here="strong")
    shown = _hits(list(part), ("作者", "刊名", "出版社", "会期")) or f'<p class="none">{NOTHING}</p>'
    main = f'<h1>查询结果</h1>{_lit_form(word)}<p>共 {len(hits)} 篇</p>{shown}<div class="pages">{turn}</div>'
    return Reply(bureau.page("查询结果", main))


def _show(call: Call, item: Item) -> str:
    label = {"patent": "摘要", "standard": "范围与要点", "book": "内容提要", "conference": "会议简介"}.get(
        item.category, "摘要"
    )
    when = f'<tr><th>收录日期</th><td class="date">{item.published}</td></tr>' if item.published else ""
    main = f"""<h1>{escape(item.title)}</h1><table class="data">{rows(item, "<tr><th>{k}</th><td>{v}</td></tr>")}{when}</table>
<div class="abstract"><b>{label}</b>
{paragraphs(item)}
</div><p style="color:#999">{NOISE[0]}　{NOISE[1]}</p><p>{NOISE[2]}</p>"""
    return bureau.page(item.title, main, lang=item.language)


def reply(call: Call) -> Reply | None:
    """The pages of both services."""
    if call.path == "/std/":
        return Reply(
            bureau.page(
                "标准与专利",
                f"<h1>标准与专利</h1>{_std_form({})}<p>请选择条件并检索，库中收录家用纺织品标准与专利文摘。</p>",
            )
        )
    if call.path == "/std/search":
        return _std_answer(call)
    if call.path == "/std/detail":
        return show(call, "std", call.query.get("no", ""), _show)
    if call.path == "/lit/":
        return Reply(
            bureau.page(
                "文献检索",
                f"<h1>文献检索</h1>{_lit_form()}<p>收录家纺设计、染织工艺与织物史的图书、论文和会议信息。</p>",
            )
        )
    if call.path == "/lit/search":
        return _lit_answer(call)
    if call.path.startswith("/lit/") and call.path.endswith(".html"):
        return show(call, "lit", call.path[5:-5], _show)
    return None
