"""The network over a page's blocks: what stands around a block, batches, and that the order of rows is kept."""

from __future__ import annotations

import numpy as np

from hometextile.blocks.features import measure
from hometextile.blocks.network import Network, Surroundings, shifted, surroundings, together
from hometextile.blocks.outline import Outline, outline
from hometextile.blocks.spans import Spans
from hometextile.blocks.tag_classes import spans_of_runs
from hometextile.page.document import Document

# two boxes, the first with two paragraphs of two and four tokens, the second with one of six
PAGE = "<body><div><p>one two</p><p>one two three four</p></div><div><p>one two three four five six</p></div></body>"


def around_of(html: str) -> tuple[Outline, Spans, Surroundings]:
    out = outline(Document(html, "http://e.test/"))
    spans = spans_of_runs(out)
    first, last = np.array(out.first), np.array(out.last)
    return out, spans, surroundings(measure(out, spans), spans, first, last)


def test_a_box_is_the_mean_of_its_blocks_by_tokens() -> None:
    _, _, around = around_of(PAGE)
    state = np.array([[1.0], [2.0], [3.0]], dtype=np.float32)
    pooled = np.asarray(around.pool @ state).ravel()
    seen = pooled[around.at]
    box = (1 * 2.5 + 2 * 4.5) / 7
    assert np.allclose(seen[:2, 0], box, atol=1e-5)
    whole = (1 * 2.5 + 2 * 4.5 + 3 * 6.5) / 13.5
    assert np.allclose(seen[:, 6], whole, atol=1e-5)
    assert np.allclose(seen[:, 7], 2.0)
    # all three paragraphs look alike
    assert np.allclose(seen[:, 5], whole, atol=1e-5)


def test_neighbours_end_at_the_page() -> None:
    state = np.arange(1, 6, dtype=np.float32).reshape(-1, 1)
    page = np.array([0, 0, 0, 1, 1])
    assert shifted(state, 1, page).ravel().tolist() == [2, 3, 0, 5, 0]
    assert shifted(state, -1, page).ravel().tolist() == [0, 1, 2, 0, 4]
    assert shifted(state, 2, page).ravel().tolist() == [3, 0, 0, 0, 0]
    assert not shifted(state, 7, page).any()


def network(features: int) -> Network:
    random = np.random.RandomState(3)
    draws = iter(lambda: random.randn(1).item(), None)
    shapes = {
        "in": (features, 4), "in_bias": (4,), "in_gain": (4,), "in_shift": (4,), "out": (4, 1), "out_bias": (1,),
        "own0": (4, 4), "near0": (4, 4, 4), "around0": (8, 4, 4), "bias0": (4,), "gain0": (4,), "shift0": (4,),
        "mean": (features,), "scale": (features,),
    }  # fmt: skip
    return Network(
        {name: np.array([next(draws) for _ in range(int(np.prod(s)))]).reshape(s) for name, s in shapes.items()}
    )


def test_pages_together_are_scored_as_each_alone() -> None:
    _, spans, first = around_of(PAGE)
    _, others, second = around_of("<body><ul><li>a</li><li>b</li></ul><p>c d e</p><p>f</p></body>")
    random = np.random.RandomState(0)
    one, two = random.randn(len(spans), 5), random.randn(len(others), 5)
    net = network(5)
    alone = np.concatenate([net.scores(one, first), net.scores(two, second)])
    both = net.scores(np.concatenate([one, two]), together([first, second]))
    assert np.allclose(alone, both, atol=1e-4)
    assert np.ptp(alone) > 0.01


def test_a_block_is_judged_by_what_stands_around_it() -> None:
    _, spans, around = around_of(PAGE)
    values = np.random.RandomState(1).randn(len(spans), 5)
    net = network(5)
    before = net.scores(values, around)
    values[2] += 2
    assert abs(net.scores(values, around)[0] - before[0]) > 1e-4


def test_a_page_of_one_block() -> None:
    _, spans, around = around_of("<p>x</p>")
    assert network(5).scores(np.ones((len(spans), 5)), around).shape == (1,)
