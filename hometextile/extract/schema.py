"""How a field is found: the rule part of a site file (paper 4's tag pairs among them)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from hometextile.extract.betweens import check_begin, check_end
from hometextile.extract.expressions import check_css, check_regex, check_selector, check_xpath
from hometextile.text.messages import _

WAYS = ("xpath", "css", "regex", "between", "label", "constant")
FIELD_NAME = re.compile(r"[^\W\d][\w.-]{0,63}\Z")

XPath = Annotated[str, AfterValidator(check_xpath)]
Css = Annotated[str, AfterValidator(check_css)]
Regex = Annotated[str, AfterValidator(check_regex)]
Selector = Annotated[str, AfterValidator(check_selector)]


def _pair(value: list[str]) -> list[str]:
    if len(value) != 2:
        raise ValueError(_("between needs two texts, not {n}").format(n=len(value)) + " → " + _("write [begin, end]"))
    check_begin(value[0])
    check_end(value[1])
    return value


def _replacements(value: dict[str, str]) -> dict[str, str]:
    for pattern in value:
        check_regex(pattern)
    return value


class FieldRule(BaseModel):
    """How one field is found on a page: exactly one way, and what is done with what it finds."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    xpath: XPath | None = Field(None, description="XPath 1.0, e.g. //h1")
    css: Css | None = Field(None, description="CSS selector, e.g. .price or img.main::attr(src)")
    regex: Regex | None = Field(
        None,
        description="RE2 regular expression; its first (bracket) is the value. Looked for in the page's source when it "
        "contains <, else in the visible text",
    )
    between: Annotated[list[str], AfterValidator(_pair)] | None = Field(
        None, description="Begin and end tag as in the page's source, e.g. "
        '[\'<div class="content">\', "</div>"]; a closing tag means the one that closes the begin tag',
    )  # fmt: skip
    label: str | list[str] | None = Field(None, description="The value beside this label, e.g. 产地")
    constant: str | None = Field(None, description="The same value on every page")
    type: Literal["text", "html", "date", "price", "number", "quantity", "url", "image"] = Field(
        "text", description="What the value is"
    )
    many: bool = Field(False, description="true: all values that are found, not only the first")
    required: bool = Field(False, description="true: a page without it is reported, and gives nothing")
    join: str | None = Field(None, description="Put between several values to make them one")
    replace: Annotated[dict[str, str], AfterValidator(_replacements)] = Field(
        {}, description=r"Regular expression to what is put in its place; \1 is its first bracket"
    )
    default: str | None = Field(None, description="Taken when nothing is found")
    within: Css | None = Field(None, description="CSS selector: look only in the first element it finds")

    @model_validator(mode="after")
    def _one_way(self) -> FieldRule:
        given = [way for way in WAYS if getattr(self, way) is not None]
        if not given:
            raise ValueError(
                _("no way to find the field") + " → " + _("give one of: {ways}").format(ways=", ".join(WAYS))
            )
        if len(given) > 1:
            raise ValueError(
                _("two ways to find one field: {ways}").format(ways=", ".join(given)) + " → " + _("keep one of them")
            )
        labels = [self.label] if isinstance(self.label, str) else self.label
        if labels is not None and (not labels or any(not label.strip(" :：") for label in labels)):
            raise ValueError(_("the label is empty") + " → " + _("write the words that stand before the value"))
        if self.many and self.join is not None:
            raise ValueError(
                _("many and join exclude each other") + " → " + _("keep join for one value, many for a list")
            )
        return self

    @property
    def way(self) -> str:
        """Which of the ways the rule takes."""
        return next(way for way in WAYS if getattr(self, way) is not None)


def _names(value: dict[str, FieldRule]) -> dict[str, FieldRule]:
    for name in value:
        if not FIELD_NAME.match(name):
            raise ValueError(
                _("{name} is no name for a field").format(name=repr(name))
                + " → "
                + _("letters (Chinese ones too), digits, - and _, beginning with a letter")
            )
    return value


class TemplateRule(BaseModel):
    """One kind of page of a site: how it is told, and the fields it gives."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str = Field(min_length=1, max_length=64, description="Its name, for people")
    match: Regex | None = Field(None, description="Regular expression that is found in the page's address")
    marks: list[Selector] = Field([], description="CSS selectors or XPaths that must all find something on the page")
    kind: Literal["detail", "list"] = Field("detail", description="detail: one resource; list: one for each record")
    library: str = Field("", description="Library of what it gives; none: the classifier decides")
    category: str = Field("", description="Class of what it gives; none: the classifier decides")
    fields: Annotated[dict[str, FieldRule], AfterValidator(_names)] = Field({}, description="Field name to rule")
    records: Selector | None = Field(None, description="CSS selector or XPath of each record of a list")
    link: Selector | None = Field(
        None, description="CSS selector or XPath, within a record, of the link to its own page"
    )
    drop: list[Css] = Field([], description="CSS selectors of what is left out, e.g. .related")

    @model_validator(mode="after")
    def _whole(self) -> TemplateRule:
        if self.match is None and not self.marks:
            raise ValueError(
                _("nothing says which pages the template is for")
                + " → "
                + _("give match (a regular expression on the address) or marks (selectors)")
            )
        if self.kind == "detail" and (self.records or self.link):
            raise ValueError(_("records and link are for lists") + " → " + _("write kind: list, or take them out"))
        if self.link and not self.records:
            raise ValueError(_("link needs records") + " → " + _("say with records what one record is"))
        return self
