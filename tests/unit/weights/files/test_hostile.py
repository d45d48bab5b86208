"""Files that are no checkpoint, or no honest one: one typed sentence each, and nothing in them is run or unpacked."""

import struct
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.checkpoints import TIMM, google_arrays, save, shaken_state
from tests.hostile_files import refused, safetensors
from vitviz.weights import WeightsError, assemble, inspect, load


def good() -> dict[str, torch.Tensor]:
    return shaken_state(TIMM)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "x.safetensors is empty; copy or download it again"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "is a web page, as a refused download leaves behind"),
        (b"\n <html>", "is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "is a Git LFS pointer; fetch the file"),
        (b'{"model_type": "vit"}', "is JSON text; the checkpoint is the file beside it"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "is a picture"),
        (b"\x89HDF\r\n\x1a\n" + bytes(64), "is an HDF5 file; save it as safetensors"),
        (bytes(range(256)), "is not a safetensors file, or cut off"),
        (struct.pack("<Q", 90_000_000) + b"{", "announces a header of 90,000,000 bytes; .* fewer than 1,000,000"),
        (struct.pack("<Q", 2**63) + b"{", "announces a header of 9,223,372,036,854,775,808 bytes"),
        (struct.pack("<Q", 500) + b'{"a"', "is not a whole safetensors file"),
        (safetensors(b"{" * 900_000), "is not a whole safetensors file"),
        (safetensors(b'{"a": ' + b"9" * 5000 + b"}"), "is not a whole safetensors file"),
        (safetensors(b"\xff" * 30), "is not a safetensors file"),
        (
            safetensors({"a": {"dtype": "F32", "shape": [2**40, 2**40], "data_offsets": [0, 4]}}, bytes(4)),
            "not a whole",
        ),
        (safetensors({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}, bytes(8)), "not a whole"),
        (safetensors({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, bytes(8)), "not a whole"),
        (
            safetensors(b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},' * 2, bytes(4)).replace(b"},{", b"},"),
            "not a whole",
        ),
        (safetensors({}), "no Vision Transformer whose names are known here .* it holds nothing"),
    ],
)
def test_what_is_no_safetensors_file(content: bytes, sentence: str, tmp_path: Path) -> None:
    refused(tmp_path / "x.safetensors", content, sentence)


def test_a_name_that_stands_twice(tmp_path: Path) -> None:
    entry = b'"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'
    refused(tmp_path / "x.safetensors", safetensors(b"{" + entry + b"," + entry + b"}", bytes(4)), "names a twice")


@pytest.mark.parametrize("kept", [1, 9, 200, 5_000, -1])
def test_a_file_cut_off_anywhere(kept: int, tmp_path: Path) -> None:
    whole = save(good(), tmp_path / "x.safetensors").read_bytes()
    refused(tmp_path / "x.safetensors", whole[:kept], "cut off|not a whole")


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_none(bad: float, tmp_path: Path) -> None:
    state = good()
    state["blocks.1.mlp.fc2.bias"][7] = bad
    path = save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=r"blocks\.1\.mlp\.fc2\.bias holds infinite numbers or none \(NaN\)"):
        load(path, heads=3)


@pytest.mark.parametrize("bad", [1.1e9, -3e38])
def test_numbers_that_no_parameter_has(bad: float, tmp_path: Path) -> None:
    state = good()
    state["blocks.1.mlp.fc2.bias"][7] = bad
    path = save(state, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=r"blocks\.1\.mlp\.fc2\.bias holds numbers beyond a billion, .* damaged or"):
        load(path, heads=3)


def test_whole_numbers_are_no_parameters(tmp_path: Path) -> None:
    state = good() | {"norm.weight": torch.ones(24, dtype=torch.int64)}
    with pytest.raises(WeightsError, match=r"norm\.weight holds I64 numbers; parameters are F64, F32, F16, BF16"):
        load(save(state, tmp_path / "x.safetensors"), heads=3)


