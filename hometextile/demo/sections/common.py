"""What the sections share: finding a record and showing it, slices of lists, pictures, facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from urllib.parse import quote

from hometextile.demo.call import Call, Reply, gone, moved
from hometextile.demo.content import Item, look_up
from hometextile.demo.traps import misbehave

NOTHING = "没有找到相关记录"


def show(call: Call, section: str, slug: str, render: Callable[[Call, Item], str], encoding: str = "utf-8") -> Reply:
    """The page of a record: itself, or where it moved, or that it is gone, as its trap has it."""
    found = look_up(section, slug, call.visit)
    if found.moved:
        return moved(found.moved)
    if found.item is None:
        return gone(found.gone or 404, call.path)
    item = found.item
    reply = Reply(
        render(call, item),
        encoding=encoding,
        content_type=f"text/html; charset={encoding}",
        modified=item.modified,
        item=item,
    )
    return misbehave(call, item, reply)


def cut(items: Sequence[Item], page: int, size: int) -> tuple[Sequence[Item], int]:
    """One page of a list and the number of pages (at least 1)."""
    return items[(page - 1) * size : page * size], max(1, -(-len(items) // size))


def paragraphs(item: Item) -> str:
    """The text as ``<p>`` elements."""
    return "\n".join(f"<p>{escape(line)}</p>" for line in item.paragraphs)


def brief(item: Item, length: int = 46) -> str:
    """The beginning of the text, escaped."""
    return escape(item.paragraphs[0][:length]) + "……"


def picture(item: Item, width: int = 480, height: int = 360, nth: int = 0) -> str:
    """An ``<img>`` of the record."""
    alt = escape(item.title, quote=True)
    return f'<img src="/img/{item.section}-{item.number + nth * 53}.jpg" alt="{alt}" width="{width}" height="{height}">'


def rows(item: Item, form: str) -> str:
    """The fields by a format with ``{k}`` and ``{v}``."""
    return "\n".join(form.format(k=escape(k), v=escape(v)) for k, v in item.fields.items())


def numbered(count: int, now: int, address: Callable[[int], str], *, here: str = "b") -> str:
    """Links to the pages of a list, with previous and next."""
    if count < 2:
        return ""
    parts = [f'<a href="{escape(address(now - 1))}">上一页</a>'] if now > 1 else []
    for n in range(1, count + 1):
        parts.append(f"<{here}>{n}</{here}>" if n == now else f'<a href="{escape(address(n))}">{n}</a>')
    if now < count:
        parts.append(f'<a href="{escape(address(now + 1))}">下一页</a>')
    return "\n".join(parts)


def link(path: str, **values: object) -> str:
    """An address with a query, percent-encoded as UTF-8."""
    return path + "?" + "&".join(f"{k}={quote(str(v))}" for k, v in values.items())
