"""The board reads, writes and says edits as Python does: one table holds both, with tests/frontend/editing."""

import json
from pathlib import Path

import pytest

from vitviz.config import PRESETS
from vitviz.edits import Edits

TABLE = json.loads((Path(__file__).parents[2] / "frontend/editing/edits.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["text"] or "nothing")
def test_the_table_holds_what_python_says(row: dict[str, str]) -> None:
    edits, _ = Edits.read(row["text"], PRESETS["demo"])
    assert str(edits) == row["written"]
    assert [words for _, words in edits.listed(PRESETS["demo"])] == row["words"]
