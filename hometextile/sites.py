"""Site files: one YAML file in ``rules/`` is one source.

A file is read strictly (:mod:`hometextile.text.strict_yaml`), checked by pydantic, and every fault names file, line,
key and remedy. :func:`site_files` finds the files: those of the folder ``rules/`` beside ``scrapy.cfg`` if there is
one, else those packed into the installed package or egg.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import re2
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from hometextile.extract.schema import TemplateRule
from hometextile.render.actions import read_actions
from hometextile.text.faults import Fault
from hometextile.text.messages import _
from hometextile.text.pack import load_pack
from hometextile.text.strict_yaml import Loaded, faults_of, load_yaml

MAX_BYTES = 1_000_000
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_FROM_OUTSIDE = re.compile(r"(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)\Z")
#: Headers that hold no secret and may stand in the site file itself.
PLAIN_HEADERS = {"accept", "accept-language", "referer", "x-requested-with"}


def _web_address(value: str) -> str:
    parts = urlsplit(value.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(
            _("{value} is no web address").format(value=value) + " → " + _("write it whole, with https:// or http://")
        )
    return value.strip()


def _pattern(value: str) -> str:
    try:
        re2.compile(value)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        if isinstance(reason, bytes):
            reason = reason.decode("utf-8", "replace")
        raise ValueError(
            _("broken regular expression: {reason}").format(reason=reason)
            + " → "
            + _("check brackets and backslashes; lookbehind and back references are not to be had")
        ) from None
    return value


WebAddress = Annotated[str, AfterValidator(_web_address)]
Pattern = Annotated[str, AfterValidator(_pattern)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Allow(_Strict):
    """What the crawl may do beyond the defaults."""

    hosts: list[str] = Field(
        [], description="Further hosts whose pages and forms belong to the site, e.g. img.example.cn"
    )
    private: list[str] = Field([], description="Private or loopback hosts that may be fetched, e.g. 127.0.0.1")


class Limits(_Strict):
    """How much, how deep, how fast."""

    pages: int = Field(20_000, ge=1, description="Pages fetched in one crawl at the most")
    depth: int = Field(20, ge=0, le=1000, description="Links from a start page at the most")
    queries: int = Field(200, ge=0, description="Queries a form at the most")
    pages_per_query: int = Field(50, ge=1, description="Pages of one answer at the most")
    minutes: float = Field(0, ge=0, description="Minutes a crawl may take; 0: no limit")
    size_mb: float = Field(20, gt=0, le=1024, description="Largest answer in megabytes")
    timeout: float = Field(60, gt=0, le=3600, description="Seconds to wait for an answer")
    delay: float = Field(1.0, ge=0, le=3600, description="Seconds between two requests to one host")
    concurrency: int = Field(2, ge=1, le=64, description="Requests to one host under way at once")


class Session(_Strict):
    """Headers and cookies. Secrets come from the environment (``env:NAME``) or a file (``file:PATH``)."""

    headers: dict[str, str] = Field({}, description="Header name to env:NAME or file:PATH")
    cookies: str | None = Field(None, description="env:NAME or file:PATH: a cookies.txt, or lines `name=value`")

    @model_validator(mode="after")
    def _secrets_outside(self) -> Session:
        for name, value in self.headers.items():
            if name.lower() not in PLAIN_HEADERS and not _FROM_OUTSIDE.match(value):
                raise ValueError(
                    _("the value of {name} stands in the file itself").format(name=name)
                    + " → "
                    + _("write env:NAME or file:PATH, and keep the secret there")
                )
        if self.cookies is not None and not _FROM_OUTSIDE.match(self.cookies):
            raise ValueError(
                _("the cookies stand in the file itself")
                + " → "
                + _("write env:NAME or file:PATH, and keep the secret there")
            )
        return self


class Follow(_Strict):
    """Which links are followed."""

    accept: list[Pattern] = Field(
        [], description="Only addresses in which one of these is found; none: all of the site"
    )
    refuse: list[Pattern] = Field([], description="No address in which one of these is found")


class FormRule(_Strict):
    """What a person knows of a form better than the machine."""

    url: Pattern | None = Field(None, description="Pages whose form is meant")
    action: Pattern | None = Field(None, description="Found in the form's action")
    name: str | None = Field(None, description="The form's name or id")
    use: bool = Field(True, description="false: never submit it")
    post: bool = Field(False, description="true: it may be sent by POST although it was not recognised beyond doubt")
    elsewhere: bool = Field(False, description="true: it may be sent to another host")
    keyword_in: str | None = Field(None, description="Name of the control that takes the keyword")
    set: dict[str, str] = Field({}, description="Control name to value")
    keywords: list[str] = Field([], description="Keywords for this form, instead of the site's")
    actions: list[dict[str, str | int | float]] = Field(
        [], description="What is done on each of its answers in the browser, e.g. - more: a.load-more"
    )

    @field_validator("actions")
    @classmethod
    def _can_be_done(cls, actions: list[dict[str, str | int | float]]) -> list[dict[str, str | int | float]]:
        try:
            read_actions(actions)
        except Fault as fault:
            raise ValueError(str(fault)) from None
        return actions


class Check(_Strict):
    """A page and a text that must come out of it: a dead rule is found out."""

    url: WebAddress
    text: str = Field(min_length=1)


class SiteFile(_Strict):
    """One source."""

    title: str = Field("", description="Its name, for people")
    start: list[WebAddress] = Field(min_length=1, description="Where the crawl starts")
    domain: str = Field("home_textile", description="Domain pack: a name, or a folder's path")
    keywords: list[str] = Field(
        [], description="What its forms are asked first, before words of the pack and of the answers"
    )
    keywords_fixed: bool = Field(False, description="true: nothing but these keywords is asked")
    language: Literal["zh", "en", "both"] = Field("both", description="Which of the pack's words are asked")
    mode: Literal["surface", "deep", "both"] = Field("both", description="Links, forms, or both")
    render: Literal["never", "auto", "always"] = Field("auto", description="When pages are drawn by a browser")
    blocks: Literal["model", "topics"] = Field(
        "model", description="How main blocks are chosen: trained model or topic blocks"
    )
    relevance: float | None = Field(None, ge=0, le=1, description="Least relevance kept; none: the pack's threshold")
    robots: bool = Field(True, description="Obey robots.txt")
    download: list[Literal["images", "files"]] = Field(
        [], description="What else is fetched of each resource: its images, the files it links to"
    )
    integrate: str | None = Field(
        None, min_length=1, description="A map (docs/mediator.md) by which resources go into your own table as well"
    )
    allow: Allow = Allow()
    limits: Limits = Limits()
    session: Session = Session()
    follow: Follow = Follow()
    forms: list[FormRule] = []
    templates: list[TemplateRule] = []
    check: list[Check] = []


class Site:
    """A site file with its name and the lines of its keys."""

    def __init__(self, name: str, data: SiteFile, file: str = "") -> None:
        self.name = name
        self.data = data
        self.file = file

    @property
    def hosts(self) -> set[str]:
        """Hosts whose pages belong to the site."""
        return {urlsplit(url).hostname or "" for url in self.data.start} | set(self.data.allow.hosts)


def parse_site(text: str, name: str, file: str) -> Site:
    """Read a site file's text.

    Args:
        text: the YAML.
        name: the site's name.
        file: the file's name, for messages.

    Raises:
        Fault: the first thing wrong with it; the others are in its ``others``.
    """
    if not _NAME.match(name):
        raise Fault(
            _("{name} is no name for a site").format(name=name),
            file=file,
            remedy=_("name the file with small letters, digits, - and _ only"),
        )
    loaded = load_yaml(text, file)
    if loaded.data is None:
        raise Fault(_("the file is empty"), file=file, remedy=_("`scrapy site new URL` writes one to start from"))
    if not isinstance(loaded.data, dict):
        raise Fault(
            _("the file is not made of `key: value` lines"),
            file=file,
            line=1,
            remedy=_("`scrapy site new URL` writes one to start from"),
        )
    site = Site(name, _validated(loaded), file)
    _check_taxonomy(site, loaded)
    return site


def _check_taxonomy(site: Site, loaded: Loaded) -> None:
    """Library and class of a template must be the pack's."""
    for number, template in enumerate(site.data.templates):
        if not (template.library or template.category):
            continue
        pack = load_pack(site.data.domain)
        classes = {key for library in pack.libraries.values() for key in library.classes}
        for key, value, known in (
            ("library", template.library, set(pack.libraries)),
            ("category", template.category, classes),
        ):
            if value and value not in known:
                near = get_close_matches(value, known, 1, 0.5)
                raise Fault(
                    _("the domain pack has no {key} {value}").format(key=key, value=value),
                    file=site.file,
                    line=loaded.line(("templates", number, key)),
                    key=f"templates.{number}.{key}",
                    remedy=_("did you mean `{key}`?").format(key=near[0])
                    if near
                    else _("write one of: {values}").format(values=", ".join(sorted(known))),
                )


