"""Overview: the whole model on one page."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.config.sides import spelled
from vitviz.page import Moment, Page

MOST_LIGHT = 1_000_000  # bytes


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    result = "an answer" if config.classes else "a vector"
    torch = "Move over the picture. Light: what this {patch} looks at."
    return (
        Moment("light", torch if lit_layers(config) else "This is a Vision Transformer. Choose a picture."),
        Moment("stages", f"A picture goes in, {result} comes out. What happens between?", columns=True),
    )


def lit_layers(config: ViTConfig) -> tuple[int, ...]:
    """The layers whose light is sent with the front page: all, or as many, evenly from first to last, as are small."""
    of_a_layer = (config.patches**2 + 1) // 2  # before it is deflated: two patches share a byte
    many = min(config.depth, MOST_LIGHT // of_a_layer)
    step = (config.depth - 1) / max(many - 1, 1)
    return tuple(round(number * step) for number in range(many))


PAGE = Page(
    __file__,
    "Overview",
    order=101,
    stage="model",
    label="Photo",
    colour=palette.RESIDUAL,
    shape=lambda config: f"{spelled(config.image_size)} × {config.channels}",
    moments=_moments,
)
