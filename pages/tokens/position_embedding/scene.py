"""Position embedding: what is added, what it knows, and what it is for."""

from functools import cache
from typing import Any

import numpy as np

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.scripts.parcels import Arrays
from vitviz.ui.board.address import Address
from vitviz.ui.board.pictures import aligned_balls, of_aligned_balls
from vitviz.ui.board.scene import Parcels, Scene
from vitviz.ui.results import measure, measure_embedding
from vitviz.ui.selection import Selection

WHOLE = 600  # patches up to which all maps are sent


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
MAPS = {
    "relative": ("what its place adds to scores, 1 the largest", "one map per patch"),
    "rotary": ("how much of q·k stays of equal vectors", "one map per patch"),
    "none": ("there is nothing to compare", "one map per patch"),
}
COSINE = ("its cosine with every other", "one map per position")


def _added_where(config: ViTConfig) -> str:
    if config.positions_at == "stem":
        return ONCE[config.positions]
    same, own = ("", " of its own") if _differ_by_layer(config) else ("the same ", "")
    return f"Where was the {{patch}}? Every layer adds {same}{AGAIN[config.positions]}{own}."


def _differ_by_layer(config: ViTConfig) -> bool:
    return config.positions_at == "every_layer" and config.positions != "sincos_2d"


def _moments(config: ViTConfig) -> tuple[str, ...]:
    moments = (_added_where(config), ALIKE[config.positions])
    if not config.classes:
        return moments
    if config.positions == "none":
        return (
            *moments,
            "No {position}s to take away: left of and right of are the same to this model.",
            "Without {position}s order does not matter: swap two {patch}es, and the answer stays.",
        )
    return (
        *moments,
        "Take the {position}s away, and what lies left, right, above or below is a guess.",
        "Without {position}s order does not matter: swap two {patch}es, and the answer stays.",
    )


def _parcels(selection: Selection, address: Address) -> Parcels:
    config = selection.config
    yield "added", lambda: _added(selection)
    if config.patches <= WHOLE:
        yield "position-maps", lambda: {"maps": _maps(selection)}
    else:
        yield f"position-map-{address.patch}", lambda: {"map": _map(selection, address.patch)}
    if config.classes:
        yield "positions-answers", lambda: _answers(selection)
    if config.classes and address.moment == 3:
        first, second = address.patch, other(config, address)
        yield f"swap-{first}-{second}", lambda: _swapped(selection, first, second)


def _facts(selection: Selection) -> dict[str, Any]:
    """Where a picture stands among the samples that shows what positions are for, 0 where this one does; what the maps
    are."""
    says, one = MAPS.get(selection.config.positions, COSINE)
    return {
        "balls": aligned_balls(selection),
        "aligned": of_aligned_balls(selection),
        "maps": f"{one}: {says}",
        "narrow": one,
    }


def other(config: ViTConfig, address: Address) -> int:
    """The patch that changes places with the chosen one: that of the key, or the one across the picture."""
    key = address.key - len(config.prefix_tokens)
    across = config.patches - 1 - address.patch
    return key if key >= 0 else across if across != address.patch else 0


def _added(selection: Selection) -> Arrays:
    from vitviz.measures import tokens

    return {
        "token": measure_embedding(selection, tokens.embedded, "patch_tokens"),
        "position": measure_embedding(selection, tokens.patch_positions),
        "sum": measure_embedding(selection, tokens.placed_tokens)[len(selection.config.prefix_tokens) :],
    }


def _maps(selection: Selection) -> np.ndarray:
    from vitviz.measures import tokens

    if selection.learned is not None:
        return _learned_maps(selection.learned)
    maps = measure_embedding(selection, tokens.position_maps)
    return maps.reshape(selection.config.patches, -1)


@cache
def _learned_maps(step: int) -> np.ndarray:
    """The same of the demo model at a moment of its training."""
    from vitviz.demo.snapshots import snapshots

    return snapshots().position_maps(step)


def _map(selection: Selection, patch: int) -> np.ndarray:
    from vitviz.measures import tokens

    rows, columns = selection.config.grid
    row, column = divmod(patch, columns)
    return measure_embedding(selection, tokens.position_maps, row, column, max(rows, columns))[0, 0].ravel()


def _answers(selection: Selection) -> Arrays:
    from vitviz.measures import positions
    from vitviz.measures.classes import answer

    return {
        "learned": measure(selection, answer, selection.config.depth).probabilities,
        "off": measure(selection, positions.probabilities_without_positions),
        "shuffled": measure(selection, positions.probabilities_with_shuffled_positions),
        "order": measure(selection, positions.shuffled_order).astype(np.int32),
    }


def _swapped(selection: Selection, first: int, second: int) -> Arrays:
    from vitviz.measures import positions

    swap = measure(selection, positions.swapped_patches, first, second)
    return {"moved": swap.moved, "stayed": swap.stayed, "logits": swap.logits, "with": swap.with_positions}


SCENE = Scene(
    label="Position",
    colour=palette.POSITION,
    shape=lambda config: f"{exact(config.tokens)} × {exact(config.dim)}",
    moments=_moments,
    parcels=_parcels,
    facts=_facts,
    embedded=lambda config, moment: not config.classes,
    columns=lambda config: range(len(_moments(config))),
    untrained={ALIKE["learned"]: "Untrained, no {position} is like another. Training makes neighbours alike."},
)
