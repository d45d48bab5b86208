"""Heads: every head asks its own question of the picture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Learned, Print
from vitviz.choice import SCALE, Choice
from vitviz.config.sides import tall
from vitviz.figures.attention.maps import matrix, wall_of_tokens
from vitviz.figures.figure import Figure, Numbers
from vitviz.figures.marks import Colours, Heat, Picture
from vitviz.figures.parts import pictured
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, stream

if TYPE_CHECKING:
    from pathlib import Path

    from vitviz.config import ViTConfig
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View

SIDE = 210  # pixels of a printed map of a moment of training


def looks_at(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.attention import attention_row

    return attention_row(trace, layer, query)


def is_looked_at(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.attention import attention_column

    return attention_column(trace, layer, query)


def wall_of_heads(
    values: Array, trace: Trace, config: ViTConfig, layer: int, head: int, query: int, mean: bool
) -> Figure:
    edits = [it for it in trace.edits.of("head", "attention", "block") if it.layer == layer and not it.word]
    off = [it for it in edits if it.number == 0]
    switched = {at for at in range(config.heads) if any(it.kind != "head" or at in it.places for it in off)}
    chosen = None if mean else head
    return wall_of_tokens(values, "head", chosen, query, config.grid, tall(config.patch_sides), switched)


def all_of_a_head(trace: Trace, layer: int, head: int) -> Array:
    from vitviz.measures.attention import attention_weights

    return attention_weights(trace, layer)[head]


def matrix_of_a_head(trace: Trace, config: ViTConfig, layer: int, head: int) -> Numbers:
    says, tokens = f"What every query looks at in head {head + 1} of layer {layer + 1}.", config.token_names
    weights = all_of_a_head(trace, layer, head).copy()
    return Numbers("matrix", ("query", "key"), weights, says, names={"query": tokens, "key": tokens})


def outline_of_matrix(config: ViTConfig) -> Numbers:
    tokens = config.token_names
    empty = np.broadcast_to(0, (len(tokens), len(tokens)))
    return Numbers("matrix", ("query", "key"), empty, names={"query": tokens, "key": tokens})


def mean_of_a_layer(trace: Trace, layer: int) -> Array:
    from vitviz.measures.attention import attention_weights

    return attention_weights(trace, layer).mean(axis=0)


def matrix_of_tokens(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.attention.maps import matrix

    return matrix(values, config.token_names, config.prefix_tokens, 0)


def looked_at(step: int, layer: int) -> Array:
    from vitviz.demo.snapshots import snapshots

    return snapshots().looked_at(step, layer)


def titles_of_scenes() -> dict[str, list[str]]:
    from vitviz.demo.samples import WATCHED

    return {"scene": [scene.title for scene in WATCHED]}


def maps_of_scenes(values: Array) -> Figure:
    from vitviz.demo.samples import WATCHED
    from vitviz.figures.laboratory.panels import panels

    maps = {scene.title: weights.reshape(12, 12) for scene, weights in zip(WATCHED, values, strict=True)}
    return panels(maps, [float(values.max())] * len(maps), "weight")


def printed_scenes(values: Array, config: ViTConfig) -> Figure:
    from vitviz.demo.samples import WATCHED

    grid, colours = config.grid, Colours(float(values.max()))
    seen = [(Picture(np.asarray(it.scene.image), *grid, photo=False), it.title) for it in WATCHED]
    photos = tuple(pictured((picture,), *grid, SIDE, title=title) for picture, title in seen)
    maps = [Heat(row.reshape(grid), colours) for row in values]
    looks = tuple(pictured((weights,), *grid, SIDE, title="where it looks") for weights in maps)
    return Figure((photos, looks), scale=colours)


def plain_matrix(w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int) -> Tensor:
    return block(w, stream(w, image, config, layer), config, layer)[0][head].softmax(dim=-1)


def plain_mean_matrix(w: Weights, image: Tensor, config: ViTConfig, layer: int) -> Tensor:
    return block(w, stream(w, image, config, layer), config, layer)[0].softmax(dim=-1).mean(dim=0)


def plain_row(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    scores, *_ = block(w, stream(w, image, config, layer), config, layer)
    return scores.softmax(dim=-1)[:, query]


def plain_column(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    scores, *_ = block(w, stream(w, image, config, layer), config, layer)
    return scores.softmax(dim=-1)[:, :, query]


def plain_looked_at(file: Path, step: int, layer: int) -> Tensor:
    from safetensors.torch import load_file

    arrays = load_file(file)
    squares = arrays["attention"][arrays["steps"].tolist().index(step), :, layer].float() ** 2  # scene head t, coded
    weights = squares / squares.sum(dim=-1, keepdim=True)
    return weights.mean(dim=1)[:, 1:]  # scene n, without what the class token looks at in itself


ROW = Calculation(
    "what one query looks at in every head of one layer",
    "head k",
    looks_at,
    plain_row,
    ATTENDED,
    printed=Print(wall_of_heads, strongest="{head} looks most at"),
    also=matrix_of_a_head,
    outline=outline_of_matrix,
)
COLUMN = Calculation(
    "who looks at one token in every head of one layer",
    "head q",
    is_looked_at,
    plain_column,
    ATTENDED,
    printed=Print(wall_of_heads, strongest="{head}: it is looked at most by"),
    also=matrix_of_a_head,
)
MATRIX = Calculation(
    "what every query looks at in one head of one layer: a row for each query, a column for each key",
    "q k",
    all_of_a_head,
    plain_matrix,
    ATTENDED,
    printed=Print(lambda values, config, query: matrix(values, config.token_names, config.prefix_tokens, query)),
    figure=matrix_of_tokens,
)
MATRIX_OF_MEAN = replace(
    MATRIX,
    says="what every query looks at in one layer, mean of its heads: a row for each query, a column for each key",
    make=mean_of_a_layer,
    plain=plain_mean_matrix,
)
LEARNED = Learned(
    "what the class token looked at in one layer, mean of its heads, on four scenes",
    "scene n",
    looked_at,
    plain_looked_at,
    names=titles_of_scenes,
    printed=Print(printed_scenes),
    figure=maps_of_scenes,
)


def row_or_column(view: View) -> Calculation:
    return COLUMN if view.shows == "column" else ROW


def matrix_of_head_or_mean(view: View) -> Calculation:
    return MATRIX_OF_MEAN if view.choices.get("mean") else MATRIX


PAGE = Page(
    __file__,
    "Heads",
    order=302,
    stage="attention",
    label="Heads",
    colour=palette.ATTENTION,
    shape="{heads} × {tokens} × {tokens}",
    all_moments=(
        Moment(
            "wall",
            {
                "heads=1": "One token, one head: what does its {query} look at?",
                "": "One token asks in {heads} heads: what does each {query} look at?",
            },
            row_or_column,
            columns=True,
        ),
        Moment(
            "matrix",
            "Every token asks every token: a row per {query} that asks, a column per {key}.",
            matrix_of_head_or_mean,
            columns=True,
        ),
        Moment(
            "pair",
            "Two heads beside each other: the same token asks, another answer.",
            row_or_column,
            when="heads!=1",
            columns=True,
        ),
    ),
    switched=True,
    tensors=("blocks.attn.weights",),
    elsewhere={"rollout": "depth"},
    explored="row",
    choices=(
        Choice("mean", {"0": False, "1": True}, name="mean", scene=True),
        Choice("drawn", ("light", "colours"), scene=True),
        SCALE,
    ),
    cards=("registers", "attention", "top_k", "window"),
    calculations=Calculations(ROW, row_or_column, learned=LEARNED, learned_at={"first": "wall", "second": "wall"}),
)
