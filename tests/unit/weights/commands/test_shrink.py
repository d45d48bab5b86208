"""`vitviz weights shrink`: a file in 8 bits that gives nearly the same model, and says how nearly."""

import json
import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from tests.checkpoints import TIMM, google_arrays, save, shaken_state
from vitviz.weights import inspect, load
from vitviz.weights.__main__ import main
from vitviz.weights.commands.shrink import costs, shrunk
from vitviz.weights.loading import DEMO_FILE


def file(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(json.dumps({"num_attention_heads": 3}), encoding="utf-8")
    return save(shaken_state(TIMM), tmp_path / "small.safetensors")


def test_a_shrunk_file_is_read_as_the_model_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path)
    assert main(["shrink", str(path)]) == 0
    out = tmp_path / "small.8bit.safetensors"
    kinds = {name: tensor.dtype for name, tensor in load_file(out).items()}
    assert kinds["blocks.0.attn.qkv.weight"] == kinds["head.weight"] == torch.int8
    assert kinds["patch_embed.proj.weight"] == kinds["pos_embed"] == torch.float16
    before, after = load(path, device="cpu"), load(out, device="cpu")
    assert before.config == after.config
    for name, tensor in before.model.state_dict().items():
        step = tensor.abs().flatten(1).amax(1).max() / 254 if tensor.ndim == 2 else tensor.abs().max() / 2048
        assert (after.model.state_dict()[name] - tensor).abs().max() <= step * 1.001, name
    said = capsys.readouterr().out
    assert "What it costs:" in said
    assert said.count("cosine of a state: smallest") == 5
    assert re.findall(r"layer (\d+) ", said) == ["1", "2"]


def test_what_it_costs_is_what_changed() -> None:
    plan = inspect(DEMO_FILE)
    before, after = (load(it, heads=4, device="cpu") for it in (DEMO_FILE, shrunk(plan)))
    same, cost = next(costs(before, before)), next(costs(before, after))
    assert same.variation.max() == 0
    assert same.cosines.min() > 1 - 1e-5
    assert cost.cosines.shape == (145,)
    assert cost.variation.shape == (6, 4, 145)
    assert 0.99 < cost.cosines.min() < 1 - 1e-5
    assert 0 < cost.variation.max() < 0.1


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path)
    assert main(["shrink", str(path), "--out", str(path)]) == 1
    assert capsys.readouterr().err == "small.safetensors is there already; delete it, or say --out with another name\n"
    assert load_file(path).keys() == shaken_state(TIMM).keys()


def test_what_cannot_be_read_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = shaken_state(TIMM) | {"norm.weight": torch.full((24,), float("nan"))}
    path = save(state, tmp_path / "bad.safetensors")
    assert main(["shrink", str(path)]) == 1
    assert "norm.weight holds infinite numbers or none (NaN)" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path]


def test_the_card_goes_along_to_another_folder(tmp_path: Path) -> None:
    path, there = file(tmp_path), tmp_path / "there"
    there.mkdir()
    assert main(["shrink", str(path), "--out", str(there / "s.safetensors")]) == 0
    assert load(there / "s.safetensors", device="cpu").config.heads == 3


@pytest.mark.parametrize(
    "state",
    [google_arrays(shaken_state(TIMM), 3), {f"teacher.{name}": it for name, it in shaken_state(TIMM).items()}],
    ids=["Google", "teacher"],
)
def test_other_names_stay_as_they_are(state: dict[str, Tensor], tmp_path: Path) -> None:
    held = {name: torch.as_tensor(tensor) for name, tensor in state.items()}
    plan = inspect(save(held, tmp_path / "x.safetensors"))
    small = shrunk(plan)
    assert {name for name in small if not name.endswith("_scale")} == held.keys()
    again = inspect(save(small, tmp_path / "y.safetensors"))
    assert (again.config, again.layout) == (plan.config, plan.layout)
    assert again.eight_bits == sum(tensor.dtype == torch.int8 for tensor in small.values()) > 0


def test_what_half_a_number_cannot_hold_stays_whole() -> None:
    state = shaken_state(TIMM)
    state["head.bias"][0] = 1e6
    assert shrunk(inspect(state))["head.bias"].dtype == torch.float32
    assert load(shrunk(inspect(state)), device="cpu").model.state_dict()["head.bias"][0] == 1e6
