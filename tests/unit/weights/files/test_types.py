"""Kinds of numbers in a safetensors file, also those of less than a byte: each tensor is read from its own place."""

import json
from math import prod
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from tests.checkpoints import TIMM, shaken_state
from tests.hostile_files import safetensors
from vitviz.weights import WeightsError, load

BITS = {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "F8_E5M2": 8, "F8_E8M0": 8, "BOOL": 8, "U8": 8, "C64": 64, "I64": 64}


def written(state: dict[str, torch.Tensor], first: str, kind: str, shape: list[int]) -> bytes:
    """A safetensors file by hand: a tensor of another kind, then those of `state`."""
    size = prod(shape) * BITS[kind] // 8
    header, body = {first: {"dtype": kind, "shape": shape, "data_offsets": [0, size]}}, bytes(range(size))
    for name, tensor in state.items():
        content = tensor.numpy().tobytes()
        places = [len(body), len(body) + len(content)]
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": places}
        body += content
    return safetensors(json.dumps(header).encode(), body)


@pytest.mark.parametrize("kind", BITS)
def test_every_parameter_behind_another_kind_is_that_of_the_file(kind: str, tmp_path: Path) -> None:
    state, path = shaken_state(TIMM), tmp_path / "x.safetensors"
    path.write_bytes(written(state, "mask_token", kind, [16]))
    loaded = load(path, heads=3, device="cpu").model.state_dict()
    assert len(loaded) == len(state) == 32
    with safe_open(path, "pt") as opened:
        for name, tensor in loaded.items():
            assert torch.equal(tensor, opened.get_tensor(name)), name
            assert torch.equal(tensor, state[name]), name


@pytest.mark.parametrize("kind", BITS)
def test_another_kind_is_refused_where_it_is_a_parameter(kind: str, tmp_path: Path) -> None:
    state, path = shaken_state(TIMM), tmp_path / "x.safetensors"
    del state["norm.weight"]
    path.write_bytes(written(state, "norm.weight", kind, [24]))
    with pytest.raises(WeightsError, match=rf"norm\.weight holds {kind} numbers; parameters are F64, F32, F16, BF16"):
        load(path, heads=3)


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_parameters_become_32_bit_numbers(kind: torch.dtype, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    state = {name: tensor.to(kind) for name, tensor in shaken_state(TIMM).items()}
    save_file(state, tmp_path / "x.safetensors")
    for name, tensor in load(tmp_path / "x.safetensors", heads=3, device="cpu").model.state_dict().items():
        assert torch.equal(tensor, state[name].float()), name
