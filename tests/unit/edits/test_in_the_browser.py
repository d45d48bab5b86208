"""The browser reads, writes and says edits as Python does: one file holds both, with tests/frontend/editing."""

import json
from pathlib import Path
from typing import Any

import pytest

from vitviz.config import ViTConfig
from vitviz.config.sides import read
from vitviz.edits import Edits
from vitviz.scripts.sizes import sizes

FILE = json.loads((Path(__file__).parents[2] / "frontend/editing/edits.json").read_text(encoding="utf-8"))
CONFIGS = {
    name: ViTConfig(**its["config"] | {"image_size": read(its["config"]["image_size"])})
    for name, its in FILE["models"].items()
}


@pytest.mark.parametrize("name", CONFIGS)
def test_the_file_knows_the_sizes_of_its_models(name: str) -> None:
    told = json.loads(json.dumps(sizes(CONFIGS[name])))
    its = FILE["models"][name]["sizes"]
    assert {key: told[key] for key in its} == its


@pytest.mark.parametrize("name", CONFIGS)
def test_the_file_holds_what_python_says(name: str) -> None:
    cases = [case for case in FILE["cases"] if case["model"] == name]
    for case in cases:
        edits, said = Edits.read(case["text"], CONFIGS[name])
        assert str(edits) == case["written"], case["text"]
        assert [words for _, words in edits.listed(CONFIGS[name])] == case.get("words", []), case["text"]
        assert list(said) == case.get("says", []), case["text"]
        assert Edits.parse(str(edits), CONFIGS[name]) == edits


def test_the_file_has_enough_of_what_is_read_and_of_what_is_not() -> None:
    def refused(case: Any) -> bool:
        return bool(case.get("refused"))

    assert len(FILE["cases"]) >= 1000
    assert min(sum(map(refused, FILE["cases"])), sum(bool(case["written"]) for case in FILE["cases"])) >= 300
