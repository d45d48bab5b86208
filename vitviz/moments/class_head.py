"""Class head: the answer grows with the depth; norm, head and softmax make it; and the whole way of one patch."""

from vitviz.config import ViTConfig
from vitviz.page import Moment


def moments(config: ViTConfig) -> tuple[Moment, ...]:
    """Those of Class head."""
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
