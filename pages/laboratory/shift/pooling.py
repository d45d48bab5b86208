"""What the page Shift draws of max-pooling: a map, that of the moved picture, and how like they are."""

import numpy as np

from vitviz.figures.tiles import glazed, tinted
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.pooling import WINDOWS, Pooled, max_pooled
from vitviz.numbers import small
from vitviz.ui.beside import measure_cnn
from vitviz.ui.selection import Selection
from vitviz.ui.widgets.live.frames import Panel, Stop, frames
from vitviz.ui.widgets.table import table


def forgiving(selection: Selection) -> Pooled:
    """The maps under a slider of windows, and a table of all windows; what was measured."""
    found = measure_cnn(selection, max_pooled)
    top = max(float(it.max()) for it in (*found.still, *found.moved)) or 1.0
    side = max(found.still[0].shape)
    still, moved = (
        np.stack([tinted(_wide(it, side)[..., None] * 2 - top, top) for it in maps])
        for maps in (found.still, found.moved)
    )
    differences = np.stack(
        [glazed(_wide(after - before, side), top) for before, after in zip(found.still, found.moved, strict=True)]
    )
    stops = [
        Stop(window, f"{_named(window)}: {small(float(alike))} alike")
        for window, alike in zip(WINDOWS, found.kept, strict=True)
    ]
    panels = [
        Panel("A filter's map", still, photo=False),
        Panel("Of the picture moved by one pixel", moved, photo=False),
        Panel("The second less the first", differences, photo=False),
    ]
    frames("Max-pool window", stops, WINDOWS[1], "maxpool", panels)
    table(
        "How like the map is to that of the picture moved by one pixel, in place",
        ("window", "its places", "maximum of the window", "one place of the window"),
        [
            (
                _named(window),
                f"{len(found.still[at])} × {len(found.still[at][0])}",
                *(small(float(it[at])) for it in (found.kept, found.skipped)),
            )
            for at, window in enumerate(WINDOWS)
        ],
        words=(0,),
    )
    return found


def _named(window: int) -> str:
    return "no pooling" if window == 1 else f"{window} × {window}"


def _wide(values: Array, side: int) -> Array:
    times = side // len(values)
    return values.repeat(times, axis=0).repeat(times, axis=1)
