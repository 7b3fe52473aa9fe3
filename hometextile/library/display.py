"""Resources, hits and stories on a terminal.

All of it came from the web: control characters go (a page must not steer the terminal), and nothing is read as markup.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hometextile.library.search.hits import Found
from hometextile.text.messages import _, ngettext

#: Control characters but for the line break, and those that turn the direction of writing.
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
#: Marks that no text can have, since they are control characters.
MARKS = ("\x02", "\x03")
_LONG = 600


def told(word: str) -> str:
    """A word of the program's own (a level, a way, a mark, a table) in the user's language."""
    words = {
        "noise": _("noise"),
        "related": _("related"),
        "main": _("main"),
        "start": _("start"),
        "link": _("link"),
        "answer": _("answer"),
        "result": _("result"),
        "next": _("next"),
        "reviewed": _("reviewed"),
        "wrong class": _("wrong class"),
        "withdrawn": _("withdrawn"),
        "near": _("near"),
        "content": _("content"),
        "url": _("url"),
        "resources": _("resources"),
        "pages": _("pages"),
        "sites": _("sites"),
        "crawls": _("crawls"),
        "queries": _("queries"),
        "versions": _("versions"),
        "duplicates": _("duplicates"),
        "errors": _("errors"),
    }
    return words.get(word, word)


def console() -> Console:
    """Standard output; wide where it is no terminal, so that nothing is cut in a file."""
    return Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False)


def plain(text: Any) -> str:
    """Text without what would steer a terminal."""
    return _CONTROL.sub("", str(text))


def line(text: Any, most: int = 200) -> str:
    """The same on one line."""
    flat = " ".join(plain(str(text).replace("\t", " ")).split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def marked(text: str) -> Text:
    """Text with the found words in bold; in brackets where the output is no terminal."""
    result = Text()
    start, end = MARKS
    for number, part in enumerate(re.split(f"[{start}{end}]", text)):
        if number % 2 and not sys.stdout.isatty():
            part = f"[{part}]"
        result.append(plain(part), style="bold yellow" if number % 2 else "")
    return result


def resource_table(resources: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> tuple[Table, int]:
    """A table of resources and how many there are."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(_("id"), justify="right", no_wrap=True)
    table.add_column(_("title"), overflow="fold", ratio=1)
    for title in (_("library"), _("class"), _("published"), _("site"), _("state")):
        table.add_column(title, no_wrap=True)
    count = 0
    for one in resources:
        state = [told(one["mark"]), _("withdrawn") if one["withdrawn"] else ""]
        table.add_row(
            str(one["id"]),
            line(one["title"] or one["url"]),
            names.get(one["library"], one["library"]),
            names.get(one["class"], one["class"]),
            line(one["published"][:10]),
            line(one["site"]),
            ", ".join(dict.fromkeys(part for part in state if part)),
        )
        count += 1
    return table, count


def print_hits(out: Console, found: Found, names: Mapping[str, str], offset: int) -> None:
    """Hits with snippets, and how they were found."""
    how = {
        "loose": _("Nowhere as typed; with its words standing apart:"),
        "some": _("Nowhere with all words; with most of them:"),
        "initials": _("No such word; titles with these pinyin initials:"),
    }
    if found.how in how and found.hits:
        out.print(how[found.how], style="italic")
    for number, hit in enumerate(found.hits, offset + 1):
        head = Text(f"{number}. ")
        head.append_text(marked(" ".join(hit.title.split()) or hit.url))
        head.append(f"  #{hit.id}", style="dim")
        out.print(head)
        facts = [
            names.get(hit.library, hit.library),
            names.get(hit.category, hit.category),
            hit.published[:10],
            hit.site,
        ]
        if hit.price is not None:
            facts.append(f"{hit.price:g} {hit.currency or ''}".strip())
        if hit.withdrawn:
            facts.append(_("withdrawn"))
        out.print(Text("   " + " · ".join(plain(fact) for fact in facts if fact), style="cyan"))
        if hit.snippet:
            snippet = Text("   ")
            snippet.append_text(marked(hit.snippet))
            out.print(snippet)
        out.print(Text("   " + line(hit.url, 400), style="dim"))
    if not found.total:
        out.print(_("Nothing found."))
    elif found.more:
        out.print(_("More than {n} found.").format(n=found.total))
    else:
        out.print(ngettext("{n} found.", "{n} found.", found.total).format(n=found.total))


def _section(out: Console, title: str) -> None:
    out.print()
    out.print(title, style="bold")


def print_story(out: Console, story: Mapping[str, Any], names: Mapping[str, str], *, full: bool) -> None:
    """A resource and how it came into the library.

    Args:
        out: where to.
        story: of :meth:`Library.story`.
        names: of libraries and classes, by key.
        full: the whole text, not its beginning.
    """
    resource = story["resource"]
    _values(out, resource, names)
    text = plain(resource["text"])
    if text:
        _section(out, _("Text"))
        out.print(text if full or len(text) <= _LONG else text[:_LONG] + "…")
    if resource["fields"]:
        _section(out, _("Fields"))
        for name, value in resource["fields"].items():
            out.print(
                f"  {line(name)}: {line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}"
            )
    _came(out, story)
    _blocks(out, story["blocks"])
    _changes(out, story)


