"""The shelf: small siblings of the demo model, one switch apart, and how each is trained. Imports no torch."""

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from vitviz.config import PRESETS, ViTConfig

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


@dataclass(frozen=True)
class CNNSizes:
    """The sizes of a plain convolutional network: `width` channels in each of `layers` on the grid of the patches."""

    width: int = 96
    layers: int = 4
    channels: int = 3
    classes: int = 16

    @property
    def key(self) -> str:
        """Equal for equal sizes."""
        return f"width={self.width},layers={self.layers}"

    @property
    def convolutions(self) -> tuple[tuple[int, int, int], ...]:
        """Those of 3 x 3 pixels, each with what it reads, what it makes, and pixels from one place to the next."""
        widths = (self.channels, self.width // 3, 2 * self.width // 3, self.width)
        stem = tuple((reads, makes, 2 ** (at + 1)) for at, (reads, makes) in enumerate(pairwise(widths)))
        return stem + self.layers * ((self.width, self.width, 8),)

    @property
    def parameters(self) -> int:
        """Filters without biases, scale and shift of each norm, and the head."""
        return sum(9 * reads * makes + 2 * makes for reads, makes, _ in self.convolutions) + self._head + self.classes

    def macs(self, side: int) -> int:
        """Multiply-accumulates of one picture of so many pixels a side, a multiple of 8."""
        return sum(9 * reads * makes * (side // step) ** 2 for reads, makes, step in self.convolutions) + self._head

    @property
    def _head(self) -> int:
        return self.width * self.classes


@dataclass(frozen=True)
class Row:
    """A model of the shelf, what people call it, and how it is trained; `norms` False: no block has a norm."""

    title: str
    sizes: ViTConfig | CNNSizes
    recipe: Recipe = Recipe()
    norms: bool = True


RECIPE = Recipe()
BASE = PRESETS["demo"].with_(dim=96, depth=4, mlp_dim=288)
SMALL, SMALL_CNN = BASE.with_(dim=64, depth=3, mlp_dim=192), CNNSizes(width=48, layers=6)  # for curves of many runs

TABLE_8 = {
    "none": Row("No positions", BASE.with_(positions="none")),
    "learned": Row("1-D positions", BASE),
    "learned_2d": Row("2-D positions", BASE.with_(positions="learned_2d")),
    "sincos_2d": Row("Sinusoidal positions", BASE.with_(positions="sincos_2d")),
    "relative": Row("Relative positions", BASE.with_(positions="relative")),
    "learned_every_layer": Row("1-D, at every layer", BASE.with_(positions_at="every_layer")),
    "learned_2d_every_layer": Row(
        "2-D, at every layer", BASE.with_(positions="learned_2d", positions_at="every_layer")
    ),
    "learned_every_layer_shared": Row("1-D, shared by layers", BASE.with_(positions_at="every_layer_shared")),
    "learned_2d_every_layer_shared": Row(
        "2-D, shared by layers", BASE.with_(positions="learned_2d", positions_at="every_layer_shared")
    ),
}
COLD = replace(RECIPE, warm_up=1)
SWITCHES = {
    "cnn": Row("CNN of equal size", CNNSizes()),
    "gap": Row("GAP, no class token", BASE.with_(pool="mean")),
    "post_norm": Row("Post-norm", BASE.with_(norm_order="post")),
    "post_norm_no_warm_up": Row("Post-norm, no warm-up", BASE.with_(norm_order="post"), COLD),
    "no_warm_up": Row("Pre-norm, no warm-up", BASE, COLD),
    "no_layer_norm": Row("No LayerNorm inside", BASE, norms=False),
    "top_k": Row("Top-k, k = 8", BASE.with_(attention="top_k")),
    "unscaled": Row("Not ÷ √dₕ", BASE.with_(score_scale=1.0)),
    "registers": Row("4 registers", BASE.with_(registers=4)),
    "hybrid": Row("Convolutional stem", BASE.with_(stem="conv")),
}
RATES = (5e-4, 1e-3, 2e-3, 4e-3, 8e-3)
POOLS = {"class": SMALL, "gap": SMALL.with_(pool="mean")}
POOLED = {"class": "Class token", "gap": "Mean of the patches (GAP)"}
FIGURE_9 = {
    f"{pool}_at_{rate:g}": Row(f"{POOLED[pool]}, {rate:g}", config, replace(RECIPE, rate=rate, matrix_rate=1.5 * rate))
    for rate in RATES
    for pool, config in POOLS.items()
}
SCENES = (500, 2_000, 8_000, 32_000)
KINDS: dict[str, ViTConfig | CNNSizes] = {"vit": SMALL, "cnn": SMALL_CNN}
CALLED = {"vit": "ViT", "cnn": "CNN"}
DATA_SIZE = {
    f"{kind}_of_{scenes}": Row(f"{CALLED[kind]}, {scenes:,} scenes", sizes, replace(RECIPE, pictures=scenes))
    for scenes in SCENES
    for kind, sizes in KINDS.items()
}
ROWS = TABLE_8 | SWITCHES | FIGURE_9 | DATA_SIZE

SEEDS = range(3)
SHIPPED = range(1)  # the seeds whose checkpoints lie in the package; of the others, what was measured
ON_SCREEN = TABLE_8 | SWITCHES  # of these; of the curves, what was measured
QUEUE = (  # in the order of their worth: a first model of each kind, then how far seeds differ
    *((row, 0) for row in ON_SCREEN),
    *((row, seed) for seed in SEEDS[1:] for row in TABLE_8),
    *((row, seed) for seed in SEEDS for row in FIGURE_9 | DATA_SIZE),
    *((row, seed) for seed in SEEDS[1:] for row in SWITCHES),
)


def named(row: str, seed: int) -> str:
    """The name of a trained model in the results: `relative_0`."""
    return f"{row}_{seed}"


def chosen_as(row: str, seed: int = 0) -> str:
    """The name by which a trained model is chosen, also in links: `shelf_relative_0`."""
    return f"shelf_{named(row, seed)}"


def checkpoint(row: str, folder: Path = DATA, seed: int = 0) -> Path:
    """The file of a trained model, in the room of its table."""
    room = "positions" if row in TABLE_8 else "switches" if row in SWITCHES else "curves"
    return folder / room / f"{named(row, seed)}.safetensors"


def ships(row: str, seed: int) -> bool:
    """Whether the parameters lie in the package, and not only what was measured: of what `ViT` or `CNN` can run."""
    return seed in SHIPPED and row in ON_SCREEN and ROWS[row].norms


# The trained models that lie here, by the name they are chosen by.
SHELF = {
    chosen_as(row, seed): it.sizes
    for row, it in ON_SCREEN.items()
    for seed in SHIPPED
    if isinstance(it.sizes, ViTConfig) and checkpoint(row, seed=seed).exists()
}
# What people read in place of such a name: "No positions (seed 0)".
TITLES = {chosen_as(row, seed): f"{it.title} (seed {seed})" for row, it in ON_SCREEN.items() for seed in SHIPPED}
