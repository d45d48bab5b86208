"""What is said of a device, whichever this machine has."""

import pytest
import torch

from vitviz.engine.process.client import STARTING
from vitviz.machine import device


@pytest.mark.parametrize(
    ("kind", "knows", "precisions"),
    [
        ("cpu", True, ["fp32", "bf16"]),
        ("cpu", False, ["fp32"]),
        ("cuda", True, ["fp32", "bf16", "fp16"]),
        ("cuda", False, ["fp32", "fp16"]),
        ("mps", False, ["fp32", "fp16"]),
    ],
)
def test_the_precisions_of_a_device_are_those_that_it_computes_in_quickly(
    kind: str, knows: bool, precisions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: knows)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: knows)
    assert device.precisions(torch.device(kind)) == precisions
    assert all(device.dtype(name).is_floating_point for name in precisions)


@pytest.mark.parametrize(
    ("kind", "name", "short"),
    [
        ("cpu", "CPU (x86_64), 2 cores", "CPU"),
        ("cuda", "NVIDIA H100 80GB HBM3", "CUDA H100"),
        ("cuda", "NVIDIA A100-SXM4-80GB", "CUDA A100"),
        ("cuda", "Tesla T4", "CUDA T4"),
        ("cuda", "Quadro RTX 5000 with Max-Q Design", "CUDA RTX 5000"),
        ("cuda", "AMD Instinct MI300X", "CUDA MI300X"),
        ("cuda", "AMD Radeon RX 7900 XTX", "CUDA RX 7900"),
        ("cuda", "NVIDIA TITAN V", "CUDA"),
        ("cuda", "", "CUDA"),
        ("cuda", "NVIDIA GeForce RTX 4090", "CUDA RTX 4090"),
        ("mps", "Apple GPU", "Apple GPU"),
    ],
)
def test_a_device_has_a_name_that_fits_beside_a_model(kind: str, name: str, short: str) -> None:
    assert device.Device(kind, name, ("fp32",), 1, 2).short == short
    assert not STARTING.short, "as long as the engine starts nobody knows"


@pytest.mark.parametrize(
    ("cuda", "mps", "found"), [(False, False, ["cpu"]), (True, False, ["cuda", "cpu"]), (False, True, ["mps", "cpu"])]
)
def test_a_gpu_is_taken_where_there_is_one(
    cuda: bool, mps: bool, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert device.available() == found
    assert device.pick().type == found[0]
    assert device.pick("cpu").type == "cpu"
