"""The drawers of *Position embedding*: details, formula and code."""

from math import ceil

import numpy as np

from vitviz.equations import attention, stream
from vitviz.figures.strips import strips
from vitviz.figures.tokens import position_embedding as figures
from vitviz.measures import positions as experiments
from vitviz.measures import tokens as measures
from vitviz.numbers import exact, small
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.results import measure
from vitviz.ui.selection import current

from . import details

MAPS = 24  # side by side, at most


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    rows, columns = config.grid
    d, prefix = config.dim, [f"[{name}]" for name in config.prefix_tokens]
    placed = details.placed(config)  # the prefix tokens that have a position
    rows_learned = len(placed) + config.patches
    chosen = address.read(config).patch

    positions = measure(selection, measures.positions)[-rows_learned:]
    position = positions[len(placed) + chosen]
    token = measure(selection, measures.embedded, "patch_tokens")[chosen]
    total = measure(selection, measures.placed_tokens)[len(prefix) + chosen]

    if page.drawer("details"):
        step = ceil(max(rows, columns) / MAPS)
        start = chosen // columns % step, chosen % columns % step
        details.similarity(selection, measure(selection, measures.position_maps, *start, step), chosen, step)
        page.picture(
            selection,
            figures.table(positions, [*placed, *(f"patch {patch + 1}" for patch in range(config.patches))]),
            f"{details.counted(config)} From {small(positions.min())} to {small(positions.max())}.",
        )
        with_position = "with a {position} too" if placed else "with no {position}"
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
        details.why_added(selection, chosen)
        details.why_short_is_enough(selection)
        details.positions_matter(selection)
        details.positions_learned(selection, chosen)

    if page.drawer("formula"):
        first = "".join(rf"{token} \\ " for token in stream.prefix(config, r"\vdots"))
        added = f" + {own}" if (own := stream.added(config)) else ""
        norm = rf" \qquad z_0 = {stream.NORMS[config.norm]}(s)"
        z, at, norm = ("s", "s_{", norm) if config.input_norm else ("z_0", "z_{0,", "")
        tokens = rf"{stream.patch_token(config, '1')} \\ \vdots \\ {stream.patch_token(config, 'n')}"
        page.formula(
            rf"{z} = \begin{{bmatrix}} {first}{tokens} \end{{bmatrix}}{added}{norm}",
            rf"{z} \in \mathbb{{R}}^{{{config.tokens} \times {d}}}"
            + (rf",\ E_\text{{pos}} \in \mathbb{{R}}^{{{rows_learned} \times {d}}}" if added else ""),
        )
        if config.positions_at != "stem":
            page.formula(
                rf"x_\ell = z_{{\ell-1}} + {stream.added_in_blocks(config)}", rf"\ell = 1,\ \dots,\ {config.depth}"
            )
        if config.positions == "relative":
            page.formula(
                r" \qquad ".join([f"A = {attention.weights(config)}", *attention.where(config)]),
                rf"b \in \mathbb{{R}}^{{{2 * rows - 1} \cdot {2 * columns - 1}}}\ \text{{for each head}}",
            )
        if config.positions == "rotary":
            page.formula(
                r"\tilde q_i \cdot \tilde k_j = q_i^T R(\theta_j - \theta_i)\, k_j \qquad \theta_{i,m} = "
                r"100^{-4m/d_h} \cdot \text{column}_i,\ 100^{-4m/d_h} \cdot \text{row}_i",
                rf"m = 0,\ \dots,\ {config.head_dim // 4 - 1}",
            )
        if added:
            row, learned = len(prefix) + chosen + 1, len(placed) + chosen + 1
            page.formula(
                rf"{at}{row}}} = {stream.patch_token(config, f'{{{chosen + 1}}}')} + E_{{\text{{pos}},{learned}}}",
                rf"({small(total[0])},\ \dots) = ({small(token[0])},\ \dots) + ({small(position[0])},\ \dots)",
            )
        details.joined(selection, chosen)

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
