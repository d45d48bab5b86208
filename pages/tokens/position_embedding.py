"""Position embedding: where a patch comes from is added to its token."""

from math import ceil

import numpy as np

from vitviz.figures.strips import strips
from vitviz.figures.tokens import position_embedding as figures
from vitviz.measures import tokens as measures
from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions
from vitviz.numbers import exact, small
from vitviz.ui import controls, lessons, token_views
from vitviz.ui import furniture as page
from vitviz.ui.view import current

MAPS = 24  # side by side, at most

view = current()
config = view.config
rows, columns = config.grid
t, d, special = config.tokens, config.dim, [f"[{name}]" for name in config.special_tokens]

page.sentence("A token does not know where its {patch} was. A learned vector for that {position} is added to it.")
chosen = controls.patch(view)

step = ceil(max(rows, columns) / MAPS)
start = chosen // columns % step, chosen % columns % step
token_views.similarity(view, view.measure(measures.position_maps, *start, step), chosen, step)

positions = view.measure(measures.positions)
page.picture(
    view,
    figures.table(positions, [*special, *(f"patch {patch + 1}" for patch in range(config.patches))]),
    f"{exact(t)} × {exact(d)} = {exact(t * d)} parameters: one row per token, {', '.join(special)} first. "
    f"From {small(positions.min())} to {small(positions.max())}.",
)

position = positions[len(special) + chosen]
token = view.measure(measures.projection).tokens[chosen]
total = view.measure(measures.placed_tokens)[len(special) + chosen]
lengths = [small(float(np.linalg.norm(vector))) for vector in (token, position, total)]
page.picture(
    view,
    strips({"patch token": token, "position": position, "sum": total}, f"What is added to patch {chosen + 1}"),
    f"Three vectors of {exact(d)} numbers on one scale; their lengths are {lengths[0]}, {lengths[1]} and {lengths[2]}. "
    f"{' and '.join(special)}: a learned vector in place of the patch token, with a {{position}} too.",
)
lessons.positions_matter(view)
lessons.positions_learned(view, chosen)

specials = r" \\ ".join(rf"x_\text{{{name}}}" for name in config.special_tokens)
page.formula(
    rf"z_0 = \begin{{bmatrix}} {specials} \\ x_1 E + b \\ \vdots \\ x_n E + b \end{{bmatrix}} + E_\text{{pos}}",
    rf"z_0,\ E_\text{{pos}} \in \mathbb{{R}}^{{{t} \times {d}}}",
)
page.formula(
    rf"z_{{0,{len(special) + chosen + 1}}} = x_{{{chosen + 1}}} E + b + E_{{\text{{pos}},{len(special) + chosen + 1}}}",
    rf"({small(total[0])},\ \dots) = ({small(token[0])},\ \dots) + ({small(position[0])},\ \dots)",
)
page.code(
    measures.positions,
    measures.similarity_maps,
    measures.cosine_similarity,
    probabilities_without_positions,
    probabilities_with_shuffled_positions,
)