def _validated(loaded: Loaded) -> SiteFile:
    try:
        return SiteFile.model_validate(loaded.data)
    except ValidationError as error:
        found = faults_of(error, loaded, SiteFile)
        first = found[0]
        first.others = found[1:]
        raise first from None


def load_site(file: Traversable | Path, name: str | None = None) -> Site:
    """Read a site file.

    Raises:
        Fault: it is not readable, not UTF-8, too large, or wrong.
    """
    label = str(file)
    try:
        body = file.read_bytes()
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body[: error.start].count(b"\n") + 1
        raise Fault(
            _("the file is not UTF-8"), file=label, line=line, remedy=_("save it as UTF-8 in your editor")
        ) from None
    except OSError as error:
        raise Fault(_("cannot be read: {why}").format(why=error.strerror or error), file=label) from None
    if len(body) > MAX_BYTES:
        raise Fault(
            _("the file has {n} bytes, more than the {limit} allowed").format(n=len(body), limit=MAX_BYTES), file=label
        )
    return parse_site(text, name or Path(file.name).stem, label)


def rules_folder(folder: str | None = None) -> Traversable:
    """Where the site files lie: *folder*, else ``rules/`` beside ``scrapy.cfg``, else the package's own."""
    if folder:
        return Path(folder)
    for here in [Path.cwd(), *Path.cwd().parents]:
        if (here / "scrapy.cfg").is_file():
            if (here / "rules").is_dir():
                return here / "rules"
            break
    return files("hometextile").joinpath("rules")


