"""Broken files by the hundred thousand: each must give a right picture, a right model, or one sentence.

    python -m benchmarks.fuzz                                          100,000 of each, the same ones every time
    python -m benchmarks.fuzz 5000 --seed 7                            5,000 others
    python -m benchmarks.fuzz 1 --only pictures --seed 7 --first 4711  one of these again

`make fuzz` is the first. The exit status is 1 if anything went wrong.
"""

import argparse
import os
import sys
import time

from benchmarks.fuzz.checkpoints import CHECKPOINTS
from benchmarks.fuzz.frame import run, summary
from benchmarks.fuzz.pictures import PICTURES
from vitviz.numbers import exact


def main() -> None:
    """Open as many broken files as the command line says."""
    subjects = {subject.title: subject for subject in (PICTURES, CHECKPOINTS)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100_000, help="how many files of each")
    parser.add_argument("--only", choices=subjects, help="files of one sort; otherwise of each in turn")
    parser.add_argument("--seed", type=int, default=0, help="decides the files; default 0")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first file; goes on where a run was stopped"
    )
    asked = parser.parse_args()
    wrong = False
    for subject in [subjects[asked.only]] if asked.only else subjects.values():
        start = time.perf_counter()
        found = run(subject, asked.seed, range(asked.first, asked.first + asked.count))
        took = f"{(time.perf_counter() - start) / 60:.1f} min on {os.cpu_count()} cores"
        print(f"{exact(len(found))} broken {subject.title} from seed {asked.seed} in {took}")
        print(summary(subject, found, asked.seed), end="\n\n", flush=True)
        wrong |= any(outcome.wrong for outcome in found)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
