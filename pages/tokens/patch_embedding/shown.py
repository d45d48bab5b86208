"""The drawers of *Patch embedding*: details, formula and code."""

from functools import cache
from math import prod

import numpy as np
import streamlit as st

from vitviz import results
from vitviz.config.sides import spelled, tall
from vitviz.config.stems import drawn_as, read_by_projection
from vitviz.counts import total_parameters
from vitviz.demo.snapshots import milestone, snapshots, when
from vitviz.figures.attention.maps import LUMINANCE, grey
from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding as figures
from vitviz.figures.tokens import patch_grid as grids
from vitviz.measures import tokens as measures
from vitviz.measures.tokens import Components
from vitviz.numbers import exact, small
from vitviz.results import measure, measure_long, measure_model
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.fallback import explained
from vitviz.ui.links import escaped
from vitviz.ui.widgets.training_slider import moment

WORDS, IDS = ("I", "love", "you"), (3, 5, 7)  # where the words stand in an invented table
VOCABULARY, NUMBERS, SEED = 10, 8, 0
FILTERS = 28  # principal components of the filters that are shown
FINEST = 128  # pixels of a filter's side that are drawn; of a larger one every second, third ... pixel


def show(selection: Selection) -> None:
    config = selection.config
    d, shape, has_stem = config.dim, drawn_as(config), config.stem != "patch"
    place_ = address.read(config)
    chosen, component = place_.patch, place_.component

    projection = measure(selection, measures.projection)
    x, token, b = projection.patches[chosen], projection.tokens[chosen], projection.bias
    column, result = projection.matrix[:, component], "x·E + b" if config.patch_norm else "token"

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
            caption = (
                f"what the stem makes of the {{patch}}: {exact(len(x))} numbers"
                if has_stem
                else (f"the {{patch}}, flattened to {exact(len(x))} numbers")
            )
            page.drawing(strips({"x": x}, f"Patch {chosen + 1}", photo=True), f"x: {caption}.")
        page.picture(
            selection,
            strips({"x·E": x @ projection.matrix, "b": b, result: token}, f"Its {result}", mark=component, photo=True),
            f"x ({exact(len(x))}) · E ({exact(len(x))} × {exact(d)}) + b ({exact(d)}) = {result} ({exact(d)}), all on "
            f"one scale; component {component + 1} is framed.",
        )
        if config.patch_norm:
            normalised = measure(selection, measures.embedded, "patch_tokens")[chosen]
            page.picture(
                selection,
                strips({result: token, "token": normalised}, "Its token, layer-normalised", mark=component, photo=True),
                f"The token is the layer norm of x·E + b, over its {exact(d)} components; both on one scale.",
            )
        page.picture(
            selection,
            figures.one_component(x.reshape(shape), column.reshape(shape), component),
            f"{exact(len(x))} products; added up they make {small(x @ column)}. x and a column of E as sheets of "
            "numbers, grey is 0."
            if has_stem
            else f"{exact(len(x))} products, here added over the colours of each pixel; added over all pixels they "
            f"make {small(x @ column)}. A column of E is a filter, a picture like the patch; in both, grey is 0.",
        )
        if has_stem:
            stem(selection, chosen)
        words()
        filters(selection)
        convolution(selection, chosen)
        in_grey(selection, chosen)
        cloud(selection, chosen)
        filters_learned(selection)

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


