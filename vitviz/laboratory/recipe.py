"""The recipe of the demo model as its training code has it: optimisers, learning rates, weights of the losses."""

from typing import NamedTuple

from vitviz.machine.pytorch import torch


class Group(NamedTuple):
    """Parameters that one optimiser moves alike; `momentum` holds Adam's two betas, or Muon's one number."""

    optimiser: str
    parameters: int
    rate: float
    decay: float
    momentum: tuple[float, ...]


class Cooked(NamedTuple):
    """Groups of parameters; the learning rate of every step, as a share of its full height; what each loss weighs."""

    groups: tuple[Group, ...]
    rates: tuple[float, ...]
    weights: dict[str, float]
    smoothing: float


def recipe(steps: int, warm_up: int, hold: int, focus: float) -> Cooked:
    """What the training of the demo model is made of; nothing is drawn or trained for it."""
    from vitviz.config import PRESETS
    from vitviz.demo import objectives
    from vitviz.demo.training import groups, rate
    from vitviz.model import ViT

    with torch.device("meta"):
        multitask = objectives.MultiTaskModel(ViT(PRESETS["demo"]))
    stages = tuple(
        Group(
            optimiser,
            sum(it.numel() for it in group["params"]),
            group["lr"],
            group["weight_decay"],
            tuple(group["betas"]) if "betas" in group else (group["momentum"],),
        )
        for optimiser, alike in groups(multitask).items()
        for group in alike
    )
    weights = {"class": 1.0, "patch": objectives.PATCH_WEIGHT, "hidden": objectives.HIDDEN_WEIGHT, "spread": focus}
    return Cooked(
        stages, tuple(rate(step, warm_up, hold, steps) for step in range(steps)), weights, objectives.SMOOTHING
    )
