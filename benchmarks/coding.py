"""Attention weights in one byte each: what it costs to make them, and what they lose."""

import numpy as np
import torch

from benchmarks.report import Report
from benchmarks.timing import interleaved, ratio
from vitviz.config import PRESETS
from vitviz.images import open_image
from vitviz.measures import attention_weights
from vitviz.measures.quantised import dequantise, quantised_forward, quantised_layer
from vitviz.model import ViT
from vitviz.trace import Trace, record
from vitviz.weights import load

BASE = "vit_base_patch16_224"


def measure(report: Report) -> None:
    """What coding costs beside the forward pass, and how far off the decoded weights are."""
    report.section("The code of attention weights")
    config = PRESETS[BASE]
    model = ViT(config).eval().requires_grad_(False)
    image = torch.randn(1, 3, *config.image_sides)

    @torch.no_grad()
    def plain() -> object:
        return model(image)

    samples = interleaved({"plain": plain, "coded": lambda: quantised_forward(model, image)}, 9)
    why = f"{BASE}, CPU time, paired; the trace recorded, too"
    report.at_most("forward + all maps coded / plain forward pass", ratio(samples, "coded", "plain"), 1.10, why)
    loaded = load("demo")
    from vitviz.samples import first

    for name, trace in (
        (BASE, record(model, image)),
        ("demo", record(loaded.model, loaded.preprocess(open_image(first().data)))),
    ):
        worst, total = _fidelity(trace)
        report.at_most(f"largest total variation of a row, {name}", worst, 0.01, "against fp32, all rows")
        report.at_most(f"largest |row sum - 1|, {name}", total, 1e-6, "as the browser decodes them")


def _fidelity(trace: Trace) -> tuple[float, float]:
    worst = total = 0.0
    for layer in range(trace.config.depth):
        rows = dequantise(quantised_layer(trace, layer))
        apart = np.abs(rows - attention_weights(trace, layer)).sum(axis=-1) / 2
        worst = max(worst, float(apart.max()))
        total = max(total, float(np.abs(rows.astype(np.float32).sum(axis=-1, dtype=np.float64) - 1).max()))
    return worst, total
