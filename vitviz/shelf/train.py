"""Train the models of the shelf from nothing, one row after the other: `vitviz shelf train`.

Draws the scenes (once), learns, and writes checkpoint and results into the package. Started again after an interruption
it goes on from the last saved step; a row that is finished is not trained again.
"""

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported: idle threads leave the cores to others

import torch
from safetensors.torch import save_file

from vitviz.demo.artifacts import write_metrics
from vitviz.demo.dataset import TEST, draw, training_pictures
from vitviz.shelf.measured import read
from vitviz.shelf.rows import DATA, RECIPE, ROWS, Row, checkpoint, named, ships
from vitviz.shelf.training import Training, changes


def train(rows_and_seeds: list[tuple[str, int]], runs: Path, data: Path = DATA, rows: Mapping[str, Row] = ROWS) -> None:
    """Train each row with its seed as planned; `runs` is for pictures and saved states, `data` for what ships."""
    missing = [(row, seed) for row, seed in rows_and_seeds if named(row, seed) not in read(data)]
    if not missing:
        print("All of them are trained; take an entry out of the results to train it again")
        return
    scenes = max(rows[row].recipe.pictures for row, _ in missing)
    print(f"Drawing {scenes:,} scenes, or reading them from {runs}", flush=True)
    pictures = training_pictures(scenes, runs, workers=os.cpu_count() or 1, light=0)
    tests = draw(TEST[: RECIPE.tested], light=0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for row, seed in missing:
        print(f"{named(row, seed)}: {rows[row].sizes.key}", flush=True)
        training = Training(rows[row], seed, pictures, tests, device)
        state = runs / f"{named(row, seed)}.pt"
        if state.exists():
            training.resume(state)
            print(f"Going on from step {training.step}; delete {state} to start from nothing", flush=True)
        training.run(state)
        write(row, training, runs, data)


def write(row: str, training: Training, runs: Path, data: Path) -> None:
    """The checkpoint in half precision, into the package where it ships, and a line of results."""
    name, model = named(row, training.seed), training.learner.model
    state = {
        key: (value.half() if value.is_floating_point() else value).cpu().contiguous()
        for key, value in model.state_dict().items()
    }
    file = checkpoint(row, data if ships(row, training.seed) else runs, training.seed)
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(state, file)
    file.chmod(0o644)  # as git keeps it
    write_metrics({"recipe": asdict(RECIPE), **read(data), name: entry(row, training)}, data)
    print(f"Wrote {name} and its results to {data}", flush=True)


def entry(row: str, training: Training) -> dict[str, Any]:
    """What is kept of a training: what it was, what it cost, the loss of the class every ten steps, and the tests."""
    return {
        "row": row,
        "seed": training.seed,
        "changes": changes(training.recipe),
        "parameters": sum(parameter.numel() for parameter in training.learner.model.parameters()),
        "device": training.device.type,
        "threads": torch.get_num_threads(),
        "minutes": round(training.seconds / 60, 1),
        "cpu_minutes": round(training.cpu_seconds / 60, 1),
        "diverged": training.diverged,
        "losses": [round(parts["class"], 3) for parts in training.history],
        "tested": training.tested,
    }
