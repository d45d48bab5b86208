"""A figure read in each way: by Plotly, by the browser, on paper, and as its numbers."""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.figure import Figure, Numbers
from vitviz.figures.live import message
from vitviz.figures.marks import Says
from vitviz.figures.numbers import numbers_of
from vitviz.figures.plotly import plotly_figure
from vitviz.figures.printed.captioned import sheet_of
from vitviz.figures.printed.png import image_of
from vitviz.figures.printed.svg import svg

COLUMN = re.compile(r"\{(\w+)")


def drawn_in_every_way(figure: Figure) -> None:
    """It is drawn in every way and holds its numbers."""
    sheet = sheet_of(figure, "A caption.")
    ElementTree.fromstring(svg(sheet))
    assert image_of(sheet).size == (2 * sheet.width, 2 * sheet.height)
    drawn = json.loads(plotly_figure(figure).to_json())
    assert drawn["data"] or drawn["layout"].get("shapes")
    _hold_in_the_browser(figure)
    arrays = numbers_of(figure)
    assert arrays
    assert len({it.name for it in arrays}) == len(arrays)
    _hold(arrays)


def _hold_in_the_browser(figure: Figure) -> None:
    """What the browser is sent of each mark are its numbers, and a name for each column that its words ask for."""
    told = json.loads(json.dumps(message(figure)))
    panels = [panel for row in figure.rows for panel in row]
    for panel, seen in zip(panels, (panel for row in told["rows"] for panel in row), strict=True):
        assert (seen["height"], seen.get("title", "")) == (panel.height, panel.title)
        for mark, drawn in zip(panel.marks, seen["marks"], strict=True):
            for name in {"values", "places", "x", "y"} & {it.name for it in fields(mark)}:
                if isinstance(values := getattr(mark, name), np.ndarray):
                    np.testing.assert_array_equal(_decoded(drawn[name]), values.astype(np.float32))
            if isinstance(says := getattr(mark, "says", None), Says) and "says" in drawn:
                assert set(COLUMN.findall(says.words)) <= {*drawn["says"]["columns"], "x", "y", "value"}


def _decoded(numbers: dict[str, Any]) -> NDArray[Any]:
    whole = "i4" in numbers
    flat = np.frombuffer(base64.b64decode(numbers["i4" if whole else "f4"]), "i4" if whole else "f4")
    return flat.reshape(numbers["shape"]).astype(np.float32)


def _hold(arrays: Sequence[Numbers]) -> None:
    for it in arrays:
        assert len(it.axes) == np.ndim(it.values)
        for axis, places in it.names.items():
            assert len(places) == it.values.shape[it.axes.index(axis)]
