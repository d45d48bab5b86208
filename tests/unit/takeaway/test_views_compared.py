"""Two hundred views before and after: whatever differs between them is told, and nothing else."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchmarks.views.__main__ import name_of
from benchmarks.views.addresses import PAGES, VIEWS, page_of
from benchmarks.views.compare import compare
from tests.unit.project.test_borders import ROOT

VIEW = "heads?moment=2&b.moment=69"
NUMBERS = np.array([[0.0, 0.25, np.nan]], np.float32)


def dumped(
    folder: Path,
    view: str = VIEW,
    *,
    numbers: np.ndarray = NUMBERS,
    dot: int = 0,
    svg: str = "<svg/>",
    code: str = "moment = 2",
    **said: Any,
) -> Path:
    """A folder that holds one view."""
    its = folder / name_of(view)
    its.mkdir(parents=True)
    address = {"address": f"/{view}", "headline": ["Every token asks."], "menu": []}
    (its / "screen.json").write_text(json.dumps(address | said))
    cells = [{"cell_type": "markdown", "source": ["# Heads\n", "text"]}, {"cell_type": "code", "source": [code]}]
    (its / "notebook.ipynb").write_text(json.dumps({"cells": cells}))
    (its / "figure.svg").write_text(svg)
    np.savez(its / "data.npz", numbers=numbers, about=np.array(f"/{view}"))
    picture = Image.new("RGB", (10, 10))
    picture.putpixel((3, 4), (dot, 0, 0))
    picture.save(its / "board.png")
    return folder


def test_every_page_is_among_two_hundred_views_with_folders_of_their_own() -> None:
    assert len(VIEWS) >= 200
    assert len({*map(name_of, VIEWS)}) == len(VIEWS)
    assert {*map(page_of, VIEWS)} == {*PAGES}
    assert {path.parent.name for path in (ROOT / "pages").rglob("page.py")} <= {*PAGES}


def test_nothing_differs_between_equal_views(tmp_path: Path, capsys: Any) -> None:
    assert compare(dumped(tmp_path / "before"), dumped(tmp_path / "after", dot=1)) == 0  # a colour rounded otherwise
    assert "nothing differs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "change", "told"),
    [
        ("arrays", {"numbers": np.nextafter(NUMBERS, np.float32(1))}, "numbers: 2 of 3 numbers differ"),
        ("arrays", {"numbers": NUMBERS.astype(float)}, "numbers was float32 (1, 3) and is float64 (1, 3)"),
        ("arrays", {"numbers": NUMBERS[0]}, "numbers was float32 (1, 3) and is float32 (3,)"),
        ("figure", {"svg": "<svg></svg>"}, "-<svg/>"),
        ("picture", {"dot": 9}, "1.00% of the pixels differ, rows 4 to 4, columns 3 to 3"),
        ("headline", {"headline": ["Every token answers."]}, "+Every token answers."),
        ("address", {"address": "/heads?moment=2&b.moment=166"}, "+/heads?moment=…&b.moment=166"),
        ("menu", {"menu": ["SVG"]}, "+SVG"),
        ("notebook code", {"code": "moment = 3"}, "+moment = 3"),
        ("refusals", {"refusals": ["figure: there is none"]}, "+figure: there is none"),
    ],
)
def test_a_difference_is_told_and_may_be_allowed(
    tmp_path: Path, capsys: Any, kind: str, change: dict[str, Any], told: str
) -> None:
    before, after = dumped(tmp_path / "before"), dumped(tmp_path / "after", **change)
    assert compare(before, after) == 1
    said = capsys.readouterr().out
    assert f"{kind}: 1 differ" in said
    assert told in said
    assert compare(before, after, [kind]) == 0


def test_boards_that_differ_lie_beside_each_other(tmp_path: Path) -> None:
    compare(dumped(tmp_path / "before"), dumped(tmp_path / "after", dot=9))
    with Image.open(tmp_path / "after" / "differences" / f"{name_of(VIEW)}-board.png") as beside:
        assert beside.size == (30, 10)
        assert [beside.getpixel((left + 3, 4)) for left in (0, 10, 20)] == [(0, 0, 0), (9, 0, 0), (0, 0, 0)]
        assert beside.getpixel((0, 0)) == (0, 0, 0)
        assert beside.getpixel((20, 0)) == (255, 255, 255)


def test_a_moment_may_be_called_by_a_name_but_by_one_of_its_own(tmp_path: Path, capsys: Any) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    dumped(before, "heads?moment=2")
    dumped(after, "heads?moment=2", address="/heads?moment=matrix")
    np.savez(after / "heads~moment=2" / "data.npz", numbers=NUMBERS, about=np.array("/heads?moment=matrix"))
    assert compare(before, after) == 0
    assert "moments of heads: 2 is matrix" in capsys.readouterr().out
    dumped(before, "heads?moment=3")
    dumped(after, "heads?moment=3", address="/heads?moment=matrix")
    assert compare(before, after) == 1
    assert "moments that were apart are one" in capsys.readouterr().out


def test_of_pages_that_measure_only_lines_without_a_digit_are_compared(tmp_path: Path) -> None:
    said = ["It takes time.", "12.5 ms: quick"]
    before = dumped(tmp_path / "before", "speed", page=said, dot=200)
    assert compare(before, dumped(tmp_path / "after", "speed", page=[said[0], "70 ms: slow"])) == 0
    assert compare(before, dumped(tmp_path / "other", "speed", page=["It takes long.", said[1]])) == 1
    assert compare(before, dumped(tmp_path / "less", "speed", page=said[1:])) == 1


def test_what_is_missing_is_told(tmp_path: Path, capsys: Any) -> None:
    before, after = (dumped(dumped(tmp_path / name), "depth") for name in ("before", "after"))
    (after / "depth" / "data.npz").unlink()
    assert compare(before, after) == 1
    assert "depth: missing\n    data.npz is only before" in capsys.readouterr().out
    assert compare(before, after, only=["heads"]) == 0


def test_what_was_not_dumped_at_all_is_told_once(tmp_path: Path, capsys: Any) -> None:
    before, after = (dumped(dumped(tmp_path / name), "depth") for name in ("before", "after"))
    for board in after.rglob("board.png"):
        board.unlink()
    assert compare(before, after) == 1
    said = capsys.readouterr().out
    assert "no view has a board.png after" in said
    assert "missing: 1 differ" in said
    assert compare(before, after, ["missing"]) == 0
