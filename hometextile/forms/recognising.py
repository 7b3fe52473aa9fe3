"""Query interface or not: the paper's five steps with a learned score beside them, and reasons a person can check.

Steps 1 to 4 of the paper (section 2.2.3) are taken here: drop forms with a password, file or textarea control; take the
attribute words and normalise them; find their nodes in the domain models; the domain with the largest cosine
similarity is the form's. Step 5 (fill in a keyword, submit, three links or more) is the crawl's:
:mod:`hometextile.forms.answers` judges the answer and :meth:`Recogniser.confirm` takes it up. The learned score lets a
decision be made before a request is spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hometextile.forms.attributes import Attribute, attributes_of
from hometextile.forms.domains import Domains, Match, load_domains, load_meanings
from hometextile.forms.evidence import WRITING, Evidence, decide, gather, weigh
from hometextile.forms.features import features
from hometextile.forms.form import Form
from hometextile.forms.meanings import Meanings, Sense
from hometextile.forms.query_model import QueryModel
from hometextile.forms.words import FormWords, form_words
from hometextile.forms.zones import Look, Zones, look_at
from hometextile.page.document import Document
from hometextile.text.messages import N_, _
from hometextile.text.pack import Pack, load_pack

#: Step 1 of the paper: forms with such a control are dropped.
DROPPED = frozenset({"password", "file", "textarea"})
#: Step 5 of the paper: so many links in the answer make a query interface.
LINKS = 3
#: The five steps alone: more than this share of the attributes lead to nodes of the domain.
KNOWN = 0.5
#: Beyond doubt: a POST is sent without a rule only from here on, and only with a plain word for it on the form.
CERTAIN = 0.9
#: The weight of what is only told: too little to tip any sum.
_SLIGHT = 1e-300
_PLAIN = frozenset({"button_search", "box_search", "marked_search"})
_PLAIN_BOX = frozenset({"box_search", "marked_search"})
#: By definition no query interface: a list that only sorts, or nothing to fill in.
_NEVER = frozenset({"sort", "nothing"})
#: By definition a query interface, unless it writes: lists that pick what is looked for, choices that narrow a list,
#: boxes for what records are described by, a box that is compared with a field of records.
_ALWAYS = frozenset({"picker", "filter", "record", "compares"})
#: A box that says it searches makes a query interface where the evidence weighs so much and the score does not speak
#: flatly against it: pages of today have search forms without button, name and action, the learned ones had all three.
#: Not where the form is the whole page: there a search box does not say what the form is for.
PLAIN, POSSIBLE = 3.0, 0.05


@dataclass(frozen=True)
class Verdict:
    """What a form was taken for, and why.

    Attributes:
        is_query: whether it is a query interface.
        certain: beyond doubt; only then may a POST be sent that no rule allowed.
        score: the learned probability, 0 to 1.
        domain: the key of the domain with the largest similarity, empty if its words do not tell.
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
        domains: the domain models to choose from.
        meanings: what labels mean.
        words: the words of forms.
    """

    def __init__(self, model: QueryModel, domains: Domains, meanings: Meanings, words: FormWords | None = None) -> None:
        self.model = model
        self.domains = domains
        self.meanings = meanings
        self.words = words or form_words()

    @classmethod
    def load(cls, pack: Pack | None = None) -> Recogniser:
        """The recogniser with the shipped model and the pack's domain model.

        Args:
            pack: None for the pack that comes with the project.

        Raises:
            Fault: a model is missing or damaged.
        """
        pack = pack or load_pack()
        return cls(QueryModel.load(), load_domains(pack), load_meanings(pack))

    def with_model(self, model: QueryModel) -> Recogniser:
        """The same with another learned score."""
        return Recogniser(model, self.domains, self.meanings, self.words)

    def recognise(self, form: Form, document: Document | None = None) -> Verdict:
        """Judge one form.

        Args:
            form: the form.
            document: the page it stands on.
        """
        return self.recognise_all([form], document)[0]

    def recognise_all(self, forms: Sequence[Form], document: Document | None = None) -> list[Verdict]:
        """Judge the forms of a page; cheaper than one after the other."""
        looks = [look_at(form, self.words) for form in forms]
        scores = self.model.score_rows(
            [features(form, self.words, look) for form, look in zip(forms, looks, strict=True)]
        )
        return [self._judge(form, score, look) for form, score, look in zip(forms, scores, looks, strict=True)]

    def confirm(self, verdict: Verdict, links: int) -> Verdict:
        """Step 5: the answer had *links* result links that neither the page nor the nonsense answer has.

        Three or more make the form a query interface for certain; fewer leave the verdict as it was.
        """
        if links < LINKS or verdict.veto:
            return verdict
        reason = _("its answer had {n} links to results").format(n=links)
        return replace(verdict, is_query=True, certain=True, reasons=[reason, *verdict.reasons])

    def rules(self, form: Form) -> bool:
        """What the rules say, alone."""
        return decide(gather(form, look_at(form, self.words), self.words))

    def five_steps(self, form: Form) -> bool:
        """What the paper's steps 1 to 4 say, alone.

        The paper decides by submitting (step 5); here, where no request is to be spent, by whether more than half of
        the attributes lead to nodes of the domain that is most like the form.
        """
        if any(control.kind in DROPPED for control in form.controls):
            return False
        attributes = attributes_of(form, self.meanings, self.words)
        best = self.match(form, attributes)
        return best is not None and best.share > KNOWN

    def decide(self, form: Form, score: float) -> bool:
        """The decision with a learned score given: rules and score together."""
        return self._decide(form, gather(form, look_at(form, self.words), self.words), score)

    def match(self, form: Form, attributes: Sequence[Attribute] | None = None) -> Match | None:
        """The domain that is most like the form; None if its attributes lead to no node."""
        if attributes is None:
            attributes = attributes_of(form, self.meanings, self.words)
        best = self.domains.match(attributes)[0] if attributes else None
        return best if best is not None and best.nodes else None

    def _domain(self, form: Form) -> Match | None:
        """The domain, where the form's words tell one; a lone keyword box is of any."""
        attributes = attributes_of(form, self.meanings, self.words)
        if len(attributes) == 1 and attributes[0].senses == {Sense("keyword")} and not attributes[0].children:
            return None
        return self.domains.told(attributes) if attributes else None

    def _decide(self, form: Form, evidence: Sequence[Evidence], score: float) -> bool:
        """Definition first (docs/recognising.md), then the score; where no score was ever learned, the rules."""
        codes = {one.code for one in evidence}
        if any(one.veto for one in evidence) or codes & _NEVER:
            return False
        if form.virtual:
            return decide(evidence) and (bool(codes & _PLAIN) or score >= CERTAIN)
        if score >= self.model.threshold or (codes & _ALWAYS and not _writes(codes)):
            return True
        if score < POSSIBLE or _writes(codes) or "page_form" in codes:
            return False
        return bool(codes & _PLAIN_BOX) and weigh(evidence) >= PLAIN

    def _judge(self, form: Form, score: float, look: Look) -> Verdict:
        evidence = gather(form, look, self.words)
        veto = next((one.code for one in evidence if one.veto), "")
        is_query = self._decide(form, evidence, score)
        match = self._domain(form) if is_query else None
        return Verdict(
            is_query=is_query,
            certain=is_query and score >= CERTAIN and _beyond_doubt(evidence),
            score=round(score, 4),
            domain=match.domain if match else "",
            similarity=match.similarity if match else 0.0,
            words=self._attribute_words(look.zones),
            reasons=_reasons(form, [*evidence, *self._heading(form, is_query)], is_query, score),
            veto=veto,
        )

    def _heading(self, form: Form, is_query: bool) -> list[Evidence]:
        """What stands over a query interface, for a person to read; it decides nothing."""
        heading = form.words.get("heading", "") if is_query else ""
        if "search" not in self.words.intents_in(heading):
            return []
        return [Evidence("heading_search", _SLIGHT, N_("its heading says “{text}”"), {"text": heading})]

    def _attribute_words(self, zones: Zones) -> list[str]:
        text = " ".join((zones.text["box"], zones.text["labels"], zones.text["button"]))
        return list(dict.fromkeys(self.words.meaningful(text)))[:40]


