"""The shelf: small siblings of the demo model, one switch apart, and how each is trained. Imports no torch."""

from dataclasses import dataclass
from pathlib import Path

from vitviz.config import PRESETS

BASE = PRESETS["demo"].with_(dim=96, depth=4, mlp_dim=288)
ROWS = {
    "none": BASE.with_(positions="none"),
    "learned": BASE,
    "learned_2d": BASE.with_(positions="learned_2d"),
    "sincos_2d": BASE.with_(positions="sincos_2d"),
    "relative": BASE.with_(positions="relative"),
    "learned_every_layer": BASE.with_(positions_at="every_layer"),
    "learned_2d_every_layer": BASE.with_(positions="learned_2d", positions_at="every_layer"),
    "learned_every_layer_shared": BASE.with_(positions_at="every_layer_shared"),
    "learned_2d_every_layer_shared": BASE.with_(positions="learned_2d", positions_at="every_layer_shared"),
}

SEEDS = range(3)
SHIPPED = range(1)  # the seeds whose checkpoints lie in the package; of the others, what was measured
QUEUE = (  # in the order of their worth: a first model of each kind, then how far seeds differ
    *((row, 0) for row in ROWS),
    *((row, seed) for seed in SEEDS[1:] for row in ROWS if ROWS[row].positions_at == "stem"),
    *((row, seed) for seed in SEEDS[1:] for row in ROWS if ROWS[row].positions_at != "stem"),
)
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Recipe:
    """How long and on what to learn; in steps, unless said otherwise."""

    steps: int = 600
    warm_up: int = 25  # the learning rate rises to its full height
    hold: int = 300  # and stays there until here, then falls along a cosine
    dusk: int = 250  # from here on some pictures come without the faint light, which tells the place
    night: int = 400  # and from here on all of them
    whole: int = 500  # from here on the model sees all patches of half as many pictures
    rate: float = 2e-3  # the learning rate of AdamW
    bias_rate: float = 2e-2  # of relative positions: they stand beside scores of several units, and begin at 0
    matrix_rate: float = 3e-3  # of Muon, for the matrices of the blocks
    focus: float = 0.2  # the reward for looking at few patches, reached at the end of `hold`
    batch: int = 80  # pictures per step
    pictures: int = 12_000  # to learn from
    tested: int = 1_000  # on so many unseen scenes, all without light
    test_every: int = 100
    save_every: int = 25


RECIPE = Recipe()


def named(row: str, seed: int) -> str:
    """The name of a trained model in the results and on the shelf: `relative_0`."""
    return f"{row}_{seed}"


def checkpoint(row: str, folder: Path = DATA, seed: int = 0) -> Path:
    """The file of a trained model."""
    return folder / f"{named(row, seed)}.safetensors"


# The trained models that lie here, by the name they are chosen by: `shelf_relative_0`.
SHELF = {
    f"shelf_{named(row, seed)}": config
    for row, config in ROWS.items()
    for seed in SHIPPED
    if checkpoint(row, seed=seed).exists()
}
