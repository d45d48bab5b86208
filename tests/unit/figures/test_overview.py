"""The small pictures of the overview, pixel by pixel."""

import numpy as np
import pytest

from vitviz.figures.tokens import overview

RANDOM = np.random.default_rng(0)
CROP = RANDOM.integers(0, 256, (24, 24, 3), np.uint8)


def opaque(picture: np.ndarray) -> np.ndarray:
    """The pixels that are not gaps, `pixels 3`."""
    return picture[picture[..., 3] == 255][:, :3]


def test_patches_keep_every_pixel_of_the_crop_and_leave_gaps() -> None:
    shown = overview.patches(CROP, 3, 3)
    assert {tuple(pixel) for pixel in opaque(shown)} == {tuple(pixel) for pixel in CROP.reshape(-1, 3)}
    assert (shown[..., 3] == 0).any()


@pytest.mark.parametrize("components", [1, 2, 3])
def test_each_token_has_one_colour_even_where_there_are_few_components(components: int) -> None:
    shown = overview.tokens(RANDOM.normal(size=(12, components)), columns=4)
    assert len(np.unique(opaque(shown), axis=0)) == 12


def test_one_token_alone_is_grey() -> None:
    assert np.unique(opaque(overview.tokens(np.zeros((1, 1)), columns=1))).tolist() == [128]


def test_even_attention_leaves_the_crop_as_it_is() -> None:
    shown = overview.spotlight(CROP, np.full((3, 3), 1 / 9))
    times = len(shown) // len(CROP)
    np.testing.assert_array_equal(shown[::times, ::times], CROP)


def test_a_patch_without_attention_goes_dark_and_the_strongest_stays() -> None:
    attention = np.zeros((3, 3))
    attention[1, 2] = 0.7
    shown = overview.spotlight(CROP, attention)
    times = len(shown) // len(CROP)
    shown = shown[::times, ::times]
    np.testing.assert_array_equal(shown[8:16, 16:], CROP[8:16, 16:])
    np.testing.assert_array_equal(shown[:8, :8], np.rint(overview.DIM * CROP[:8, :8]))


def test_maps_share_one_scale() -> None:
    maps = np.zeros((6, 3, 3))
    maps[0, 0, 0], maps[5, 2, 2] = 0.25, 1
    colours = np.unique(opaque(overview.maps(maps)), axis=0)
    assert len(colours) == 3
