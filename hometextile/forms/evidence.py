"""What speaks for and against a form being a query interface, in words that a person can check on the page.

The same evidence makes the rules' decision (:func:`decide`) and the reasons printed by ``scrapy forms``. A *veto* ends
the matter whatever else is there: step 1 of the paper (a form with a password, file or textarea control is dropped) and
forms that plainly write something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hometextile.forms.comparing import comparison_of
from hometextile.forms.controls import TEXT_KINDS, Seen
from hometextile.forms.form import Control, Form
from hometextile.forms.words import FormWords, split_name
from hometextile.forms.zones import Look
from hometextile.text.messages import N_, _
from hometextile.text.normalise import tidy

#: What a button may say when the form writes something: such a form is never filled.
WRITING = ("login", "register", "recover", "subscribe", "comment", "order", "vote", "upload")
_NO_QUERY = frozenset({*WRITING, "save"})
_WORD = re.compile("[a-z]+")
_SAYS = N_("its button says “{text}”")


@dataclass(frozen=True)
class Evidence:
    """One thing seen on a form.

    Attributes:
        code: short name, for counting.
        weight: positive for a query interface, negative against it.
        message: what was seen, to be translated, with placeholders.
        about: what stands there, by placeholder, at most *limit* characters of it.
        veto: ends the matter.
    """

    code: str
    weight: float
    message: str
    about: Mapping[str, str] = field(default_factory=dict)
    limit: int = 40
    veto: bool = False

    @property
    def text(self) -> str:
        """What was seen, in the user's language; put into words only where somebody reads them."""
        return _(self.message).format(**{name: short(text, self.limit) for name, text in self.about.items()})


