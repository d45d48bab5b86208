"""How a model of the shelf learns, whatever its switches: one step, and everything that survives an interruption.

Every step takes its randomness from the seed and its own number alone, so training that was interrupted and started
again ends with the same parameters as training that was not.
"""

import math
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from vitviz.config import ViTConfig
from vitviz.demo.dataset import Pictures, to_input, to_tensor
from vitviz.demo.evaluation import Ints
from vitviz.demo.objectives import Batch
from vitviz.demo.report import accuracies
from vitviz.demo.scenes import LIGHT
from vitviz.demo.training import BIASES, EMBEDDINGS, rate, write
from vitviz.model import ViT
from vitviz.shelf.cnn import CNN
from vitviz.shelf.learners import Learner, learner
from vitviz.shelf.rows import CNNSizes, Recipe, Row

SAVED_FIELDS = ("step", "seconds", "cpu_seconds", "history", "tested", "diverged")


class Training:
    """Everything that changes while a model learns; `save` and `resume` keep all of it."""

    def __init__(self, row: Row, seed: int, pictures: Pictures, tests: Pictures, device: torch.device) -> None:
        self.row, self.seed, self.recipe = row, seed, row.recipe
        self.pictures, self.tests, self.device = pictures, tests, device
        self.learner = learner(row, seed).to(device)
        self.optimisers = optimisers(self.learner, row.recipe)
        self.step = 0
        self.diverged = False
        self.seconds = self.cpu_seconds = 0.0
        self.history: list[dict[str, float]] = []
        self.tested: list[dict[str, float]] = []

    def run(self, file: Path | None = None, until: int | None = None) -> None:
        """Learn until a step (the recipe's last by default), saving to `file` on the way if there is one."""
        recipe, until = self.recipe, self.recipe.steps if until is None else until
        while self.step < until and not self.diverged:
            begun, cpu_begun = time.monotonic(), time.process_time()
            parts = self.learn()
            self.step += 1
            self.seconds += time.monotonic() - begun
            self.cpu_seconds += time.process_time() - cpu_begun
            if self.step % 10 == 0:
                self.history.append({"step": self.step, **{name: round(value, 4) for name, value in parts.items()}})
                losses = "  ".join(f"{name} {value:.3f}" for name, value in parts.items())
                print(f"step {self.step:4} of {recipe.steps}  {losses}  {self.cpu_seconds:.0f} CPU seconds", flush=True)
            self.diverged = not math.isfinite(parts["loss"])
            if self.step % recipe.test_every == 0 or self.step == recipe.steps or self.diverged:
                self.test()
            if file and (self.step % recipe.save_every == 0 or self.step == until or self.diverged):
                self.save(file)

    def learn(self) -> dict[str, float]:
        """One step: pictures, loss, gradient, new parameters."""
        recipe, step = self.recipe, self.step
        loss, parts = self.learner(*self.draw_batch(), recipe.focus * min(1, step / recipe.hold))
        for optimiser in self.optimisers:
            optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.learner.parameters(), 1.0)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate(step, recipe.warm_up, recipe.hold, recipe.steps) * group["full_rate"]
            optimiser.step()
        return {"loss": loss.item(), **parts}

    def draw_batch(self) -> tuple[Batch, Tensor | None]:
        """The pictures of this step, each a little lighter or darker, and the order in which patches are hidden."""
        recipe, step = self.recipe, self.step
        whole = step >= recipe.whole
        size = recipe.batch // 2 if whole else recipe.batch
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + step)
        index = torch.randint(recipe.pictures, (size,), generator=generator).numpy()
        gain = 0.9 + 0.2 * torch.rand(size, 1, 1, 1, generator=generator)
        offset = 0.1 * torch.randn(size, 3, 1, 1, generator=generator)
        order = torch.rand(size, self.pictures.cover.shape[2], generator=generator).argsort(1).to(self.device)
        strength = 0.5 + torch.rand(size, generator=generator)
        strength *= torch.rand(size, generator=generator) >= dark_share(recipe, step)
        image = self.pictures.image[index] + LIGHT * strength.numpy()[:, None, None, None]
        lit = to_tensor(np.clip(image, 0, 255).astype(np.uint8), self.device)
        batch = Batch(
            to_input(lit) * gain.to(self.device) + offset.to(self.device),
            torch.from_numpy(self.pictures.label[index]).to(self.device),
            to_tensor(self.pictures.cover[index], self.device),
        )
        return batch, None if whole else order

    def test(self) -> None:
        """Accuracy on the unseen scenes, all, things and relations apart."""
        found = accuracies("accuracy", answers(self.learner.model, self.tests), self.tests)
        self.tested.append({"step": self.step, **{name: round(float(value), 4) for name, value in found.items()}})
        print("  ".join(f"{name} {value:g}" for name, value in self.tested[-1].items()), flush=True)

    def save(self, file: Path) -> None:
        state = {name: getattr(self, name) for name in SAVED_FIELDS}
        state |= {"row": described(self.row), "learner": self.learner.state_dict()}
        state["optimisers"] = [optimiser.state_dict() for optimiser in self.optimisers]
        write(state, file)

    def resume(self, file: Path) -> None:
        state: dict[str, Any] = torch.load(file, map_location=self.device, weights_only=True)
        if state.pop("row") != described(self.row):
            raise ValueError(f"{file} was saved by another model or recipe; delete it to start from nothing")
        self.learner.load_state_dict(state.pop("learner"))
        for optimiser, saved in zip(self.optimisers, state.pop("optimisers"), strict=True):
            optimiser.load_state_dict(saved)
        for name, value in state.items():
            setattr(self, name, value)


