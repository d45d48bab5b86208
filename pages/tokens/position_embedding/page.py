"""Position embedding: where a patch comes from is added to its token."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.page import Moment, Page

# How a token gets to know where its patch was, by kind of positions; and what every layer adds, where each does.
ONCE = {
    "learned": "A token does not know where its {patch} was: a learned {position} is added to it.",
    "learned_2d": "Where was the {patch}? A half for its row and one for its column is added.",
    "sincos_2d": "Where was the {patch}? Fixed waves of its row and column are added.",
    "relative": "Where is another {patch}? Each offset adds a learned number to the scores.",
    "rotary": "Where is another {patch}? Queries and keys are turned by row and column.",
    "none": "A token does not know where its {patch} was, and nothing tells it.",
}
AGAIN = {
    "learned": "learned {position}s",
    "learned_2d": "halves for row and column",
    "sincos_2d": "fixed waves of row and column",
}
ALIKE = {
    "learned": "Neighbours learn similar {position}s. Nobody told them rows and columns.",
    "learned_2d": "One row shares a half of its {position}s, one column the other.",
    "sincos_2d": "Neighbours have similar waves: rows and columns are built in, not learned.",
    "relative": "What was learned of offsets: where each {patch} looks because of its place alone.",
    "rotary": "Two equal vectors, turned: how much of their product stays, by the offset alone.",
    "none": "Without {position}s no place is like or unlike another.",
}
UNTRAINED = {"learned": "Untrained, no {position} is like another. Training makes neighbours alike."}


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    kind, before = config.positions, not config.classes
    found = (
        Moment("sum", _added_where(config), columns=True, embedded=before),
        Moment("similarity", ALIKE[kind], untrained=UNTRAINED.get(kind, ""), columns=True, embedded=before),
    )
    if not config.classes:
        return found
    without = (
        "No {position}s to take away: left of and right of are the same to this model."
        if kind == "none"
        else "Take the {position}s away, and what lies left, right, above or below is a guess."
    )
    swap = "Without {position}s order does not matter: swap two {patch}es, and the answer stays."
    return *found, Moment("answers", without, columns=True), Moment("swap", swap, columns=True)


def _added_where(config: ViTConfig) -> str:
    if config.positions_at == "stem":
        return ONCE[config.positions]
    same, own = ("", " of its own") if _differ_by_layer(config) else ("the same ", "")
    return f"Where was the {{patch}}? Every layer adds {same}{AGAIN[config.positions]}{own}."


def _differ_by_layer(config: ViTConfig) -> bool:
    return config.positions_at == "every_layer" and config.positions != "sincos_2d"


PAGE = Page(
    __file__,
    "Position embedding",
    order=203,
    stage="position_embedding",
    label="Position",
    colour=palette.POSITION,
    shape=lambda config: f"{exact(config.tokens)} × {exact(config.dim)}",
    moments=_moments,
)
