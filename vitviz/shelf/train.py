"""Train the models of the shelf from nothing, one row after the other: `vitviz shelf train`.

Draws the scenes (once), learns, and writes checkpoint and results into the package. Started again after an interruption
it goes on from the last saved step; a row that is finished is not trained again.
"""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported: idle threads leave the cores to others

import torch
from safetensors.torch import save_file

from vitviz.demo.artifacts import METRICS, read_metrics, write_metrics
from vitviz.demo.dataset import TEST, draw, training_pictures
from vitviz.shelf.rows import RECIPE, ROWS, SHIPPED, Recipe, checkpoint, named
from vitviz.shelf.training import Training


def train(wanted: list[tuple[str, int]], runs: Path, data: Path, recipe: Recipe = RECIPE) -> None:
    """Train each row with its seed as planned; `runs` is for pictures and saved states, `data` for what ships."""
    missing = [(row, seed) for row, seed in wanted if named(row, seed) not in results(data)]
    if not missing:
        print("All of them are trained; take an entry out of the results to train it again")
        return
    print(f"Drawing {recipe.pictures:,} scenes, or reading them from {runs}", flush=True)
    pictures = training_pictures(recipe.pictures, runs, workers=os.cpu_count() or 1, light=0)
    tests = draw(TEST[: recipe.tested], light=0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for row, seed in missing:
        print(f"{named(row, seed)}: {ROWS[row].key}", flush=True)
        training = Training(ROWS[row], seed, recipe, pictures, tests, device)
        state = runs / f"{named(row, seed)}.pt"
        if state.exists():
            training.resume(state)
            print(f"Going on from step {training.step}; delete {state} to start from nothing", flush=True)
        training.run(state)
        write(row, training, runs, data)


def write(row: str, training: Training, runs: Path, data: Path) -> None:
    """The checkpoint in half precision, into the package where it ships, and a line of results."""
    name, recipe = named(row, training.seed), asdict(training.recipe)
    data.mkdir(parents=True, exist_ok=True)
    parameters = {key: value.half().cpu().contiguous() for key, value in training.sibling.model.state_dict().items()}
    file = checkpoint(row, data if training.seed in SHIPPED else runs, training.seed)
    save_file(parameters, file)
    file.chmod(0o644)  # as git keeps it
    found: dict[str, Any] = {
        "row": row,
        "seed": training.seed,
        "parameters": sum(value.numel() for value in parameters.values()),
        "device": training.device.type,
        "threads": torch.get_num_threads(),
        "minutes": round(training.seconds / 60, 1),
        "cpu_minutes": round(training.cpu_seconds / 60, 1),
        "tested": training.tested,
    }
    kept = results(data)
    if kept and kept["recipe"] != recipe:
        raise ValueError(f"{data / METRICS} was measured with another recipe; delete it to train all rows again")
    write_metrics({"recipe": recipe, **kept, name: found}, data)
    print(f"Wrote {name} and its results to {data}", flush=True)


def results(data: Path) -> dict[str, Any]:
    """What was measured so far: the recipe, and an entry for each trained model."""
    return read_metrics(data) if (data / METRICS).exists() else {}
