"""A picture, a donor, means and a way to run the tiny model with edits, for all tests of edits."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from vitviz.edits import Edits
from vitviz.measures.interventions import component_means
from vitviz.model import ViT
from vitviz.trace import Trace, record


def picture(seed: int, count: int = 1) -> Tensor:
    return torch.randn(count, 3, 32, 32, generator=torch.Generator().manual_seed(seed))


@pytest.fixture(scope="module")
def donor(tiny_model: ViT) -> Trace:
    return record(tiny_model, picture(9))


@pytest.fixture(scope="module")
def means(tiny_model: ViT) -> dict[str, Tensor]:
    return component_means(tiny_model, [picture(5, 3), picture(6, 2)])


@pytest.fixture
def edited(tiny_model: ViT, tiny_trace: Trace, donor: Trace, means: dict[str, Tensor]) -> Callable[[str], Trace]:
    """The trace of an edited run on the picture of `tiny_trace`."""

    def run(text: str, shortcut: bool = True) -> Trace:
        edits = Edits.parse(text, tiny_model.config)
        plain = tiny_trace if shortcut else None
        return record(tiny_model, tiny_trace["image"].tensor, edits=edits, plain=plain, donor=donor, means=means)

    return run


def logits(trace: Trace) -> Tensor:
    return trace["logits"].tensor
