"""Tests that need a GPU, run by `make test-gpu`; elsewhere each is skipped, in words."""

import pytest
import torch


@pytest.fixture(scope="session", autouse=True)
def _gpu() -> None:
    if not torch.cuda.is_available():
        pytest.skip("no GPU that PyTorch can use; `make test-gpu` runs these where there is one")
