"""Max-pooling a map that moves by one pixel: each maximum by itself, and the map that the network has."""

import numpy as np
import torch

from vitviz.demo.dataset import draw, to_input, to_tensor
from vitviz.measures.laboratory.shift import WINDOWS, dense, max_pooled, shifted
from vitviz.shelf.cnn import load_cnn


def scene(seed: int) -> torch.Tensor:
    return to_input(to_tensor(draw([seed]).image, torch.device("cpu")))


def test_the_dense_map_has_that_of_the_network_at_every_second_place() -> None:
    cnn, image = load_cnn(), scene(100)
    torch.testing.assert_close(dense(cnn, image)[:, ::2, ::2], cnn.stem[0](image)[0], rtol=0, atol=1e-4)


def test_each_place_is_the_greatest_of_its_window() -> None:
    cnn, image = load_cnn(), scene(100)
    found = max_pooled(cnn, image)
    for maps, seen in ((found.still, image), (found.moved, shifted(image, 1))):
        channels = dense(cnn, seen).numpy()
        (channel,) = [it for it in channels if np.array_equal(it, maps[0])]
        for side, pooled in zip(WINDOWS, maps, strict=True):
            rows, columns = pooled.shape
            cells = channel.reshape(rows, side, columns, side)
            np.testing.assert_array_equal(pooled, cells.max(axis=(1, 3)))


def test_a_wider_maximum_forgives_more_and_more_than_a_coarser_map() -> None:
    for seed in (100, 101, 102):
        found = max_pooled(load_cnn(), scene(seed))
        np.testing.assert_allclose(found.similarity[0], found.skipped[0], atol=1e-6)
        assert (np.diff(found.similarity[:4]) > 0).all()
        assert (found.similarity[1:] > found.skipped[1:]).all()


def test_a_picture_of_one_colour_does_not_move() -> None:
    found = max_pooled(load_cnn(), torch.full((1, 3, 96, 96), 0.5))
    for still, moved in zip(found.still, found.moved, strict=True):
        np.testing.assert_allclose(still, moved, atol=1e-6)
