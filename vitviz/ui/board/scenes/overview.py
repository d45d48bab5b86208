"""Photo."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.ui.board.scenes.scene import Scene


def _moments(config: ViTConfig) -> tuple[str, ...]:
    return ("A picture goes in, an answer comes out. What happens between?",)


SCENE = Scene(
    label="Photo",
    colour=palette.RESIDUAL,
    shape=lambda config: f"{config.image_size} × {config.image_size} × {config.channels}",
    moments=_moments,
)
