"""PyTorch's own files: nothing in them is run, and what is no plain tensor is refused in one sentence."""

import pickle
from pathlib import Path

import pytest
import torch

from benchmarks.fuzz import stored
from tests.checkpoints import TIMM, shaken_state
from tests.hostile_files import Bomb, refused
from vitviz.weights import WeightsError, load


def good() -> dict[str, torch.Tensor]:
    return shaken_state(TIMM)


def test_a_pickle_renamed_is_not_opened(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for protocol in (2, 4):
        content = pickle.dumps({"model": Bomb(mark)}, protocol)
        refused(tmp_path / "x.safetensors", content, "is not a safetensors file but a PyTorch pickle; pickles can run")
        refused(tmp_path / "x.npz", content, "is not a NumPy archive but a PyTorch pickle")
    torch.save(good(), tmp_path / "x.safetensors")
    with pytest.raises(WeightsError, match="not a safetensors file but a PyTorch pickle; pickles can run code"):
        load(tmp_path / "x.safetensors")
    assert not mark.exists()


def test_a_pickle_that_would_run_code_does_not(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for name, content in (("old", pickle.dumps(Bomb(mark), 2)), ("none", b"\x80\x02.")):
        refused(tmp_path / f"{name}.pth", content, "not a whole PyTorch file of plain tensors")
    torch.save({"model": Bomb(mark)}, tmp_path / "new.pth")
    with pytest.raises(WeightsError, match="not a whole PyTorch file of plain tensors; save its state_dict"):
        load(tmp_path / "new.pth")
    assert not mark.exists()


def test_a_pytorch_file_without_tensors(tmp_path: Path) -> None:
    torch.save({"epoch": 3}, tmp_path / "x.pth")
    with pytest.raises(WeightsError, match=r"x\.pth holds no tensors by name; save the model's state_dict"):
        load(tmp_path / "x.pth")


def of_itself() -> dict[str, object]:
    """A dictionary that holds itself under all names that are looked into."""
    content: dict[str, object] = {}
    for name in ("model", "state_dict", "model_state_dict", "teacher", "model_ema", "module"):
        content[name] = content
    return content


def nested(levels: int) -> dict[str, object]:
    return {"model": nested(levels - 1)} if levels else dict(good())


@pytest.mark.parametrize("levels", [0, 1, 3])
def test_a_state_is_found_in_what_programs_put_around_it(levels: int, tmp_path: Path) -> None:
    torch.save(nested(levels), tmp_path / "x.pth")
    assert load(tmp_path / "x.pth", heads=3, device="cpu").config == TIMM


@pytest.mark.parametrize("content", [of_itself(), nested(4), {"model": {"model": []}}, {1: torch.zeros(2)}, [1]])
def test_what_holds_itself_or_nothing(content: object, tmp_path: Path) -> None:
    torch.save(content, tmp_path / "x.pth")
    with pytest.raises(WeightsError, match=r"x\.pth holds no tensors by name; save the model's state_dict"):
        load(tmp_path / "x.pth")


ODD = {
    "sparse": lambda: torch.eye(24).to_sparse(),
    "compressed": lambda: torch.eye(24).to_sparse_csr(),
    "without numbers": lambda: torch.empty(24, device="meta"),
    "nested": lambda: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
    "quantised": lambda: torch.quantize_per_tensor(torch.zeros(24), 0.1, 0, torch.qint8),
    "larger than its numbers": lambda: torch.zeros(1).expand(1_000_000, 1_000_000),
}


@pytest.mark.filterwarnings("ignore")  # PyTorch is to give up some of these kinds, and warns of it once in a process
@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_plain_tensor(kind: str, tmp_path: Path) -> None:
    torch.save(good() | {"norm.weight": ODD[kind]()}, tmp_path / "x.pth")
    with pytest.raises(WeightsError, match=r"norm\.weight in x\.pth is no plain tensor that holds all its numbers"):
        load(tmp_path / "x.pth", heads=3)


def test_numbers_that_are_not_real(tmp_path: Path) -> None:
    torch.save(good() | {"norm.weight": torch.zeros(24, dtype=torch.complex64)}, tmp_path / "x.pth")
    with pytest.raises(WeightsError, match=r"norm\.weight holds complex64 numbers, not floating point"):
        load(tmp_path / "x.pth", heads=3)


def in_parts() -> tuple[dict[str, torch.Tensor], str]:
    """A small checkpoint with q, k and v apart, and the name of one of its keys' parameters."""
    parts = stored.good()["pth Hugging Face ViT"]
    state = {it.name: torch.frombuffer(bytearray(it.body), dtype=torch.float32).reshape(it.shape) for it in parts}
    return state, next(name for name in state if name.endswith("attention.key.weight"))


@pytest.mark.parametrize("kind", [torch.complex64, torch.int64, torch.bool])
def test_other_numbers_in_one_of_the_parts_that_a_parameter_is_made_of(kind: torch.dtype, tmp_path: Path) -> None:
    state, name = in_parts()
    torch.save(state | {name: torch.ones(12, 12, dtype=kind)}, tmp_path / "x.pth")
    with pytest.raises(WeightsError, match=r"key\.weight holds \w+ numbers, not floating point"):
        load(tmp_path / "x.pth", heads=3)


def test_a_part_keeps_its_precision_beside_one_of_16_bit(tmp_path: Path) -> None:
    state, key = in_parts()
    query = key.replace("key", "query")
    torch.save(state | {query: state[query].half()}, tmp_path / "x.pth")
    weight = load(tmp_path / "x.pth", heads=3).model.state_dict()["blocks.0.attn.qkv.weight"]
    assert torch.equal(weight[:12], state[query].half().float())
    assert torch.equal(weight[12:24], state[key])
