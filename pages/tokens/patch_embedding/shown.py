"""The drawers of *Patch embedding*: details, formula and code."""

from vitviz.config.stems import drawn_as
from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding as figures
from vitviz.measures import tokens as measures
from vitviz.numbers import exact, small
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.results import measure
from vitviz.ui.selection import current

from . import details


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    d, shape, stem = config.dim, drawn_as(config), config.stem != "patch"
    asked = address.read(config)
    chosen, component = asked.patch, asked.component

    projection = measure(selection, measures.projection)
    x, token, b = projection.patches[chosen], projection.tokens[chosen], projection.bias
    column, made = projection.matrix[:, component], "x·E + b" if config.patch_norm else "token"

    if page.drawer("details"):
        if config.patch_norm:
            patch = measure(selection, measures.embedded, "patches")[chosen]
            page.picture(
                selection,
                strips({"patch": patch, "x": x}, f"Patch {chosen + 1}", photo=True),
                f"The {{patch}}, flattened to {exact(len(x))} numbers, and x: its layer norm, over all pixels and "
                "colours.",
            )
        else:
            said = (
                f"what the stem makes of the {{patch}}: {exact(len(x))} numbers"
                if stem
                else (f"the {{patch}}, flattened to {exact(len(x))} numbers")
            )
            page.drawing(strips({"x": x}, f"Patch {chosen + 1}", photo=True), f"x: {said}.")
        page.picture(
            selection,
            strips({"x·E": x @ projection.matrix, "b": b, made: token}, f"Its {made}", mark=component, photo=True),
            f"x ({exact(len(x))}) · E ({exact(len(x))} × {exact(d)}) + b ({exact(d)}) = {made} ({exact(d)}), all on "
            f"one scale; component {component + 1} is framed.",
        )
        if config.patch_norm:
            normalised = measure(selection, measures.embedded, "patch_tokens")[chosen]
            page.picture(
                selection,
                strips({made: token, "token": normalised}, "Its token, layer-normalised", mark=component, photo=True),
                f"The token is the layer norm of x·E + b, over its {exact(d)} components; both on one scale.",
            )
        page.picture(
            selection,
            figures.one_component(x.reshape(shape), column.reshape(shape), component),
            f"{exact(len(x))} products; added up they make {small(x @ column)}. x and a column of E as sheets of "
            "numbers, grey is 0."
            if stem
            else f"{exact(len(x))} products, here added over the colours of each pixel; added over all pixels they "
            f"make {small(x @ column)}. A column of E is a filter, a picture like the patch; in both, grey is 0.",
        )
        if stem:
            details.stem(selection, chosen)
        details.words()
        details.filters(selection)
        details.convolution(selection, chosen)
        details.in_grey(selection, chosen)
        details.cloud(selection, chosen)
        details.filters_learned(selection)

    if page.drawer("formula"):
        read = "" if config.stem == "patch" else r" \qquad x = f(\text{picture})"
        read = r" \qquad x = \operatorname{LN}(\text{patch})" if config.patch_norm else read
        biased = rf",\ b \in \mathbb{{R}}^{{{d}}}" if config.patch_bias else ""
        plain = "x E + b" if config.patch_bias else "x E"
        page.formula(
            r"\text{token} = " + (rf"\operatorname{{LN}}({plain})" if config.patch_norm else plain) + read,
            rf"x \in \mathbb{{R}}^{{{len(x)}}},\ E \in \mathbb{{R}}^{{{len(x)} \times {d}}}{biased}",
        )
        terms = " + ".join(
            rf"({small(pixel)})({small(weight)})" for pixel, weight in zip(x[:2], column[:2], strict=True)
        )
        name, place = f"({plain})" if config.patch_norm else r"\text{token}", component + 1
        page.formula(
            rf"{name}_{{{place}}} = \sum_{{i=1}}^{{{len(x)}}} x_i \, E_{{i,{place}}}"
            + (f" + b_{{{place}}}" if config.patch_bias else ""),
            rf"{small(token[component])} = {terms} + \dots"
            + (f" + ({small(b[component])})" if config.patch_bias else ""),
        )

    if page.drawer("code"):
        page.source(
            measures.projection,
            measures.convolved_tokens,
            measures.of_one_channel,
            measures.principal_components,
            measures.look_up,
        )
