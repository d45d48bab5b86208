"""What somebody looked at, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.images import Crop


@dataclass(frozen=True, slots=True)
class View:
    """A page, what it is of, and what is chosen on it; layers, heads, tokens and components count from 0.

    `model` is a name, or that of a checkpoint's file; `picture` a sample's id, "" for one's own; `after` blocks have
    run. `donor` is the second picture of edits that need one, a sample's id, "" for one's own, None for none; `column`
    says which of two columns it is; `choices` are what the page lets one choose besides, by the names of a notebook.
    `learned` are the steps of training after which the page shows the model, None for the model as it is.
    """

    page: str
    model: str
    config: ViTConfig
    seed: int
    picture: str
    crop: Crop | None
    edits: Edits
    layer: int
    head: int
    query: int
    key: int
    component: int
    after: int
    shows: str
    donor: str | None = None
    column: str = "first"
    choices: Mapping[str, Any] = field(default_factory=dict, hash=False)
    learned: int | None = None
