"""`vitviz shelf train`, `table`, `trial`: train small siblings of the demo, show what they reached, try their maps."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.shelf.measured import read
from vitviz.shelf.rows import DATA, QUEUE, ROWS
from vitviz.shelf.table import tables


def main(arguments: Sequence[str] | None = None) -> None:
    """Train one row or, without one, all that are missing, in the order of their worth; or print the table."""
    parser = argparse.ArgumentParser(prog="vitviz shelf", description="Small siblings of the demo, one switch apart.")
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="draw the scenes, train, and write checkpoint and results")
    train.add_argument("row", nargs="?", choices=ROWS, metavar="row", help=" · ".join(ROWS))
    train.add_argument("--seed", type=int, default=0, help="of the row; without a row, those of the queue")
    train.add_argument("--runs", type=Path, default=Path("runs/shelf"), help="folder for pictures and saved states")
    train.add_argument("--data", type=Path, default=DATA, help="folder for checkpoints and results")
    train.add_argument("--threads", type=int, default=0, help="of PyTorch; all cores, where nothing is said")
    commands.add_parser("table", help="print what was measured, for README.md")
    commands.add_parser("trial", help="put maps of what their answers owe to patches on trial, over held-out scenes")
    options = parser.parse_args(arguments)
    if options.command == "table":
        print(tables(read()))
        return
    if options.command == "trial":
        from vitviz.shelf.trial import run as try_maps

        try_maps()
        return

    import torch

    from vitviz.shelf.train import train as run

    if options.threads:
        torch.set_num_threads(options.threads)
    run([(options.row, options.seed)] if options.row else list(QUEUE), options.runs, options.data)


if __name__ == "__main__":
    main()
