"""What a user reads, in Chinese and English (GNU gettext).

``_`` looks a message up in the catalogue of the user's locale at the time of the call (``LANGUAGE``, ``LC_ALL``,
``LC_MESSAGES``, ``LANG``, in that order, as gettext does), so that one process can serve several locales in tests.
Placeholders are named: ``_("{n} pages").format(n=3)``. Catalogues are read through :mod:`importlib.resources`, since
an egg stays zipped.
"""

from __future__ import annotations

import gettext as _gettext
import os
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def locale_name() -> str:
    """The catalogue for the user's locale: ``zh_CN``, or ``en`` where no catalogue is needed."""
    for variable in _VARIABLES:
        value = os.environ.get(variable, "")
        if value:
            return "zh_CN" if value.lower().startswith("zh") else "en"
    return "en"


@lru_cache(maxsize=4)
def _catalogue(name: str) -> _gettext.NullTranslations:
    if name == "en":
        return _gettext.NullTranslations()
    data = files("hometextile").joinpath("locale", name, "LC_MESSAGES", "hometextile.mo")
    if not data.is_file():
        return _gettext.NullTranslations()
    return _gettext.GNUTranslations(BytesIO(data.read_bytes()))


def _(message: str) -> str:
    """The message in the user's language.

    Args:
        message: the English message; it is the key of the catalogue.
    """
    return _catalogue(locale_name()).gettext(message)


def N_(message: str) -> str:  # noqa: N802 - gettext names it so
    """*message* as it is, for the catalogue: to be translated (:func:`_`) where it is read, if it is."""
    return message


def ngettext(singular: str, plural: str, n: int) -> str:
    """The message for *n* things in the user's language (Chinese has one form)."""
    return _catalogue(locale_name()).ngettext(singular, plural, n)
