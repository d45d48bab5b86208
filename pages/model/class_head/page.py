"""Class head: what the class token says, after the last block and after every other."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.page import Moment, Page


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    gathers = "Before layer 1 the {class token} is the same for every picture; then it gathers."
    token = (Moment("token", gathers, columns=True),) if config.pool == "class" else ()
    end = "answer" if config.classes else "result"
    way = Moment("way", f"The whole way of one {{patch}}, from its pixels to the {end}.")
    if not config.classes:
        result = "This model has no head: its result is the vector that a head would read."
        return *token, Moment("result", result, columns=True), way
    lens = Moment(
        "lens",
        "The answer grows: what the head would say after every layer.",
        untrained="Untrained, it answers at random: what the head would say after every layer.",
        columns=True,
    )
    scores = "The head gives one logit per class; softmax makes them probabilities."
    return lens, Moment("scores", scores, columns=True), *token, way


def reads(config: ViTConfig) -> int:
    """Numbers that the head reads."""
    return config.pre_logits or config.pooled


PAGE = Page(
    __file__,
    "Class head",
    order=402,
    stage="head",
    label="Class",
    colour=palette.HEAD,
    shape=lambda config: exact(config.classes or reads(config)),
    moments=_moments,
    switched=True,
)
