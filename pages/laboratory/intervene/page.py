"""Intervene: parts of the running model are switched off, and the unedited run stands beside it."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import many
from vitviz.page import Moment, Page


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    working = (
        Moment("heads", "Take a head away, or a whole layer: what changes?"),
        Moment("patches", "Hide a {patch}, paint it over, swap two: what does the model need?"),
        Moment("attention", "Turn attention itself: temperature, top-k, window, mask, {position}s."),
        Moment("experiments", "Guess first, then see: six experiments."),
    )
    if not config.classes:
        return working
    return (
        *working,
        Moment("everything", "Everything once: every head off alone, every {patch} hidden alone."),
        Moment("tracing", "Activation patching (causal tracing): which state is sufficient, which necessary?"),
    )


PAGE = Page(
    __file__,
    "Intervene",
    order=501,
    stage="model",
    label="Intervene",
    colour=palette.FRAME,
    shape=lambda config: many(config.depth * config.heads, "head"),
    moments=_moments,
    compares=True,
)
