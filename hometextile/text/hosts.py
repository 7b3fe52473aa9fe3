"""Hosts by the public suffix list (https://publicsuffix.org), as it came with tldextract: nothing is fetched."""

from __future__ import annotations

from functools import lru_cache

import tldextract


@lru_cache(maxsize=1)
def suffix_list() -> tldextract.TLDExtract:
    """The list; reading it takes a tenth of a second, so it is read once."""
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
