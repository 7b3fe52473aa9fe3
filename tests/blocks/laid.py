"""Hand-laid pages: a small language for pages whose boxes are written by hand."""

from hometextile.blocks.visual_nodes import visual_tree
from hometextile.page.document import Document
from hometextile.page.layout import read_layout


def el(tag, box, *inside, style="", texts="", **attributes):
    """An element with its box; attribute names may end in ``_``."""
    more = "".join(f' {name.rstrip("_")}="{value}"' for name, value in attributes.items())
    more += f' data-style="{style}"' if style else ""
    more += f' data-texts="{texts}"' if texts else ""
    return f'<{tag} data-box="{box}"{more}>{"".join(inside)}' + ("" if tag in {"img", "hr", "input"} else f"</{tag}>")


def page(*inside, width=1280, height=2000, window="1280 800", style=""):
    """A whole page; the body fills it."""
    size = f"0 0 {width} {height}"
    return (
        f'<html data-box="{size}" data-drawn="{width} {height} {window}">'
        + el("body", size, *inside, style=style)
        + "</html>"
    )


def read(html):
    """The document and its layout."""
    document = Document(html, "http://a.example/")
    layout = read_layout(document)
    assert layout is not None
    return document, layout


def tree(html):
    """The tree of what is seen."""
    document, layout = read(html)
    return visual_tree(document.tree, layout)


def find(node, tag, number=0):
    """The node of a tag in a tree, the *number*-th in document order."""
    found = [one for one in walk(node) if one.tag == tag]
    return found[number]


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)
