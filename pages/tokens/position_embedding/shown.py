"""The drawers of *Position embedding*: details, formula and code."""

from functools import cache
from math import ceil

import numpy as np
import streamlit as st

from vitviz import counts, equations, results
from vitviz.config import ADDED, PRESETS, ViTConfig
from vitviz.config.sides import tall
from vitviz.demo.dataset import VALIDATION
from vitviz.demo.snapshots import metrics, milestone, snapshots, when
from vitviz.figures.strips import strips
from vitviz.figures.tokens import position_embedding as figures
from vitviz.measures import positions as experiments
from vitviz.measures import tokens as measures
from vitviz.measures.arrays import Array
from vitviz.measures.positions import (
    MOST_VARIANCE,
    probabilities_with_shuffled_positions,
    probabilities_without_positions,
    read_places,
)
from vitviz.numbers import exact, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.board import address
from vitviz.ui.fallback import explained
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.table import table
from vitviz.ui.widgets.training_slider import moment

from .page import OFF, SHUFFLED

MAPS = 24  # side by side, at most
TOLERANCE = 1e-4  # of the largest number: two sums of some hundred products each, in another order


def show(selection: Selection) -> None:
    config = selection.config
    rows, columns = config.grid
    d, prefix = config.dim, [f"[{name}]" for name in config.prefix_tokens]
    positioned = placed(config)  # the prefix tokens that have a position
    rows_learned = len(positioned) + config.patches
    chosen = address.read(config).patch

    positions = measure(selection, measures.positions)[-rows_learned:]
    position = positions[len(positioned) + chosen]
    token = measure(selection, measures.embedded, "patch_tokens")[chosen]
    total = measure(selection, measures.placed_tokens)[len(prefix) + chosen]

    if page.drawer("details"):
        step = ceil(max(rows, columns) / MAPS)
        start = chosen // columns % step, chosen % columns % step
        similarity(selection, measure(selection, measures.position_maps, *start, step), chosen, step)
        page.picture(
            selection,
            figures.table(positions, [*positioned, *(f"patch {patch + 1}" for patch in range(config.patches))]),
            f"{counted(config)} From {small(positions.min())} to {small(positions.max())}.",
        )
        with_position = "with a {position} too" if positioned else "with no {position}"
        lengths = [small(float(np.linalg.norm(vector))) for vector in (token, position, total)]
        instead = f" {' and '.join(prefix)}: a learned vector in place of the patch token, {with_position}."
        page.picture(
            selection,
            strips(
                {"patch token": token, "position": position, "sum": total},
                f"What is added to patch {chosen + 1}",
                photo=True,
            ),
            f"Three vectors of {exact(d)} components on one scale; their lengths are {lengths[0]}, {lengths[1]} and "
            f"{lengths[2]}.{instead if prefix else ''}",
        )
        why_added(selection, chosen)
        why_short_is_enough(selection)
        positions_matter(selection)
        positions_learned(selection, chosen)

    if page.drawer("formula"):
        first = "".join(rf"{token} \\ " for token in equations.prefix(config, r"\vdots"))
        added = f" + {own}" if (own := equations.added(config)) else ""
        norm = rf" \qquad z_0 = {equations.NORMS[config.norm]}(s)"
        z, at, norm = ("s", "s_{", norm) if config.input_norm else ("z_0", "z_{0,", "")
        tokens = rf"{equations.patch_token(config, '1')} \\ \vdots \\ {equations.patch_token(config, 'n')}"
        page.formula(
            rf"{z} = \begin{{bmatrix}} {first}{tokens} \end{{bmatrix}}{added}{norm}",
            rf"{z} \in \mathbb{{R}}^{{{config.tokens} \times {d}}}"
            + (rf",\ E_\text{{pos}} \in \mathbb{{R}}^{{{rows_learned} \times {d}}}" if added else ""),
        )
        if config.positions_at != "stem":
            page.formula(
                rf"x_\ell = z_{{\ell-1}} + {equations.added_in_blocks(config)}", rf"\ell = 1,\ \dots,\ {config.depth}"
            )
        if config.positions == "relative":
            page.formula(
                r" \qquad ".join([f"A = {equations.weights(config)}", *equations.where(config)]),
                rf"b \in \mathbb{{R}}^{{{2 * rows - 1} \cdot {2 * columns - 1}}}\ \text{{for each head}}",
            )
        if config.positions == "rotary":
            page.formula(
                r"\tilde q_i \cdot \tilde k_j = q_i^T R(\theta_j - \theta_i)\, k_j \qquad \theta_{i,m} = "
                r"100^{-4m/d_h} \cdot \text{column}_i,\ 100^{-4m/d_h} \cdot \text{row}_i",
                rf"m = 0,\ \dots,\ {config.head_dim // 4 - 1}",
            )
        if added:
            row, learned = len(prefix) + chosen + 1, len(positioned) + chosen + 1
            page.formula(
                rf"{at}{row}}} = {equations.patch_token(config, f'{{{chosen + 1}}}')} + E_{{\text{{pos}},{learned}}}",
                rf"({small(total[0])},\ \dots) = ({small(token[0])},\ \dots) + ({small(position[0])},\ \dots)",
            )
        joined(selection, chosen)

    if page.drawer("code"):
        page.source(
            measures.positions,
            measures.similarity_maps,
            measures.cosine_similarity,
            experiments.probabilities_without_positions,
            experiments.probabilities_with_shuffled_positions,
            experiments.swapped_patches,
            experiments.read_places,
            experiments.place_read_out,
        )