def site_files(folder: str | None = None) -> Iterator[tuple[str, Traversable]]:
    """Name and file of each site, by name."""
    place = rules_folder(folder)
    if not place.is_dir():
        return
    for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith((".yaml", ".yml")) and not entry.name.startswith((".", "_")):
            yield entry.name.rsplit(".", 1)[0], entry


def secret(value: str, *, file: str, key: str) -> str:
    """The text behind ``env:NAME`` or ``file:PATH``; a plain value is returned as it is.

    Raises:
        Fault: the variable is not set, the file cannot be read. The message never holds the secret.
    """
    if value.startswith("env:"):
        name = value[4:]
        if name not in os.environ:
            raise Fault(
                _("the environment variable {name} is not set").format(name=name),
                file=file,
                key=key,
                remedy=_("set it before the crawl: export {name}=...").format(name=name),
            )
        return os.environ[name]
    if value.startswith("file:"):
        path = Path(value[5:]).expanduser()
        try:
            return path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise Fault(
                _("{path} cannot be read: {why}").format(path=path, why=getattr(error, "strerror", None) or error),
                file=file,
                key=key,
            ) from None
    return value


def json_schema() -> dict[str, Any]:
    """The JSON Schema of site files, for editors."""
    schema = SiteFile.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "hometextile site file"
    return schema