def _writes(codes: set[str]) -> bool:
    return any(code.startswith(("button_", "names_")) and code.partition("_")[2] in WRITING for code in codes)


def _beyond_doubt(evidence: list[Evidence]) -> bool:
    codes = {one.code for one in evidence}
    return bool(codes & _PLAIN) and not _writes(codes) and decide(evidence)


def _reasons(form: Form, evidence: list[Evidence], is_query: bool, score: float) -> list[str]:
    """What speaks for the decision first, then what speaks against it, marked so."""
    for_it = [one for one in evidence if (one.weight > 0) == is_query]
    against = [one for one in evidence if (one.weight > 0) != is_query and abs(one.weight) >= 1]
    vetoes = [one for one in evidence if one.veto]
    if vetoes:
        return list(dict.fromkeys(one.text for one in [*vetoes, *(one for one in for_it if not one.veto)][:3]))
    reasons = [one.text for one in for_it[:3]]
    reasons += [_("but {reason}").format(reason=one.text) for one in against[:1]]
    share = round(100 * (score if is_query else 1 - score))
    if decide(evidence) != is_query and not form.virtual and share > 50:
        reasons.insert(
            0,
            _("of forms built like this one, about {share} in 100 are {what}").format(
                share=share, what=_("query interfaces") if is_query else _("something else")
            ),
        )
    if not is_query and not for_it:
        reasons.insert(0, _("nothing on it speaks of a search"))
    return reasons
