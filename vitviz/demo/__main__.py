"""`vitviz demo train`, `report`, `trial`: train the demo model from nothing, measure what it reached, try its maps."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.demo.artifacts import DATA


def main(arguments: Sequence[str] | None = None) -> None:
    """Train or measure; an interrupted training goes on from its last saved step."""
    parser = argparse.ArgumentParser(prog="vitviz demo", description="The demo model, made again.")
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="draw the scenes, train, and write the checkpoint into the package")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--runs", type=Path, default=Path("runs/demo"), help="folder for pictures and saved states")
    train.add_argument("--data", type=Path, default=DATA, help="folder for the checkpoint, snapshots and metrics")
    commands.add_parser("report", help="measure it on scenes that it never trained on")
    commands.add_parser("trial", help="put maps of what its answers owe to patches on trial, over such scenes")
    options = parser.parse_args(arguments)
    if options.command == "train":
        from vitviz.demo.train import Plan
        from vitviz.demo.train import train as run

        run(Plan(seed=options.seed), options.runs, options.data)
    elif options.command == "trial":
        from vitviz.demo.trial import run as try_maps

        try_maps()
    else:
        from vitviz.demo.report import report

        report()


if __name__ == "__main__":
    main()
