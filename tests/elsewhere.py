"""The unit and page tests as on other machines: `python -m tests.elsewhere [old] [laptop] [PATH ...]`; all, on all.

What a computer's processor, country, clock and habits could change is changed by the variables that libraries read, as
far as this one can pretend; a language that is not installed here is left out by the system.
"""

import os
import subprocess
import sys

import pytest
import torch

NUMPY = "NPY_DISABLE_CPU_FEATURES"
MACHINES = {
    "old": {  # a processor of 2010, far from Greenwich, where i is no small I
        "ATEN_CPU_CAPABILITY": "default",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_CBWR": "COMPATIBLE",
        NUMPY: "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
        "TZ": "Pacific/Auckland",
        "LC_ALL": "tr_TR.UTF-8",
        "PYTHONHASHSEED": "1",
    },
    "laptop": {  # one of 2015, with decimal commas and words that are no UTF-8
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_CBWR": "AVX2",
        NUMPY: "X86_V4 AVX512_ICL AVX512_SPR",
        "TZ": "America/St_Johns",
        "LC_ALL": "de_DE.ISO-8859-1",
        "PYTHONHASHSEED": "2",
    },
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the order that nobody has tried: what comes last here comes first."""
    items.reverse()


def pytest_configure() -> None:
    """No processor that is described by `MACHINES` knows bfloat16."""
    torch.cpu._is_avx512_bf16_supported = lambda: False


def main(words: list[str]) -> int:
    """Run these tests on the machines of these names; on how many of them any failed."""
    failed = []
    os.umask(0o077)
    names, paths = [it for it in words if it in MACHINES], [it for it in words if it not in MACHINES]
    for name in names or MACHINES:
        print(f"{name}:", *(f"{key}={value!r}" for key, value in MACHINES[name].items()), flush=True)
        workers = ["--numprocesses", os.environ.get("WORKERS", "3"), "--dist", "loadgroup", "--no-loadscope-reorder"]
        tried = paths or ["tests/unit", "tests/pages"]
        command = [sys.executable, "-m", "pytest", "-p", "tests.elsewhere", *workers, *tried]
        if subprocess.run(command, env=os.environ | MACHINES[name], check=False).returncode:
            failed.append(name)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