def _values(out: Console, resource: Mapping[str, Any], names: Mapping[str, str]) -> None:
    out.print(Text(line(resource["title"] or resource["url"]), style="bold"))
    known = {
        "id": resource["id"],
        _("address"): resource["url"],
        _("library"): names.get(resource["library"], resource["library"]),
        _("class"): names.get(resource["category"], resource["category"]),
        _("published"): resource["published"],
        _("source"): resource["source"],
        _("author"): resource["author"],
        _("keywords"): ", ".join(map(str, resource["keywords"])),
        _("price"): "" if resource["price"] is None else f"{resource['price']:g} {resource['currency'] or ''}",
        _("relevance"): f"{resource['relevance']:.2f}",
        _("credibility"): f"{resource['credibility']:.2f}",
        _("images"): len(resource["images"]) or "",
        _("videos"): len(resource["videos"]) or "",
        _("first seen"): resource["first_seen"][:19],
        _("last seen"): resource["last_seen"][:19],
        _("withdrawn"): (resource["withdrawn"] or "")[:19],
        _("mark"): told(resource["mark"]),
        _("repeats"): resource["duplicate_of"] or "",
    }
    for name, value in known.items():
        if value not in ("", None):
            out.print(f"  {name}: {line(value, 400)}")


def _came(out: Console, story: Mapping[str, Any]) -> None:
    _section(out, _("How it came"))
    resource, page, form = story["resource"], story["page"], story["form"]
    site = _("site")
    out.print(f"  {site}: {line(resource['site'])}")
    for way in story["ways"][:10]:
        parts = [told(way["kind"])]
        if way["keyword"]:
            parts.append(_("keyword {word}").format(word=way["keyword"]))
        if way["form"]:
            parts.append(_("form {name}").format(name=way["form"]))
        if way["referrer"]:
            parts.append(_("from {url}").format(url=way["referrer"]))
        if way["anchor"]:
            parts.append(_("link text {text}").format(text=way["anchor"]))
        parts.append(_("depth {n}").format(n=way["depth"]))
        out.print("  " + line(" · ".join(parts), 400))
    if form and "action" in form:
        verdict = form["verdict"] or {}
        out.print("  " + line(_("form: {method} {action}").format(method=form["method"], action=form["action"])))
        if verdict:
            out.print("    " + line(json.dumps(verdict, ensure_ascii=False), 400))
    for query in story["queries"]:
        out.print(
            "  "
            + _("query {word}: {answer}, {results} results, {new} new").format(
                word=line(query["keyword"] or "—"), answer=query["answer"], results=query["results"], new=query["new"]
            )
        )
    if page:
        said = _("page {id}: {status}, {encoding}, fetched {when}, {visits} visits")
        facts = {name: page[name] for name in ("id", "status", "encoding", "visits")}
        out.print("  " + said.format(when=page["fetched"][:19], **facts))
        if page["template"]:
            out.print("  " + _("template: {name}").format(name=line(page["template"])))
        for step, what in page["story"].items():
            out.print(
                f"  {line(step)}: {line(what if isinstance(what, str) else json.dumps(what, ensure_ascii=False), 300)}"
            )
    if resource["rules"]:
        out.print("  " + _("rules: {names}").format(names=line(", ".join(map(str, resource["rules"])))))


def _blocks(out: Console, blocks: list[dict[str, Any]]) -> None:
    if not blocks:
        return
    _section(out, _("Blocks of the page"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, justify in ((_("block"), "right"), (_("level"), "left"), (_("score"), "right"), ("", "left")):
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column(_("beginning"), overflow="ellipsis", no_wrap=True, ratio=1)
    for block in blocks:
        kept = _("kept") if block["used"] else (_("dropped") if block["level"] == "noise" else "")
        score = "" if block["score"] is None else f"{block['score']:.2f}"
        table.add_row(str(block["number"]), told(block["level"] or ""), score, kept, line(block["beginning"], 80))
    out.print(table)


def _changes(out: Console, story: Mapping[str, Any]) -> None:
    if story["versions"]:
        _section(out, _("Earlier versions"))
    for version in story["versions"]:
        names = ", ".join(version["changed"])
        out.print("  " + _("until {when}: {names} changed").format(when=version["until"][:19], names=names))
        for name, value in version["before"].items():
            before = _("before")
            out.print(f"    {before}: {name} = {line(value, 160)}")
    if story["duplicates"]:
        _section(out, _("Also found at"))
    for other in story["duplicates"]:
        alike = "" if other["similarity"] is None else f" {other['similarity']:.2f}"
        kind = told(other["kind"]) or _("duplicate")
        out.print(f"  {line(other['url'], 300)} ({kind}{alike})")
    if story["files"]:
        _section(out, _("Files"))
    for file in story["files"]:
        out.print(f"  {line(file['path'] or file['url'], 300)} {line(file['media_type'])}")
