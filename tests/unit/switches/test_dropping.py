"""Dropout and drop path: off in every forward pass, and on with a seed, at the places of the training programs."""

from typing import Any

import pytest
import torch

from tests.unit.switches.test_positions import model_of, picture
from vitviz.config import ConfigError, ViTConfig
from vitviz.counts import total_macs, total_parameters
from vitviz.edits import NO_EDITS, Edits
from vitviz.edits.dropout import path
from vitviz.trace import record

RATES = {"dropout": 0.25, "drop_path": 0.5}


def test_a_forward_pass_leaves_both_off_bit_for_bit(tiny_config: ViTConfig) -> None:
    dropping = model_of(tiny_config, **RATES)
    assert torch.equal(dropping(picture()), model_of(tiny_config)(picture()))
    assert total_parameters(dropping.config) == total_parameters(tiny_config)
    assert total_macs(dropping.config) == total_macs(tiny_config)
    assert dropping.config.key != tiny_config.key


def test_a_seed_turns_both_on_as_the_edits_that_say_so(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, **RATES)
    edits = Edits.in_training(model.config, 7)
    assert str(edits) == "d=0.25@7 l=0.5@7"
    runs = [record(model, picture(), edits=Edits.in_training(model.config, seed)) for seed in (7, 7, 8)]
    answers = [run["logits"].tensor for run in runs]
    assert torch.equal(answers[0], answers[1])
    assert not torch.equal(answers[0], answers[2])
    assert torch.equal(model(picture()), model_of(tiny_config)(picture())), "nothing stays on the model"
    assert Edits.in_training(tiny_config, 7) == NO_EDITS


def test_drop_path_takes_whole_branches_and_scales_the_others(tiny_config: ViTConfig) -> None:
    model, depth = model_of(tiny_config), tiny_config.depth
    trace = record(model, picture(), edits=Edits.parse("l=0.5@3", tiny_config))
    x = model.embed(picture())
    for layer in range(depth):
        block = trace.block(layer)
        x = x + path(0.5, 3, layer, depth, 0) * block.attn(block.norm1(x))
        x = x + path(0.5, 3, layer, depth, 1) * block.mlp(block.norm2(x))
    torch.testing.assert_close(model.classify(x), trace["logits"].tensor, rtol=1e-4, atol=1e-5)


def test_the_rate_of_drop_path_grows_evenly_from_nothing() -> None:
    for layer, rate in enumerate((0, 0.2, 0.4, 0.6, 0.8)):
        factors = [path(0.8, seed, layer, 5, branch) for seed in range(2_000) for branch in (0, 1)]
        assert factors.count(0) / len(factors) == pytest.approx(rate, abs=0.03)
        assert all(factor == pytest.approx(1 / (1 - rate)) for factor in factors if factor)
        assert sum(factors) / len(factors) == pytest.approx(1, abs=0.12), "what is left makes up for what was dropped"
    assert path(0.9, 1, 0, 1, 0) == 1, "a single block is the first one"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"dropout": 1.0}, "dropout 1.0 is outside 0 to 0.9; the nearest legal value is 0.9"),
        ({"drop_path": -0.1}, "drop path -0.1 is outside 0 to 0.9; the nearest legal value is 0"),
        ({"dropout": 0.00049}, "dropout 0.00049 is finer than thousandths; the nearest legal value is 0.0"),
    ],
)
def test_rates_are_shares_in_thousandths(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        ViTConfig(**changes)
    assert str(error.value) == sentence
