"""`vitviz weights fetch NAME`: fetch published models the evening before the lecture; `list` shows all."""

import argparse
import sys
from collections.abc import Sequence

from vitviz import numbers
from vitviz.pretrained import PRETRAINED
from vitviz.weights import WeightsError, hub, inspect


def main(arguments: Sequence[str] | None = None) -> int:
    """List the published models, or download some of them; the exit status is 1 where one failed."""
    parser = argparse.ArgumentParser(prog="vitviz weights", description="Published models.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is, its licence and size, and whether it is on this machine")
    fetch = commands.add_parser(
        "fetch", aliases=["download"], help="fetch models; what is there already is not fetched again"
    )
    fetch.add_argument("names", nargs="+", metavar="NAME")
    options = parser.parse_args(arguments)
    if options.command == "list":
        _list()
        return 0
    return max(_fetch(name) for name in options.names)


def _list() -> None:
    for name, model in PRETRAINED.items():
        here = "here" if hub.local(name) else f"{model.megabytes:,} MB"
        print(f"{name:<44} {here:>8}  {model.licence:<11} {model.about}")


def _fetch(name: str) -> int:
    def progress(done: int, total: int) -> None:
        print(f"\r{name}: {numbers.bytes_(done)} of {numbers.bytes_(total)}", end="", file=sys.stderr, flush=True)

    try:
        path = hub.fetch(name, progress)
        plan = inspect(path, name=name)
        if why_not := hub.another(name, plan.config):
            raise WeightsError(f"{why_not}; delete {path} and fetch it again")
    except WeightsError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    print(f"\n{name}: {plan.config.depth} blocks of dim {plan.config.dim}, {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
