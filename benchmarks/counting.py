"""What can be known before any weight exists, and what a model costs that is built from a file."""

import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

from benchmarks.report import Report
from benchmarks.timing import Work, interleaved, ratio
from vitviz.config import PRESETS
from vitviz.counts import activations, parameters, total_macs, total_parameters
from vitviz.model import ViT
from vitviz.weights import load

HUGE = PRESETS["vit_huge_patch14_224"]
LARGE = PRESETS["vit_large_patch16_224"]
COUNTS_ALONE = "import sys, vitviz.counts; sys.exit('torch' in sys.modules)"


def measure(report: Report) -> None:
    """Counting, and building from a file."""
    report.section("Counting, vit_huge_patch14_224: wall time, each configuration seen for the first time")
    classes = count(1)

    def live_count() -> None:
        config = HUGE.with_(classes=next(classes))
        total_parameters(config)
        total_macs(config)

    def shape_table() -> None:
        config = HUGE.with_(classes=next(classes))
        activations(config)
        parameters(config)

    report.at_most("live count: parameters and macs", 1e6 * _median(live_count, 200), 30, "closed form", " µs")
    report.at_most("all activations and all parameters", 1000 * _median(shape_table, 5), 3, "from one table", " ms")
    alone = subprocess.run([sys.executable, "-c", COUNTS_ALONE], check=False).returncode == 0
    report.holds("no weight allocated", alone, "vitviz.counts does not even import torch")
    _build(report)


def _build(report: Report) -> None:
    report.section("Building vit_large_patch16_224: CPU time of 3 interleaved rounds, paired ratios")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.safetensors"
        state = ViT(LARGE).state_dict()
        save_file(state, path)

        def from_state() -> ViT:
            with torch.device("meta"):
                model = ViT(LARGE)
            model.load_state_dict(state, assign=True)
            return model

        samples = interleaved(
            {"default": _default_build, "assign": from_state, "load": lambda: load(path), "seeded": lambda: ViT(LARGE)},
            rounds=3,
        )
    against = "PyTorch's own initialisation of the same layers"
    report.at_most("meta device and assign / default build", ratio(samples, "assign", "default"), 0.03, against)
    report.note("load(file), reading included / default build", ratio(samples, "load", "default"), against)
    report.note("ViT(config, seed), drawn numbers / default build", ratio(samples, "seeded", "default"), against)


def _default_build() -> ViT:
    """The layers as PyTorch makes them when nothing is said about their parameters."""
    with torch.device("meta"):
        model = ViT(LARGE)
    model.to_empty(device="cpu")
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Conv2d | nn.LayerNorm):
            module.reset_parameters()
    return model


def _median(work: Work, times: int) -> float:
    def seconds() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return sorted(seconds() for _ in range(times))[times // 2]
