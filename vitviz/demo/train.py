"""Train the demo model from nothing: `vitviz demo train`.

Draws the pictures (once), learns, and writes the checkpoint, the snapshots and the metrics into the package. Started
again after an interruption it goes on from the last saved step.
"""

import os
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported: idle threads leave the cores to others

import torch
import torch.multiprocessing
from safetensors.torch import save_file
from torch import distributed

from vitviz.demo.artifacts import CHECKPOINT, SNAPSHOTS, write_metrics
from vitviz.demo.dataset import VALIDATION, draw, training_pictures
from vitviz.demo.training import Plan, Training

PROCESSES = 2


def train(plan: Plan, runs: Path, data: Path) -> None:
    """Train as planned; `runs` is for pictures and saved states, `data` for checkpoint, snapshots and metrics."""
    print(f"Drawing {plan.pictures:,} pictures, or reading them from {runs}", flush=True)
    training_pictures(plan.pictures, runs, workers=os.cpu_count() or 1)
    if torch.cuda.is_available():
        learn(plan, runs, data, torch.device("cuda"))
    else:
        # Two processes of one thread each learn faster than one process of two threads: they wait once a step for each
        # other, not in every operation.
        with TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(_join, (folder, plan, runs, data), PROCESSES)


def _join(process: int, folder: str, plan: Plan, runs: Path, data: Path) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", f"file://{folder}/store", rank=process, world_size=PROCESSES)
    learn(plan, runs, data, torch.device("cpu"))
    distributed.destroy_process_group()


def learn(plan: Plan, runs: Path, data: Path, device: torch.device) -> None:
    """Train from nothing or from the last saved state in `runs`, and write what came of it to `data`."""
    training = Training(plan, training_pictures(plan.pictures, runs), draw(VALIDATION), device)
    state = runs / f"state-{plan.seed}.pt"
    if state.exists():
        training.resume(state)
        if training.process == 0:
            print(f"Going on from step {training.step:,}; delete {state} to start from nothing", flush=True)
    training.run(file=state)
    if training.process == 0:
        write(training, data)


def write(training: Training, folder: Path) -> None:
    """The checkpoint (half precision), the snapshots and the metrics of a finished training."""
    folder.mkdir(parents=True, exist_ok=True)
    parameters = {name: value.half().cpu().contiguous() for name, value in training.model.state_dict().items()}
    save_file(parameters, folder / CHECKPOINT)
    snapshots = training.snapshots
    save_file({name: torch.stack([one[name] for one in snapshots]) for name in snapshots[0]}, folder / SNAPSHOTS)
    metrics = {
        "training": {
            **asdict(training.plan),
            "device": training.device.type,
            "processes": training.processes,
            "minutes": round(training.seconds / 60, 1),
            "parameters": sum(value.numel() for value in parameters.values()),
        },
        "history": training.history,
        "milestones": training.milestones,
    }
    write_metrics(metrics, folder)
    print(f"Wrote {', '.join(sorted(file.name for file in folder.iterdir()))} to {folder}")
