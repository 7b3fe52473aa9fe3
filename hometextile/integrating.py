"""The map that a site file names, found and opened: for crawls and for stored pages run again."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from hometextile.mediator.mediator import Mediator
from hometextile.mediator.schema import load_map
from hometextile.sites import Site
from hometextile.text.faults import Fault
from hometextile.text.messages import _


def open_mediator(site: Site) -> Mediator:
    """The mediator with the map that a site file names.

    A relative path is looked for beside the site file, in the folder above it (the project), in the current one, and
    in what is deployed: an egg carries the project's folder ``maps``.

    Raises:
        Fault: there is no such map, it is wrong, or its database can't be used.
    """
    for place in _places(site):
        if place.is_file():
            return Mediator(load_map(place))
    raise Fault(
        _("there is no map {path}").format(path=site.data.integrate),
        file=site.file,
        key="integrate",
        remedy=_("write its path from the project's folder, such as maps/products.yaml"),
    )


def _places(site: Site) -> Iterator[Path | Traversable]:
    said = Path(site.data.integrate or "")
    beside = Path(site.file).absolute().parent
    for folder in (beside, beside.parent, Path.cwd()):
        yield folder / said
    if not said.is_absolute() and ".." not in said.parts:
        yield files("hometextile").joinpath(*said.parts)
