"""The counts against the model itself: built on the meta device, and recorded; what it calls: test_calls.py."""

from collections.abc import Callable
from math import prod
from typing import Any

import pytest
import torch

from tests.unit.counts.random_models import CONFIGS
from vitviz.config import PRESETS, ViTConfig, divisors
from vitviz.counts import (
    activations,
    conventions,
    count_line,
    count_terms,
    layer_table,
    macs,
    parameters,
    total_macs,
    total_parameters,
)
from vitviz.counts.count_line import AXES
from vitviz.model import ViT
from vitviz.trace import record

FAMILIES: list[dict[str, Any]] = [
    {"distilled": True},
    {"registers": 4, "prefix_positions": False, "layer_scale": True, "activation": "swiglu"},
    {"input_norm": True, "patch_bias": False, "activation": "quick_gelu"},
    {"patch_norm": True},
    {"pool": "attention", "activation": "gelu_tanh"},
    {"positions": "learned_2d", "positions_at": "every_layer"},
    {"positions": "sincos_2d", "positions_at": "every_layer_shared"},
    {"positions": "relative"},
    {"positions": "rotary", "head_dim": 8, "qk_norm": True},
    {"positions": "none"},
    {"pool": "mean", "registers": 2, "qkv_bias": False, "activation": "relu"},
    {"pool": "mean", "pre_logits": 7},
    {"pool": "flatten", "pre_logits": 7},
    {"pool": "flatten"},
    {"norm_order": "post", "layer_scale": True, "norm": "rms"},
    {"norm": "batch", "input_norm": True},
    {"attention": "top_k", "top_k": 3, "head_dim": 5, "qk_norm": True},
    {"attention": "window", "window": 1, "score_scale": 1.0},
    {"attention": "linear", "head_dim": 4},
    {"stem": "conv", "patch_size": (2, 4)},
    {"image_size": (12, 8), "patch_size": (4, 2)},
]
TINY = ViTConfig(image_size=12, patch_size=4, channels=2, dim=6, depth=2, heads=3, mlp_dim=10, classes=5)


def on_meta(config: ViTConfig) -> ViT:
    with torch.device("meta"):
        return ViT(config)


def test_parameters_are_those_of_the_model_by_name_and_shape() -> None:
    for config in CONFIGS:
        built = {name: tuple(tensor.shape) for name, tensor in on_meta(config).named_parameters()}
        assert {row.tensor: row.shape for row in parameters(config)} == built, config.key


@pytest.mark.parametrize(("rows", "total"), [(parameters, total_parameters), (macs, total_macs)])
def test_rows_sum_to_the_total(rows: Callable[..., Any], total: Callable[..., Any]) -> None:
    for config in CONFIGS:
        assert sum(row.count for row in rows(config)) == total(config), config.key


def test_count_of_a_parameter_row_is_the_product_of_its_shape() -> None:
    for config in CONFIGS:
        for row in parameters(config):
            assert row.count == prod(row.shape), (config.key, row)


@pytest.mark.parametrize("rows", [parameters, macs])
def test_formula_with_numbers_comes_to_the_count(rows: Callable[..., Any]) -> None:
    for config in PRESETS.values():
        for row in rows(config):
            assert eval(row.numbers.replace("·", "*").replace(",", "")) == row.count
            assert len(row.numbers.split("·")) == len(row.formula.split("·"))


def test_macs_of_a_row_follow_from_the_shape_of_its_result_and_what_is_summed_over() -> None:
    config = PRESETS["vit_base_patch16_224"]
    summed = {row.tensor: row.count / prod(row.shape) for row in macs(config)}
    assert summed["embed.patch_tokens"] == 16 * 16 * 3
    assert summed["blocks.3.attn.q"] == summed["blocks.3.attn.out"] == summed["blocks.3.mlp.hidden"] == 768
    assert summed["blocks.3.attn.scores"] == config.head_dim
    assert summed["blocks.3.attn.z"] == config.tokens
    assert summed["blocks.3.mlp.out"] == 3072


def test_stages_of_a_distilled_model_stand_in_the_order_of_the_forward() -> None:
    config = PRESETS["deit_base_distilled_patch16_224"].with_(depth=1)
    assert list(dict.fromkeys(row.stage for row in parameters(config))) == [
        "patch_embedding",
        "class_token",
        "distillation_token",
        "position_embedding",
        "blocks.0.norm1",
        "blocks.0.attention",
        "blocks.0.norm2",
        "blocks.0.mlp",
        "norm",
        "head",
    ]


def test_heads_do_not_change_the_number_of_parameters() -> None:
    counts = {total_parameters(ViTConfig(heads=heads)) for heads in divisors(768)}
    assert len(counts) == 1


@pytest.mark.parametrize("config", PRESETS.values(), ids=PRESETS)
def test_patch_norms_cost_a_scale_and_a_shift_before_and_after_the_projection(config: ViTConfig) -> None:
    normalised = config.with_(patch_norm=True)
    p, c, d = config.patch_sides[0], config.channels, config.dim
    assert total_parameters(normalised) - total_parameters(config) == 2 * p**2 * c + 2 * d
    assert (
        count_line(normalised, "patch_embedding").here - count_line(config, "patch_embedding").here
        == 2 * p**2 * c + 2 * d
    )
    assert total_macs(normalised) == total_macs(config)
    assert sum(row.parameters for row in layer_table(normalised)) == conventions(normalised)[1].total
    assert [(row.name, row.shape, row.parameters) for row in layer_table(normalised)[:3]] == [
        ("LayerNorm-1", (-1, config.patches, p**2 * c), 2 * p**2 * c),
        ("Conv2d-2", (-1, d, *config.grid), p**2 * c * d + d),
        ("LayerNorm-3", (-1, config.patches, d), 2 * d),
    ]


