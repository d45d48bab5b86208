"""Depth: what becomes of attention from the first layer to the last."""

from vitviz.config import ViTConfig
from vitviz.page import Moment


def moments(config: ViTConfig) -> tuple[Moment, ...]:
    """Those of Depth."""
    found = (
        Moment("rollout", "One layer looks once; stacked layers pass on what others have seen.", columns=True),
        Moment("reach", "How far the heads look, and how concentrated their attention is.", columns=True),
    )
    if "class" not in config.prefix_tokens:
        return found
    journey = "The {class token}'s journey: what it has gathered, layer by layer."
    return *found, Moment("journey", journey, columns=True)
