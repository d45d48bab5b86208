"""What lies on the shelf: models that load by name, and results that say how they were measured."""

import json

import numpy as np
import pytest
import torch

from tests.unit.project.test_borders import ROOT
from vitviz.counts import total_parameters
from vitviz.demo.dataset import TEST, draw
from vitviz.demo.evaluation import answers
from vitviz.demo.report import accuracies
from vitviz.demo.scenes import CLASSES
from vitviz.shelf.rows import DATA, RECIPE, ROWS, SHELF, checkpoint, named
from vitviz.shelf.table import table
from vitviz.shelf.train import results
from vitviz.weights import load

MEASURED = {name: entry for name, entry in results(DATA).items() if name != "recipe"}


def test_the_shelf_is_small_enough_to_ship() -> None:
    sizes = [path.stat().st_size for path in DATA.glob("*.safetensors")]
    assert max(sizes) <= 1_000_000
    assert sum(sizes) <= 16_000_000


def test_results_are_of_the_recipe_and_the_rows_that_are_there() -> None:
    assert results(DATA)["recipe"] == json.loads(json.dumps(RECIPE.__dict__))
    assert set(MEASURED) <= {named(row, seed) for row in ROWS for seed in range(3)}
    for name, entry in MEASURED.items():
        assert name == named(entry["row"], entry["seed"])
        assert entry["parameters"] == total_parameters(ROWS[entry["row"]])
        assert entry["tested"][-1]["step"] == RECIPE.steps
    assert {f"shelf_{name}" for name, entry in MEASURED.items() if entry["seed"] == 0} == set(SHELF)


def test_relations_need_positions_and_things_do_not() -> None:
    """1,000 scenes, of which 248 are relations: three deviations of a guess are .08."""
    for entry in MEASURED.values():
        found = entry["tested"][-1]
        assert found["accuracy_things"] >= 0.9, entry["row"]
        if entry["row"] == "none":
            assert abs(found["accuracy_relations"] - 0.25) <= 0.1
        else:
            assert found["accuracy_relations"] >= 0.9, entry["row"]


@pytest.mark.parametrize("name", SHELF)
def test_a_model_of_the_shelf_loads_by_name_and_answers_as_measured(name: str) -> None:
    loaded = load(name, device="cpu")
    assert (loaded.config, tuple(loaded.labels), loaded.trained) == (SHELF[name], CLASSES, True)
    assert all(parameter.dtype == torch.float32 for parameter in loaded.model.parameters())
    pictures = draw(TEST[:160], light=0)
    found = accuracies("accuracy", answers(loaded.model, pictures), pictures)
    measured = MEASURED[name.removeprefix("shelf_")]["tested"][-1]
    for part, deviations in (("accuracy_things", 120), ("accuracy_relations", 40)):
        spread = np.sqrt(measured[part] * (1 - measured[part]) / deviations)
        assert abs(found[part] - measured[part]) <= 4 * spread + 0.03


def test_the_readme_has_the_table_of_today() -> None:
    assert table(results(DATA)) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_table_has_the_mean_and_the_range_over_seeds() -> None:
    def entry(row: str, things: float) -> dict[str, object]:
        return {"row": row, "tested": [{"accuracy": 0.5, "accuracy_things": things, "accuracy_relations": 1.0}]}

    made = table({"recipe": {}, "none_0": entry("none", 0.9), "none_1": entry("none", 0.8), "x": entry("relative", 1)})
    assert made.splitlines()[2:] == [
        "| none | stem | 2 | 0.850 (0.800 to 0.900) | 1.000 (1.000 to 1.000) | 0.500 (0.500 to 0.500) | 0.614 |",
        "| relative | stem | 1 | 1.000 | 1.000 | 0.500 | 0.640 |",
    ]


def test_a_row_without_a_file_is_not_offered() -> None:
    assert set(SHELF) == {f"shelf_{row}_0" for row in ROWS if checkpoint(row).exists()}
