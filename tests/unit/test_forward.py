"""What a forward pass leaves for pages to draw."""

import numpy as np
import pytest

from vitviz.forward import SCREEN, for_screen


@pytest.mark.parametrize(("size", "rows"), [(4096, 16), (4095, 3), (2048, 128), (3000, 100)])
def test_a_picture_larger_than_a_screen_is_shown_smaller_with_whole_patches(size: int, rows: int) -> None:
    patches = np.arange(rows * rows).reshape(rows, rows) % 251
    pixels = np.repeat(np.kron(patches, np.ones((size // rows, size // rows)))[..., None], 3, axis=2).astype(np.uint8)
    shown = for_screen(pixels, (rows, rows))
    side = len(shown) // rows
    assert shown.shape == (side * rows, side * rows, 3)
    assert SCREEN // 2 < len(shown) <= SCREEN
    assert (shown[::side, ::side, 0] == patches).all()
    assert (shown[side - 1 :: side, side - 1 :: side, 0] == patches).all()


def test_a_picture_that_fits_a_screen_is_shown_as_it_is() -> None:
    pixels = np.zeros((224, 224, 3), np.uint8)
    assert for_screen(pixels, (14, 14)) is pixels
