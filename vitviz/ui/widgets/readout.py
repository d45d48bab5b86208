"""How a model's answer is read off its tokens, and what the token that is read looks at."""

from dataclasses import dataclass

from vitviz.measures.arrays import Array
from vitviz.measures.attention import class_attention, mean_attention
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection


@dataclass(frozen=True, slots=True)
class Reader:
    """What the head reads: its name, whose attention is shown for it, and LaTeX from the last stream to the head."""

    name: str
    looks: str
    formula: str


READERS = {
    "class": Reader(
        "{class token}", "the class token looks", r"\operatorname{LN}(\mathbf z_\text{depth})_\text{class}"
    ),
    "attention": Reader(
        "pooled picture",
        "the tokens on average look",
        r"\operatorname{pool}(\operatorname{LN}(\mathbf z_\text{depth}))",
    ),
    "mean": Reader(
        "mean of the {patch tokens}",
        "the tokens on average look",
        r"\tfrac1n \textstyle\sum_\text{patches} \operatorname{LN}(\mathbf z_\text{depth})",
    ),
    "flatten": Reader(
        "row of all tokens",
        "the tokens on average look",
        r"\operatorname{flatten}(\operatorname{LN}(\mathbf z_\text{depth}))",
    ),
}


def reader(selection: Selection) -> Reader:
    """How this model's answer is read off its tokens."""
    return READERS[selection.config.pool]


def maps_by_layer(selection: Selection) -> Array:
    """What the class token, or the mean token, looks at on the patch grid, mean over the heads: `layer gh gw`."""
    if selection.config.pool == "class":
        weights = measure(selection, class_attention).mean(axis=1)
    else:
        weights = measure(selection, mean_attention)
    return weights[:, len(selection.config.prefix_tokens) :].reshape(-1, *selection.config.grid)
