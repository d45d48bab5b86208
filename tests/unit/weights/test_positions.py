"""Position embeddings at another size: by the rule of the family, prefix tokens untouched, grids as told."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from tests.checkpoints import TIMM, google_arrays, save, shaken_state
from vitviz.counts import total_parameters
from vitviz.weights import WeightsError, inspect, load
from vitviz.weights.families.known import Resize
from vitviz.weights.positions import RULES, resize

POSITIONS = torch.randn(1, 37 * 37, 6, generator=torch.Generator().manual_seed(0))


def as_picture(rows: int, columns: int) -> torch.Tensor:
    return POSITIONS[:, : rows * columns].reshape(1, rows, columns, 6).permute(0, 3, 1, 2)


def as_rows(picture: torch.Tensor) -> torch.Tensor:
    return picture.permute(0, 2, 3, 1).reshape(1, -1, 6)


def test_smooth_is_what_timm_does() -> None:
    theirs = F.interpolate(as_picture(37, 37), size=(16, 16), mode="bicubic", antialias=True, align_corners=False)
    torch.testing.assert_close(resize(POSITIONS, (37, 37), (16, 16), "smooth"), as_rows(theirs))


def test_offset_is_what_the_first_dinov2_does() -> None:
    scale = float(16 + 0.1) / 37
    theirs = F.interpolate(as_picture(37, 37), scale_factor=(scale, scale), mode="bicubic")
    torch.testing.assert_close(resize(POSITIONS, (37, 37), (16, 16), "offset"), as_rows(theirs))


def test_corners_is_linear_between_corners_that_stay() -> None:
    ours = resize(POSITIONS[:, :20], (4, 5), (7, 3), "corners").reshape(7, 3, 6).numpy()
    given = POSITIONS[0, :20].reshape(4, 5, 6).numpy()
    down, across = np.linspace(0, 3, 7), np.linspace(0, 4, 3)
    for channel in range(6):
        columns = np.stack([np.interp(down, range(4), given[:, column, channel]) for column in range(5)], axis=1)
        theirs = np.stack([np.interp(across, range(5), row) for row in columns])
        np.testing.assert_allclose(ours[..., channel], theirs, atol=1e-6)


def test_every_rule_differs_from_the_others() -> None:
    grids = [resize(POSITIONS, (37, 37), (16, 16), rule) for rule in RULES]
    apart = [float((one - other).abs().max()) for i, one in enumerate(grids) for other in grids[:i]]
    assert min(apart) > 0.05


@pytest.mark.parametrize("rule", RULES)
def test_the_same_grid_stays_to_the_last_bit_and_constants_stay_constant(rule: Resize) -> None:
    assert resize(POSITIONS, (37, 37), (37, 37), rule) is POSITIONS
    torch.testing.assert_close(resize(torch.ones(1, 12, 2), (3, 4), (5, 2), rule), torch.ones(1, 10, 2))


@pytest.mark.parametrize(
    "changes", [{}, {"distilled": True}, {"registers": 2}, {"registers": 2, "prefix_positions": False}]
)
def test_prefix_tokens_are_never_resized(changes: dict[str, Any], tmp_path: Path) -> None:
    config = TIMM.with_(**changes)
    state = shaken_state(config)
    loaded = load(save(state, tmp_path / "model.safetensors"), image_size=48, heads=3, device="cpu")
    prefix = len(config.prefix_tokens) if config.prefix_positions else 0
    assert loaded.config == config.with_(image_size=48)
    assert loaded.model.pos_embed.shape == (1, prefix + 36, 24)
    assert torch.equal(loaded.model.pos_embed[:, :prefix], state["pos_embed"][:, :prefix])
    expected = resize(state["pos_embed"][:, prefix:], (4, 4), (6, 6), "smooth")
    assert torch.equal(loaded.model.pos_embed[:, prefix:], expected)
    assert loaded.preprocess.size == 48


def test_google_files_are_resized_as_google_does(tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    np.savez(tmp_path / "ViT.npz", **google_arrays(state, heads=3))
    loaded = load(tmp_path / "ViT.npz", image_size=48, device="cpu")
    assert torch.equal(loaded.model.pos_embed[:, 1:], resize(state["pos_embed"][:, 1:], (4, 4), (6, 6), "corners"))


def test_the_first_dinov2_is_known_by_its_mask_token(tmp_path: Path) -> None:
    state = shaken_state(TIMM.with_(layer_scale=True, classes=0))
    assert inspect(save(state, tmp_path / "timm.safetensors"), heads=3).resize == "smooth"
    state["mask_token"] = torch.zeros(1, 24)
    assert inspect(save(state, tmp_path / "first.safetensors"), heads=3).resize == "offset"


def test_a_grid_that_is_no_square_has_to_be_told(tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    state["pos_embed"] = POSITIONS[:, : 1 + 2 * 6, :].repeat(1, 1, 4)
    path = save(state, tmp_path / "wide.safetensors")
    with pytest.raises(WeightsError, match="pos_embed has 13 rows, and 12 patches are no square; say how many rows"):
        load(path, heads=3)
    with pytest.raises(WeightsError, match="pos_embed has 13 rows; a grid of 3 × 3 has 9 patches"):
        load(path, heads=3, grid=(3, 3))
    loaded = load(path, heads=3, grid=(2, 6), image_size=32, device="cpu")
    expected = resize(state["pos_embed"][:, 1:], (2, 6), (4, 4), "smooth")
    assert torch.equal(loaded.model.pos_embed[:, 1:], expected)


@pytest.mark.parametrize(
    ("size", "why"),
    [
        (50, "image size 50 is not divisible by patch size 8; 50 divides by 5 or 10"),
        (0, "image size 0 is outside 1 to 4,096; the nearest legal value is 1"),
        (4104, "image size 4,104 is outside 1 to 4,096; the nearest legal value is 4,096"),
    ],
)
def test_an_image_size_that_a_model_cannot_have_is_refused(size: int, why: str, tmp_path: Path) -> None:
    path = save(shaken_state(TIMM), tmp_path / "model.safetensors")
    with pytest.raises(WeightsError, match=why):
        load(path, heads=3, image_size=size)


def test_positions_for_a_large_picture_are_counted_twice_before_they_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(shaken_state(TIMM), tmp_path / "model.safetensors")
    large = TIMM.with_(image_size=4096)
    asked = []
    monkeypatch.setattr("vitviz.machine.device.require", lambda needed, *_: asked.append(needed))
    load(path, heads=3, image_size=4096, device="cpu")
    load(path, heads=3, device="cpu")
    assert asked == [4 * (total_parameters(large) + large.patches * large.dim), 4 * total_parameters(TIMM)]