def placed(config: ViTConfig) -> list[str]:
    """The prefix tokens that have a position, in brackets."""
    learned = config.positions == "learned" and config.prefix_positions
    return [f"[{name}]" for name in config.prefix_tokens] if learned else []


def counted(config: ViTConfig) -> str:
    """What positions there are, and how many parameters that takes."""
    (rows, columns), d, prefix = config.grid, config.dim, placed(config)
    where = {"every_layer": f" in each of {config.depth} layers", "every_layer_shared": ", the same in all layers"}
    at = where.get(config.positions_at, "")
    row_of = f"token, {', '.join(prefix)} first" if prefix else "patch"
    tokens = len(prefix) + config.patches
    offsets = (2 * rows - 1) * (2 * columns - 1)
    words = {
        "learned": f"{exact(tokens)} × {exact(d)} = {exact(tokens * d)} parameters: one row per {row_of}",
        "learned_2d": f"({rows} + {columns}) × {exact(d // 2)}: a half for every row of the grid and every column",
        "sincos_2d": "Sines and cosines of row and column, fixed",
        "relative": f"{exact(offsets)} offsets × {config.heads} heads in each of {config.depth} layers; "
        "nothing is added to the tokens",
        "rotary": f"Angles of row and column for {config.head_dim // 2} pairs of components, fixed; nothing is added "
        "to the tokens",
        "none": "No {positions}",
    }
    total = sum(it.count for it in counts.parameter_split(config) if it.name == "position embedding")
    in_all = "" if config.positions == "learned" and not at else f" {exact(total)} parameters in all."
    return f"{words[config.positions]}{at}.{in_all}"


