"""Whether a form may be sent at all, and what it is filled with: what a person says of it goes first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from urllib.parse import urlsplit

import re2

from hometextile.forms.acting import actions_of, needs_browser
from hometextile.forms.asking import Advice
from hometextile.forms.filling import fill, may_fill, search_button
from hometextile.forms.form import Form, Query
from hometextile.forms.recognising import Verdict
from hometextile.forms.submission import Refused, default_button, destination
from hometextile.forms.templates import Values

#: No word of any language, so that its answer has what every answer has.
NONSENSE = "zqxjkvbw"
#: Why a form makes no request, as it is counted where it is found.
_REFUSED = {"javascript": "script-action", "dialog": "dialog"}
#: Reasons for which a query interface is not sent that one line of the site file does away with: the line's key.
ALLOWING = {"post": "post", "other-host": "elsewhere"}
_NO_ADDRESS = re.compile(r"\s*(?:javascript|mailto|data|about):", re.IGNORECASE)


def advice_for(form: Form, advice: Iterable[Advice]) -> Advice | None:
    """The first of a site file's words on forms that is meant for *form*."""
    for one in advice:
        if one.url and not re2.search(one.url, form.url):
            continue
        if one.action and not re2.search(one.action, form.action):
            continue
        if one.name and one.name != form.name:
            continue
        return one
    return None


def refusal(
    form: Form, verdict: Verdict, advice: Advice | None, *, hosts: Collection[str], browser: bool = False
) -> str:
    """Why a form is not sent, empty if it may be.

    Args:
        form: the form.
        verdict: what it was taken for.
        advice: what a person says of it.
        hosts: where forms may be sent.
        browser: whether there is a browser for forms that only a script sends.
    """
    if advice is not None and not advice.use:
        return "rule"
    if advice is None and not verdict.is_query:
        return "no-query-interface"
    if needs_browser(form):
        return "" if browser and _acts(form) else "needs-a-browser"
    if _NO_ADDRESS.match(form.action):
        return "script-action"
    # As a browser goes: the button may lead elsewhere than the form, and "/\\host/" leads to that host.
    target = destination(form, search_button(form) or default_button(form))
    if isinstance(target, Refused):
        return _REFUSED.get(target.reason, "bad-action")
    method, url = target
    if not may_go(url, advice, hosts):
        return "other-host"
    if method == "post" and not _may_post(verdict, advice):
        return "post"
    return ""


def needed(form: Form, verdict: Verdict, hosts: Collection[str], given: Advice | None = None) -> list[str]:
    """The keys of a site file's ``forms`` entry (``post``, ``elsewhere``) without which a query interface is not sent.

    Args:
        form: the form.
        verdict: what it was taken for.
        hosts: the site's.
        given: the entry that the site file has for it.
    """
    keys: list[str] = []
    while verdict.is_query:
        entry = given or Advice()
        allowed = replace(entry, post=entry.post or "post" in keys, elsewhere=entry.elsewhere or "elsewhere" in keys)
        advice = allowed if keys else given
        reason = refusal(form, verdict, advice, hosts=hosts, browser=True)
        if reason not in ALLOWING or ALLOWING[reason] in keys:
            break
        keys.append(ALLOWING[reason])
    return keys


def may_go(url: str, advice: Advice | None, hosts: Collection[str]) -> bool:
    """Whether a form may be sent there: to a host of the site, or where a person wants it.

    Args:
        url: absolute.
        advice: what a person says of the form.
        hosts: where forms may be sent.
    """
    return (urlsplit(url).hostname or "") in hosts or (advice is not None and advice.elsewhere)


def _may_post(verdict: Verdict, advice: Advice | None) -> bool:
    return verdict.certain or (advice is not None and advice.post)


def _acts(form: Form) -> bool:
    query = fill(form, NONSENSE, None, allow_post=True)
    return query is not None and bool(actions_of(query))


def filled(
    form: Form, verdict: Verdict, advice: Advice | None, keyword: str | None, values: Values | None = None
) -> Query | None:
    """The form with a keyword in it, or with other controls set.

    Args:
        form: the form.
        verdict: what it was taken for.
        advice: what a person says of it.
        keyword: what is looked for; None leaves the box as it is.
        values: what other controls are set to.

    Returns:
        None when it may not be sent, or has no place for a keyword.
    """
    # What a person says of a form goes before what the machine makes of it.
    trusted, may_post = None if advice else verdict, _may_post(verdict, advice)
    if keyword is None:
        if not may_fill(form, trusted, allow_post=may_post):
            return None
        query: Query | None = Query(form, submitter=search_button(form), url=form.url)
    else:
        query = fill(form, keyword, trusted, allow_post=may_post)
        if advice is not None and advice.keyword_in and may_fill(form, None, allow_post=may_post):
            query = query or Query(form, url=form.url)
            query.values = {**query.values, advice.keyword_in: [keyword]}
            query.keyword = keyword
    if query is not None:
        said = {} if advice is None else {name: [value] for name, value in advice.set.items()}
        query.values = {**query.values, **(values or {}), **said}
    return query
