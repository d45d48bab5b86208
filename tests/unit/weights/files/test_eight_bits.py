"""Matrices in 8 bits with a scale for each row: read as what they stand for, and refused where one of both is wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.checkpoints import TIMM, save, shaken_state
from vitviz.weights import WeightsError, inspect, load
from vitviz.weights.files import narrowed

MATRIX = "blocks.1.mlp.fc1.weight"
SCALE = f"{MATRIX}_scale"
State = dict[str, Tensor]


def in_8_bits() -> State:
    """A small checkpoint of which one matrix is in 8 bits."""
    state = shaken_state(TIMM)
    state[MATRIX], state[SCALE] = narrowed(state[MATRIX])
    return state


@pytest.mark.parametrize("axes", [(40,), (40, 1)], ids=["rows", "rows 1"])
@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("suffix", ["safetensors", "pth", "npz"])
def test_a_matrix_is_its_whole_numbers_times_the_scale_of_their_row(
    axes: tuple[int, ...], kind: torch.dtype, suffix: str, tmp_path: Path
) -> None:
    state, path = in_8_bits(), tmp_path / f"x.{suffix}"
    state[SCALE] = state[SCALE].to(kind).reshape(axes)
    if suffix == "safetensors":
        save(state, path)
    elif suffix == "pth":
        torch.save(state, path)
    elif kind != torch.bfloat16:  # which NumPy lacks
        arrays: dict[str, Any] = {name: tensor.numpy() for name, tensor in state.items()}
        np.savez(path, **arrays)
    else:
        return
    loaded = load(path, heads=3, device="cpu")
    expected = state[MATRIX].float() * state[SCALE].float().reshape(-1, 1)
    assert torch.equal(loaded.model.state_dict()[MATRIX], expected)
    assert "In 8 bits, each row with a scale of its own: 1 tensor." in loaded.notes
    assert inspect(path).eight_bits == 1


def test_rounding_is_by_half_a_step_at_most_and_the_largest_of_a_row_stays() -> None:
    matrix = torch.randn(50, 30, generator=torch.Generator().manual_seed(0)) * torch.logspace(-6, 3, 50)[:, None]
    whole, scale = narrowed(matrix)
    error = (whole * scale[:, None] - matrix).abs()
    assert (error <= scale[:, None] * 0.5001).all()
    assert (whole.abs().amax(1) == 127).all()
    again, same = narrowed(whole * scale[:, None])
    assert torch.equal(again, whole)
    torch.testing.assert_close(same, scale, rtol=1e-6, atol=0)


def test_a_row_of_zeros_stays_one() -> None:
    whole, scale = narrowed(torch.tensor([[0.0, 0.0], [254.0, -2.0]]))
    assert whole.tolist() == [[0, 0], [127, -1]]
    assert scale.tolist() == [1, 2]


def without(name: str) -> Callable[[State], State]:
    return lambda state: {it: tensor for it, tensor in state.items() if it != name}


def scaled_by(values: Tensor) -> Callable[[State], State]:
    return lambda state: state | {SCALE: values}


def with_first(value: float) -> Callable[[State], State]:
    def change(state: State) -> State:
        state[SCALE][0] = value
        return state

    return change


REFUSED: dict[str, tuple[Callable[[State], State], str]] = {
    "no scale": (without(SCALE), rf"{MATRIX} in x\.safetensors is in 8 bits, and its scale {SCALE} is not there"),
    "no matrix": (without(MATRIX), rf"{SCALE} in x\.safetensors is the scale of {MATRIX}, which the file does not"),
    "too short": (scaled_by(torch.ones(39)), r"shape \(39,\), and \S+ has \(40, 24\); .* one scale for each row"),
    "one for all": (scaled_by(torch.ones(1)), r"shape \(1,\), and \S+ has \(40, 24\); .* one scale for each row"),
    "of columns": (scaled_by(torch.ones(1, 24)), r"shape \(1, 24\), and \S+ has \(40, 24\)"),
    "zero": (with_first(0.0), r"holds 0; a scale is above 0"),
    "negative": (with_first(-0.5), r"holds -0\.5; a scale is above 0"),
    "not a number": (with_first(float("nan")), r"weight_scale holds infinite numbers or none \(NaN\)"),
    "infinite": (with_first(float("inf")), r"weight_scale holds infinite numbers or none \(NaN\)"),
    "huge": (with_first(1e30), r"weight_scale holds numbers beyond a billion"),
    "huge together": (with_first(1e8), r"fc1\.weight holds numbers beyond a billion"),
    "whole numbers": (scaled_by(torch.ones(40, dtype=torch.int64)), r"weight_scale holds I64 numbers"),
    "a scale in 8 bits": (scaled_by(torch.ones(40, dtype=torch.int8)), r"weight_scale holds int8 numbers"),
    "a matrix of floats": (
        lambda state: state | {MATRIX: state[MATRIX].float()},
        r"has a scale for 8 bits beside it and holds float32 numbers; which of the two is meant",
    ),
}


@pytest.mark.parametrize(("change", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_in_a_sentence(change: Callable[[State], State], sentence: str, tmp_path: Path) -> None:
    path = save(change(in_8_bits()), tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=sentence) as error:
        load(path, heads=3)
    assert "\n" not in str(error.value)


def test_a_scale_of_a_vector_is_refused(tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    state["norm.weight"], state["norm.weight_scale"] = torch.ones(24, dtype=torch.int8), torch.ones(24)
    with pytest.raises(WeightsError, match=r"norm\.weight_scale .* has \(24,\); a matrix in 8 bits has one scale"):
        inspect(save(state, tmp_path / "x.safetensors"))
