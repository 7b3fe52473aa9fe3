"""The documents name what there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from hometextile.extract.schema import FieldRule, TemplateRule
from hometextile.sites import Allow, Check, Follow, FormRule, Limits, Session, SiteFile
from hometextile.spiders.arguments import Arguments

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(
    "model", [SiteFile, Allow, Limits, Session, Follow, FormRule, Check, TemplateRule, FieldRule, Arguments]
)
def test_every_key_of_a_site_file_is_described(model: type[BaseModel]) -> None:
    text = (DOCS / "site-file.md").read_text(encoding="utf-8")
    assert [name for name in model.model_fields if f"| `{name}` |" not in text] == []


def test_links_between_documents_lead_somewhere() -> None:
    import re

    for page in [*DOCS.glob("*.md"), *DOCS.parent.glob("README*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