def similarity(selection: Selection, maps: Array, patch: int, step: int) -> None:
    """Which positions are similar: the maps of every `step`th patch each way, and the one of `patch` enlarged."""
    (row, column), (rows, columns) = divmod(patch, selection.config.grid[1]), selection.config.grid
    patches = np.arange(selection.config.patches).reshape(rows, columns)[row % step :: step, column % step :: step]
    enlarged = maps[row // step, column // step]
    prefix = selection.config.prefix_tokens
    placeless = ", ".join(placed(selection.config))
    left_out = f" Left out, having no place on the grid: {placeless}." if placeless else ""
    others = np.delete(enlarged.ravel(), patch)
    elsewhere = f", and from {small(others.min())} to {small(others.max())} elsewhere" if others.size else ""
    all_maps, one_map = st.columns(2)
    with all_maps:
        page.picture(
            selection,
            figures.similarity_maps(maps, patches, (row // step, column // step), tall(selection.config.patch_sides)),
            f"{maps.shape[0]} × {maps.shape[1]} maps of {rows} × {columns}: {_compared(selection.config)}.{left_out}",
        )
    with one_map:
        page.picture(
            selection,
            figures.similarity_map(enlarged, patch, tall(selection.config.patch_sides)),
            f"The framed map: {selection.token_name(len(prefix) + patch)} has {small(enlarged.flat[patch])} with "
            f"itself{elsewhere}. One scale for all maps, from −1 to 1.",
        )


def _compared(config: ViTConfig) -> str:
    if config.positions == "relative":
        return "what the offset from one patch adds to its score with each, mean over layers and heads, 1 the largest"
    if config.positions == "rotary":
        return "how much of the product of two equal vectors stays when both are turned, mean over the pairs"
    return "the cosine of one {position} with each"


@st.fragment
@explained()
def why_added(selection: Selection, patch: int) -> None:
    """A position added is a position joined, checked on this patch; and the angles between tokens and positions."""
    if not _added_at_once(selection):
        return
    config, (x, token, place, product) = selection.config, _joined(selection, patch)
    tokens, places = measure(selection, measures.projection).tokens, measure(selection, measures.patch_positions)
    off = float(np.abs(product - (token + place)).max())
    lengths = np.linalg.norm(tokens, axis=1) * np.linalg.norm(places, axis=1)
    cosines = (tokens * places).sum(axis=1) / np.maximum(lengths, np.finfo(np.float32).tiny)
    angles = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    st.markdown("**Why may a position be added?**")
    page.check(
        off <= TOLERANCE * max(1.0, float(np.abs(product).max())),
        f"A patch of {len(x)} numbers and a one-hot place of {config.patches} side by side, times both matrices, is "
        f"the sum: the largest difference is {small(off)}.",
    )
    page.picture(
        selection,
        figures.angles(angles),
        f"Angles between the {exact(config.patches)} patch tokens and their positions: mean {small(angles.mean())}°, "
        f"from {small(angles.min())}° to {small(angles.max())}°. At 90° neither takes anything from the other.",
        title="Angles between tokens and positions",
    )


@st.fragment
@explained()
def why_short_is_enough(selection: Selection) -> None:
    """How far a place can be told of the sum, although its position is short beside the token."""
    config = selection.config
    if config.patches < 2 or not _added_at_once(selection):
        return
    read = measure(selection, read_places)
    if read.position >= read.token:
        return
    st.markdown("**Why is so short a position enough?**")
    st.markdown(
        f"A position is {small(read.position)} long on average, a patch token {small(read.token)}. But the tokens of "
        f"this picture differ in few directions: {exact(read.directions)} of {exact(config.dim)} hold "
        f"{100 * MOST_VARIANCE:.0f} % of their variance, and {small(100 * read.share)} % of the positions' squared "
        "length. In the others a position stands out, and a matrix like $W_Q$ or $W_K$ can weigh those. A linear "
        f"read-out (linear discriminant analysis) does: it tells {exact(read.right)} of {exact(config.patches)} places "
        f"from token plus position, and {exact(read.alone)} from the tokens alone; a guess would get 1. It is "
        "fitted on every second patch, as the black squares of a chessboard, and asked of the others, and the other "
        "way round."
    )


def joined(selection: Selection, patch: int) -> None:
    """The same as a formula."""
    if not _added_at_once(selection):
        return
    x, token, place, product = _joined(selection, patch)
    page.formula(
        r"(x \mid e_i) \begin{pmatrix} E \\ E_\text{pos} \end{pmatrix} = x E + E_{\text{pos}, i}",
        rf"({len(x)} + {selection.config.patches}) \times {len(product)}: \quad ({small(product[0])},\ \dots) = "
        rf"({small(token[0])} {_signed(place[0])},\ \dots)",
    )


def _added_at_once(selection: Selection) -> bool:
    """Whether tokens are a product of the patch alone, to which a position is added."""
    config = selection.config
    before, after = (
        measure(selection, measures.projection).tokens,
        measure(selection, measures.embedded, "patch_tokens"),
    )
    return config.positions in ADDED and config.positions_at == "stem" and np.array_equal(before, after)


def _joined(selection: Selection, patch: int) -> tuple[Array, Array, Array, Array]:
    """A patch, its token, its position, and patch and one-hot place times both matrices one above the other."""
    projection, places = measure(selection, measures.projection), measure(selection, measures.patch_positions)
    x = projection.patches[patch]
    row = np.concatenate([x, np.eye(1, len(places), patch, dtype=np.float32)[0]])
    product = row @ np.concatenate([projection.matrix, places]) + projection.bias
    return x, projection.tokens[patch], places[patch], product


def _signed(number: float) -> str:
    return f"- {small(abs(number))}" if number < 0 else f"+ {small(number)}"


def positions_learned(selection: Selection, patch: int) -> None:
    """The similarity of positions at any moment of training."""
    if (at := moment(selection)) is None:
        return
    patches = np.arange(selection.config.patches).reshape(selection.config.grid)
    chosen = divmod(patch, selection.config.grid[1])
    page.picture(
        selection,
        figures.similarity_maps(_similar_positions(at), patches, chosen),
        f"{when(at)}: rank correlation of {{position}} similarity with nearness "
        f"{small(milestone(at)['position_rank_correlation'])}, accuracy on {len(VALIDATION)} held-out scenes "
        f"{small(milestone(at)['accuracy'])}.",
        key="positions_learned",
    )


@cache
def _similar_positions(at: int) -> Array:
    config = PRESETS["demo"]
    return measures.similarity_maps(snapshots().positions[at][len(config.prefix_tokens) :], config.grid)


@st.fragment
@explained()
def positions_matter(selection: Selection) -> None:
    """Answers without positions and with shuffled ones beside the model's own, and the measured accuracy of each.

    A model without classes gives none.
    """
    if not selection.config.classes:
        return
    st.subheader("Do positions matter?", anchor=False)
    columns = st.columns(3)
    with columns[0]:
        st.markdown("**as learned**")
        predictions.bars(results.labels(selection), predictions.final(selection).probabilities)
    switches = (OFF, probabilities_without_positions), (SHUFFLED, probabilities_with_shuffled_positions)
    for column, (switch, probabilities) in zip(columns[1:], switches, strict=True):
        with column:
            if controls.draw(switch, selection.config):
                predictions.bars(results.labels(selection), measure(selection, probabilities))
    if selection.model.name == "demo":
        _measured_accuracy()


def _measured_accuracy() -> None:
    found, scenes = metrics()["trained"], metrics()["report"]["scenes"]
    rows = {
        "as learned": "accuracy",
        "positions off": "positions_off",
        "positions and light off": "positions_and_light_off",
        "positions shuffled": "positions_shuffled",
    }
    table(
        "Accuracy on test scenes",
        ["accuracy", "things (12 classes)", "relations (4 classes)", "all"],
        [
            [label, *(f"{100 * found[name + kind]:.1f} %" for kind in ("_things", "_relations", ""))]
            for label, name in rows.items()
        ],
    )
    st.caption(
        f"Measured on {exact(scenes)} scenes that the model never trained on. A bag of patches is enough to tell most "
        "things; which ball is left of the other needs positions. Guessing among the four relations gives 25 %. "
        f"{_light()}"
    )


def _light() -> str:
    found = metrics()["trained"]
    return (
        "Each scene carries a faint fixed light, brighter above and warmer on the left, which tells a little of the "
        f"place by itself; with positions, the same scenes without it give {100 * found['light_off']:.2f} %."
    )
