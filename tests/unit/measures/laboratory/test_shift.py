"""A picture that moves: shifts, how like itself a map stays, and what a place of a map sees."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from vitviz.config import ViTConfig
from vitviz.measures.laboratory.shift import (
    CNN_LAYERS,
    MOST,
    moved_features,
    moved_tokens,
    receptive_fields,
    shifted,
    similarity,
)
from vitviz.model import ViT
from vitviz.shelf.cnn import load_cnn
from vitviz.trace import record


def picture(side: int = 32, seed: int = 0) -> Tensor:
    return torch.randn(1, 3, side, side, generator=torch.Generator().manual_seed(seed))


def test_a_shifted_picture_is_that_of_numpy() -> None:
    image = picture()
    for pixels in (0, 1, 7):
        rolled = np.roll(image.numpy(), pixels, axis=-1)
        rolled[..., :pixels] = image.numpy()[..., :1]
        np.testing.assert_array_equal(shifted(image, pixels).numpy(), rolled)


@pytest.mark.parametrize(("side", "pixels"), [(8, 3), (4, 8), (1, 5), (8, 0)])
def test_likeness_is_that_of_every_pixel_taken_by_itself(side: int, pixels: int) -> None:
    width = 32
    before, after = (picture(seed=seed)[0, :, :3, : width // side] for seed in (1, 2))
    mean = before.reshape(3, -1).mean(dim=1)
    cosines = [
        torch.dot(a, b) / (a.norm() * b.norm())
        for row in range(3)
        for x in range(width - pixels)
        for a, b in [(before[:, row, x // side] - mean, after[:, row, (x + pixels) // side] - mean)]
    ]
    assert similarity(before, after, pixels, width) == pytest.approx(float(torch.stack(cosines).mean()), abs=1e-5)


class Alone(nn.Module):
    """A network of one layer that looks at single pixels: nothing of it depends on the border."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 1), nn.Conv2d(3, 4, 1))

    def features(self, image: Tensor) -> Tensor:
        found: Tensor = self.stem[1](image)
        return found

    def classify(self, features: Tensor) -> Tensor:
        return features.mean(dim=(2, 3))


def test_a_map_without_border_and_stride_moves_along_at_every_shift() -> None:
    found = moved_features(Alone(), picture())
    np.testing.assert_allclose(found.first_kept, 1, atol=1e-5)
    np.testing.assert_allclose(found.last_kept, 1, atol=1e-5)
    assert found.first.shape == found.last.shape == (MOST + 1, 32, 32, 3)
    np.testing.assert_array_equal(found.first[5, :, 5:], found.first[0, :, :-5])


def test_the_embedding_of_a_position_less_model_moves_along_by_whole_patches_alone(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(positions="none"), seed=1)
    found = moved_tokens(record(model, picture()))
    np.testing.assert_allclose(found.first_kept[[0, 8, 16]], 1, atol=1e-5)
    assert found.first_kept[[1, 4, 7, 9, 12, 15]].max() < 0.99


def test_the_answers_are_those_of_the_model_to_the_shifted_pictures(tiny_model: ViT) -> None:
    image = picture()
    found = moved_tokens(record(tiny_model, image), 3)
    assert found.probabilities.shape == (4, 5)
    with torch.no_grad():
        expected = tiny_model(shifted(image, 3)).softmax(dim=-1)[0]
    np.testing.assert_allclose(found.probabilities[3], expected, atol=1e-6)


def test_without_a_head_there_are_maps_and_no_answers(tiny_config: ViTConfig) -> None:
    found = moved_tokens(record(ViT(tiny_config.with_(classes=0), seed=1), picture()), 2)
    assert found.probabilities.shape == (3, 0)
    assert found.last.shape == (3, 4, 4, 3)


def test_three_by_three_convolutions_see_two_more_pixels_each() -> None:
    assert list(receptive_fields([(3, 1)] * 6)) == [2 * layers + 1 for layers in range(1, 7)]


def test_what_the_shelfs_network_sees_is_what_its_gradient_reaches() -> None:
    model = load_cnn().double()
    image = picture(288).double().requires_grad_()
    expected = dict(enumerate(receptive_fields(CNN_LAYERS), start=1))
    x = image
    for layer, module in enumerate([*model.stem, *model.layers], start=1):
        x = module(x) if layer <= 3 else x + module(x)
        middle = x.shape[-1] // 2
        (reached,) = torch.autograd.grad(x[..., middle, middle].sum(), image, retain_graph=True)
        columns = reached.abs().sum(dim=(0, 1, 2)).nonzero().ravel()
        assert int(columns[-1] - columns[0]) + 1 <= expected[layer]
        assert int(columns[-1] - columns[0]) + 1 >= expected[layer] - 2 * 8  # a ReLU may hide an outer place
    assert layer == len(CNN_LAYERS)
