"""The app with its engine in a process of its own: every page as before, and no PyTorch beside them."""

import os
import subprocess
import sys
from pathlib import Path

from safetensors.torch import save_file

from tests.checkpoints import TIMM, shaken_state

ROOT = Path(__file__).parents[2]


def test_a_walk_over_all_pages_imports_no_pytorch(tmp_path: Path) -> None:
    save_file(shaken_state(TIMM.with_(dim=64, heads=1)), tmp_path / "good.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"no checkpoint at all")
    walk = subprocess.run(
        [sys.executable, "-m", "tests.pages.walk", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "VITVIZ_ENGINE": "process"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert walk.returncode == 0, walk.stderr[-4000:]
