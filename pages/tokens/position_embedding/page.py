"""Position embedding: where a patch comes from is added to its token."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.addresses.place import patch_of, read_place
from vitviz.calculation import Calculation, Calculations, Learned, Print
from vitviz.choice import ON_OFF, Choice
from vitviz.config.sides import tall
from vitviz.figures.strips import strips
from vitviz.figures.tokens.position_embedding import similarity_map
from vitviz.machine.pytorch import F, torch
from vitviz.page import Moment, Page
from vitviz.plain import EMBEDDED, linear, patches

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace

SUM = ("token", "position", "sum")
PLACES = ("as learned", "positions off", "positions shuffled")
MOST_CLASSES = 4  # of each answer that are printed


def swapped_with(words: Words, config: ViTConfig) -> int:
    """The patch that changes places with the chosen one: that of the key, or the one across the picture."""
    place, _ = read_place(words, config)
    return exchanged_with(config, patch_of(place.query, config), place.key)


def exchanged_with(config: ViTConfig, patch: int, key: int) -> int:
    """The same of a chosen patch and a key token, which may be none."""
    across, of_key = config.patches - 1 - patch, key - len(config.prefix_tokens)
    return of_key if of_key >= 0 else across if across != patch else 0


def token_and_position(trace: Trace, config: ViTConfig, patch: int) -> Array:
    from vitviz.measures.tokens import embedded, patch_positions, placed_tokens

    placed = placed_tokens(trace)[len(config.prefix_tokens) + patch]
    return np.stack([embedded(trace, "patch_tokens")[patch], patch_positions(trace)[patch], placed])


def moved_by_a_swap(trace: Trace, patch: int, other_patch: int) -> Array:
    from vitviz.measures.positions import swapped_patches

    swap = swapped_patches(trace, patch, other_patch)
    return np.concatenate([swap.moved, swap.stayed, swap.logits, swap.with_positions])


def similar_positions(trace: Trace, config: ViTConfig, patch: int) -> Array:
    from vitviz.measures.tokens import position_maps

    return position_maps(trace)[divmod(patch, config.grid[1])]


def answers_by_positions(trace: Trace, config: ViTConfig) -> Array:
    from vitviz.measures.classes import answer
    from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions

    learned = answer(trace, config.depth).probabilities
    return np.stack([learned, probabilities_without_positions(trace), probabilities_with_shuffled_positions(trace)])


def positions_then(step: int, config: ViTConfig, patch: int) -> Array:
    from vitviz.demo.snapshots import snapshots

    return snapshots().position_maps(step)[patch].reshape(config.grid)


def map_of_positions(values: Array, patch: int) -> Figure:
    from vitviz.figures.tokens.position_embedding import similarity_map

    return similarity_map(values, patch)


def printed_answers(values: Array, labels: Sequence[str]) -> Figure:
    from vitviz.figures.model.classes import probabilities
    from vitviz.measures.classes import best

    shown = [best(row, MOST_CLASSES) for row in values]
    drawn = [probabilities([labels[at] for at in its], row[its]) for its, row in zip(shown, values, strict=True)]
    return replace(
        drawn[0], rows=(tuple(replace(it.rows[0][0], title=name) for name, it in zip(PLACES, drawn, strict=True)),)
    )


def plain_sum(w: Weights, image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    token, position = linear(w, "patch_embed.proj", patches(image, config)[patch]), w["pos_embed"][0, 1 + patch]
    return torch.stack([token, position, token + position])


def plain_positions(w: Weights, config: ViTConfig, patch: int) -> Tensor:
    positions = w["pos_embed"][0, 1:]  # n d, without that of the class token
    return F.cosine_similarity(positions[patch], positions).view(config.grid)


def plain_positions_then(file: Path, config: ViTConfig, step: int, patch: int) -> Tensor:
    from safetensors.torch import load_file

    arrays = load_file(file)
    positions = arrays["positions"][arrays["steps"].tolist().index(step), 1:].float()  # n d
    return F.cosine_similarity(positions[patch], positions).view(config.grid)


ADDED = Calculation(
    "one patch: its token, its position, and their sum, which enters the first block",
    "3 d",
    token_and_position,
    plain_sum,
    EMBEDDED,
    SUM,
    printed=Print(lambda values: strips(dict(zip(SUM, values, strict=True)), photo=True), below=True),
)
POSITIONS = Calculation(
    "how similar the position of one patch is to those of all, as cosines",
    "gh gw",
    similar_positions,
    plain_positions,
    printed=Print(lambda values, config, patch: similarity_map(values, patch, tall(config.patch_sides))),
)
WITHOUT_POSITIONS = Calculation(
    "the probability of every class with positions as learned, without those of patches, and with those shuffled",
    "3 classes",
    answers_by_positions,
    places=PLACES,
    lacks="positions are changed inside the model; `vitviz/measures/positions.py` does it",
    headed=True,
    printed=Print(printed_answers, classes=MOST_CLASSES),
)
SWAPPED = Calculation(
    "how much is another when two patches of the picture change places, as largest differences",
    "4",
    moved_by_a_swap,
    places=(
        "the two tokens, each to the other's before, without positions",
        "all other tokens, without positions",
        "the logits, without positions",
        "the logits, with positions",
    ),
    lacks=WITHOUT_POSITIONS.lacks,
)
LEARNED = Learned(
    "how similar the position of one patch was to those of all, as cosines",
    "gh gw",
    positions_then,
    plain_positions_then,
    printed=Print(map_of_positions),
    figure=map_of_positions,
)


OFF = Choice("positions_off", ON_OFF, label="Positions off", usual="true")
SHUFFLED = Choice("positions_shuffled", ON_OFF, label="Positions shuffled", usual="true")

PAGE = Page(
    __file__,
    "Position embedding",
    order=203,
    stage="position_embedding",
    tensors=("cls_token", "dist_token", "reg_token", "pos_embed", "blocks.pos_embed", "embed"),
    label="Position",
    colour=palette.POSITION,
    shape="{tokens} × {dim}",
    all_moments=(
        Moment(
            "sum",
            {
                "positions_at=stem positions=learned": (
                    "A token does not know where its {patch} was: a learned {position} is added to it."
                ),
                "positions_at=stem positions=learned_2d": (
                    "Where was the {patch}? A half for its row and one for its column is added."
                ),
                "positions_at=stem positions=sincos_2d": (
                    "Where was the {patch}? Fixed waves of its row and column are added."
                ),
                "positions=relative": "Where is another {patch}? Each offset adds a learned number to the scores.",
                "positions=rotary": "Where is another {patch}? Queries and keys are turned by row and column.",
                "positions=none": "A token does not know where its {patch} was, and nothing tells it.",
                "positions=sincos_2d": (
                    "Where was the {patch}? Every layer adds the same fixed waves of row and column."
                ),
                "positions=learned positions_at=every_layer": (
                    "Where was the {patch}? Every layer adds learned {positions} of its own."
                ),
                "positions=learned": "Where was the {patch}? Every layer adds the same learned {positions}.",
                "positions_at=every_layer": (
                    "Where was the {patch}? Every layer adds halves for row and column of its own."
                ),
                "": "Where was the {patch}? Every layer adds the same halves for row and column.",
            },
            ADDED,
            columns=True,
            embedded="classes=0",
        ),
        Moment(
            "similarity",
            {
                "positions=learned": "Neighbours learn similar {positions}. Nobody told them rows and columns.",
                "positions=learned_2d": "One row shares a half of its {positions}, one column the other.",
                "positions=sincos_2d": "Neighbours have similar waves: rows and columns are built in, not learned.",
                "positions=relative": (
                    "What was learned of offsets: where each {patch} looks because of its place alone."
                ),
                "positions=rotary": "Two equal vectors, turned: how much of their product stays, by the offset alone.",
                "positions=none": "Without {positions} no place is like or unlike another.",
            },
            POSITIONS,
            untrained={
                "positions=learned": "Untrained, no {position} is like another. Training makes neighbours alike."
            },
            columns=True,
            embedded="classes=0",
        ),
        Moment(
            "answers",
            {
                "positions=none": "No {positions} to take away: left of and right of are the same to this model.",
                "": "Take the {positions} away, and what lies left, right, above or below is a guess.",
            },
            WITHOUT_POSITIONS,
            when="classes",
            columns=True,
        ),
        Moment(
            "swap",
            "Without {positions} order does not matter: swap two {patches}, and the answer stays.",
            SWAPPED,
            when="classes",
            columns=True,
        ),
    ),
    choices=(Choice("placed", ("learned", "off", "shuffled"), scene=True), OFF, SHUFFLED),
    cards=("positions", "positions_at", "prefix_positions"),
    follows={"other_patch": swapped_with},
    calculations=Calculations(POSITIONS, learned=LEARNED, learned_at={"second": "similarity"}),
)
