"""What speaks for and against a form being a query interface, in words that a person can check on the page.

The same evidence makes the rules' decision (:func:`decide`) and the reasons printed by ``scrapy forms``. A *veto* ends
the matter whatever else is there: step 1 of the paper (a form with a password, file or textarea control is dropped) and
forms that plainly write something.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hometextile.forms.controls import BUTTON_KINDS, TEXT_KINDS, main_box, said, visible
from hometextile.forms.form import Control, Form
from hometextile.forms.words import FormWords, split_name
from hometextile.forms.zones import Look
from hometextile.text.messages import _
from hometextile.text.normalise import tidy

#: What a button may say when the form writes something: such a form is never filled.
WRITING = ("login", "register", "recover", "subscribe", "comment", "order", "vote", "upload")
_NO_QUERY = frozenset({*WRITING, "save"})
_WORD = re.compile("[a-z]+")


@dataclass(frozen=True)
class Evidence:
    """One thing seen on a form.

    Attributes:
        code: short name, for counting.
        weight: positive for a query interface, negative against it.
        text: what was seen, in the user's language.
        veto: ends the matter.
    """

    code: str
    weight: float
    text: str
    veto: bool = False


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
        *_button(form, words),
        *_box(form, words),
        *_names(look),
        *_choices(form, look, words),
        *_filter(form, look, words),
        *_record(form, look, words),
    ]
    if any(control.name == "__VIEWSTATE" for control in form.controls[:20]):
        found.append(Evidence("page_form", 0, _("it is the form of a whole page")))
    if form.method == "post":
        found.append(Evidence("post", -0.5, _("it is sent by POST, as forms that write are")))
    elif not form.virtual:
        found.append(Evidence("get", 0.25, _("it is sent by GET, as queries are")))
    return sorted(found, key=lambda one: (not one.veto, -abs(one.weight)))


def _kinds(form: Form) -> list[Evidence]:
    kinds = {control.kind for control in form.controls}
    found = []
    if "password" in kinds:
        found.append(Evidence("password", -9, _("it asks for a password"), veto=True))
    if "file" in kinds:
        found.append(Evidence("file", -9, _("it takes a file"), veto=True))
    if "textarea" in kinds:
        found.append(Evidence("textarea", -6, _("it has a field for a long text"), veto=True))
    return found


def _button(form: Form, words: FormWords) -> list[Evidence]:
    found: list[Evidence] = []
    for control in visible(form):
        if control.kind not in BUTTON_KINDS or control.kind == "reset":
            continue
        text = said(control)
        intents = words.intents_in(text)
        if "search" in intents:
            found.append(Evidence("button_search", 3, _("its button says “{text}”").format(text=short(text))))
        elif writing := [intent for intent in WRITING if intent in intents]:
            found.append(Evidence(f"button_{writing[0]}", -3, _("its button says “{text}”").format(text=short(text))))
        elif "save" in intents:
            found.append(Evidence("button_save", -0.75, _("its button says “{text}”").format(text=short(text))))
    found.sort(key=lambda one: -abs(one.weight))
    return found[:1]


def _box(form: Form, words: FormWords) -> list[Evidence]:
    box = main_box(form)
    if box is None:
        return [Evidence("no_box", -1.5, _("it has no box to type into"))]
    found = []
    if box.kind == "search" or (form.element is not None and form.element.get("role") == "search"):
        found.append(Evidence("marked_search", 4, _("the page marks it as a search")))
    text = f"{said(box)} {box.value}".strip()
    intents = words.intents_in(text)
    if "search" in intents:
        found.append(Evidence("box_search", 2.5, _("its box says “{text}”").format(text=short(text))))
    elif _is_email(box, words):
        found.append(Evidence("box_email", -3, _("its box asks for an e-mail address")))
    elif "login" in intents or "login" in words.intents_in_name(box.name):
        found.append(Evidence("box_login", -2, _("its box asks for a user name")))
    elif "place" in intents:
        found.append(Evidence("box_place", -1.5, _("its box asks for a place or a postcode")))
    if "display" in words.intents_in_name(f"{box.name} {box.attributes.get('id', '')}"):
        found.append(Evidence("box_display", -4, _("its box is for a setting of the page")))
    texts = [control for control in visible(form) if control.kind in TEXT_KINDS]
    if len(texts) == 1:
        found.append(Evidence("one_box", 0.5, _("it has one box for free text")))
    if box.value.strip().isdigit():
        found.append(
            Evidence("box_number", -2, _("its box stands at {value}, a quantity").format(value=short(box.value, 8)))
        )
    return found


def _is_email(box: Control, words: FormWords) -> bool:
    return box.kind == "email" or "subscribe" in words.intents_in(said(box)) or "mail" in box.name.lower()


def _names(look: Look) -> list[Evidence]:
    found = []
    zones, by_zone = look.zones, look.intents
    if "search" in by_zone["box_name"]:
        name = short(next(iter(zones.names["box_name"].split()), ""), 24)
        found.append(Evidence("box_name", 1.5, _("its box is called “{name}”").format(name=name)))
    if "search" in by_zone["form_name"]:
        found.append(
            Evidence("form_name", 1.5, _("the form is called “{name}”").format(name=short(zones.names["form_name"])))
        )
    if "search" in by_zone["action"]:
        found.append(Evidence("action", 1.5, _("it is sent to “{path}”").format(path=short(zones.names["action"]))))
    else:
        for intent in WRITING:
            if intent in by_zone["action"] or intent in by_zone["form_name"]:
                text = zones.names["action"] if intent in by_zone["action"] else zones.names["form_name"]
                found.append(
                    Evidence(f"names_{intent}", -1.5, _("the page calls it “{name}”").format(name=short(text)))
                )
                break
    return found


def _choices(form: Form, look: Look, words: FormWords) -> list[Evidence]:
    shown = [control for control in visible(form) if control.kind not in BUTTON_KINDS]
    if not shown:
        return [Evidence("nothing", -4, _("there is nothing to fill in"))]
    if any(control.kind in TEXT_KINDS for control in shown):
        return []
    spoken = [_speaks_of(control, words) for control in shown]
    said_of = frozenset().union(*spoken)
    lists = len({control.name or id(control) for control in shown})
    if "sort" in said_of and lists <= 3 and not any("filter" in one and "sort" not in one for one in spoken):
        return [Evidence("sort", -2.5, _("it only sorts or pages a list"))]
    if "display" in said_of and len(shown) <= 2:
        return [Evidence("display", -2.5, _("it only sets language, style or place in the site"))]
    if "order" in said_of or "order" in look.intents["hidden_names"]:
        return [Evidence("order_fields", -2, _("its fields are those of an order"))]
    if len(shown) >= 2 and all(control.kind.startswith("select") for control in shown) and not said_of & _NO_PICKER:
        return [Evidence("picker", 2.5, _("its lists pick what is looked for"))]
    return []


def _filter(form: Form, look: Look, words: FormWords) -> list[Evidence]:
    """Boxes for the ends of an interval, or choices to tick under a name or button that speaks of filtering."""
    shown = [control for control in visible(form) if control.kind not in BUTTON_KINDS]
    if form.method != "get" or form.virtual or "place" in look.intents["button"]:
        return []
    boxes = [control for control in shown if control.kind in TEXT_KINDS or control.kind == "number"]
    ends = [_ends(control, words) for control in boxes]
    ticks = sum(control.kind in ("checkbox", "radio") for control in shown)
    interval = len(shown) >= 3 and all(ends) and {"from", "to"} <= frozenset().union(*ends)
    if interval or (not boxes and ticks >= 3 and "filter" in look.intents["button"] | look.intents["form_name"]):
        return [Evidence("filter", 2.5, _("its choices narrow a list"))]
    return []


#: What records are described by, and what people and orders are.
_OF_RECORDS = frozenset({"title", "author", "subject", "abstract", "isbn", "source", "number"})
_OF_PEOPLE = frozenset({"email", "captcha", "person", "quantity", "place"})


def _record(form: Form, look: Look, words: FormWords) -> list[Evidence]:
    """Most boxes ask for what records are described by, two things at least, and no button speaks of writing."""
    boxes = [control for control in visible(form) if control.kind in TEXT_KINDS]
    if len(boxes) < 2 or look.intents["button"] & _NO_QUERY:
        return []
    asked = [words.fields_in(f"{said(box)} {box.words.get('near', '')}") for box in boxes]
    of_records = [fields & _OF_RECORDS for fields in asked]
    several = len(frozenset().union(*of_records)) >= 2
    if not several or 2 * sum(map(bool, of_records)) <= len(boxes) or any(fields & _OF_PEOPLE for fields in asked):
        return []
    return [Evidence("record", 2, _("its boxes ask for what records are described by"))]


def _ends(control: Control, words: FormWords) -> frozenset[str]:
    """Which ends of an interval a box speaks of."""
    text = f"{said(control)} {split_name(control.name)}".lower()
    spoken = set(_WORD.findall(text))
    return frozenset(
        end
        for end, known in words.range_ends.items()
        if any(word in spoken if word.isascii() else word in text for word in known)
    )


def _speaks_of(control: Control, words: FormWords) -> frozenset[str]:
    """The intents of a list or a check box: of its label, its first choices, its name."""
    choices = " ".join(option.text for option in control.options[:6])
    return words.intents_in(f"{said(control)} {choices}") | words.intents_in_name(control.name)


#: What lists of a form speak of when they pick nothing that is looked for.
_NO_PICKER = frozenset({"sort", "display", "order", "register", "login", "vote"})


def weigh(evidence: Sequence[Evidence]) -> float:
    """What speaks for a query interface less what speaks against it."""
    return sum(one.weight for one in evidence)


def decide(evidence: Sequence[Evidence]) -> bool:
    """The rules' decision: no veto, and more for than against."""
    return not any(one.veto for one in evidence) and weigh(evidence) > 1.0
