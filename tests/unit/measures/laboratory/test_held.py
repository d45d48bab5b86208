"""Bytes that are held at once: against what can be said of networks without running them."""

from functools import partial

import torch
from torch import nn

from vitviz.measures.laboratory.memory import most_held
from vitviz.shelf.cnn import CNN
from vitviz.shelf.rows import CNNSizes


def test_what_is_given_is_not_counted_and_what_went_away_no_longer_is() -> None:
    given = torch.ones(8)
    assert most_held(lambda: given + 1) == 32
    assert most_held(lambda: (given + 1).sum()) == 32 + 4
    assert most_held(lambda: given.view(2, 4).t()) == 0, "another look at the same bytes"
    assert most_held(lambda: given.mul_(1)) == 0
    assert most_held(lambda: [given + at for at in range(3)]) == 3 * 32
    assert most_held(lambda: [(given + at).item for at in range(0)]) == 0
    assert most_held(lambda: given.double().chunk(2)) == 64


def test_a_chain_of_layers_holds_the_widest_two_neighbours() -> None:
    chain = nn.Sequential(*(nn.Linear(a, b, bias=False) for a, b in ((4, 100), (100, 30), (30, 7))))
    batch = torch.ones(5, 4)
    assert most_held(lambda: chain(batch)) == 4 * 5 * (100 + 30)


def test_a_cnn_holds_most_at_its_largest_map_and_a_batch_times_as_much() -> None:
    """What the first convolution makes and what its norm does: a third of the width, half of the rows and columns."""
    model = CNN(CNNSizes(width=12, layers=2)).eval()
    for many in (1, 3):
        assert most_held(partial(model, torch.zeros(many, 3, 32, 32))) == many * 2 * 4 * 4 * 16 * 16
