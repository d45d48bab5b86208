"""Every figure the project promises, measured: `make bench`, or some of it by name.

python -m benchmarks                      all parts
python -m benchmarks recording counting   these parts
python -m benchmarks gpu                  what needs a GPU
"""

import argparse
import os
from collections.abc import Callable

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported; see benchmarks/timing.py

import torch

from benchmarks import coding, counting, engine, recording, roofline, serving, webs
from benchmarks.load import sliding, starting
from benchmarks.report import Report, machine
from benchmarks.why import speed, trials

PARTS: dict[str, Callable[[Report], None]] = {
    "recording": recording.measure,
    "editing": recording.measure_edits,
    "coding": coding.measure,
    "counting": counting.measure,
    "roofline": roofline.measure,
    "engine": engine.measure,
    "starting": starting.measure,
    "serving": serving.measure,
    "sliding": sliding.measure,
    "webs": webs.measure,
    "why": speed.measure,
    "trials": trials.measure,
    "gpu": roofline.measure_gpu,
}


def main() -> None:
    """Run the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; default: all")
    asked = parser.parse_args().parts
    if unknown := set(asked) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    print(machine())
    report = Report()
    for name in asked or PARTS:
        if name == "gpu" and not torch.cuda.is_available():
            print("\nGPU: skipped, PyTorch finds none on this machine")
        else:
            PARTS[name](report)
    report.close()


if __name__ == "__main__":
    main()
