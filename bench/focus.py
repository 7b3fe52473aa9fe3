"""Focused crawling, simulated on the link graph of 4,598 encyclopaedia articles.

A crawl starts at a page on topic and fetches a hundred pages, in the order of a policy; what is counted is the share of
them that are on topic, as the mean of up to ten starts. A link's title stands in for its anchor text. A policy knows a
page's text only once it has fetched it. Policies: ``breadth`` first come; ``anchor`` the topic's words in the anchor;
``parent`` the relevance of the page that linked first; ``ours`` what the crawler does
(:func:`hometextile.topic.links.link_score`). Textile pages are those with four, or two, textile words or more in a
thousand; pages on art and on technology are those of the encyclopaedia's own categories, sought with a dozen words.
"""

from __future__ import annotations

import argparse
import gzip
import heapq
import json
import random
import re
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from hometextile.text.pack import Pack, load_pack
from hometextile.topic.links import LinkMemory, link_score
from hometextile.topic.relevance import topic_vector

_TEXTILE = frozenset(
    "textile textiles fabric fabrics cloth cloths cotton wool woollen silk linen yarn weaving weaver weavers woven "  # noqa: SIM905
    "loom looms embroidery embroidered tapestry tapestries carpet carpets rug rugs lace velvet dyeing knitting sewing "
    "quilt quilts blanket blankets curtain curtains towel towels pillow pillows upholstery brocade damask satin "
    "needlework bedding".split()
)
_WORDS = {
    "art": "art artist painting painter sculpture sculptor drawing portrait museum gallery impressionism renaissance",
    "technology": "engineering machine railway locomotive bridge aircraft ship car engine architecture building tunnel",
}
_CATEGORIES = {"art": "Art", "technology": "Design_and_Technology"}
_FETCHES = 100
_STARTS = 10


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/bench focus", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with articles.jsonl.gz")
    parser.add_argument("--peers", action="store_true", help="the other policies are always there: makes no difference")
    parser.add_argument("--shipped", action="store_true", help="nothing is trained here: makes no difference")
    parser.add_argument("--fetches", type=int, default=_FETCHES, help="pages that each crawl fetches")
    parser.add_argument("--out", type=Path, help="write each crawl, one JSON line each")
    options = parser.parse_args(argv)
    with gzip.open(options.data / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        articles = {row["id"]: row for row in map(json.loads, lines)}
    figures: dict[str, dict[str, float]] = {}
    crawls: list[dict[str, Any]] = []
    print(f"{'topic':<12}{'pages':>7}{'share':>8}" + "".join(f"{name:>9}" for name in POLICIES))
    for topic, pack, wanted in _topics(articles):
        graph = Graph(articles, pack)
        starts = [page for page in sorted(wanted) if len(articles[page]["links"]) >= 5]
        starts = starts[:: max(1, len(starts) // _STARTS)][:_STARTS]
        figures[topic] = {}
        for name, policy in POLICIES.items():
            shares = []
            for number, start in enumerate(starts):
                fetched = crawl(graph, start, policy, options.fetches, random.Random(number))
                shares.append(100 * sum(page in wanted for page in fetched) / max(1, len(fetched)))
                crawls.append({"topic": topic, "policy": name, "start": start, "fetched": fetched})
            figures[topic][name] = round(statistics.fmean(shares), 2)
        row = "".join(f"{figures[topic][name]:>9.1f}" for name in POLICIES)
        print(f"{topic:<12}{len(wanted):>7}{100 * len(wanted) / len(articles):>7.1f}%{row}", flush=True)
    if options.out:
        with options.out.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in crawls)
    print(json.dumps(figures))
    return 0


@dataclass
class Graph:
    """The articles as a crawl on one topic sees them."""

    articles: dict[str, dict[str, Any]]
    pack: Pack
    _relevance: dict[str, float] = field(default_factory=dict)

    def relevance(self, page: str) -> float:
        """The relevance of a fetched page."""
        if page not in self._relevance:
            row = self.articles[page]
            found = topic_vector(self.pack).relevance(title=row["title"], text=row["text"][:6_000])
            self._relevance[page] = found
        return self._relevance[page]

    def around(self, page: str, link: str) -> str:
        """What stands around the first mention of a link's title on a fetched page."""
        text, title = self.articles[page]["text"], self.articles[link]["title"]
        at = text.find(title)
        return " ".join(text[max(0, at - 100) : at + len(title) + 100].split()) if at >= 0 else ""


@dataclass
class Seen:
    """A link as a policy sees it: where it leads, the page that it stands on, its place in the order of finding."""

    link: str
    page: str
    order: int
    memory: LinkMemory
    chance: float


def _ours(graph: Graph, seen: Seen) -> float:
    parents = seen.memory.seen(seen.link, graph.relevance(seen.page))
    title = graph.articles[seen.link]["title"]
    return link_score(f"http://host/{seen.link}", title, graph.around(seen.page, seen.link), graph.pack, parents)


def _anchor(graph: Graph, seen: Seen) -> float:
    return link_score("", graph.articles[seen.link]["title"], "", graph.pack)


def _parent(graph: Graph, seen: Seen) -> float:
    return graph.relevance(seen.page)


POLICIES: dict[str, Callable[[Graph, Seen], float]] = {
    "ours": _ours,
    "breadth": lambda _graph, _seen: 0.0,
    "anchor": _anchor,
    "parent": _parent,
    "random": lambda _graph, seen: seen.chance,
}
#: Policies to which a second page that links to the same address says something new.
_RESCORED = (_ours,)


def crawl(
    graph: Graph, start: str, policy: Callable[[Graph, Seen], float], fetches: int, chance: random.Random
) -> list[str]:
    """The pages fetched, in order, the start not among them."""
    waiting: dict[str, int] = {}
    queue: list[tuple[float, int, str]] = []
    memory = LinkMemory()
    known, fetched, page = {start}, [], start
    while len(fetched) < fetches:
        for link in graph.articles[page]["links"]:
            new = link not in known
            if not new and not (link in waiting and policy in _RESCORED):
                continue
            known.add(link)
            order = waiting.setdefault(link, len(known))
            score = policy(graph, Seen(link, page, order, memory, chance.random()))
            heapq.heappush(queue, (-score, order, link))
        while queue and queue[0][2] not in waiting:
            heapq.heappop(queue)
        if not queue:
            break
        page = heapq.heappop(queue)[2]
        del waiting[page]
        fetched.append(page)
    return fetched


def _topics(articles: dict[str, dict[str, Any]]) -> list[tuple[str, Pack, set[str]]]:
    share = {}
    for page, row in articles.items():
        words = re.findall(r"[a-z]+", row["text"].lower())
        share[page] = 1_000 * sum(word in _TEXTILE for word in words) / max(1, len(words))
    topics = [(f"textile_{n}", load_pack(), {page for page in share if share[page] >= n}) for n in (4, 2)]
    for name, category in _CATEGORIES.items():
        wanted = {
            page for page, row in articles.items() if any(each.split(".")[0] == category for each in row["categories"])
        }
        topics.append((name, _small_pack(name), wanted))
    return topics


@lru_cache(maxsize=4)
def _small_pack(name: str) -> Pack:
    """A pack of a dozen words, written to a folder as a user would write one."""
    folder = Path(tempfile.mkdtemp(prefix="pack-"))
    (folder / "words").mkdir()
    words = ", ".join(_WORDS[name].split())
    (folder / "pack.yaml").write_text(f"name: {name}\nnames: {{en: {name}}}\nlanguages: [en]\n", encoding="utf-8")
    (folder / "words" / "keywords.yaml").write_text(f"keywords:\n  en: [{words}]\n", encoding="utf-8")
    (folder / "words" / "terms.yaml").write_text(f"topic:\n- weight: 1\n  words: [{words}]\n", encoding="utf-8")
    (folder / "taxonomy.yaml").write_text(
        "libraries:\n  all:\n    names: {en: All}\n    classes:\n      page:\n        names: {en: Page}\n"
        f"        words: [{{weight: 1, words: [{words}]}}]\n",
        encoding="utf-8",
    )
    return load_pack(folder)


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1:]))
