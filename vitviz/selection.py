"""What is chosen: model, picture and edits, as values without a tensor, with one key for everything made of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from vitviz.config import PRESETS, TRAINED, ViTConfig
from vitviz.config.sides import Size, written
from vitviz.edits import NO_EDITS, Edits
from vitviz.images import Crop, digest
from vitviz.installed import code_digest
from vitviz.pretrained import PRETRAINED, SIZES
from vitviz.shelf.rows import SHELF, TITLES

PHOTOGRAPHS = "DINOv2-S/14 in 8 bits"


@dataclass(frozen=True)
class Picture:
    """A picture to look at.

    `alt` describes it to a screen reader, `drawn` marks a scene of the demo model's world, `notes` tell what of the
    file is not shown.
    """

    id: str
    title: str
    alt: str
    data: bytes
    drawn: bool = False
    notes: tuple[str, ...] = ()

    @property
    def link(self) -> str:
        """What an address calls it: a sample by its name, one's own by its digest."""
        return self.digest if self.id == "own" else self.id

    @cached_property
    def digest(self) -> str:
        """sha256 of the bytes; the picture's part of every cache key."""
        return digest(self.data)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file on the server's disk, and how it is read; `stamp` tells one version of it and its card from the next."""

    path: str
    stamp: tuple[int, ...]
    image_size: Size | None = None
    heads: int | None = None
    activation: str | None = None
    epsilon: float | None = None
    preprocess: str = ""


@dataclass(frozen=True, slots=True)
class Assumed:
    """Settings of a checkpoint that its file does not state and that were assumed: one sentence for each field.

    `config` are the sizes with all that was assumed; `file` is a name for the file that tells nobody where it lies.
    """

    file: str
    config: ViTConfig
    sentences: Mapping[str, str]


@dataclass(frozen=True)
class ModelChoice:
    """A model to look at: its name and sizes, and how its parameters are drawn, or read from a checkpoint, and run."""

    name: str
    config: ViTConfig
    seed: int = 0
    device: str = "auto"
    precision: str = "fp32"
    checkpoint: Checkpoint | None = None
    assumed: Assumed | None = field(default=None, compare=False)  # follows from the checkpoint

    @cached_property
    def key(self) -> str:
        """The model's part of every cache key."""
        return f"{self.name};{self.config.key};seed={self.seed};{self.device};{self.precision};{self.checkpoint}"

    @property
    def untrained(self) -> bool:
        """Whether its parameters are drawn at random."""
        return self.checkpoint is None and self.name not in TRAINED and self.name not in SHELF

    @property
    def title(self) -> str:
        """What people read: "ViT-Tiny/16", "ViT-Tiny/16 at 448 px", "Relative positions (seed 0)", or the name."""
        title, size = titled(self.name), self.config.image_size
        usual = SIZES.get(self.name)
        return title if usual is None or usual.image_size == size else f"{title} at {written(size)} px"


def titled(model: str) -> str:
    """What people read in place of the name of a model."""
    if model in PRETRAINED:
        return PRETRAINED[model].title
    return PHOTOGRAPHS if model == "photo" else TITLES.get(model, model)


FIRST_MODEL = ModelChoice("demo", PRESETS["demo"])
PHOTO_MODEL = ModelChoice("photo", PRESETS["photo"])


@dataclass(frozen=True)
class Selection:
    """One model, one picture, the square of it that the model sees, where it is not the model's own choice, and edits.

    `donor` is a second picture, for edits that take states or pixels from one; `learned` is a number of steps of
    training, for what was kept of the model while it learned, None for the model as it is. `others` are pictures beside
    which a page shows this one: nothing of its forward pass depends on them, and they are no part of the key.
    """

    model: ModelChoice
    picture: Picture
    crop: Crop | None = None
    edits: Edits = NO_EDITS
    donor: Picture | None = None
    learned: int | None = None
    others: tuple[Picture, ...] = ()

    @property
    def config(self) -> ViTConfig:
        """The model's sizes; known before any parameter exists."""
        return self.model.config

    @cached_property
    def key(self) -> str:
        """Equal for the same model, pixels and edits only: what every cache and message about them is kept under."""
        donor = self.donor.digest if self.donor and self.edits.needs_donor else ""
        learned = "" if self.learned is None else f" after {self.learned} steps"
        return f"{self.model.key} {self.picture.digest} {self.crop} [{self.edits}] {donor}{learned}"

    @property
    def plain(self) -> "Selection":
        """The same without edits: the run beside an edited one."""
        return replace(self, edits=NO_EDITS)

    @cached_property
    def digest(self) -> str:
        """The key in 16 letters, for the browser: others as soon as the numbers of the key could be."""
        return digest(f"{self.key} {code_digest()}".encode())[:16]

    @property
    def donor_link(self) -> str:
        """The second picture as the address names it; "" for none."""
        return self.donor.link if self.donor else ""

    def token_name(self, token: int) -> str:
        """What a token is called on screen: "[class]", or "patch 38 (row 4, column 2)"."""
        cell, prefix = self.cell(token), self.config.prefix_tokens
        if cell is None:
            return f"[{prefix[token]}]"
        row, column = cell
        return f"patch {token - len(prefix) + 1} (row {row + 1}, column {column + 1})"

    def short_token_name(self, token: int) -> str:
        """The same without the place on the grid: "[class]", or "patch 38"."""
        return self.token_name(token).partition(" (")[0]

    def cell(self, token: int) -> tuple[int, int] | None:
        """Row and column of a patch token on the grid, counted from 0; a prefix token has none."""
        patch = token - len(self.config.prefix_tokens)
        return divmod(patch, self.config.grid[1]) if patch >= 0 else None
