"""What other queries leave to one."""

from __future__ import annotations

from hometextile.forms.asked import Asked
from hometextile.forms.overlap import Overlap
from hometextile.forms.sample import Found, Sample


def sample_of(*records: str) -> Sample:
    sample = Sample()
    for number, words in enumerate(records):
        sample.add(Found(str(number), words.split()))
    return sample


def test_a_query_under_way_brings_the_records_that_both_have() -> None:
    sample = sample_of("silk anna", "silk anna", "silk satin", "silk satin")
    overlap = Overlap(sample, {"anna": Asked()}, 1.0)
    assert overlap.left("silk", None) == 0.5
    assert overlap.left("satin", None) == 1.0
    assert overlap.left("unseen", None) == 1.0


def test_the_same_records_in_other_words_are_cut_off_at_the_same_place() -> None:
    sample = sample_of(*["anna turner"] * 20, *["lace"] * 5)
    asked = {"turner": Asked(results=20, claimed=60, done=True, cut=True, shown=list(range(20)))}
    assert Overlap(sample, asked, 1.0).left("anna", 20) == 0.0
    assert Overlap(sample, asked, 0.5).left("anna", 20) == 0.5
    assert Overlap(sample, asked, 1.0).left("lace", 20) == 1.0
