"""How a model's answer is read off its tokens, and what the token that is read looks at."""

from dataclasses import dataclass, replace

from vitviz.config import ViTConfig
from vitviz.equations import NORMS
from vitviz.measures.arrays import Array
from vitviz.measures.attention import class_attention, mean_attention
from vitviz.results import measure
from vitviz.selection import Selection


@dataclass(frozen=True, slots=True)
class Reader:
    """What the head reads: its name, whose attention is shown for it, and LaTeX from the stream z to the head.

    `says` is how it is made, as the beginning of a sentence, `short` its name where there is little room.
    """

    name: str
    looks: str
    formula: str
    says: str
    short: str


NORMALISED = {"layer": "layer-normalised", "rms": "RMS-normalised", "batch": "batch-normalised"}
SHORT = {"layer": "LN", "rms": "RMS", "batch": "BN"}
AVERAGE = "the tokens on average look"
READERS = {
    "class": Reader(
        "{class token}",
        "the class token looks",
        r"\operatorname{LN}(\mathbf z)_\text{class}",
        "The {class token} is layer-normalised",
        "LN(z)",
    ),
    "attention": Reader(
        "pooled picture",
        AVERAGE,
        r"\operatorname{pool}(\operatorname{LN}(\mathbf z))",
        "All tokens are layer-normalised, one learned query gathers them",
        "the pooled vector",
    ),
    "mean": Reader(
        "mean of the {patch tokens}",
        AVERAGE,
        r"\tfrac1n \textstyle\sum_\text{patches} \operatorname{LN}(\mathbf z)",
        "All tokens are layer-normalised, those of the patches averaged (global average pooling)",
        "the mean token",
    ),
    "norm_after_pooling": Reader(
        "normalised mean of the {patch tokens}",
        AVERAGE,
        r"\operatorname{LN}\bigl(\tfrac1n \textstyle\sum_\text{patches} \mathbf z\bigr)",
        "The {patch tokens} are averaged (global average pooling) and their mean is layer-normalised",
        "LN(mean)",
    ),
    "flatten": Reader(
        "row of all tokens",
        AVERAGE,
        r"\operatorname{flatten}(\operatorname{LN}(\mathbf z))",
        "All tokens are layer-normalised and laid side by side",
        "all tokens",
    ),
}


def reader(config: ViTConfig) -> Reader:
    """How such a model's answer is read off its tokens."""
    found = READERS["norm_after_pooling" if config.norm_after_pooling else config.pool]
    formula = found.formula.replace(NORMS["layer"], NORMS[config.norm])
    says = found.says.replace("layer-normalised", NORMALISED[config.norm])
    return replace(found, formula=formula, says=says, short=found.short.replace("LN", SHORT[config.norm]))


def maps_by_layer(selection: Selection) -> Array:
    """What the class token, or the mean token, looks at on the patch grid, mean over the heads: `layer gh gw`."""
    if selection.config.pool == "class":
        weights = measure(selection, class_attention).mean(axis=1)
    else:
        weights = measure(selection, mean_attention)
    return weights[:, len(selection.config.prefix_tokens) :].reshape(-1, *selection.config.grid)
