"""What lies on the shelf: models that load by name, and results that say how they were measured."""

import json

import numpy as np
import pytest
import torch

from tests.unit.project.test_borders import ROOT
from vitviz.counts import total_parameters
from vitviz.demo.dataset import TEST, Pictures, draw
from vitviz.demo.report import accuracies
from vitviz.demo.scenes import CLASSES
from vitviz.model import ViT
from vitviz.shelf.cnn import CNN, load_cnn
from vitviz.shelf.measured import all_of, mean_and_range, of, read
from vitviz.shelf.rows import DATA, RECIPE, ROWS, SEEDS, SHELF, TABLE_8, CNNSizes, checkpoint, named, ships
from vitviz.shelf.table import table_8, tables
from vitviz.shelf.training import answers, changes
from vitviz.weights import load

MEASURED = {name: entry for name, entry in read().items() if name != "recipe"}


def test_the_shelf_is_small_enough_to_ship() -> None:
    sizes = [path.stat().st_size for path in DATA.rglob("*.*")]
    assert max(sizes) <= 1_000_000
    assert sum(sizes) <= 16_000_000


def test_results_are_of_the_recipe_and_the_rows_that_are_there() -> None:
    assert read()["recipe"] == json.loads(json.dumps(RECIPE.__dict__))
    assert set(MEASURED) <= {named(row, seed) for row in ROWS for seed in SEEDS}
    for name, entry in MEASURED.items():
        row = ROWS[entry["row"]]
        assert name == named(entry["row"], entry["seed"])
        assert entry["changes"] == changes(row.recipe)
        if isinstance(row.sizes, CNNSizes):
            assert entry["parameters"] == sum(it.numel() for it in CNN(row.sizes).parameters())
        elif row.norms:
            assert entry["parameters"] == total_parameters(row.sizes)
        assert entry["diverged"] or entry["tested"][-1]["step"] == RECIPE.steps
        assert len(entry["losses"]) == entry["tested"][-1]["step"] // 10


def test_what_ships_is_there_and_nothing_else() -> None:
    files = set(DATA.rglob("*.safetensors"))
    shipped = [entry for entry in MEASURED.values() if ships(entry["row"], entry["seed"])]
    assert files == {checkpoint(entry["row"], seed=entry["seed"]) for entry in shipped}
    assert {f"shelf_{named('cnn', 0)}", *SHELF} == {f"shelf_{named(it['row'], it['seed'])}" for it in shipped}


def test_relations_need_positions_and_things_do_not() -> None:
    """1,000 scenes, of which 248 are relations: three deviations of a guess are .08."""
    for it in all_of(TABLE_8):
        low, high = it.span("relations")
        assert it.seeds == tuple(SEEDS)
        assert it.span("things")[0] >= 0.9, it.row
        if it.row == "none":
            assert abs(low - 0.25) <= 0.1
            assert abs(high - 0.25) <= 0.1
        else:
            assert low >= 0.9, it.row


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return draw(TEST[:160], light=0)


@pytest.mark.parametrize("name", SHELF)
def test_a_model_of_the_shelf_loads_by_name_and_answers_as_measured(name: str, pictures: Pictures) -> None:
    loaded = load(name, device="cpu")
    assert (loaded.config, tuple(loaded.labels), loaded.trained) == (SHELF[name], CLASSES, True)
    assert all(parameter.dtype == torch.float32 for parameter in loaded.model.parameters())
    answers_as_measured(loaded.model, name.removeprefix("shelf_"), pictures)


def test_the_cnn_answers_as_measured(pictures: Pictures) -> None:
    answers_as_measured(load_cnn(), "cnn_0", pictures)


def answers_as_measured(model: ViT | CNN, name: str, pictures: Pictures) -> None:
    found = accuracies("accuracy", answers(model, pictures), pictures)
    measured = MEASURED[name]["tested"][-1]
    for part, deviations in (("accuracy_things", 120), ("accuracy_relations", 40)):
        spread = np.sqrt(measured[part] * (1 - measured[part]) / deviations)
        assert abs(found[part] - measured[part]) <= 4 * spread + 0.03


def test_the_readme_has_the_tables_of_today() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for table in tables(read()).split("\n\n"):
        assert table in readme


def entry(row: str, seed: int, things: float) -> dict[str, object]:
    """What is kept of a training, as little as it takes."""
    last = {"step": 6, "accuracy": 0.5, "accuracy_things": things, "accuracy_relations": 1.0}
    costs = {"parameters": 7, "cpu_minutes": 1.0, "diverged": False, "losses": [2.0]}
    return {"row": row, "seed": seed, **costs, "tested": [{"step": 3}, last]}


def test_a_table_has_the_mean_and_the_range_over_seeds() -> None:
    results = {"none_1": entry("none", 1, 0.8), "none_0": entry("none", 0, 0.9), "x": entry("relative", 0, 1.0)}
    assert table_8({"recipe": {}, **results}).splitlines()[2:] == [
        "| none | stem | 2 | 0.850 (0.800 to 0.900) | 1.000 (1.000 to 1.000) | 0.500 (0.500 to 0.500) | 0.61382 |",
        "| relative | stem | 1 | 1.000 | 1.000 | 0.500 | 0.64032 |",
    ]
    found = of("none", results)
    assert found is not None
    assert (found.seeds, found.accuracy["things"], found.mean("things")) == ((0, 1), (0.9, 0.8), pytest.approx(0.85))
    assert of("learned", results) is None
    assert mean_and_range([0.25]) == "0.250"


def test_a_row_without_a_file_is_not_offered() -> None:
    assert set(SHELF) == {f"shelf_{row}_0" for row in ROWS if row != "cnn" and checkpoint(row).exists()}