@pytest.mark.parametrize(
    ("name", "shape", "sentence"),
    [
        (
            "blocks.1.norm1.bias",
            (7,),
            r"blocks\.1\.norm1\.bias in x\.safetensors has the shape \(7,\); .* ask for \(24,\)",
        ),
        ("pos_embed", (1, 17, 23), r"pos_embed in x\.safetensors has the shape \(1, 17, 23\)"),
        ("head.bias", (6,), r"head\.bias .* has the shape \(6,\); its other sizes ask for \(5,\)"),
        ("head.weight", (), r"head\.weight is missing, or has the shape \(\)"),
        ("head.weight", (5,), r"head\.weight is missing, or has the shape \(5,\)"),
        ("reg_token", (), r"reg_token in x\.safetensors has the shape \(\)"),
        ("patch_embed.proj.weight", (24, 3), r"patch_embed\.proj\.weight is missing, or has the shape \(24, 3\)"),
        ("patch_embed.proj.weight", (24, 3, 8, 9), r"has the shape \(24, 3, 8, 9\); .* ask for \(24, 3, 8, 8\)"),
        ("norm.weight", (), r"norm\.weight"),
        (
            "patch_embed.proj.weight",
            (24, 1, 8, 8),
            r"x\.safetensors reads other pictures than here: their channels are 1 and not 3",
        ),
        ("cls_token", (), r"cls_token in x\.safetensors has the shape \(\)"),
    ],
)
def test_wrong_shapes_are_named(name: str, shape: tuple[int, ...], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=sentence):
        load(save(good() | {name: torch.zeros(shape)}, tmp_path / "x.safetensors"), heads=3)


def test_missing_names_are_listed(tmp_path: Path) -> None:
    state = {name: tensor for name, tensor in good().items() if "1.norm" not in name and name != "norm.bias"}
    sentence = r"lacks blocks\.1\.norm1\.weight, blocks\.1\.norm1\.bias, blocks\.1\.norm2\.weight, .* and 1 more of 2"
    with pytest.raises(WeightsError, match=f"{sentence} blocks; take the complete file"):
        load(save(state, tmp_path / "x.safetensors"), heads=3)


def test_what_no_block_has_is_not_called_half_a_file(tmp_path: Path) -> None:
    state = {name: tensor for name, tensor in good().items() if not name.endswith(("proj.bias", "fc1.bias"))}
    sentence = r"x\.safetensors has no blocks\.\*\.attn\.proj\.bias, blocks\.\*\.mlp\.fc1\.bias, which every Vision"
    with pytest.raises(WeightsError, match=sentence):
        load(save(state, tmp_path / "x.safetensors"), heads=3)


def test_a_missing_key_of_one_layer_is_noticed(tmp_path: Path) -> None:
    arrays = google_arrays(good(), heads=3)
    del arrays["Transformer/encoderblock_1/MultiHeadDotProductAttention_1/key/kernel"]
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(WeightsError, match=r"lacks blocks\.1\.attn\.qkv\.weight"):
        load(tmp_path / "x.npz")


def test_unexpected_names_are_listed(tmp_path: Path) -> None:
    state = good() | {"blocks.0.attn.extra.weight": torch.zeros(8), "decoder.weight": torch.zeros(3)}
    with pytest.raises(WeightsError, match=r"holds blocks\.0\.attn\.extra\.weight, decoder\.weight, which no Vision"):
        load(save(state, tmp_path / "x.safetensors"), heads=3)


def test_a_block_number_without_end(tmp_path: Path) -> None:
    state = good() | {f"blocks.{'9' * 500}.norm1.weight": torch.zeros(24)}
    with pytest.raises(WeightsError, match="which no Vision Transformer"):
        load(save(state, tmp_path / "x.safetensors"), heads=3)
    state = good() | {"blocks.9999.norm1.weight": torch.zeros(24)}
    with pytest.raises(WeightsError, match=r"depth 10,000 is outside 1 to 1,024"):
        load(save(state, tmp_path / "x.safetensors"), heads=3)


def test_names_that_nobody_knows_are_listed(tmp_path: Path) -> None:
    path = save({name: torch.zeros(2, 2) for name in "abcde"}, tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match=r"names are known here \(timm, .*\); it holds a, b, c, d$"):
        inspect(path)


@pytest.mark.parametrize("left", [None, 5000])
def test_a_file_that_goes_away_while_it_is_read(left: int | None, tmp_path: Path) -> None:
    path = save(good(), tmp_path / "x.safetensors")
    plan, content = inspect(path, heads=3), path.read_bytes()
    path.unlink()
    if left:
        path.write_bytes(content[:left])
    with pytest.raises(WeightsError, match=r"x\.safetensors became shorter, or went away, while it was read; load it"):
        assemble(plan)


def test_other_suffixes_and_folders(tmp_path: Path) -> None:
    refused(tmp_path / "x.onnx", b"1", r"none of the suffixes of a checkpoint: \.safetensors, \.npz, \.pth")
    with pytest.raises(WeightsError, match="is a folder; give the checkpoint"):
        load(tmp_path)


def test_a_safetensors_file_called_npz(tmp_path: Path) -> None:
    whole = save(good(), tmp_path / "x.safetensors").read_bytes()
    refused(tmp_path / "x.npz", whole, "is not a NumPy archive but a safetensors file; give it its own suffix")
