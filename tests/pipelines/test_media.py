"""A store on S3 without the library for it is told before the crawl; a folder needs nothing."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from hometextile.pipelines import media
from hometextile.text.faults import Fault


def test_s3_without_botocore_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media, "find_spec", lambda name: None)
    with pytest.raises(Fault, match="FILES_STORE"):
        media.check_store("files", Settings({"FILES_STORE": "s3://bucket/"}))
    media.check_store("files", Settings({"FILES_STORE": "files"}))


def test_s3_with_botocore_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media, "find_spec", lambda name: object())
    media.check_store("files", Settings({"FILES_STORE": "s3://bucket/"}))