def filters(selection: Selection) -> None:
    """The principal components of the filters, and how much of their variance each explains."""
    components = measure_model(selection.model, measures.filter_components, FILTERS)
    share, (channels, *sides) = components.share, drawn_as(selection.config)
    step = -(-max(sides) // FINEST)
    drawn = components.directions.reshape(len(share), channels, *sides)[..., ::step, ::step]
    pictures, variance = st.columns([3, 2])
    with pictures:
        page.picture(
            selection,
            figures.filter_components(drawn),
            f"The first {len(share)} principal components of the {exact(selection.config.dim)} filters, row by row; "
            "grey is 0, each is scaled to its own largest number, and its sign is chosen so that this number is "
            "positive.",
        )
    with variance:
        page.picture(
            selection,
            figures.shares(share),
            f"Together {100 * share.sum():.1f} % of the variance of all {exact(selection.config.dim)} filters.",
        )


def stem(selection: Selection, patch: int) -> None:
    """The maps that the convolutions before the projection make, their principal components as colours."""
    maps, image = measure(selection, measures.stem_maps), selection.config.image_sides
    for number, (column, map_) in enumerate(zip(st.columns(len(maps)), maps, strict=True), start=1):
        with column:
            rows, columns = map_.size
            page.picture(
                selection,
                figures.stem_map(map_.coordinates, rows, columns, number, tall(image) / tall(map_.size)),
                f"Map {number}: {rows} × {columns} places of {exact(map_.channels)} channels; red, green and blue are "
                f"its first principal components.",
            )


def convolution(selection: Selection, patch: int) -> None:
    """The token of one patch by a matrix product and by a convolution, and how far the two differ anywhere."""
    linear, convolved = measure(selection, measures.projection).tokens, measure(selection, measures.convolved_tokens)
    page.picture(
        selection,
        strips(
            {
                "linear": linear[patch],
                "convolution": convolved[patch],
                "difference": linear[patch] - convolved[patch],
            },
            "A convolution does the same",
            photo=True,
        ),
        f"x·E + b, and a convolution whose stride is its kernel size, "
        f"{spelled(read_by_projection(selection.config)[1])}: of all "
        f"{' × '.join(map(exact, linear.shape))} numbers none differs by more than "
        f"{small(np.abs(linear - convolved).max())}, and the largest is {small(np.abs(linear).max())}.",
    )


def in_grey(selection: Selection, patch: int) -> None:
    """The picture in grey through the model's three channels, and through one whose filters are their sum."""
    selection, config = selection.plain, selection.config
    if config.stem != "patch" or config.patch_norm:
        return
    rule, labels = results.model_info(selection.model).preprocess, results.labels(selection)
    three, one = measure_long(selection, measures.in_grey, rule.mean, rule.std, LUMINANCE)
    inputs = prod(config.patch_sides)
    fewer = total_parameters(config) - total_parameters(measures.one_channel(config, rule.mean))
    alike = "added up" if len({*rule.std}) == 1 else "added up, each divided by its channel's deviation"
    page.sentence(
        f"**And a grey picture?** It has one channel. Red, green and blue of a grey {{patch}} are equal, so the "
        f"filters of the three colours may be {alike}: E is {exact(inputs)} × {exact(config.dim)} in place of "
        f"{exact(config.patch_values)} × {exact(config.dim)}, {exact(fewer)} parameters fewer."
    )
    picture, strip = st.columns([2, 3])
    with picture:
        page.drawing(
            grids.patches(grey(results.screen_photo(selection)), *config.grid, patch),
            f"The picture in grey: {spelled(config.image_size)} × 1 numbers.",
            title="The picture in grey",
            key="grey_picture",
        )
    with strip:
        named = {"three channels": three.tokens[patch], "one channel": one.tokens[patch]}
        note = ""
        if config.classes:
            best = int(three.logits.argmax())
            note = (
                f" The answers are “{escaped(labels[best])}” and “{escaped(labels[int(one.logits.argmax())])}”; of "
                f"{exact(config.classes)} logits none differs by more than "
                f"{small(np.abs(three.logits - one.logits).max())}, and the largest is {small(three.logits[best])}."
            )
        page.picture(
            selection,
            strips(
                named | {"difference": three.tokens[patch] - one.tokens[patch]},
                f"The token of patch {patch + 1} in grey",
                photo=True,
            ),
            f"Both ways; of all {' × '.join(map(exact, one.tokens.shape))} numbers none differs by more than "
            f"{small(np.abs(three.tokens - one.tokens).max())}.{note}",
        )


def words() -> None:
    """Words on the way to their vectors, beside what a patch goes through: the same product with a one-hot row."""
    found = measures.look_up(IDS, VOCABULARY, NUMBERS, SEED)
    page.sentence(
        f"**And words?** {' '.join(WORDS)} become the ids {', '.join(map(str, IDS))}, and an id picks a row of a "
        "table. That is a one-hot row times the table: the product that makes a token of a {patch}, but a {patch} is "
        "not all 0 with a single 1."
    )
    page.drawing(
        figures.look_up(WORDS, IDS, found.one_hot, found.table, found.tokens),
        f"Invented: a table of {VOCABULARY} words with {NUMBERS} numbers each, by chance (seed {SEED}); framed: the "
        "rows that are picked. Red is above 0, blue below.",
    )
    page.check(
        np.array_equal(found.tokens, found.table[list(IDS)]),
        f"One-hot times table is the picked rows, in all {len(IDS)} × {NUMBERS} numbers.",
    )
    page.link("parameters", "What a table of BERT's words would cost here: Parameters")


def cloud(selection: Selection, patch: int) -> None:
    """All tokens by their principal components, as colours on the grid; as points they are a moment of the board."""
    components = measure(selection, measures.token_components, 3)
    share = ", ".join(f"{100 * one:.1f} %" for one in components.share)
    page.picture(
        selection,
        figures.token_grid(components.coordinates, *selection.config.grid, patch, tall(selection.config.patch_sides)),
        f"Red, green and blue: the first three principal components of the {exact(selection.config.patches)} tokens "
        f"({share} of their variance), each scaled to its own largest number.",
    )


@st.fragment
@explained()
def filters_learned(selection: Selection) -> None:
    """The filters of the patch embedding at any moment of training."""
    if (at := moment(selection)) is None:
        return
    components = _filter_components(at)
    page.picture(
        selection,
        figures.filter_components(components.directions.reshape(-1, *drawn_as(selection.config))),
        f"{when(at)}: the first {FILTERS} principal components of the {exact(selection.config.dim)} filters, which "
        f"hold {100 * components.share.sum():.1f} % of their variance; "
        f"{100 * milestone(at)['low_frequency_share']:.0f} % of the filters' energy is coarse (low frequencies).",
        key="filters_learned",
    )


@cache
def _filter_components(at: int) -> Components:
    filters = snapshots().filters[at]
    return measures.principal_components(filters.reshape(len(filters), -1), FILTERS)