def short(text: str, limit: int = 40) -> str:
    """*text* on one line, cut at *limit* characters."""
    text = tidy(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def gather(form: Form, look: Look, words: FormWords) -> list[Evidence]:
    """All evidence on *form*, vetoes first, then by weight.

    Args:
        form: the form.
        look: from :func:`hometextile.forms.features.look_at`.
        words: the words of forms.
    """
    found = [
        *_kinds(form),
        *_button(look.seen, words),
        *_box(form, look.seen, words),
        *_names(look),
        *_choices(look, words),
        *_filter(form, look, words),
        *_compares(form, words),
        *_record(look, words),
    ]
    if any(control.name == "__VIEWSTATE" for control in form.controls[:20]):
        found.append(Evidence("page_form", 0, N_("it is the form of a whole page")))
    if form.method == "post":
        found.append(Evidence("post", -0.5, N_("it is sent by POST, as forms that write are")))
    elif not form.virtual:
        found.append(Evidence("get", 0.25, N_("it is sent by GET, as queries are")))
    return sorted(found, key=lambda one: (not one.veto, -abs(one.weight)))


def _kinds(form: Form) -> list[Evidence]:
    kinds = {control.kind for control in form.controls}
    found = []
    if "password" in kinds:
        found.append(Evidence("password", -9, N_("it asks for a password"), veto=True))
    if "file" in kinds:
        found.append(Evidence("file", -9, N_("it takes a file"), veto=True))
    if "textarea" in kinds:
        found.append(Evidence("textarea", -6, N_("it has a field for a long text"), veto=True))
    return found


def _button(seen: Seen, words: FormWords) -> list[Evidence]:
    found: list[Evidence] = []
    for control in seen.buttons:
        text = seen.said(control)
        intents = words.intents_in(text)
        if "search" in intents:
            found.append(Evidence("button_search", 3, _SAYS, {"text": text}))
        elif writing := [intent for intent in WRITING if intent in intents]:
            found.append(Evidence(f"button_{writing[0]}", -3, _SAYS, {"text": text}))
        elif "save" in intents:
            found.append(Evidence("button_save", -0.75, _SAYS, {"text": text}))
    found.sort(key=lambda one: -abs(one.weight))
    return found[:1]


def _box(form: Form, seen: Seen, words: FormWords) -> list[Evidence]:
    box = seen.box
    if box is None:
        return [Evidence("no_box", -1.5, N_("it has no box to type into"))]
    found = []
    if box.kind == "search" or (form.element is not None and form.element.get("role") == "search"):
        found.append(Evidence("marked_search", 4, N_("the page marks it as a search")))
    text = f"{seen.said(box)} {box.value}".strip()
    intents = words.intents_in(text)
    if "search" in intents:
        found.append(Evidence("box_search", 2.5, N_("its box says “{text}”"), {"text": text}))
    elif _is_email(box, seen, words):
        found.append(Evidence("box_email", -3, N_("its box asks for an e-mail address")))
    elif "login" in intents or "login" in words.intents_in_name(box.name):
        found.append(Evidence("box_login", -2, N_("its box asks for a user name")))
    elif "place" in intents:
        found.append(Evidence("box_place", -1.5, N_("its box asks for a place or a postcode")))
    if "display" in words.intents_in_name(f"{box.name} {box.attributes.get('id', '')}"):
        found.append(Evidence("box_display", -4, N_("its box is for a setting of the page")))
    if len(seen.texts) == 1:
        found.append(Evidence("one_box", 0.5, N_("it has one box for free text")))
    if box.value.strip().isdigit():
        found.append(
            Evidence("box_number", -2, N_("its box stands at {value}, a quantity"), {"value": box.value}, limit=8)
        )
    return found


def _is_email(box: Control, seen: Seen, words: FormWords) -> bool:
    return box.kind == "email" or "subscribe" in words.intents_in(seen.said(box)) or "mail" in box.name.lower()


def _names(look: Look) -> list[Evidence]:
    found = []
    zones, by_zone = look.zones, look.intents
    if "search" in by_zone["box_name"]:
        name = next(iter(zones.names["box_name"].split()), "")
        found.append(Evidence("box_name", 1.5, N_("its box is called “{name}”"), {"name": name}, limit=24))
    if "search" in by_zone["form_name"]:
        found.append(Evidence("form_name", 1.5, N_("the form is called “{name}”"), {"name": zones.names["form_name"]}))
    if "search" in by_zone["action"]:
        found.append(Evidence("action", 1.5, N_("it is sent to “{path}”"), {"path": zones.names["action"]}))
    else:
        for intent in WRITING:
            if intent in by_zone["action"] or intent in by_zone["form_name"]:
                if intent in by_zone["action"]:
                    told, about = N_("it is sent to “{path}”"), {"path": zones.names["action"]}
                else:
                    told, about = N_("the page calls it “{name}”"), {"name": zones.names["form_name"]}
                found.append(Evidence(f"names_{intent}", -1.5, told, about))
                break
    return found


def _choices(look: Look, words: FormWords) -> list[Evidence]:
    shown = look.seen.entries
    if not shown:
        return [Evidence("nothing", -4, N_("there is nothing to fill in"))]
    if look.seen.texts:
        return []
    spoken = [_speaks_of(control, look.seen, words) for control in shown]
    said_of = frozenset().union(*spoken)
    lists = len({control.name or id(control) for control in shown})
    if "sort" in said_of and lists <= 3 and not any("filter" in one and "sort" not in one for one in spoken):
        return [Evidence("sort", -2.5, N_("it only sorts or pages a list"))]
    if "display" in said_of and len(shown) <= 2:
        return [Evidence("display", -2.5, N_("it only sets language, style or place in the site"))]
    if "order" in said_of or "order" in look.intents["hidden_names"]:
        return [Evidence("order_fields", -2, N_("its fields are those of an order"))]
    if len(shown) >= 2 and all(control.kind.startswith("select") for control in shown) and not said_of & _NO_PICKER:
        return [Evidence("picker", 2.5, N_("its lists pick what is looked for"))]
    return []


def _filter(form: Form, look: Look, words: FormWords) -> list[Evidence]:
    """Boxes for the ends of an interval, or choices to tick under a name or button that speaks of filtering."""
    shown = look.seen.entries
    if form.method != "get" or form.virtual or "place" in look.intents["button"]:
        return []
    boxes = [control for control in shown if control.kind in TEXT_KINDS or control.kind == "number"]
    ends = [_ends(control, look.seen, words) for control in boxes] if len(shown) >= 3 else []
    ticks = sum(control.kind in ("checkbox", "radio") for control in shown)
    interval = len(shown) >= 3 and all(ends) and {"from", "to"} <= frozenset().union(*ends)
    if interval or (not boxes and ticks >= 3 and "filter" in look.intents["button"] | look.intents["form_name"]):
        return [Evidence("filter", 2.5, N_("its choices narrow a list"))]
    return []


def _compares(form: Form, words: FormWords) -> list[Evidence]:
    """A box that is compared with a field of records: which, and how, lists beside it say."""
    comparison = comparison_of(form, words)
    if comparison is None or not comparison.fields or form.method != "get":
        return []
    return [Evidence("compares", 2.5, N_("lists beside its box say in which field it is looked for, and how"))]


#: What records are described by, and what people and orders are.
_OF_RECORDS = frozenset({"title", "author", "subject", "abstract", "isbn", "source", "number"})
_OF_PEOPLE = frozenset({"email", "captcha", "person", "quantity", "place"})


def _record(look: Look, words: FormWords) -> list[Evidence]:
    """Most boxes ask for what records are described by, two things at least, and no button speaks of writing."""
    boxes, said = look.seen.texts, look.seen.said
    if len(boxes) < 2 or look.intents["button"] & _NO_QUERY:
        return []
    asked = [words.fields_in(f"{said(box)} {box.words.get('near', '')}") for box in boxes]
    of_records = [fields & _OF_RECORDS for fields in asked]
    several = len(frozenset().union(*of_records)) >= 2
    if not several or 2 * sum(map(bool, of_records)) <= len(boxes) or any(fields & _OF_PEOPLE for fields in asked):
        return []
    return [Evidence("record", 2, N_("its boxes ask for what records are described by"))]


def _ends(control: Control, seen: Seen, words: FormWords) -> frozenset[str]:
    """Which ends of an interval a box speaks of."""
    text = f"{seen.said(control)} {split_name(control.name)}".lower()
    spoken = set(_WORD.findall(text))
    return frozenset(
        end
        for end, known in words.range_ends.items()
        if any(word in spoken if word.isascii() else word in text for word in known)
    )


def _speaks_of(control: Control, seen: Seen, words: FormWords) -> frozenset[str]:
    """The intents of a list or a check box: of its label, its first choices, its name."""
    choices = " ".join(option.text for option in control.options[:6])
    return words.intents_in(f"{seen.said(control)} {choices}") | words.intents_in_name(control.name)


#: What lists of a form speak of when they pick nothing that is looked for.
_NO_PICKER = frozenset({"sort", "display", "order", "register", "login", "vote"})


def weigh(evidence: Sequence[Evidence]) -> float:
    """What speaks for a query interface less what speaks against it."""
    return sum(one.weight for one in evidence)


def decide(evidence: Sequence[Evidence]) -> bool:
    """The rules' decision: no veto, and more for than against."""
    return not any(one.veto for one in evidence) and weigh(evidence) > 1.0
