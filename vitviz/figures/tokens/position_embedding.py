"""Figures of the page Position embedding: which places are similar, and the table of all positions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures import tiles
from vitviz.figures.axes import linear, whole
from vitviz.figures.figure import Axis, Figure, Numbers, Panel
from vitviz.figures.marks import Colours, Floats, Heat, Picture, Says
from vitviz.figures.parts import framed, histogram, on_patches, pictured

MAPS = 436  # pixels of all maps, and of one of them enlarged
NAMED = 8  # rows of the table that have their names written


def similarity_maps(maps: Floats, patches: NDArray[Any], chosen: tuple[int, int], patch: float = 1) -> Figure:
    """One small map per patch, `down across gh gw`, each where its patch lies; all on one scale from -1 to 1.

    `patches` `down across` says which patch each map belongs to; the one at `chosen` = (down, across) is framed. A
    patch is `patch` times as high as wide.
    """
    down, across, rows, columns = maps.shape
    mosaic = tiles.mosaic(tiles.glazed(maps.reshape(-1, rows, columns), limit=1), across)
    says = Says(f"map of {tiles.PLACE}", tiles.places(patches, columns))
    marks = Picture(mosaic, down, across, says=says, photo=False), framed(*chosen)
    panel = pictured(marks, down, across, MAPS, tiles.tall(mosaic, down, across) * patch)
    numbers = Numbers("similarity", ("map_row", "map_column", "row", "column"), maps)
    return Figure(((panel,),), "One map per patch", (numbers,))


def similarity_map(similarity: Floats, chosen: int, patch: float = 1) -> Figure:
    """The map of one patch, `gh gw`, from -1 to 1; a patch is `patch` times as high as wide."""
    rows, columns = similarity.shape
    colours = Colours(1, signed=True)
    heat = on_patches(similarity, f"{tiles.PLACE}\nsimilarity {{value:.3f}}", colours)
    marks = heat, framed(*divmod(chosen, columns))
    panel = pictured(marks, rows, columns, MAPS, patch)
    return Figure(((panel,),), f"The map of patch {chosen + 1}", scale=colours)


def table(positions: Floats, names: Sequence[str]) -> Figure:
    """All positions as they are, `t d`: one row per token, called by its name in `names`."""
    many, width = positions.shape
    colours = Colours(float(np.abs(positions).max()), signed=True)
    heat = Heat(positions, colours, Says("{y}\nnumber {x}: {value:.4f}"), x=1, called=names)
    ticks = tuple((float(at), names[at]) for at in range(0, many, -(-many // NAMED)))
    down = Axis(many - 0.5, -0.5, ticks=ticks, named=True, grid=False)
    panel = Panel(whole(0.5, width + 0.5, "number", 1, width), down, (heat,), 380)
    numbers = Numbers("values", ("row", "number"), positions, names={"row": names})
    return Figure(((panel,),), "The table", (numbers,), colours)


def angles(degrees: Floats) -> Figure:
    """How many tokens have which angle to their position, from 0° to 180°."""
    counts, edges = np.histogram(degrees, 60, (0, 180))
    bars = histogram(counts, edges, palette.POSITION, "{value} patches from {low:.0f}° to {high:.0f}°")
    ticks = tuple((float(at), str(at)) for at in range(0, 181, 45))
    across = Axis(0, 180, "angle between token and position, degrees", ticks, grid=False)
    return Figure(((Panel(across, linear(1.05 * counts.max(), "patches"), (bars,), 220),),))
