"""Patch embedding: each patch becomes a token."""

import streamlit as st

from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding as figures
from vitviz.measures import tokens as measures
from vitviz.numbers import exact, small
from vitviz.ui import controls, page
from vitviz.ui.results import measure
from vitviz.ui.sections.tokens import patch_embedding as section
from vitviz.ui.selection import current

view = current()
config = view.config
d, shape = config.dim, (config.channels, config.patch_size, config.patch_size)

page.sentence(
    "Every {patch}, flattened to x, is multiplied by the same matrix E, and a bias b is added: its token."
    + (" This model layer-normalises the {patch} before, and the token after." if config.patch_norm else "")
)
left, right = st.columns(2)
with left:
    chosen = controls.patch(view)
with right:
    number = controls.number(view)

projection = measure(view, measures.projection)
x, token, b = projection.patches[chosen], projection.tokens[chosen], projection.bias
column, made = projection.matrix[:, number], "x·E + b" if config.patch_norm else "token"
if config.patch_norm:
    page.picture(
        view,
        strips({"patch": measure(view, measures.embedded, "patches")[chosen], "x": x}, f"Patch {chosen + 1}"),
        f"The {{patch}}, flattened to {exact(len(x))} numbers, and x: its layer norm, over all pixels and colours.",
    )
else:
    page.drawing(strips({"x": x}, f"Patch {chosen + 1}"), f"x: the {{patch}}, flattened to {exact(len(x))} numbers.")
page.picture(
    view,
    strips({"x·E": x @ projection.matrix, "b": b, made: token}, f"Its {made}", mark=number),
    f"x ({exact(len(x))}) · E ({exact(len(x))} × {exact(d)}) + b ({exact(d)}) = {made} ({exact(d)}), all on one scale; "
    f"number {number + 1} is framed.",
)
if config.patch_norm:
    normed = measure(view, measures.embedded, "patch_tokens")[chosen]
    page.picture(
        view,
        strips({made: token, "token": normed}, "Its token, layer-normalised", mark=number),
        f"The token is the layer norm of x·E + b, over its {exact(d)} numbers; both on one scale.",
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
    r"\text{token} = "
    + (r"\operatorname{LN}(x E + b) \qquad x = \operatorname{LN}(\text{patch})" if config.patch_norm else "x E + b"),
    rf"x \in \mathbb{{R}}^{{{len(x)}}},\ E \in \mathbb{{R}}^{{{len(x)} \times {d}}},\ b \in \mathbb{{R}}^{{{d}}}",
)
terms = " + ".join(rf"({small(pixel)})({small(weight)})" for pixel, weight in zip(x[:2], column[:2], strict=True))
name = "(x E + b)" if config.patch_norm else r"\text{token}"
page.formula(
    rf"{name}_{{{number + 1}}} = \sum_{{i=1}}^{{{len(x)}}} x_i \, E_{{i,{number + 1}}} + b_{{{number + 1}}}",
    rf"{small(token[number])} = {terms} + \dots + ({small(b[number])})",
)
page.source(measures.projection, measures.convolved_tokens, measures.principal_components)
