"""What all tests share: no network, one thread, one tiny model with its trace, and an order for several workers."""

import gc
import os
import sys
from importlib.util import find_spec
from pathlib import Path

# Before torch is imported, and for the servers that tests start: workers share the cores, none may burn one waiting.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("OMP_NUM_THREADS", "1")
# For unit and page tests: quicker, and they see what the engine does. Servers have the engine that they are given.
os.environ.setdefault("VITVIZ_ENGINE", "inline")
# A GPU rounds in its own way: all tests are the processor's, but for those that `make test-gpu` runs.
if os.environ.get("TESTS_ON") != "gpu":
    os.environ["CUDA_VISIBLE_DEVICES"] = ""

import pytest
import torch
from _pytest.nodeid import NodeId

from tests.engine_calls import fresh_calls as fresh_calls  # a fixture
from tests.engines import make_engine as make_engine  # a fixture
from tests.offline import stay_offline
from tests.ray_cluster import FIGURES
from tests.ray_cluster import deploy as deploy  # a fixture
from tests.ray_cluster import ray_cluster as ray_cluster  # a fixture
from vitviz.config import ViTConfig
from vitviz.engine import worker
from vitviz.model import ViT
from vitviz.trace import Trace, record

TESTS = Path(__file__).parent
MAIN = sys.modules["__main__"]
PARTS = ("browser", "pages", "unit", "server", "gpu")

torch.set_num_threads(1)
stay_offline()
gc.disable()  # until all tests are there: of what is imported for them nothing ever goes
if sys.platform == "linux":  # what may take long lets visitors go first: here it would wait for all other workers
    worker.LOWEST = os.getpriority(os.PRIO_PROCESS, 0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where several workers share the tests, each takes a file at a time, or a test that is long.

    These come first of their part, so that no worker is left with one at the end. What waits most comes first, so that
    others have work beside it; what a busy machine could disturb comes last.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    for item in items:
        if not item.get_closest_marker("long"):
            # Where xdist looks for a group; to write it there is left to us since pytest 9.2, which keeps it elsewhere.
            item._id = NodeId.parse(f"{item.nodeid}@{item.path.relative_to(TESTS)}")
    items.sort(
        key=lambda item: (PARTS.index(item.path.relative_to(TESTS).parts[0]), not item.get_closest_marker("long"))
    )


def pytest_collection_finish() -> None:
    """From now on look for garbage, among what the tests make alone, and seldom: what was imported never is."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs Ray where it is not installed."""
    if item.get_closest_marker("ray") and not find_spec("ray"):
        pytest.skip("Ray is not installed here; `make ray-check` installs it and runs these tests")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what tests measured beside what they assert."""
    for line in FIGURES:
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def _same_main() -> None:
    """AppTest leaves the app behind as `__main__`, which every process spawned later would then run."""
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="session")
def tiny_config() -> ViTConfig:
    """A small Vision Transformer in which 17 tokens, 4 heads, dh 6, dim 24, m 48 and 5 classes cannot be confused."""
    return ViTConfig(image_size=32, patch_size=8, dim=24, depth=3, heads=4, mlp_dim=48, classes=5)


@pytest.fixture(scope="session")
def tiny_model(tiny_config: ViTConfig) -> ViT:
    """A tiny model, shared by all tests and changed by none."""
    return ViT(tiny_config, seed=1)


@pytest.fixture(scope="session")
def tiny_trace(tiny_model: ViT) -> Trace:
    """The trace of one random picture through the tiny model."""
    return record(
        tiny_model, torch.randn(1, 3, *tiny_model.config.image_sides, generator=torch.Generator().manual_seed(0))
    )
