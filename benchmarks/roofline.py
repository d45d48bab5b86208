"""How much of the machine a forward pass reaches: its useful operations against one large matrix product."""

import time
from statistics import median

import torch
from torch import Tensor

from benchmarks.report import Report
from benchmarks.timing import Work, interleaved, ratio
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import total_macs
from vitviz.model import ViT

BASE = PRESETS["vit_base_patch16_224"]
CPU_SIDE, GPU_SIDE, GPU_BATCH = 2048, 8192, 32


def measure(report: Report) -> None:
    """A fp32 forward of ViT-B/16 against a fp32 product, on the CPU."""
    report.section(f"Roofline, vit_base_patch16_224: against a fp32 product of side {CPU_SIDE} on the same cores")
    model, image = _model(BASE), torch.randn(1, 3, *BASE.image_sides)
    square = torch.randn(CPU_SIDE, CPU_SIDE)

    @torch.no_grad()
    def forward() -> Tensor:
        return model(image)

    samples = interleaved({"forward": forward, "product": lambda: square @ square}, rounds=15)
    share = total_macs(BASE) / CPU_SIDE**3 / ratio(samples, "forward", "product")
    report.at_least("useful operations per CPU second, of the product's", share, 0.8, "the rest: norms, softmax, GELU")
    report.note("product, operations per core second", 2 * CPU_SIDE**3 / median(samples["product"]) / 1e9, "", " G")


def measure_gpu(report: Report) -> None:
    """A bf16 forward in batches against a bf16 product, and the latency of one picture, on the GPU."""
    report.section(f"GPU, vit_base_patch16_224: {torch.cuda.get_device_name()}, wall time, medians")
    device = torch.device("cuda")
    model, half = _model(BASE).to(device), _model(BASE).to(device, torch.bfloat16)
    batch = torch.randn(GPU_BATCH, 3, *BASE.image_sides, device=device, dtype=torch.bfloat16)
    picture = torch.randn(1, 3, *BASE.image_sides, device=device)
    square = torch.randn(GPU_SIDE, GPU_SIDE, device=device, dtype=torch.bfloat16)
    with torch.no_grad():
        product, many = _gpu_seconds(lambda: square @ square), _gpu_seconds(lambda: half(batch))
        one, one_half = _gpu_seconds(lambda: model(picture)), _gpu_seconds(lambda: half(batch[:1]))
    share = (GPU_BATCH * total_macs(BASE) / many) / (GPU_SIDE**3 / product)
    report.note(f"bf16, batch {GPU_BATCH}: share of a bf16 product of side {GPU_SIDE}", share, "useful operations only")
    report.note(f"bf16, batch {GPU_BATCH}: pictures per second", GPU_BATCH / many, "")
    report.note("one picture, fp32", 1000 * one, "latency of the app's own forward pass", " ms")
    report.note("one picture, bf16", 1000 * one_half, "", " ms")


def _model(config: ViTConfig) -> ViT:
    return ViT(config).eval().requires_grad_(False)


def _gpu_seconds(work: Work, rounds: int = 30) -> float:
    samples = []
    for _ in range(rounds + 5):
        torch.cuda.synchronize()
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        samples.append(time.perf_counter() - start)
    return median(samples[5:])
