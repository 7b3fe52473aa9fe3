"""Arguments of a crawl (``-a NAME=VALUE``), checked before the first request."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from hometextile.sites import _web_address
from hometextile.text.faults import Fault
from hometextile.text.messages import _


def _words(value: Any) -> Any:
    if isinstance(value, str):
        return [word.strip() for word in value.replace("，", ",").split(",") if word.strip()]
    return value


class Arguments(BaseModel):
    """What ``scrapy crawl SITE -a`` takes; each wins over the site file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    preview: int = Field(0, ge=0, le=1000, description="fetch so many pages, store nothing, print what would be stored")
    keywords: Annotated[list[str], BeforeValidator(_words)] = Field([], description="ask these words, a,b,c")
    start: Annotated[str, AfterValidator(lambda v: _web_address(v) if v else v)] = Field("", description="start here")
    mode: Literal["surface", "deep", "both", ""] = Field("", description="links, forms, or both")
    render: Literal["never", "auto", "always", ""] = Field("", description="when pages are drawn")
    pages: int = Field(0, ge=0, description="pages fetched at the most")


def read_arguments(given: dict[str, Any]) -> Arguments:
    """Check the arguments.

    Raises:
        Fault: one is unknown or wrong.
    """
    given = {key: value for key, value in given.items() if not key.startswith("_")}  # scrapyd adds _job and the like
    try:
        return Arguments.model_validate(given)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        name = str(detail["loc"][0])
        if detail["type"] == "extra_forbidden":
            near = get_close_matches(name, Arguments.model_fields, 1, 0.6)
            remedy = (
                _("did you mean `{key}`?").format(key=near[0])
                if near
                else _("arguments: {names}").format(names=", ".join(Arguments.model_fields))
            )
            raise Fault(_("unknown argument"), key=f"-a {name}", remedy=remedy) from None
        field = Arguments.model_fields[name]
        problem = _("{value} cannot stand here").format(value=repr(detail.get("input")))
        raise Fault(problem, key=f"-a {name}", remedy=field.description or "") from None
