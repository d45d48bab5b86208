"""Two folders of `dump` beside each other: words and addresses, arrays bit by bit, figures by byte, boards by pixel."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.views.addresses import MEASURED

KINDS = (
    *("missing", "address", "title", "headline", "count", "strip", "readout", "board", "main", "painted", "menu"),
    *("page", "formula", "code", "details", "cite", "refusals", "arrays", "figure", "notebook words", "notebook code"),
    "picture",
)
MOMENT = re.compile(r"\bmoment=(\w+)")  # of the first column: b.moment counts steps of training
SECOND = re.compile(r"\bb\.moment=")
LINES = 12  # of a difference that are told
NEAR = 2  # of 255: what a rounding of colours may differ by
SHOWN = "differences"  # the folder, in that of `after`, of boards that differ: before, after, and where


def compare(before: Path, after: Path, may_differ: Collection[str] = (), only: Sequence[str] = ("",)) -> int:
    """Print every difference, then their number by kind; 1 where there is one that may not be, else 0.

    `only` are the beginnings of the folders that are compared. What no view has in one of both folders, as after a dump
    without pictures, is told once.
    """
    found: Counter[str] = Counter()
    names: dict[str, set[tuple[str, str]]] = defaultdict(set)
    there = {path.name for folder in (before, after) for path in folder.iterdir()} - {SHOWN}
    views = sorted(view for view in there if view.startswith(tuple(only)))
    had, has = _files(before, views), _files(after, views)
    for name in sorted(had ^ has):
        found["missing"] += 1
        print(f"no view has a {name} {'after' if name in had else 'before'}")
    for view in views:
        for kind, what in differences(before / view, after / view, had ^ has):
            found[kind] += 1
            print(f"{view}: {kind}\n    {what}")
        one, other = (_moment(folder / view) for folder in (before, after))
        if one is not None and other is not None:
            names[MOMENT.sub("", _apart(view))].add((one, other))
    print(f"\n{len(views)} views")
    for kind, what in renamed(names):
        found[kind] += kind in KINDS
        print(f"  {kind}: {what}")
    for kind in KINDS:
        if found[kind]:
            print(f"  {kind}: {found[kind]} differ{' (may)' if kind in may_differ else ''}")
    wrong = sum(many for kind, many in found.items() if kind not in may_differ)
    print("nothing differs" if not found else f"{wrong} differences that may not be")
    return int(wrong > 0)


def renamed(names: Mapping[str, Collection[tuple[str, str]]]) -> Iterator[tuple[str, str]]:
    """What moments are called, by page; an "address" that differs where two of one page have become one.

    `names` are the moments before and after of views that differ in nothing but their moment.
    """
    pages: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for view, pairs in sorted(names.items()):
        pages[view.partition("~")[0]] |= {(one, other) for one, other in pairs if one != other}
        if len({other for _, other in pairs}) < len({one for one, _ in pairs}):
            yield "address", f"of {view} moments that were apart are one: {sorted(pairs)}"
    for page, pairs in pages.items():
        if pairs:
            yield (
                f"moments of {page}",
                ", ".join(f"{one or 'none'} is {other or 'none'}" for one, other in sorted(pairs)),
            )


def differences(before: Path, after: Path, without: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Kind and description of all that differs between two folders of one view, but for the files `without`."""
    measured = before.name.partition("~")[0] in MEASURED
    for name in sorted({path.name for folder in (before, after) for path in folder.glob("*")} - {*without}):
        one, other = before / name, after / name
        if not (one.exists() and other.exists()):
            yield "missing", f"{name} is only {'before' if one.exists() else 'after'}"
        elif name.endswith(".npz"):
            yield from (("arrays", it) for it in arrays(one, other))
        elif name.endswith(".json"):
            yield from words(_read(one), _read(other), measured)
        elif name.endswith(".svg"):
            if (what := text(one.read_text(encoding="utf-8"), other.read_text(encoding="utf-8"))) and not measured:
                yield "figure", what
        elif name.endswith(".ipynb"):
            yield from notebook(_read(one), _read(other))
        elif name.endswith(".png") and not measured and (what := picture(one, other)):
            yield "picture", what


