"""Query interface or not: the paper's five steps with a learned score beside them, and reasons a person can check.

Steps 1 to 4 of the paper (section 2.2.3) are taken here: drop forms with a password, file or textarea control; take the
attribute words and normalise them; find their nodes in the domain models; the domain with the largest cosine similarity is
the form's. Step 5 (fill in a keyword, submit, three links or more) is the crawl's: :mod:`hometextile.forms.answers` judges
the answer and :meth:`Recogniser.confirm` takes it up. The learned score lets a decision be made before a request is spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hometextile.forms.evidence import WRITING, Evidence, decide, gather
from hometextile.forms.features import Zones, features, zones_of
from hometextile.forms.form import Form
from hometextile.forms.query_model import QueryModel
from hometextile.forms.words import FormWords, form_words
from hometextile.page.document import Document
from hometextile.text.messages import _
from hometextile.text.pack import Pack

#: A form is taken for a query interface from this calibrated score on.
THRESHOLD = 0.5
#: Beyond doubt: a POST is sent without a rule only from here on, and only with a plain word for it on the form.
CERTAIN = 0.9
_PLAIN = frozenset({"button_search", "box_search", "marked_search"})


@dataclass(frozen=True)
class Verdict:
    """What a form was taken for, and why.

    Attributes:
        is_query: whether it is a query interface.
        certain: beyond doubt; only then may a POST be sent that no rule allowed.
        score: the learned probability, 0 to 1.
        domain: the key of the domain with the largest similarity, empty if its words are in none.
        similarity: the cosine similarity with that domain, 0 to 1.
        words: the form's attribute words, normalised.
        reasons: what was seen, the weightiest first, in the user's language.
        veto: the code of the evidence that ended the matter, empty if none did.
    """

    is_query: bool
    certain: bool
    score: float
    domain: str = ""
    similarity: float = 0.0
    words: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    veto: str = ""


class Recogniser:
    """Tells query interfaces from other forms.

    Args:
        model: the learned score.
        words: the words of forms.
    """

    def __init__(self, model: QueryModel, words: FormWords | None = None) -> None:
        self.model = model
        self.words = words or form_words()

    @classmethod
    def load(cls, pack: Pack | None = None) -> Recogniser:
        """The recogniser with the shipped model and the pack's domain model.

        Raises:
            Fault: a model is missing or damaged.
        """
        return cls(QueryModel.load())

    def recognise(self, form: Form, document: Document | None = None) -> Verdict:
        """Judge one form.

        Args:
            form: the form.
            document: the page it stands on.
        """
        return self.recognise_all([form], document)[0]

    def recognise_all(self, forms: Sequence[Form], document: Document | None = None) -> list[Verdict]:
        """Judge the forms of a page; cheaper than one after the other."""
        scores = self.model.score_rows([features(form, self.words) for form in forms])
        return [self._judge(form, score) for form, score in zip(forms, scores, strict=True)]

    def confirm(self, verdict: Verdict, links: int) -> Verdict:
        """Step 5: the answer had *links* result links that neither the page nor the nonsense answer has.

        Three or more make the form a query interface for certain; fewer leave the verdict as it was.
        """
        if links < 3 or verdict.veto:
            return verdict
        reason = _("its answer had {n} links to results").format(n=links)
        return replace(verdict, is_query=True, certain=True, reasons=[reason, *verdict.reasons])

    def _judge(self, form: Form, score: float) -> Verdict:
        zones = zones_of(form)
        evidence = gather(form, zones, self.words)
        veto = next((one.code for one in evidence if one.veto), "")
        is_query = score >= THRESHOLD and not veto
        return Verdict(
            is_query=is_query,
            certain=is_query and score >= CERTAIN and _beyond_doubt(evidence),
            score=round(score, 4),
            words=self._attribute_words(zones),
            reasons=_reasons(evidence, is_query, score),
            veto=veto,
        )

    def _attribute_words(self, zones: Zones) -> list[str]:
        text = " ".join((zones.text["box"], zones.text["labels"], zones.text["button"]))
        return list(dict.fromkeys(self.words.meaningful(text)))[:40]


def _beyond_doubt(evidence: list[Evidence]) -> bool:
    codes = {one.code for one in evidence}
    writes = any(code.startswith(("button_", "names_")) and code.partition("_")[2] in WRITING for code in codes)
    return bool(codes & _PLAIN) and not writes and decide(evidence)


def _reasons(evidence: list[Evidence], is_query: bool, score: float) -> list[str]:
    """What speaks for the decision first, then what speaks against it, marked so."""
    for_it = [one.text for one in evidence if (one.weight > 0) == is_query]
    against = [one.text for one in evidence if (one.weight > 0) != is_query and abs(one.weight) >= 1]
    if any(one.veto for one in evidence):
        return [one.text for one in evidence if one.veto] + [text for text in for_it[:2] if text not in for_it[:0]][1:]
    reasons = for_it[:3]
    reasons += [_("but {reason}").format(reason=text) for text in against[:1]]
    if decide(evidence) != is_query:
        share = round(100 * (score if is_query else 1 - score))
        reasons.insert(
            0,
            _("of forms built like this one, about {share} in 100 are {what}").format(
                share=share, what=_("query interfaces") if is_query else _("something else")
            ),
        )
    return reasons
