"""The sections of the demo source: address prefix to the function that answers there."""

from __future__ import annotations

from collections.abc import Callable

from hometextile.demo.call import Call, Reply
from hometextile.demo.sections import craft, directory, documents, gallery, home, museum, news, product

SECTIONS: tuple[tuple[str, Callable[[Call], Reply | None]], ...] = (
    ("/news/", news.reply),
    ("/product/", product.reply),
    ("/gallery/", gallery.reply),
    ("/std/", documents.reply),
    ("/lit/", documents.reply),
    ("/dir/", directory.reply),
    ("/museum/", museum.reply),
    ("/culture/", museum.reply),
    ("/craft/", craft.reply),
    ("/custom/", craft.reply),
    ("/video/", craft.reply),
    ("/", home.reply),
)
