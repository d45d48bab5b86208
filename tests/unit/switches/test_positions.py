"""Kinds of positions: each against an independent computation, and off = the model of the paper, bit for bit."""

import math
from typing import Any

import pytest
import torch
from einops import rearrange
from torch import Tensor

from vitviz.config import ADDED, POSITIONS, POSITIONS_AT, ConfigError, ViTConfig
from vitviz.model import ViT
from vitviz.switches.positions import offsets
from vitviz.trace import record

KINDS: list[dict[str, Any]] = [
    {"positions": kind, "positions_at": at} | ({"head_dim": 8} if kind == "rotary" else {})
    for kind in POSITIONS
    for at in (POSITIONS_AT if kind in ADDED else POSITIONS_AT[:1])
]


def picture(seed: int = 0) -> Tensor:
    return torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(seed))


def model_of(config: ViTConfig, **changes: Any) -> ViT:
    """A model whose parameters are large enough for positions to show, biases of offsets too."""
    model = ViT(config.with_(**changes), seed=1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(5)
    return model


def shuffled(image: Tensor, size: int = 8) -> Tensor:
    """The same patches in another order."""
    patches = rearrange(image, "b c (gh ph) (gw pw) -> b (gh gw) c ph pw", ph=size, pw=size)
    patches = patches[:, torch.randperm(patches.shape[1], generator=torch.Generator().manual_seed(4))]
    return rearrange(patches, "b (gh gw) c ph pw -> b c (gh ph) (gw pw)", gh=image.shape[2] // size)


def test_learned_positions_at_the_stem_are_the_usual_and_change_no_bit(tiny_model: ViT, tiny_config: ViTConfig) -> None:
    spelled_out = ViT(tiny_config.with_(positions="learned", positions_at="stem"), seed=0)
    spelled_out.load_state_dict(tiny_model.state_dict())
    image = picture()
    x = torch.cat([tiny_model.get_parameter("cls_token").expand(2, -1, -1), tiny_model.patch_embed(image)], dim=1)
    x = x + tiny_model.get_parameter("pos_embed")
    for block in tiny_model.blocks:
        x = block(x)
    assert torch.equal(tiny_model.classify(x), tiny_model(image))
    assert torch.equal(spelled_out(image), tiny_model(image))


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_only_without_positions_the_order_of_patches_does_not_matter(
    tiny_config: ViTConfig, changes: dict[str, Any]
) -> None:
    model, image = model_of(tiny_config, **changes), picture()
    difference = (model(shuffled(image)) - model(image)).abs().max()
    assert (difference < 1e-5) == (changes["positions"] == "none"), difference


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_a_stage_run_again_and_attention_written_out_are_the_forward_pass(
    tiny_config: ViTConfig, changes: dict[str, Any]
) -> None:
    model = model_of(tiny_config, **changes)
    trace = record(model, picture()[:1])
    for layer in range(tiny_config.depth):
        inside = trace.inside(layer)
        assert torch.equal(inside["resid_post"].tensor, trace[f"blocks.{layer}.resid_post"].tensor)
        torch.testing.assert_close(inside["attn.weights"].tensor @ inside["attn.v"].tensor, inside["attn.z"].tensor)


def test_relative_positions_depend_on_offsets_alone(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, positions="relative")
    bias = model.blocks[0].get_submodule("attn.rel_pos")()[:, 1:, 1:].detach()
    table = model.get_parameter("blocks.0.attn.rel_pos.relative_position_bias_table").detach()
    cells = [(row, column) for row in range(4) for column in range(4)]
    seen: dict[tuple[int, int], Tensor] = {}
    for q, (row, column) in enumerate(cells):
        for k, (other_row, other_column) in enumerate(cells):
            offset = other_row - row, other_column - column
            assert torch.equal(seen.setdefault(offset, bias[:, q, k]), bias[:, q, k])
            row_of_table = (row - other_row + 3) * 7 + column - other_column + 3  # from key to query, as in timm
            assert torch.equal(bias[:, q, k], table[row_of_table])
    assert len(seen) == 7 * 7
    assert len({float(value[0]) for value in seen.values()}) == 49
    assert offsets((4, 4)).unique().tolist() == list(range(49))


def test_relative_positions_are_added_to_scores_and_spare_prefix_tokens(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, positions="relative", registers=2)
    inside = record(model, picture()[:1]).inside(1)
    q, k, bias = (inside[f"attn.{name}"].tensor for name in ("q", "k", "bias"))
    torch.testing.assert_close(inside["attn.scores"].tensor, q @ k.mT / math.sqrt(q.shape[-1]) + bias)
    assert bias.shape == (tiny_config.heads, 19, 19)
    assert not bias[:, :3].any()
    assert not bias[:, :, :3].any()


def test_two_dimensional_positions_have_a_half_for_the_row_and_a_half_for_the_column(tiny_config: ViTConfig) -> None:
    model = model_of(tiny_config, positions="learned_2d")
    assert model.get_parameter("pos_embed_row").shape == model.get_parameter("pos_embed_column").shape == (1, 4, 12)
    positions = model.positions()[0].detach()
    assert not positions[0].any()
    for patch in range(16):
        row, column = divmod(patch, 4)
        assert torch.equal(positions[1 + patch, :12], model.get_parameter("pos_embed_row")[0, row])
        assert torch.equal(positions[1 + patch, 12:], model.get_parameter("pos_embed_column")[0, column])


def test_sinusoidal_positions_are_sines_and_cosines_of_row_and_column(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(positions="sincos_2d"))
    assert not any("pos" in name for name, _ in model.named_parameters())
    positions = model.positions()[0]
    for patch in range(16):
        halves = [
            [wave(place / 10_000 ** (i / 6)) for wave in (math.sin, math.cos) for i in range(6)]
            for place in divmod(patch, 4)
        ]
        torch.testing.assert_close(positions[1 + patch], torch.tensor(halves[0] + halves[1]))


@pytest.mark.parametrize("kind", ["learned", "learned_2d"])
def test_positions_of_every_layer_are_its_own_or_shared(tiny_config: ViTConfig, kind: str) -> None:
    own = model_of(tiny_config, positions=kind, positions_at="every_layer")
    assert not torch.equal(own.positions(0), own.positions(1))
    shared = model_of(tiny_config, positions=kind, positions_at="every_layer_shared")
    assert torch.equal(shared.positions(0), shared.positions(1))
    for model in (own, shared):
        trace = record(model, picture()[:1])
        for layer in range(tiny_config.depth):
            assert torch.equal(trace.inside(layer)["positions"].tensor, model.positions(layer))
            assert torch.equal(trace.entering(layer), trace.residual_stream(layer) + model.positions(layer))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"positions": "best"}, "positions 'best' is none of learned, learned_2d, sincos_2d, relative, rotary, none"),
        (
            {"positions": "relative", "positions_at": "every_layer"},
            "positions relative add nothing to tokens, so they cannot be added at every_layer; "
            "choose positions_at stem, or positions learned, learned_2d, sincos_2d",
        ),
    ],
)
def test_what_cannot_be_is_said_with_the_way_out(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        ViTConfig(**changes)
    assert str(error.value) == sentence


@pytest.mark.parametrize("kind", ADDED)
def test_components_that_halves_and_waves_leave_over_are_zero(kind: str) -> None:
    config = ViTConfig(image_size=16, patch_size=8, dim=7, depth=1, heads=1, mlp_dim=4, classes=2, positions=kind)
    positions = model_of(config).positions()
    filled = {"learned": 7, "learned_2d": 6, "sincos_2d": 4}[kind]
    assert positions.shape == (1, 5, 7)
    assert positions[0, 1:, :filled].any(dim=0).all()
    assert not positions[..., filled:].any()
