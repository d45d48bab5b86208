"""Query, key, value: one query token's way through one head, in numbers."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.page import Moment, Page


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    heads = f"The {config.heads} heads side by side" if config.heads > 1 else "The head's output"
    return (
        Moment("matrices", "Three matrices, the same for every token, make its {query}, {key} and {value}."),
        Moment("scores", "The {query} asks every {key}: multiply, add up, and that is the score."),
        Moment("softmax", _softmax(config)),
        Moment("values", "Every {value}, times its weight, flows into one sum: the output of the head."),
        Moment("output", f"{heads}, times Wₒ: what attention adds to the {{residual stream}}."),
    )


def _softmax(config: ViTConfig) -> str:
    if config.attention == "linear":
        return "φ(q)·φ(k), divided by their sum over all keys: weights without softmax."
    by = "Divided by √dₕ" if config.score_scale is None else f"Times {config.score_scale}"
    return {
        "full": f"{by}, softmax makes the scores weights that sum to 1.",
        "top_k": f"{by}, the {config.top_k} largest scores stay; softmax makes them weights.",
        "window": f"{by}, scores of near patches stay; softmax makes them weights.",
    }[config.attention]


PAGE = Page(
    __file__,
    "Query, key, value",
    order=301,
    stage="attention",
    label="Q · K · V",
    colour=palette.QUERY,
    shape=lambda config: f"{config.heads} × {exact(config.tokens)} × {config.head_dim}",
    moments=_moments,
    switched=True,
)
