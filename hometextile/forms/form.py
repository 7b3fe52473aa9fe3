"""The form as the paper has it: F = ({C1 ... Cn}, A, N, M, U), with what a browser needs beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Option:
    """One option of a select list."""

    value: str
    text: str
    selected: bool = False
    disabled: bool = False


@dataclass(slots=True)
class Control:
    """One form control.

    Attributes:
        kind: the standard's type: ``text``, ``search``, ``hidden``, ``password``, ``checkbox``, ``radio``, ``file``,
            ``submit``, ``image``, ``reset``, ``button``, ``number``, ``range``, ``date`` ..., ``select``,
            ``select-multiple``, ``textarea``.
        name: its name, empty if it has none.
        value: its value as the page sets it.
        checked: of check boxes and radio buttons.
        disabled: by itself or by a fieldset.
        options: of select lists.
        words: what a person reads about it: label, placeholder, title, aria, the text beside it.
        attributes: the element's attributes.
        element: the lxml element.
        direction: ``ltr``, ``rtl`` or ``auto``, as ``dir`` says.
    """

    kind: str
    name: str = ""
    value: str = ""
    checked: bool = False
    disabled: bool = False
    options: list[Option] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict, repr=False)
    element: Any = field(default=None, repr=False, compare=False)
    direction: str = "ltr"


@dataclass
class Form:
    """A form: controls, action, name, method and the URL of its page.

    Attributes:
        controls: those the form owns, in tree order.
        action: the action attribute as written; :mod:`hometextile.forms.submission` resolves it.
        name: the form's name or id.
        method: ``get``, ``post`` or ``dialog``.
        url: of the page it stands on.
        base_url: what its action is resolved against.
        enctype: as the standard reads it.
        accept_charset: as written.
        page_encoding: WHATWG name.
        path: XPath of the element.
        words: headings and text near the form, the words of its submit button.
        virtual: True for a box and a button without a ``<form>``.
        attributes: the form element's attributes.
        element: the lxml element.
    """

    controls: list[Control] = field(default_factory=list)
    action: str = ""
    name: str = ""
    method: str = "get"
    url: str = ""
    base_url: str = ""
    enctype: str = "application/x-www-form-urlencoded"
    accept_charset: str = ""
    page_encoding: str = "utf-8"
    path: str = ""
    words: dict[str, str] = field(default_factory=dict)
    virtual: bool = False
    attributes: dict[str, str] = field(default_factory=dict, repr=False)
    element: Any = field(default=None, repr=False, compare=False)

    @property
    def fingerprint(self) -> str:
        """The same for the same form on every page of a site: action without query, method, names and kinds."""
        from hashlib import sha256
        from urllib.parse import urljoin, urlsplit

        try:
            parts = urlsplit(urljoin(self.base_url or self.url, self.action.strip()))
            where = f"{parts.netloc}{parts.path}" if self.action.strip() else urlsplit(self.url).netloc
        except ValueError:
            where = self.action
        names = " ".join(sorted({f"{c.kind}:{c.name}" for c in self.controls if c.kind != "hidden"}))
        return sha256(f"{self.method} {where} {names}".encode()).hexdigest()[:16]


@dataclass
class Query:
    """A form filled in: what a spider yields, what the form-request middleware turns into a request.

    Attributes:
        form: the form.
        values: control name to values; what is not named keeps its default.
        keyword: the keyword in it; None for a query without one (browsing by select lists).
        submitter: the button pressed, None for the form's default button.
        probe: True for the nonsense word that shows what every answer has.
        url: of the page it is sent from.
        box: the control that takes the keyword, for the browser where the box has no name.
        by_script: a script of the page sends it (``form.submit()``): no button is pressed, none is in what is sent.
    """

    form: Form
    values: dict[str, list[str]] = field(default_factory=dict)
    keyword: str | None = None
    submitter: Control | None = None
    probe: bool = False
    url: str = ""
    box: Control | None = None
    by_script: bool = False
