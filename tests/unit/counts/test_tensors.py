"""The list of all tensors, and the column of parameters, against the rows that they are made of."""

from math import prod

import pytest

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import activations, columns, parameter_split, parameters, steps, tensors, total_parameters

MODELS = [*PRESETS.values(), ViTConfig(image_size=8, patch_size=8, dim=8, depth=1, heads=1, mlp_dim=8, classes=0)]


@pytest.mark.parametrize("config", MODELS, ids=lambda config: config.key)
def test_steps_sum_to_the_total_and_agree_with_the_split(config: ViTConfig) -> None:
    column = steps(config)
    assert sum(step.count for step in column) == total_parameters(config)
    for item in parameter_split(config):
        assert sum(step.count for step in column if step.kind == item.name) == item.count


@pytest.mark.parametrize("config", MODELS, ids=lambda config: config.key)
def test_columns_hold_every_parameter_once(config: ViTConfig) -> None:
    cut = columns(config)
    assert len(cut) == config.depth + 2
    assert sum(sum(kinds.values()) for _, kinds in cut) == total_parameters(config)


@pytest.mark.parametrize("config", MODELS, ids=lambda config: config.key)
def test_all_tensors_are_the_parameters_and_the_activations(config: ViTConfig) -> None:
    rows = tensors(config)
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    told = [(row.name, row.axes, row.shape) for row in rows if row.kind == "activation"]
    assert told == [(row.name, row.axes, row.shape) for row in activations(config)]
    kept = {row.name: row.elements for row in rows if row.kind == "parameter"}
    assert kept == {row.tensor: row.count for row in parameters(config)}
    assert all(row.elements == prod(row.shape) for row in rows)


def test_a_parameter_stands_right_before_what_it_makes() -> None:
    names = [row.name for row in tensors(PRESETS["vit_base_patch16_224"])]
    at = names.index("blocks.3.attn.q")
    assert names[at - 2 : at] == ["blocks.3.attn.qkv.weight", "blocks.3.attn.qkv.bias"]
    proj = "patch_embed.proj"
    assert names[:5] == ["image", "embed.patches", f"{proj}.weight", f"{proj}.bias", "embed.patch_tokens"]


def test_half_precision_halves_the_bytes() -> None:
    config = PRESETS["vit_huge_patch14_224"]
    single, half = (sum(row.bytes for row in tensors(config, dtype)) for dtype in ("float32", "bfloat16"))
    assert single == 2 * half
