"""A moment of training as a figure for print: what was kept of it, from the same numbers as its notebook."""

import numpy as np

from vitviz.demo.samples import WATCHED
from vitviz.numbers import small
from vitviz.takeaway.figures import panels
from vitviz.takeaway.figures.captioned import EDGE, captioned
from vitviz.takeaway.figures.marks import Sheet, moved
from vitviz.takeaway.figures.panels import Panel
from vitviz.takeaway.kinds import kind_of, patch_of, values
from vitviz.takeaway.view import View

SIDE, GAP = 210, 22  # of each map


def learning_sheet(view: View) -> Sheet:
    """The figure of a view of a moment of training, with its caption and its source."""
    numbers = values(view)
    limit, signed = (float(numbers.max()), False) if view.page == "heads" else (1.0, True)
    lines = _scenes(view, numbers) if view.page == "heads" else [[_map(numbers, patch_of(view))]]
    lines.append([panels.scale(limit, signed)])
    marks, y = [], float(EDGE)
    for line in lines:
        for at, panel in enumerate(line):
            marks += [moved(mark, EDGE + at * (SIDE + GAP), y) for mark in panel.marks]
        y += line[0].height + GAP
    width = 2 * EDGE + max(round(sum(panel.width + GAP for panel in line)) - GAP for line in lines)
    return captioned(width, y, marks, _caption(view, float(np.abs(numbers).max())))


def _scenes(view: View, numbers: np.ndarray) -> list[list[Panel]]:
    """The scenes that were watched, and under each where the class token looked."""
    grid, limit = view.config.grid, float(numbers.max())
    scenes = [(np.asarray(scene.scene.image), scene.title) for scene in WATCHED]
    photos = [panels.photo(pixels, SIDE, grid, None, title, False) for pixels, title in scenes]
    return [photos, [panels.heat(row.reshape(grid), SIDE, "where it looks", limit) for row in numbers]]


def _map(numbers: np.ndarray, patch: int) -> Panel:
    name = f"similarity to the position of patch {patch + 1}"
    return panels.heat(numbers, 2 * SIDE, name, 1, signed=True, framed=patch)


def _caption(view: View, largest: float) -> str:
    kind = kind_of(view)
    where = f"layer {view.layer + 1}" if kind.uses("layer") else f"patch {patch_of(view) + 1}"
    return (
        f"{kind.title}: {kind.says}. Model {view.model} after {view.learned} steps of training, {where}. Largest "
        f"magnitude: {small(largest)}."
    )
