"""The demo model as the server offers it to browsers, and scenes that it has not learned from."""

import pytest
import torch
from einops import rearrange
from torch import Tensor

from vitviz.demo.dataset import TEST, draw, to_input
from vitviz.messages import ModelSpec
from vitviz.selection import FIRST_MODEL
from vitviz.ui.forward import delivery
from vitviz.weights import Loaded, load

SCENES = 200


@pytest.fixture(scope="session")
def demo() -> Loaded:
    return load("demo", device="cpu")


@pytest.fixture(scope="session")
def told() -> ModelSpec:
    """What the server tells a browser: its addresses follow from the model's name."""
    return delivery.describe(FIRST_MODEL)


@pytest.fixture(scope="session")
def scenes() -> Tensor:
    """`b c h w`, as the model reads them."""
    return to_input(torch.from_numpy(draw(TEST[:SCENES]).image))


def patches(scenes: Tensor, side: int = 8) -> Tensor:
    """What the browser is handed of scenes, patches of `side` pixels: `b n (c ph pw)`."""
    return rearrange(scenes, "b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)", ph=side, pw=side)
