"""What a reader types, understood: words, ``"phrases"``, ``-exclusions``; and said to each database.

A Chinese word stands for itself wherever it stands in a text; an English word for the whole word. All must be there.
A phrase's runs must be neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from hometextile.library.search.cutting import is_han, runs, terms
from hometextile.library.search.facets import ALL

_PART = re.compile(r'(?:(?<!\S)([-－−]))?(?:["“”「『]([^"“”」』]*)["“”」』]|([^\s"“”「」『』]+))')
_LETTERS = re.compile(r"[a-z]{2,12}")
#: Nothing longer is asked; nobody types it, and a pasted page must not stall the database.
MAX_CHARS = 400
MAX_CLAUSES = 24


@dataclass(frozen=True)
class Clause:
    """One thing that must be there, or must not.

    Attributes:
        runs: runs that stand next to each other.
        excluded: must not be there.
        quoted: a phrase in quotation marks, which stands as it is and is never left out.
        initials: letters that may be the pinyin initials of a title.
    """

    runs: tuple[str, ...]
    excluded: bool = False
    initials: bool = False
    quoted: bool = False

    @cached_property
    def pattern(self) -> str:
        """What stands in a canonical text that is padded with spaces, where the clause is there."""
        start = "" if is_han(self.runs[0][0]) else " "
        end = "" if is_han(self.runs[-1][0]) else " "
        return start + " ".join(self.runs) + end

    @property
    def phrase(self) -> tuple[list[str], bool]:
        """The neighbouring terms of the index, and whether the last one is the beginning of a term only."""
        found: list[str] = []
        for run in self.runs[:-1]:
            found.extend(terms(run))
        last = self.runs[-1]
        if not is_han(last[0]):
            return [*found, last], False
        if len(last) == 1:
            return [*found, last], True
        found.extend(last[start : start + 2] for start in range(len(last) - 1))
        return found, False

    @property
    def array(self) -> list[str]:
        """The terms that a document's array must hold; :attr:`pattern` has the last word where that isn't enough."""
        found: dict[str, None] = {}
        for run in self.runs:
            if is_han(run[0]) and len(run) > 1:
                found.update(dict.fromkeys(run[start : start + 2] for start in range(len(run) - 1)))
            else:
                found[run] = None
        return list(found)

    @property
    def array_is_enough(self) -> bool:
        """Whether the array alone says that the clause is there."""
        return len(self.runs) == 1 and (not is_han(self.runs[0][0]) or len(self.runs[0]) <= 2)


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        clauses: must all hold.
        leave_out: so many of the wanted ones may be missing, but none in quotation marks.
    """

    clauses: tuple[Clause, ...]
    leave_out: int = 0

    @property
    def wanted(self) -> list[Clause]:
        return [clause for clause in self.clauses if not clause.excluded]

    @property
    def excluded(self) -> list[Clause]:
        return [clause for clause in self.clauses if clause.excluded]


def understand(words: str) -> Question:
    """What the words ask for.

    Args:
        words: as typed; what is longer than 400 characters is cut there.
    """
    found: dict[Clause, None] = {}
    for minus, phrase, word in _PART.findall(words[:MAX_CHARS]):
        parts = runs(phrase or word)
        if not parts:
            continue
        groups: Iterable[Sequence[str]] = [parts] if phrase or minus else [[part] for part in parts]
        for group in groups:
            found[Clause(tuple(group), excluded=bool(minus), quoted=bool(phrase))] = None
    return Question(tuple(list(found)[:MAX_CLAUSES]))


def loosened(question: Question, cut: Callable[[str], list[str]]) -> Question | None:
    """The question with long Chinese runs cut into words that may stand apart; None where nothing can be cut.

    Args:
        question: as typed.
        cut: gives the words of a run.
    """
    found: dict[Clause, None] = {}
    for clause in question.clauses:
        run = clause.runs[0]
        if clause.excluded or clause.quoted or len(run) < 5 or not is_han(run[0]):
            found[clause] = None
            continue
        words = [part for word in cut(run) for part in runs(word)]
        # A single character between words (的, 和, 在) says little and may as well be missing.
        longer = [word for word in words if len(word) > 1] or words
        found.update(dict.fromkeys(Clause((word,)) for word in longer))
    loose = Question(tuple(list(found)[:MAX_CLAUSES]))
    return loose if loose.clauses != question.clauses else None


