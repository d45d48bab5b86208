"""What the scene of a page is sent: `parcels` and, where it has any, `facts` of the `scene.py` in the page's folder."""

from collections.abc import Callable, Iterator
from typing import Any

from vitviz.config import ViTConfig
from vitviz.counts import count_line
from vitviz.numbers import exact
from vitviz.page import Page
from vitviz.pages import part_of
from vitviz.scripts.parcels import Arrays
from vitviz.ui.board.address import Address
from vitviz.ui.selection import Selection

Parcels = Iterator[tuple[str, Callable[[], Arrays]]]


def parcels(page: Page, selection: Selection, address: Address) -> Parcels:
    """The name of every block of numbers that the scene needs for an address, and what makes its arrays.

    The most wanted come first; equal names hold equal numbers.
    """
    found: Parcels = part_of(page, "scene").parcels(selection, address) if page.on_board else iter(())
    return found


def facts(page: Page, selection: Selection) -> dict[str, Any]:
    """What is small and no array, as JSON."""
    make = getattr(part_of(page, "scene"), "facts", None) if page.on_board else None
    return make(selection) if make else {}


def counted(config: ViTConfig, stage: str) -> dict[str, str]:
    """What the count line of the board says of a stage: shapes, its parameters and the model's."""
    line = count_line(config, stage)
    before, after = (" × ".join(map(exact, shape)) for shape in (line.shape_in, line.shape_out))
    return {"before": before, "after": after, "here": exact(line.here), "total": exact(line.total)}
