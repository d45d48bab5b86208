"""Small files that announce sizes which no Vision Transformer has: refused before anything is derived from them."""

import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
import torch

from tests.checkpoints import TIMM, google_arrays, save, shaken_state
from tests.hostile_files import npy, npz, safetensors
from vitviz.config import LIMITS, ViTConfig
from vitviz.model import ViT
from vitviz.weights import WeightsError, infer_config, inspect, load
from vitviz.weights.files import Source, unstacked
from vitviz.weights.files.source import MOST_TENSORS
from vitviz.weights.sizes import parameter_shapes

PRIME = 2**61 - 1  # what the search for a number of heads would divide
SIZES = "a parameter has at most 8 axes, each of 1 to 1,000,000 numbers"
QKV, STACK = "blocks.0.attn.qkv.weight", "t/encoderblock/s"


def empty(shapes: dict[str, list[object]]) -> bytes:
    """A safetensors file of these shapes, of which none takes a byte."""
    return safetensors(
        {name: {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]} for name, shape in shapes.items()}
    )


def calls(act: Callable[[], object]) -> int:
    """How much work `act` is, on any machine: how many functions Python calls for it, its own and those in C."""
    count, before = 0, sys.getprofile()

    def called(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def refused(path: Path, sentence: str) -> int:
    """How many calls it takes to refuse it with this sentence."""

    def refuse() -> None:
        with pytest.raises(WeightsError, match=sentence) as error:
            inspect(path)
        assert "\n" not in str(error.value)

    return calls(refuse)


@pytest.mark.parametrize(
    ("shapes", "most"),
    [
        ({QKV: [0], "norm.weight": [PRIME, 0]}, 184),
        ({STACK: [10**9, 0]}, 96),
        ({STACK: [10**9, 0, 10**9, 10**9, 10**9]}, 140),
        ({"norm.weight": [2**63, 0]}, 100),
        ({"norm.weight": [10**1000, 0]}, 1100),
        ({"norm.weight": [1] * 100_000}, 400_000),
    ],
)
def test_a_small_file_of_huge_or_empty_tensors(shapes: dict[str, list[object]], most: int, tmp_path: Path) -> None:
    content = empty(shapes)
    assert len(content) <= most
    (tmp_path / "x.safetensors").write_bytes(content)
    refused(tmp_path / "x.safetensors", f"in x.safetensors has the shape .*; {SIZES}|is not a whole safetensors file")


@pytest.mark.parametrize(
    ("name", "shape", "kind"),
    [
        ("norm/weight", f"({PRIME}, 0)", "<f4"),
        (STACK, "(1000000000, 0)", "<f4"),
        (STACK, f"({10**12},)", "|V0"),
        (STACK, f"({10**6}, {10**6})", "|V0"),
        ("cls", f"({2**63}, 0)", "<f4"),
        ("cls", "(True, 4)", "<f4"),
        ("cls", f"(0x{'f' * 6000}, 0)", "<f4"),
        ("cls", f"({'1, ' * 60})", "<f4"),
        ("cls", "(-4, -4)", "<f4"),
    ],
)
def test_a_small_archive_of_huge_or_empty_arrays(name: str, shape: str, kind: str, tmp_path: Path) -> None:
    path = npz(tmp_path / "x.npz", {name: npy(shape, kind, bytes(240))})
    refused(path, rf"in x\.npz has the shape .*; {SIZES}|no whole archive of plain arrays")


def test_a_checkpoint_in_memory_is_held_to_the_same_sizes() -> None:
    with pytest.raises(WeightsError, match=rf"norm\.weight in this state dict has the shape \(24, 0\); {SIZES}"):
        infer_config(shaken_state(TIMM) | {"norm.weight": torch.zeros(24, 0)})


def never_read(name: str) -> torch.Tensor:
    raise AssertionError(f"{name} was read")


@pytest.mark.parametrize(
    ("shapes", "sentence"),
    [
        ({STACK: (LIMITS["depth"] + 1, 4)}, r"stacks 1,025 blocks; a Vision Transformer has 1 to 1,024"),
        ({STACK: ()}, r"stacks 0 blocks"),
        ({f"t/encoderblock/{n}": (1000, 4) for n in range(11)}, r"holds 11,000 tensors; .* has at most 5,000"),
        ({STACK: (2, 4), "t/encoderblock_1/s": (4,)}, r"holds t/encoderblock_1/s twice"),
    ],
)
def test_stacks_of_more_blocks_than_there_are(shapes: dict[str, tuple[int, ...]], sentence: str) -> None:
    with pytest.raises(WeightsError, match=sentence):
        unstacked(Source("x.npz", shapes, never_read))


def test_a_depth_is_believed_only_of_blocks_that_are_there(tmp_path: Path) -> None:
    state = shaken_state(TIMM) | {"blocks.1023.norm1.weight": torch.zeros(24)}
    path = save(state, tmp_path / "x.safetensors")
    words = r"lacks blocks\.2\.norm1\.weight, .* and 12,2\d\d more of 1,024 blocks; take the complete file"
    assert refused(path, words) < 500_000, "building 1,024 blocks takes 1.7 million"


@pytest.mark.parametrize("config", [TIMM, TIMM.with_(layer_scale=True, activation="swiglu", registers=4, depth=3)])
def test_the_shapes_of_all_blocks_are_those_of_the_model(config: ViTConfig) -> None:
    assert parameter_shapes(config) == {name: tuple(p.shape) for name, p in ViT(config).named_parameters()}


def test_more_tensors_than_a_vision_transformer_has() -> None:
    with pytest.raises(WeightsError, match=r"x holds 5,001 tensors; a Vision Transformer has at most 5,000"):
        Source("x", dict.fromkeys(map(str, range(MOST_TENSORS + 1)), (1,)), never_read)
    Source("x", dict.fromkeys(map(str, range(MOST_TENSORS)), (1,)), never_read)


def test_a_stack_of_19_million_rows(tmp_path: Path) -> None:
    path = npz(tmp_path / "x.npz", {STACK: npy("(19000000,)", "|u1", bytes(19_000_000))})
    refused(path, rf"{STACK} in x\.npz has the shape \(19000000,\); {SIZES}")
    np.savez(tmp_path / "y.npz", **google_arrays(shaken_state(TIMM), 3) | {STACK: np.zeros(10**6, np.uint8)})
    refused(tmp_path / "y.npz", r"stacks 1,000,000 blocks; a Vision Transformer has 1 to 1,024")


@pytest.mark.parametrize(
    "header",
    [
        b"{" + b",".join(b'"%x":{}' % number for number in range(90_000)) + b"}",
        b'{"a":[' + b",".join([b"{}"] * 330_000) + b"]}",
        b'{"__metadata__":{' + b",".join(b'"%x":""' % number for number in range(90_000)) + b"}}",
        b'{"__metadata__":{' + b",".join(b'"%x":""' % (number % 89_999) for number in range(90_000)) + b"}}",
        b'{"a":' + b'{"b":' * 150_000,
        b'{"a":[' + b",".join([b"9" * 4300] * 220) + b"]}",
    ],
)
def test_a_long_header_is_read_in_no_time(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(safetensors(header))
    words = "holds 5,003 tensors|names 0 twice|is not a whole safetensors file|names are known here .* nothing"
    assert refused(path, words) < 150_000, "two for each name; looking at 330,000 entries takes more than one for each"


@pytest.mark.parametrize("count", [MOST_TENSORS, 9_999])
@pytest.mark.parametrize(
    "line",
    [
        npy("(2,)", body=bytes(8)),
        npy("(" + "1," * 450 + ")", body=bytes(8)),
        npy("(" + "1L," * 3000 + ")", body=bytes(8)),
    ],
)
def test_an_archive_of_as_many_arrays_as_there_may_be(line: bytes, count: int, tmp_path: Path) -> None:
    path = npz(tmp_path / "x.npz", {f"a{number}": line for number in range(count)})
    words = r"holds 9,999 tensors|names are known here|a0 .* at most 8 axes|a0\.npy begins as no plain array does"
    assert refused(path, words) < 6_000_000, "reading headers of 9,000 letters takes 30 million"


def test_a_table_of_contents_without_end(tmp_path: Path) -> None:
    path = npz(tmp_path / "x.npz", {"a": npy("(2,)", body=bytes(8))})
    content = path.read_bytes()
    place = content.index(b"PK\1\2")
    entry = content[place : content.index(b"PK\5\6")]
    directory = entry * (3_000_000 // len(entry))
    path.write_bytes(
        content[:place] + directory + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(directory), place, 0)
    )
    refused(path, r"announces a table of contents of 2,999,\d{3} bytes; .* fewer than 1,000,000")


def test_as_many_blocks_as_a_file_can_hold(tmp_path: Path) -> None:
    def loaded(depth: int) -> None:
        assert load(paths[depth], device="cpu").config.depth == depth

    small = ViTConfig(image_size=4, patch_size=4, dim=1, heads=1, mlp_dim=1, classes=1)
    paths = {
        depth: save(shaken_state(small.with_(depth=depth)), tmp_path / f"{depth}.safetensors")
        for depth in (104, 208, 416)
    }
    loaded(416)
    assert calls(lambda: loaded(208)) < 3 * calls(lambda: loaded(104)), "twice the blocks, twice the work"
