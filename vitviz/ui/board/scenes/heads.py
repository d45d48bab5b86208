"""Heads: what every head of every layer looks at from one token, who looks at it, and what reaches it in all."""

from typing import Any

import numpy as np

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.numbers import exact, small
from vitviz.ui.board.address import Address
from vitviz.ui.board.attention import attention_maps, rollouts
from vitviz.ui.board.parcels import Arrays
from vitviz.ui.board.scene import Parcels, Scene
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection


def _moments(config: ViTConfig) -> tuple[str, ...]:
    matrix = "Every token asks every token: one row of the matrix per {query}."
    if config.heads == 1:
        return "One head, one question: what does it ask of this {patch}?", matrix
    return (
        f"{config.heads} heads, {config.heads} different questions: what does each ask of this {{patch}}?",
        matrix,
        "Two heads beside each other: the same {query}, another answer.",
    )


def _parcels(selection: Selection, address: Address) -> Parcels:
    yield from attention_maps(selection, address)
    yield f"exact-{address.layer}-{address.query}", lambda: _exact(selection, address)
    if address.switches["shows"] == "rollout":
        yield from rollouts(selection, address)


def _exact(selection: Selection, address: Address) -> Arrays:
    from vitviz.measures.quantised import exact_weights

    row, column = measure(selection, exact_weights, address.layer, address.query)
    return {"row": np.asarray(row), "column": np.asarray(column)}


def _facts(selection: Selection) -> dict[str, Any]:
    """How far a row of weights of one byte each can be off, in percent."""

    from vitviz.measures.quantised import largest_variation

    return {"off": small(100 * largest_variation(selection.config.tokens))}


SCENE = Scene(
    label="Heads",
    colour=palette.ATTENTION,
    shape=lambda config: f"{config.heads} × {exact(config.tokens)} × {exact(config.tokens)}",
    moments=_moments,
    parcels=_parcels,
    facts=_facts,
)
