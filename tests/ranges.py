"""The library beside what others have: `make range-check` runs its tests with the oldest and the newest it allows.

python -m tests.ranges                 both, in two empty environments: without Streamlit, which the library is without
python -m tests.ranges oldest          one of them
"""

import argparse
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

from tests.wheel import ENVIRONMENT, ROOT, build

ENDS = ("oldest", "newest")
RUNNERS = ("pytest", "pytest-xdist")
LIBRARY = ("counts", "demo", "edits", "equations", "figures", "images", "measures", "shelf", "switches")
MODULES = ("config", "model", "numbers", "palette", "trace")
OF_THE_APP = (  # what these test stands beside what Streamlit draws, or is held to pandas
    "counts/scaling/test_patch_sizes.py",
    "counts/scaling/test_search.py",
    "edits/test_running.py",
    "equations/test_equations.py",
    "figures/counting/test_lineage.py",
    "figures/counting/test_models.py",
    "measures/laboratory/test_fine_tuning.py",
    "measures/laboratory/test_order.py",
    "measures/test_relevance.py",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Install, and run the tests; the exit status is pytest's, of the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("end", nargs="?", choices=ENDS, help="of the ranges; default: both, one after the other")
    end = parser.parse_args(arguments).end
    ends = [end] if end else ENDS
    with TemporaryDirectory() as name:
        wheel = build(Path(name))
        return next((status for end in ends if (status := _try(end, wheel, Path(name) / end))), 0)


def oldest() -> list[str]:
    """The lower end of every range of the library."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    lower = [(it.name, end.version) for it in map(Requirement, asked) for end in it.specifier if end.operator == ">="]
    return [f"{name}=={version}" for name, version in lower]


def _try(end: str, wheel: Path, folder: Path) -> int:
    venv.create(folder, with_pip=True)
    python = str(folder / "bin/python")
    pins = [line for line in (ROOT / "requirements-dev.txt").read_text().split() if line.split("==")[0] in RUNNERS]
    wanted = [str(wheel), *pins, *(oldest() if end == "oldest" else [])]
    print(f"Installing the {end} of what {wheel.name} allows", flush=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    subprocess.run([*pip, "install", "-q", *wanted], env=ENVIRONMENT, check=True)
    subprocess.run([*pip, "list"], env=ENVIRONMENT, check=True)
    tests = [*(f"tests/unit/{part}" for part in LIBRARY), *(f"tests/unit/test_{module}.py" for module in MODULES)]
    tests += [f"--ignore=tests/unit/{path}" for path in OF_THE_APP]
    command = [python, "-m", "pytest", "-q", "--numprocesses=2", "--dist=loadgroup", "--no-loadscope-reorder", *tests]
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
