"""What the figures of *What a token knows* show is what they were given."""

import numpy as np

from tests.unit.figures.read import marks
from vitviz.figures.attention.knows import colours_of_patches
from vitviz.figures.marks import Picture


def test_colours_lie_between_black_and_full_at_the_reach_that_is_given() -> None:
    reach = np.array([1, 2, 4], np.float32)
    shares = np.array([[-1, 0, 1], [2, -2, 0.5]], np.float32)
    (picture,) = marks(colours_of_patches(shares * reach, reach, (1, 2)), Picture)
    np.testing.assert_array_equal(picture.pixels, [[[0, 128, 255], [255, 0, 191]]])