def described(row: Row) -> dict[str, Any]:
    """What of a row is not usual: equal for equal rows, also where fields have come since."""
    return {part: changes(getattr(row, part)) for part in ("sizes", "recipe")} | {"norms": row.norms}


def changes(values: ViTConfig | CNNSizes | Recipe) -> dict[str, Any]:
    """The fields that are not as they usually are."""
    return {it.name: value for it in fields(values) if (value := getattr(values, it.name)) != it.default}


@torch.no_grad()
def answers(model: ViT | CNN, pictures: Pictures, batch: int = 80) -> Ints:
    """The predicted class of each picture, `b`."""
    device = next(model.parameters()).device
    images = (pictures.image[start : start + batch] for start in range(0, len(pictures), batch))
    model.eval()  # batch norms answer with what training saw
    found = [model(to_input(to_tensor(image, device))).argmax(1).cpu().numpy() for image in images]
    model.train()
    return np.concatenate(found)


def dark_share(recipe: Recipe, step: int) -> float:
    """Which share of the pictures comes without the faint light: none until dusk, all from the night on."""
    return min(1, max(0, (step - recipe.dusk) / (recipe.night - recipe.dusk)))


def optimisers(learner: Learner, recipe: Recipe) -> list[torch.optim.Optimizer]:
    """Muon for the matrices of the blocks, where there are blocks; AdamW for everything else."""
    kinds = ("matrices", "rest", "filters", "embeddings", "biases")
    groups: dict[str, list[nn.Parameter]] = {kind: [] for kind in kinds}
    for name, parameter in learner.named_parameters():
        groups[_kind(name, parameter)].append(parameter)
    settings: dict[str, dict[str, Any]] = {
        "rest": {"weight_decay": 0.0, "full_rate": recipe.rate},
        "filters": {"weight_decay": 0.05, "full_rate": recipe.rate},
        "embeddings": {"weight_decay": 0.1, "betas": (0.95, 0.98), "full_rate": recipe.rate},
        "biases": {"weight_decay": 0.0, "full_rate": recipe.bias_rate},
    }
    adam = torch.optim.AdamW(
        [{"params": groups[kind], **its_own} for kind, its_own in settings.items() if groups[kind]],
        lr=recipe.rate, betas=(0.9, 0.98),
    )  # fmt: skip
    if not groups["matrices"]:
        return [adam]
    muon = torch.optim.Muon(
        [{"params": groups["matrices"], "full_rate": recipe.matrix_rate}],
        lr=recipe.matrix_rate, weight_decay=0.05, momentum=0.95, adjust_lr_fn="match_rms_adamw",
    )  # fmt: skip
    return [muon, adam]


def _kind(name: str, parameter: nn.Parameter) -> str:
    """Which group of parameters one belongs to."""
    if EMBEDDINGS in name:
        return "embeddings"
    if BIASES in name:
        return "biases"
    if name.endswith(("patch_embed.proj.weight", "conv.weight")):
        return "filters"
    return "matrices" if ".blocks." in name and parameter.ndim == 2 else "rest"
