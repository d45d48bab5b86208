"""What one link may ask for: refused from the sizes alone, with both numbers; what is allowed fits what was checked."""

import subprocess
import sys

import pytest
import torch

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import total_macs, total_parameters
from vitviz.machine import price
from vitviz.machine.device import DeviceError
from vitviz.model import ViT
from vitviz.switches import first_values
from vitviz.weights import build, loading

LINK = ViTConfig(image_size=1, patch_size=1, dim=1024, depth=1, heads=1, mlp_dim=1, classes=1_000_000)


def test_a_link_that_would_fill_the_server_is_refused_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "ViT", None)
    with pytest.raises(
        DeviceError, match=r"has 1,0\d\d,\d{3},\d{3} parameters, and at most 1,000,000,000 are drawn .*; choose a sm"
    ):
        build(LINK)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_may_be_drawn_and_run(name: str) -> None:
    price.require_drawable(PRESETS[name])
    price.require_forward(PRESETS[name])


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (
            ViTConfig(image_size=4096, patch_size=4),
            "one forward pass of this model takes .* multiply-adds and the limit",
        ),
        (
            ViTConfig(image_size=240, patch_size=2, dim=1, depth=2, heads=1, mlp_dim=1),
            r"the attention rollout of this model takes 5\.97 T multiply-adds and the limit is 2\.00 T; choose",
        ),
        (
            ViTConfig(image_size=32, patch_size=1, dim=64, depth=640, heads=64, mlp_dim=1),
            r"one forward pass of this model has 43\.0 G attention weights and the limit is 40\.0 G; choose a smaller",
        ),
        (
            ViTConfig(image_size=45, patch_size=1, dim=1, depth=121, heads=1, mlp_dim=262_144),
            r"the MLPs of this model have 64\.3 G hidden activations and the limit is 10\.0 G; choose a smaller model",
        ),
        (
            ViTConfig(image_size=1, patch_size=1, dim=1, depth=100, heads=1, mlp_dim=1, classes=1_000_000),
            r"the logit lens of this model reads 101 M logits and the limit is 20\.0 M; choose fewer classes",
        ),
        (
            ViTConfig(image_size=4096, patch_size=256, dim=3285, depth=1, heads=5, mlp_dim=1),
            r"the patch embedding of this model has 646 M numbers and the limit is 50\.0 M; choose smaller patches",
        ),
    ],
    ids=["macs", "rollout", "weights", "hidden", "logits", "filters"],
)
def test_a_forward_that_would_take_minutes_is_refused_with_both_numbers(config: ViTConfig, sentence: str) -> None:
    if "weights" in sentence:
        assert total_macs(config) < price.MOST_MACS
    with pytest.raises(DeviceError, match=sentence):
        price.require_forward(config)


def test_what_takes_long_is_known_before() -> None:
    deep = ViTConfig(image_size=1, patch_size=1, dim=1, depth=1024, heads=1, mlp_dim=1, classes=1)
    base, huge = PRESETS["vit_base_patch16_224"], PRESETS["vit_huge_patch14_224"]
    made = [price.takes_long_to_make(config) for config in (PRESETS["demo"], base, huge, deep)]
    run = [price.takes_long_to_run(config) for config in (PRESETS["demo"], base, huge, deep)]
    assert made == [False, True, True, True]
    assert run == [False, False, True, True]
    names = "demo", "vit_tiny_patch16_224", "vit_small_patch16_224", "photo"
    assert [price.takes_a_while_to_run(PRESETS[name]) for name in names] == [False, False, True, True]
    assert [price.takes_a_while_to_embed(PRESETS[name]) for name in names] == [False] * 4
    assert price.takes_a_while_to_embed(huge.with_(image_size=2800))
    assert price.takes_a_while_to_embed(PRESETS["vit_tiny_patch16_224"].with_(stem="conv"))


def test_a_large_parameter_drawn_in_pieces_has_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    config = ViTConfig(image_size=32, patch_size=8, dim=32, depth=1, heads=4, mlp_dim=64, classes=16)
    whole = ViT(config, seed=5).state_dict()
    monkeypatch.setattr(first_values, "DRAWN_AT_ONCE", 64)
    pieces = ViT(config, seed=5).state_dict()
    assert all(torch.equal(whole[name], pieces[name]) for name in whole)


CONFIGS = {
    "head": LINK.with_(dim=100),
    "mlp": ViTConfig(image_size=64, patch_size=2, dim=64, depth=2, heads=4, mlp_dim=30_000, classes=1),
    "patches": ViTConfig(image_size=2048, patch_size=512, dim=8, depth=1, heads=1, mlp_dim=8, classes=1),
    "deep": ViTConfig(image_size=96, patch_size=2, dim=64, depth=30, heads=4, mlp_dim=64, activation="swiglu"),
    "relative": ViTConfig(image_size=96, patch_size=2, dim=64, depth=2, heads=4, mlp_dim=64, positions="relative"),
}
PEAK = """
import os, re, sys
import numpy as np, torch
from pathlib import Path
from PIL import Image
from vitviz.config import PRESETS, ViTConfig
from vitviz.forward import run_forward
from vitviz.weights import build

def peak():
    return int(re.findall(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[0]) * 1024

def reset():
    Path("/proc/self/clear_refs").write_text("5")
    return peak()

torch.set_num_threads(1)
picture = Image.fromarray(np.zeros((64, 64, 3), np.uint8))
run_forward(build(PRESETS["demo"]), picture, True)  # what the first forward leaves in the process
for config in eval(sys.argv[1]):
    if not os.fork():  # nothing is left of the one before
        before = reset()
        loaded = build(config)
        drawn = peak() - before
        before = reset()
        run_forward(loaded, picture, False)
        print(drawn, peak() - before, flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def peaks() -> dict[str, tuple[int, int]]:
    """Bytes at most while each model is drawn, and while it runs."""
    command = [sys.executable, "-c", PEAK, repr([*CONFIGS.values()])]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    drawn, run = ([*map(int, column)] for column in zip(*map(str.split, told), strict=True))
    return dict(zip(CONFIGS, zip(drawn, run, strict=True), strict=True))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's peak")
@pytest.mark.parametrize("name", CONFIGS)
def test_the_memory_that_is_checked_is_the_peak(name: str, peaks: dict[str, tuple[int, int]]) -> None:
    config, (drawn, run) = CONFIGS[name], peaks[name]
    labels = 70 * config.classes
    usual = 20_000_000  # what PyTorch keeps for itself
    assert drawn <= 4 * (total_parameters(config) + 2 * first_values.DRAWN_AT_ONCE) + labels + usual
    assert run <= price.forward_bytes(config) + usual
