"""What a person reads about a control and about a form."""

from __future__ import annotations

from hometextile.forms.form import Control, Form
from hometextile.page.document import Document


def control_words(control: Control, document: Document) -> dict[str, str]:
    """Label, placeholder, title and so on of a control."""
    told = {
        key: " ".join(control.attributes.get(attribute, "").split())
        for key, attribute in (("placeholder", "placeholder"), ("title", "title"), ("aria", "aria-label"))
    }
    return {key: text for key, text in told.items() if text}


def form_words(form: Form, document: Document) -> dict[str, str]:
    """The words of the submit button."""
    texts = [control.value for control in form.controls if control.kind == "submit" and control.value]
    return {"submit": " ".join(texts)} if texts else {}
