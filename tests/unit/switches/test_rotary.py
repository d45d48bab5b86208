"""Rotary positions: scores depend on offsets alone, against complex numbers, and nothing turns where they are off."""

import pytest
import torch
from torch import Tensor

from tests.unit.switches.test_positions import model_of, picture
from vitviz.config import ConfigError, ViTConfig
from vitviz.counts import total_macs, total_parameters
from vitviz.edits import Edits
from vitviz.measures.attention import attention_row, attention_weights
from vitviz.measures.tokens import position_maps
from vitviz.switches.positions import rotations, turned
from vitviz.trace import record

CPU = torch.device("cpu")
GRID = ViTConfig(image_size=(40, 56), patch_size=8, dim=24, depth=2, heads=3, mlp_dim=24, positions="rotary")


def vectors(count: int, seed: int) -> Tensor:
    return torch.randn(count, 8, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_scores_of_turned_vectors_depend_on_the_offset_alone() -> None:
    angles, (rows, columns) = rotations(GRID, CPU, torch.float64)[1:], GRID.grid
    q, k = vectors(1, 1), vectors(1, 2)
    score = turned(q.expand(rows * columns, -1), angles) @ turned(k.expand(rows * columns, -1), angles).T
    by_offset: dict[tuple[int, int], list[float]] = {}
    for a in range(rows * columns):
        for b in range(rows * columns):
            offset = b // columns - a // columns, b % columns - a % columns
            by_offset.setdefault(offset, []).append(float(score[a, b]))
    assert len(by_offset) == (2 * rows - 1) * (2 * columns - 1)
    assert max(max(scores) - min(scores) for scores in by_offset.values()) < 1e-12
    means = [scores[0] for scores in by_offset.values()]
    assert max(means) - min(means) > 1, "and they do depend on it"


def test_a_turn_is_a_product_of_complex_numbers_and_keeps_lengths() -> None:
    angles, x = rotations(GRID, CPU, torch.float64), vectors(GRID.tokens, 3)
    by_hand = torch.view_as_complex(x.view(-1, 4, 2)) * torch.polar(torch.ones_like(angles), angles)
    torch.testing.assert_close(turned(x, angles), torch.view_as_real(by_hand).flatten(1))
    torch.testing.assert_close(turned(x, angles).norm(dim=-1), x.norm(dim=-1))
    assert torch.equal(turned(x, angles)[0], x[0]), "the class token has no place, and is not turned"


def test_columns_turn_the_first_half_of_the_pairs_and_rows_the_second() -> None:
    angles = rotations(GRID, CPU, torch.float64)[1:].view(*GRID.grid, 4)
    assert angles[2, 3].tolist() == pytest.approx([3, 0.3, 2, 0.2])


def test_they_take_no_parameters_and_are_in_the_trace(tiny_config: ViTConfig) -> None:
    wide = tiny_config.with_(head_dim=8)
    rotary, none = wide.with_(positions="rotary"), wide.with_(positions="none")
    assert total_parameters(rotary) == total_parameters(none)
    assert total_macs(rotary) == total_macs(none)
    model = model_of(rotary)
    trace = record(model, picture()[:1])
    inside = trace.inside(1)
    assert inside["attn.angles"].axes == "t pairs"
    assert torch.equal(inside["attn.angles"].tensor, rotations(rotary, model.device, model.dtype))
    assert abs(attention_row(trace, 1, 5) - attention_weights(trace, 1)[:, 5]).max() < 1e-6


def test_positions_off_are_a_model_without_them(tiny_config: ViTConfig) -> None:
    wide = tiny_config.with_(head_dim=8)
    rotary, none = model_of(wide, positions="rotary"), model_of(wide, positions="none")
    none.load_state_dict(rotary.state_dict())
    off = record(rotary, picture(), edits=Edits.parse("e=off", rotary.config))
    torch.testing.assert_close(off["logits"].tensor, none(picture()), rtol=1e-4, atol=1e-5)
    both = record(rotary, picture(), edits=Edits.parse("i=shuffled@3 e=shuffled@3", rotary.config))
    torch.testing.assert_close(both["logits"].tensor, rotary(picture()), rtol=1e-4, atol=1e-4)


def test_the_map_of_a_place_is_the_same_for_equal_offsets(tiny_config: ViTConfig) -> None:
    trace = record(model_of(tiny_config.with_(head_dim=8), positions="rotary"), picture()[:1])
    maps = position_maps(trace)
    assert maps[1, 1, 1, 1] == pytest.approx(1)
    assert maps[0, 1, 2, 3] == pytest.approx(maps[1, 0, 3, 2], abs=1e-6)


def test_the_rotary_vit_of_timm_has_its_published_count() -> None:
    """`vit_base_patch16_rope_224`: no position is added, every block has layer scales."""
    assert total_parameters(ViTConfig(positions="rotary", layer_scale=True)) == 86_434_792


@pytest.mark.parametrize(("head_dim", "ways"), [(6, "4 or 8"), (2, "4")])
def test_rows_and_columns_have_whole_pairs(head_dim: int, ways: str) -> None:
    with pytest.raises(ConfigError, match=rf"head dim {head_dim} is no multiple of 4; choose {ways}$"):
        ViTConfig(positions="rotary", head_dim=head_dim)
