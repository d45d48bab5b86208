"""`vitviz weights`: fetch published models the evening before the lecture, make a file small, compare two models."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from vitviz import numbers
from vitviz.pretrained import PRETRAINED
from vitviz.weights import WeightsError, hub, inspect

WIDTH = 44  # letters of the longest name


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what one of the commands asks for; the exit status is 1 where that failed."""
    parser = argparse.ArgumentParser(prog="vitviz weights", description="Published models, and files of models.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is, its licence and size, and whether it is on this machine")
    fetch = commands.add_parser(
        "fetch", aliases=["download"], help="fetch models; what is there already is not fetched again"
    )
    fetch.add_argument("names", nargs="+", metavar="NAME")
    shrink = commands.add_parser("shrink", help="write a checkpoint with its matrices in 8 bits, and say what it costs")
    shrink.add_argument("file", type=Path, metavar="FILE")
    shrink.add_argument("--out", type=Path, help="FILE with .8bit.safetensors, beside it, where nothing is said")
    compare = commands.add_parser("compare", help="the largest difference of each tensor of two models")
    compare.add_argument("models", nargs=2, metavar="MODEL", help="a file, photo, demo, or a published model's name")
    options = parser.parse_args(arguments)
    if options.command == "list":
        _list()
        return 0
    if options.command in ("fetch", "download"):
        return max(_fetch(name) for name in options.names)
    from vitviz.machine.device import DeviceError

    try:
        if options.command == "shrink":
            _shrink(options.file, options.out or options.file.with_suffix(".8bit.safetensors"))
        else:
            _compare(*options.models)
    except (DeviceError, WeightsError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _list() -> None:
    for name, model in PRETRAINED.items():
        here = "here" if hub.local(name) else f"{model.megabytes:,} MB"
        print(f"{name:<{WIDTH}} {here:>8}  {model.licence:<11} {model.about}")


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


def _shrink(file: Path, out: Path) -> None:
    import numpy as np

    from vitviz.weights import load
    from vitviz.weights.commands import shrink

    plan = inspect(file)
    shrink.write(plan, out)
    card, card_copy = file.with_name("config.json"), out.with_name("config.json")
    if card.is_file() and not card_copy.exists():
        shutil.copyfile(card, card_copy)
    before, after = file.stat().st_size, out.stat().st_size
    print(f"{file.name}: {numbers.bytes_(before)}\n{out.name}: {numbers.bytes_(after)}")
    print("\n".join([*plan.assumptions.values(), "What it costs:"]), flush=True)
    costs = []
    for cost in shrink.costs(load(file, device="cpu"), load(out, device="cpu")):
        costs.append(cost)
        least, median = cost.cosines.min(), np.median(cost.cosines)
        print(f"  {cost.title:<16} cosine of a state: smallest {least:.4f}, median {median:.4f}", flush=True)
    for layer, rows in enumerate(zip(*(cost.variation for cost in costs), strict=True), 1):
        variation = np.concatenate([each.ravel() for each in rows])
        usual, most = (numbers.percent(float(of(variation))) for of in (np.median, np.max))
        print(f"  layer {layer:<10} total variation of an attention row: median {usual}, largest {most}")


def _compare(one: str, other: str) -> None:
    from vitviz.weights.commands import compare

    found = list(compare.differences(compare.opened(one), compare.opened(other)))
    for it in found:
        rounded = "" if it.rounded is None else f"  {it.rounded:.1e} with the other in 8 bits, too"
        print(f"{it.name:<{WIDTH}} {it.difference:.1e} of {it.largest:.1e}{rounded}")
    furthest = max(found, key=lambda it: it.difference)
    equal = sum(it.equal for it in found)
    print(f"The largest difference is {furthest.difference:.1e}, in {furthest.name}.")
    print(f"{equal:,} of {numbers.many(len(found), 'tensor')} are equal, as far as the bits of both files go.")


if __name__ == "__main__":
    sys.exit(main())
