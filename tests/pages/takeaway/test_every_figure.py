"""Every figure of every page, read in each way: by Plotly, on paper, and as its numbers."""

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tests.pages.app import visit
from vitviz.figures.figure import Figure, Numbers
from vitviz.figures.numbers import numbers_of
from vitviz.figures.plotly import plotly_figure
from vitviz.figures.printed.captioned import sheet_of
from vitviz.figures.printed.png import png
from vitviz.figures.printed.svg import svg
from vitviz.ui.navigation import ENTRIES
from vitviz.ui.takeaway import pictures

MODELS = ("demo", "photo", "vit_tiny_patch16_224", "deit_base_distilled_patch16_224")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that pages offer to take away, in order."""
    found: list[Figure] = []
    offer = pictures.of_figure

    def watched(drawn: Figure | Callable[[], Figure], title: str, caption: str, **how: bool) -> None:
        found.append(drawn() if callable(drawn) else drawn)
        offer(drawn, title, caption, **how)

    monkeypatch.setattr(pictures, "of_figure", watched)
    return found


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("stem", [entry.stem for entry in ENTRIES])
def test_each_is_drawn_in_every_way_and_holds_its_numbers(stem: str, model: str, offered: list[Figure]) -> None:
    assert not visit(stem, model=model, open="details").exception
    for figure in offered:
        sheet = sheet_of(figure, "A caption.")
        ElementTree.fromstring(svg(sheet))
        assert Image.open(BytesIO(png(sheet))).size == (2 * sheet.width, 2 * sheet.height)
        drawn = json.loads(plotly_figure(figure).to_json())
        assert drawn["data"] or drawn["layout"].get("shapes")
        arrays = numbers_of(figure)
        assert arrays
        assert len({it.name for it in arrays}) == len(arrays)
        _hold(arrays)


def _hold(arrays: Sequence[Numbers]) -> None:
    for it in arrays:
        assert len(it.axes) == np.ndim(it.values)
        for axis, places in it.names.items():
            assert len(places) == it.values.shape[it.axes.index(axis)]
