"""The drawers of *Patch grid*: details, formula and code."""

import streamlit as st

from vitviz.figures.tokens import patch_grid as figures
from vitviz.measures.tokens import embedded
from vitviz.numbers import exact, small
from vitviz.ui import page, results
from vitviz.ui.board import address
from vitviz.ui.results import measure
from vitviz.ui.selection import current

from . import details


def show() -> None:
    """Draw it."""
    selection = current()
    config, crop, shown = selection.config, results.crop(selection), results.shown(selection)
    preprocess = results.model_info(selection.model).preprocess
    (h, w), (ph, pw), n, c = config.image_sides, config.patch_sides, config.patches, config.channels
    rows, columns = config.grid
    chosen = address.read(config).patch
    flat = measure(selection, embedded, "patches")[chosen]

    if page.drawer("details"):
        photo = results.photo(selection.picture)
        page.drawing(
            figures.original(results.photo_copy(selection.picture), photo.size, preprocess.box(photo, selection.crop)),
            details.in_words(preprocess, photo, selection.crop),
            alt=f"{selection.picture.alt} A frame marks the part that the model sees.",
        )
        page.drawing(
            figures.patches(shown, rows, columns, chosen),
            f"{h} × {w} pixels in {rows} × {columns} = {exact(n)} {{patches}} of {ph} × {pw}; "
            f"{selection.token_name(chosen + len(config.prefix_tokens))} is framed.",
        )
        page.drawing(
            figures.sequence(shown, rows, columns, chosen),
            f"{exact(n)} {{patches}} in raster order: from left to right, row after row. From here on only their order "
            "says where they came from.",
        )
        one, numbers = st.columns([1, 2])
        with one:
            page.drawing(figures.enlarged(crop, rows, columns, chosen), f"{ph} × {pw} pixels with {c} colours each.")
        with numbers:
            page.drawing(
                figures.flattened(flat, chosen),
                f"{ph} · {pw} · {c} = {exact(config.patch_values)} numbers, normalised: first all of red, row by row, "
                f"then green, then blue. One scale, from {small(-abs(flat).max())} to {small(abs(flat).max())}. Other "
                "code takes the colours of a pixel together, p₁ p₂ c: another order of the same numbers, and E is "
                "learned in either.",
            )
        details.costs(config)

    if page.drawer("formula"):
        first = crop[chosen // columns * ph, chosen % columns * pw, 0]
        page.formula(
            r"n = \frac{h}{p_h} \cdot \frac{w}{p_w}" if ph != pw else r"n = \frac{h}{p} \cdot \frac{w}{p}",
            rf"{n} = \frac{{{h}}}{{{ph}}} \cdot \frac{{{w}}}{{{pw}}}",
        )
        page.formula(
            r"x_i = \frac{v_i / 255 - \text{mean}}{\text{std}}",
            rf"{small(flat[0])} = \frac{{{first} / 255 - {preprocess.mean[0]:g}}}{{{preprocess.std[0]:g}}}",
        )

    if page.drawer("code"):
        page.source(embedded, figures.patches)