def some(question: Question) -> Question | None:
    """One word in four may be missing, of the first eight; None with fewer than three words."""
    quoted = [clause for clause in question.wanted if clause.quoted]
    words = [clause for clause in question.wanted if not clause.quoted][:8]
    if len(words) + len(quoted) < 3 or not words:
        return None
    return Question((*quoted, *words, *question.excluded), leave_out=max(1, len(words) // 4))


def by_initials(question: Question) -> Question | None:
    """Words of a few letters taken as pinyin initials of titles; None where there are none."""
    changed = tuple(
        Clause(clause.runs, initials=True)
        if not (clause.excluded or clause.quoted) and len(clause.runs) == 1 and _LETTERS.fullmatch(clause.runs[0])
        else clause
        for clause in question.clauses
    )
    return Question(changed) if changed != question.clauses else None


def _quoted(tokens: Sequence[str]) -> str:
    return '"' + " ".join(tokens) + '"'


def _grams(letters: str) -> list[str]:
    size = min(4, len(letters))
    return list(dict.fromkeys(letters[start : start + size] for start in range(len(letters) - size + 1)))


def fts_expression(question: Question, facets: Sequence[Sequence[str]]) -> str:
    """The question in the language of FTS5.

    Args:
        question: with ``leave_out``, any so many of its clauses may be missing.
        facets: terms of filters; of each group one must hold.
    """

    def has(clause: Clause) -> str:
        if clause.initials:
            return "(initials : (" + " AND ".join(_quoted([gram]) for gram in _grams(clause.runs[0])) + "))"
        return _column_phrase(clause)

    groups = [" AND ".join(has(clause) for clause in group) for group in _combined(question)]
    joined = " OR ".join(f"({group})" if " AND " in group else group for group in groups)
    wanted = [f"({joined})" if len(groups) > 1 else joined] if joined else []
    filters = [*facets] or ([] if wanted else [[ALL]])
    wanted += ["(facets : (" + " OR ".join(_quoted([one]) for one in group) + "))" for group in filters]
    expression = " AND ".join(wanted)
    for clause in question.excluded:
        expression = f"({expression}) NOT {_column_phrase(clause)}"
    return expression


def _column_phrase(clause: Clause) -> str:
    tokens, beginning = clause.phrase
    return "({title body} : " + _quoted(tokens) + (" *)" if beginning else ")")


def _combined(question: Question) -> list[list[Clause]]:
    """All ways to leave so many of the wanted clauses out; the clauses of each must all hold."""
    fixed = [clause for clause in question.wanted if clause.quoted]
    others = [clause for clause in question.wanted if not clause.quoted]
    ways = [[*fixed, *rest] for rest in combinations(others, max(0, len(others) - question.leave_out))]
    return [way for way in ways if way]


def array_condition(question: Question, facets: Sequence[Sequence[str]]) -> tuple[str, dict[str, object]]:
    """The question as a condition on ``search_index i`` and ``search_documents d`` of PostgreSQL.

    Returns:
        SQL and its parameters.
    """
    parameters: dict[str, object] = {}

    def name(value: object) -> str:
        parameters[f"q{len(parameters)}"] = value
        return f":q{len(parameters) - 1}"

    def has(clause: Clause) -> str:
        if clause.initials:
            return f"i.terms @> CAST({name(['~' + gram for gram in _grams(clause.runs[0])])} AS text[])"
        held = f"i.terms @> CAST({name(clause.array)} AS text[])"
        if clause.array_is_enough:
            return held
        pattern = name(clause.pattern)
        where = f"(strpos(' ' || d.title || ' ', {pattern}) > 0 OR strpos(' ' || d.body || ' ', {pattern}) > 0)"
        return f"({held} AND {where})"

    groups = [" AND ".join(has(clause) for clause in group) for group in _combined(question)]
    must = ["(" + " OR ".join(f"({group})" for group in groups) + ")"] if groups else []
    for group in [*facets] or ([] if groups else [[ALL]]):
        must.append(f"i.terms && CAST({name(['#' + one for one in group])} AS text[])")
    must.extend(f"NOT {has(clause)}" for clause in question.excluded)
    return " AND ".join(must), parameters
