"""The pack's words: those on known records and those on none, spread, raised by fruitful neighbours."""

from __future__ import annotations

from hometextile.forms.asked import Asked
from hometextile.forms.pack_words import KNOWN, UNSEEN, PackWords
from hometextile.forms.sample import Found, Sample

WORDS = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]


def told(words: PackWords, sample: Sample, asked: dict[str, Asked] | None = None) -> dict[str, tuple[str, float, int]]:
    return {word: (kind, expected, known) for word, kind, expected, known in words.expected(sample, asked or {})}


def test_words_of_known_records_are_told_from_others() -> None:
    sample = Sample()
    for number in range(3):
        sample.add(Found(str(number), [WORDS[7], "gold", "thread"]))
    found = told(PackWords([*WORDS, "gold thread"]), sample)
    assert (found[WORDS[7]][0], found[WORDS[7]][2]) == (KNOWN, 3)
    assert (found["gold thread"][0], found["gold thread"][2]) == (KNOWN, 3)
    assert (found[WORDS[8]][0], found[WORDS[8]][2]) == (UNSEEN, 0)


def test_barren_words_of_none_say_nothing_of_words_on_records() -> None:
    sample = Sample()
    sample.add(Found("1", [WORDS[50]]))
    words = PackWords(WORDS)
    for word in WORDS[10:30]:
        words.learn(word, UNSEEN, 0.0)
    found = told(words, sample)
    assert found[WORDS[50]][1] > 4 * max(expected for kind, expected, _known in found.values() if kind == UNSEEN)


def test_a_fruitful_word_raises_its_neighbours() -> None:
    asked = {WORDS[20]: Asked("pack", done=True, gained=9.0), WORDS[40]: Asked("pack", done=True)}
    found = told(PackWords(WORDS), Sample(), asked)
    assert found[WORDS[21]][1] > found[WORDS[30]][1] > found[WORDS[41]][1]
    assert WORDS[20] not in found


def test_words_of_the_page_come_first() -> None:
    found = told(PackWords(WORDS, likely=[WORDS[30]]), Sample())
    assert max(found, key=lambda word: found[word][1]) == WORDS[30]
