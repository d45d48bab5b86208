"""Intervene: parts of the running model are switched off, scaled or replaced, and the picture is painted over."""

from vitviz.config import ViTConfig
from vitviz.page import Moment


def moments(config: ViTConfig) -> tuple[Moment, ...]:
    """Those of Intervene."""
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