def arrays(before: Path, after: Path) -> Iterator[str]:
    """What differs between two files of arrays: names, shapes, kinds of numbers, or how many of them in any bit."""
    with np.load(before, allow_pickle=False) as one, np.load(after, allow_pickle=False) as other:
        for name in sorted({*one.files, *other.files}):
            if name not in one.files or name not in other.files:
                yield f"{name} is only {'before' if name in one.files else 'after'}"
                continue
            left, right = one[name], other[name]
            if left.dtype.kind == right.dtype.kind == "U":
                if what := text("\n".join(left.ravel()), "\n".join(right.ravel())):
                    yield f"{name}: {what}"
            elif (left.shape, left.dtype) != (right.shape, right.dtype):
                yield f"{name} was {left.dtype} {left.shape} and is {right.dtype} {right.shape}"
            elif left.tobytes() != right.tobytes():
                bits = (_bits(left) != _bits(right)).any(axis=-1)
                largest = np.abs(left.astype(float) - right.astype(float)).max()
                yield f"{name}: {bits.sum():,} of {left.size:,} numbers differ, by {largest:.3g} at most"


def words(before: dict[str, Any], after: dict[str, Any], measured: bool = False) -> Iterator[tuple[str, str]]:
    """What differs in words, field by field; of pages that measure only the lines without a digit."""
    for name in sorted({*before, *after}):
        one, other = (_lines(said.get(name, "")) for said in (before, after))
        if measured:
            one, other = (re.sub(r".*\d.*", "", it) for it in (one, other))
        if what := text(one, other):
            yield name if name in KINDS else "refusals", what if name in KINDS else f"{name}: {what}"


def notebook(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What differs in the cells of a notebook: its words, and its code."""
    for kind, cell_type in (("notebook words", "markdown"), ("notebook code", "code")):
        one, other = (
            "\n\n".join("".join(cell["source"]) for cell in said["cells"] if cell["cell_type"] == cell_type)
            for said in (before, after)
        )
        if what := text(one, other):
            yield kind, what


def text(before: str, after: str) -> str:
    """The lines that differ between two texts, whatever moments are called in their addresses; "" where none do."""
    one, other = (MOMENT.sub("moment=…", _apart(it)).replace("§", "b.moment=") for it in (before, after))
    if one == other:
        return ""
    lines = [
        line[:300] for line in unified_diff(one.split("\n"), other.split("\n"), n=0, lineterm="") if line[0] in "+-"
    ][2:]
    more = [f"... and {len(lines) - LINES} lines more"] if len(lines) > LINES else []
    return "\n    ".join([*lines[:LINES], *more])


def picture(before: Path, after: Path) -> str:
    """Which share of two boards differs, and where they lie beside each other; "" where they are alike."""
    with Image.open(before) as one, Image.open(after) as other:
        left, right = one.convert("RGB"), other.convert("RGB")
    if left.size != right.size:
        return f"was {left.size[0]} x {left.size[1]} pixels and is {right.size[0]} x {right.size[1]}"
    apart = np.abs(np.asarray(left, np.int16) - np.asarray(right, np.int16)).max(axis=2) > NEAR
    if not apart.any():
        return ""
    rows, columns = np.nonzero(apart)
    box = f"rows {rows.min()} to {rows.max()}, columns {columns.min()} to {columns.max()}"
    where = Image.fromarray(np.where(apart, 0, 255).astype(np.uint8)).convert("RGB")
    beside = Image.new("RGB", (3 * left.width, left.height))
    for at, it in enumerate((left, right, where)):
        beside.paste(it, (at * left.width, 0))
    path = after.parents[1] / SHOWN / f"{after.parent.name}-{after.name}"
    path.parent.mkdir(exist_ok=True)
    beside.save(path)
    return f"{apart.mean():.2%} of the pixels differ, {box}: {path}"


def _files(folder: Path, views: Collection[str]) -> set[str]:
    return {path.name for view in views for path in (folder / view).glob("*")}


def _bits(numbers: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(numbers).reshape(-1, 1).view(np.uint8)


def _apart(said: str) -> str:
    return SECOND.sub("§", said)


def _moment(folder: Path) -> str | None:
    """The moment of the address that a view settled on, "" where it says none; None where it was not seen."""
    path = folder / "screen.json"
    if not path.exists():
        return None
    found = MOMENT.search(_apart(str(_read(path).get("address", ""))))
    return found[1] if found else ""


def _lines(said: str | list[str]) -> str:
    return said if isinstance(said, str) else "\n".join(said)


def _read(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read