def test_block_of_the_paper_has_the_closed_form_12_d_d_plus_13_d() -> None:
    for dim in (192, 768, 1280):
        config = ViTConfig(dim=dim, heads=1, mlp_dim=4 * dim)
        assert count_line(config, "block").here == 12 * dim**2 + 13 * dim


def test_activations_are_those_of_a_recorded_forward() -> None:
    for config in (TINY, *(TINY.with_(**changes) for changes in FAMILIES)):
        trace = record(ViT(config), torch.zeros(1, 2, *config.image_sides))
        seen = [trace["image"], *trace.embedding().values()]
        seen += [value for layer in range(config.depth) for value in trace.inside(layer).values()]
        seen += trace.readout().values()
        told = [
            (row.name, row.axes, row.shape, f"torch.{row.dtype}", row.elements, row.bytes)
            for row in activations(config)
        ]
        assert told == [
            (
                value.name,
                value.axes,
                tuple(value.tensor.shape),
                str(value.tensor.dtype),
                value.tensor.numel(),
                value.tensor.nbytes,
            )
            for value in seen
        ]


def test_without_a_head_the_result_is_the_class_token() -> None:
    config = TINY.with_(classes=0)
    assert activations(config)[-1].shape == tuple(ViT(config)(torch.zeros(1, 2, 12, 12)).shape) == (1, 6)
    assert count_line(config, "head").axes_out == "b d"
    assert not [row for row in parameters(config) if row.stage == "head"]


def test_count_lines_agree_with_the_rows() -> None:
    config = PRESETS["deit_base_distilled_patch16_224"]
    rows = parameters(config)
    total = sum(row.count for row in rows)

    def count(*stages: str) -> int:
        return sum(row.count for row in rows if row.stage.startswith(stages))

    def through(stage: str) -> int:
        last = max(i for i, row in enumerate(rows) if row.stage == stage)
        return sum(row.count for row in rows[: last + 1])

    expected = {
        ("model", 0): (total, total),
        ("patches", 0): (0, 0),
        ("patch_embedding", 0): (count("patch_embedding"), through("patch_embedding")),
        ("position_embedding", 0): (
            count("class_token", "distillation_token", "position_embedding"),
            through("position_embedding"),
        ),
        ("attention", 4): (count("blocks.4.attention"), through("blocks.4.attention")),
        ("block", 4): (count("blocks.4."), through("blocks.4.mlp")),
        ("blocks", 0): (count("blocks."), through("blocks.11.mlp")),
        ("head", 0): (count("norm", "head"), total),
    }
    for (stage, layer), (here, so_far) in expected.items():
        line = count_line(config, stage, layer)
        assert (line.here, line.so_far, line.total) == (here, so_far, total), stage


def test_shapes_of_count_lines_are_those_of_the_activations() -> None:
    config = PRESETS["vit_base_patch32_224"]
    shapes = {row.name: (row.shape, row.axes) for row in activations(config)}
    ends = {
        "model": ("image", "logits"),
        "patches": ("image", "embed.patches"),
        "patch_embedding": ("embed.patches", "embed.patch_tokens"),
        "position_embedding": ("embed.patch_tokens", "embed.resid_post"),
        "attention": ("embed.resid_post", "blocks.0.attn.out"),
        "block": ("embed.resid_post", "blocks.0.resid_post"),
        "blocks": ("embed.resid_post", "blocks.11.resid_post"),
        "head": ("blocks.11.resid_post", "logits"),
    }
    for stage, (first, last) in ends.items():
        line = count_line(config, stage)
        assert (line.shape_in, line.axes_in) == shapes[first]
        assert (line.shape_out, line.axes_out) == shapes[last]


def test_formulas_behind_a_count_line_sum_to_it() -> None:
    for config in CONFIGS:
        for stage in AXES:
            for layer in {0, config.depth - 1}:
                line = count_line(config, stage, layer)
                before, here = count_terms(config, stage, layer)
                assert sum(item.count for item in here) == line.here, (config.key, stage)
                assert sum(item.count for item in (*before, *here)) == line.so_far, (config.key, stage)


def test_positions_count_as_one_step_wherever_they_stand() -> None:
    """Those of every layer, and tables of relative ones in every head, are parameters of the step that shows them."""
    for config in CONFIGS:
        learned = sum(row.count for row in parameters(config) if "pos_embed" in row.tensor or "rel_pos" in row.tensor)
        tokens = len(config.prefix_tokens) * config.dim
        norm = sum(row.count for row in parameters(config) if row.tensor.startswith("norm_pre"))
        assert count_line(config, "position_embedding").here == learned + tokens + norm, config.key
        blocks = config.depth * count_line(config, "block").here
        ends = count_line(config, "position_embedding").so_far, count_line(config, "head").here
        assert sum(ends) + blocks == total_parameters(config), config.key


def test_a_count_line_names_the_way_out() -> None:
    with pytest.raises(ValueError, match="no stage 'stem'; the stages are model, patches"):
        count_line(TINY, "stem")
    with pytest.raises(IndexError, match="layer 2 is outside 0 to 1 of a model with 2 blocks"):
        count_line(TINY, "block", 2)
