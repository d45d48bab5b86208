"""The recipe of the demo model as its training code has it: optimisers, learning rates, weights of the losses."""

from typing import NamedTuple


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


def recipe(seed: int, steps: int, warm_up: int, hold: int, focus: float) -> Cooked:
    """Asked of the optimisers themselves, made for an untrained demo model."""
    from vitviz.config import PRESETS
    from vitviz.demo import objectives
    from vitviz.demo.training import optimisers, rate
    from vitviz.model import ViT

    made = optimisers(objectives.MultiTaskModel(ViT(PRESETS["demo"], seed), seed))
    groups = tuple(
        Group(
            type(optimiser).__name__,
            sum(it.numel() for it in group["params"]),
            group["full_rate"],
            group["weight_decay"],
            tuple(group["betas"]) if "betas" in group else (group["momentum"],),
        )
        for optimiser in made
        for group in optimiser.param_groups
    )
    weights = {"class": 1.0, "patch": objectives.PATCH_WEIGHT, "hidden": objectives.HIDDEN_WEIGHT, "spread": focus}
    rates = tuple(rate(step, warm_up, hold, steps) for step in range(steps))
    return Cooked(groups, rates, weights, objectives.SMOOTHING)
