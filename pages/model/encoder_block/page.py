"""Encoder block: what attention and MLP do to the residual stream."""

from vitviz import palette
from vitviz.config import ACTIVATION_NAMES, ViTConfig
from vitviz.numbers import exact
from vitviz.page import Moment, Page

NORMS = {
    "layer": "Every block adds to the sum; layer norm brings every token to mean 0, variance 1.",
    "rms": "Every block adds to the sum; RMS norm brings every token to a mean square of 1.",
    "batch": "Batch norm: every component to mean 0, variance 1, over all tokens.",
}


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    post = config.norm_order == "post"
    return (
        Moment(
            "stream",
            "Read, add, normalise: each norm changes the {residual stream} itself."
            if post
            else "Read, add; read, add: a block never replaces the {residual stream}.",
        ),
        Moment("norm", NORMS[config.norm]),
        Moment("activation", _hidden_units(config)),
        Moment("similarity", "A 3 × 3 convolution sees its neighbours. A head may look anywhere."),
    )


def _hidden_units(config: ViTConfig) -> str:
    if config.activation == "relu":
        return "The MLP's hidden units: ReLU passes what is positive and makes the rest 0."
    gated = config.activation == "swiglu"
    said = "gate: SiLU" if gated else f"hidden units: {ACTIVATION_NAMES[config.activation]}"
    return f"The MLP's {said} passes large positive inputs, suppresses the rest."


PAGE = Page(
    __file__,
    "Encoder block",
    order=401,
    stage="block",
    label="Block",
    colour=palette.MLP,
    shape=lambda config: f"{exact(config.tokens)} × {exact(config.dim)}",
    moments=_moments,
)
