"""Maps of patches that are no squares are drawn as high and wide as the picture is."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.unit.figures.read import marks
from vitviz.figures.attention import maps
from vitviz.figures.figure import Figure
from vitviz.figures.laboratory import first_values, five_shots, norms
from vitviz.figures.laboratory.panels import panels
from vitviz.figures.marks import Picture
from vitviz.figures.model import blocks
from vitviz.figures.tokens import patch_embedding, patch_grid, position_embedding

ROWS, COLUMNS = 3, 12
HIGH, WIDE = 32, 16  # pixels of a patch, of a picture of 96 × 192
PATCH = HIGH / WIDE
N = ROWS * COLUMNS
ONES = np.ones((ROWS, COLUMNS), np.float32)
PICTURE = np.zeros((ROWS * HIGH, COLUMNS * WIDE, 3), np.uint8)
STARTS = {"zeros": np.ones((4, ROWS, COLUMNS), np.float32)}
PATCHES = np.arange(N).reshape(ROWS, COLUMNS)
OF_PATCHES = {
    "wall": lambda: maps.wall(np.ones((4, ROWS, COLUMNS)), "head", 1.0, 0, patch=PATCH),
    "overlay": lambda: maps.overlay(PICTURE, ONES, 1.0, None),
    "kernel": lambda: maps.beside_a_convolution(np.ones((5, 5)), "head", PATCH),
    "lengths": lambda: blocks.lengths({"a": np.ones(N), "b": np.ones(N)}, ROWS, COLUMNS, 1, PATCH),
    "active": lambda: blocks.active(np.ones(N), ROWS, COLUMNS, 1, PATCH),
    "panels": lambda: panels({"a": ONES, "b": ONES}, [1.0, 2.0], "weight", patch=PATCH),
    "first maps": lambda: first_values.first_maps(STARTS, [1.0], PATCH),
    "similarity map": lambda: position_embedding.similarity_map(ONES, 1, PATCH),
    "token grid": lambda: patch_embedding.token_grid(np.ones((N, 3)), ROWS, COLUMNS, 1, PATCH),
    "stem map": lambda: patch_embedding.stem_map(np.ones((N, 3)), ROWS, COLUMNS, 1, PATCH),
    "patch grid": lambda: patch_grid.patches(PICTURE, ROWS, COLUMNS, 1),
}
BATCH = np.zeros((3, 96, 96, 3), np.uint8)
SMALL = np.zeros((2, 48, 96, 3), np.uint8)
OF_PICTURES = {  # cells that are whole pictures or patches, each with a thin edge
    "five shots": (lambda: five_shots.pictures(["a"], [SMALL], [1], [[]]), 1 / 2),
    "batches": (lambda: norms.batches(PICTURE, [BATCH, BATCH], "AB"), 1 / 2),
    "similarity maps": (
        lambda: position_embedding.similarity_maps(np.ones((ROWS, COLUMNS, ROWS, COLUMNS)), PATCHES, (1, 1), PATCH),
        1 / 2,
    ),
    "filters": (lambda: patch_embedding.filters(np.ones((3, 3, HIGH, WIDE)), 3), PATCH),
}


def ratios(figure: Figure) -> set[float | None]:
    """How many times as high as wide the cells of each panel are."""
    return {panel.square for row in figure.rows for panel in row}


@pytest.mark.parametrize("name", OF_PATCHES)
def test_a_patch_keeps_its_sides(name: str) -> None:
    draw: Callable[[], Figure] = OF_PATCHES[name]
    assert ratios(draw()) == {PATCH}


@pytest.mark.parametrize("name", OF_PICTURES)
def test_a_picture_keeps_its_sides(name: str) -> None:
    draw, tall = OF_PICTURES[name]
    (found,) = ratios(draw())
    assert found == pytest.approx(tall, rel=0.2)


def test_a_patch_of_the_sequence_keeps_its_sides_within_its_cell() -> None:
    fig = patch_grid.sequence(PICTURE, ROWS, COLUMNS, 1)
    (image,), (tall,) = marks(fig, Picture), ratios(fig)
    high, wide, _ = image.pixels.shape
    assert tall * (image.rows / high) / (image.columns / wide) == pytest.approx(1)  # its pixels are squares
