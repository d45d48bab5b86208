"""What the scene of a page is sent beside the picture: what `parcels` and `facts` of its `scene.py` make, if any."""

from collections.abc import Callable, Iterator
from typing import Any

from vitviz.config import ViTConfig
from vitviz.counts import count_line
from vitviz.numbers import exact
from vitviz.page import Page
from vitviz.pages import module_of
from vitviz.scripts.parcels import Arrays
from vitviz.ui.board.address import Address
from vitviz.ui.selection import Selection

Parcels = Iterator[tuple[str, Callable[[], Arrays]]]


def parcels(page: Page, selection: Selection, address: Address) -> Parcels:
    """The name of every block of numbers that the scene needs for an address, and what makes its arrays.

    The most wanted come first; equal names hold equal numbers.
    """
    make = _of_scene(page, "parcels")
    return make(selection, address) if make else iter(())


def facts(page: Page, selection: Selection) -> dict[str, Any]:
    """What is small and no array, as JSON."""
    make = _of_scene(page, "facts")
    return make(selection) if make else {}


def _of_scene(page: Page, name: str) -> Callable[..., Any] | None:
    return getattr(module_of(page, "scene"), name, None) if (page.folder / "scene.py").is_file() else None


def counted(config: ViTConfig, stage: str) -> dict[str, str]:
    """What the count line of the board says of a stage: shapes, its parameters and the model's."""
    line = count_line(config, stage)
    before, after = (" × ".join(map(exact, shape)) for shape in (line.shape_in, line.shape_out))
    return {"before": before, "after": after, "here": exact(line.here), "total": exact(line.total)}
