"""`make test` and what runs it elsewhere: every part, also after one that failed, and a file by one worker alone."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from xdist.scheduler.loadgroup import LoadGroupScheduling

ROOT = Path(__file__).parents[3]
STUB = """#!/bin/sh
echo "$(basename "$0") $*" >> said
case "$*" in *"$FAILS"*) exit 1;; esac
"""


@pytest.mark.skipif(not shutil.which("make"), reason="this machine has no make")
@pytest.mark.parametrize("fails", ["tests/unit tests/pages", "tests/browser tests/server", "test --silent"])
def test_every_part_of_the_tests_runs_though_one_fails(tmp_path: Path, fails: str) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for stub in ("bin/npm", "bin/node", ".venv/bin/python"):
        (tmp_path / stub).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / stub).write_text(STUB, encoding="utf-8")
        (tmp_path / stub).chmod(0o755)
    for age, installed in enumerate(("requirements.txt", "requirements-dev.txt", ".venv/app", ".venv/dev")):
        (tmp_path / installed).touch()
        os.utime(tmp_path / installed, (age, age))
    (tmp_path / ".venv/python").touch()
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    made = subprocess.run(
        ["make", "test"],
        cwd=tmp_path,
        env={"PATH": path, "FAILS": fails},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = (tmp_path / "said").read_text(encoding="utf-8")
    parts = {"test --silent": "test-frontend", "tests/unit tests/pages": "test-pages"}
    assert all(part in said for part in (*parts, "tests/browser tests/server")), made.stderr
    assert made.returncode != 0
    assert f"failed: {parts.get(fails, 'test-browser')}\n" in made.stdout


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="no workers share these tests")
@pytest.mark.parametrize("case", ["[one]", "another"])
def test_a_worker_takes_a_file_at_a_time(case: str, request: pytest.FixtureRequest) -> None:
    """xdist parts by what stands at the end of a test's name."""
    assert LoadGroupScheduling._split_scope(None, request.node.nodeid) == "unit/project/test_make.py"
