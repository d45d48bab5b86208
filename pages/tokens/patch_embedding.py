"""Patch embedding: each patch becomes a token."""

import streamlit as st

from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding as figures
from vitviz.measures import tokens as measures
from vitviz.numbers import exact, small
from vitviz.ui import controls, page
from vitviz.ui.sections.tokens import patch_embedding as section
from vitviz.ui.view import current

view = current()
config = view.config
d, shape = config.dim, (config.channels, config.patch_size, config.patch_size)

page.sentence("Every {patch}, flattened to x, is multiplied by the same matrix E, and a bias b is added: its token.")
left, right = st.columns(2)
with left:
    chosen = controls.patch(view)
with right:
    number = controls.number(view)

projection = view.measure(measures.projection)
x, token, b = projection.patches[chosen], projection.tokens[chosen], projection.bias
column = projection.matrix[:, number]
page.drawing(strips({"x": x}, f"Patch {chosen + 1}"), f"x: the {{patch}}, flattened to {exact(len(x))} numbers.")
page.picture(
    view,
    strips({"x·E": x @ projection.matrix, "b": b, "token": token}, "Its token", mark=number),
    f"x ({exact(len(x))}) · E ({exact(len(x))} × {exact(d)}) + b ({exact(d)}) = token ({exact(d)}), all on one scale; "
    f"number {number + 1} is framed.",
)
page.picture(
    view,
    figures.one_number(x.reshape(shape), column.reshape(shape), number),
    f"{exact(len(x))} products, here added over the colours of each pixel; added over all pixels they make "
    f"{small(x @ column)}. A column of E is a filter, a picture like the patch; in both, grey is 0.",
)
section.filters(view)
section.convolution(view, chosen)
section.cloud(view, chosen)
section.filters_learned(view)

page.formula(
    r"\text{token} = x E + b",
    rf"x \in \mathbb{{R}}^{{{len(x)}}},\ E \in \mathbb{{R}}^{{{len(x)} \times {d}}},\ b \in \mathbb{{R}}^{{{d}}}",
)
terms = " + ".join(rf"({small(pixel)})({small(weight)})" for pixel, weight in zip(x[:2], column[:2], strict=True))
page.formula(
    rf"\text{{token}}_{{{number + 1}}} = \sum_{{i=1}}^{{{len(x)}}} x_i \, E_{{i,{number + 1}}} + b_{{{number + 1}}}",
    rf"{small(token[number])} = {terms} + \dots + ({small(b[number])})",
)
page.source(measures.projection, measures.convolved_tokens, measures.principal_components)
