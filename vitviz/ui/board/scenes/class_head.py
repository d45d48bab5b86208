"""Class."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.ui.board.scenes.scene import Scene


def _moments(config: ViTConfig) -> tuple[str, ...]:
    return ("The answer grows with the depth.",)


SCENE = Scene(
    label="Class",
    colour=palette.CLASS_TOKEN,
    shape=lambda config: exact(config.classes),
    moments=_moments,
)
