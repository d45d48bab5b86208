"""The drawers of *Patch grid*: details, formula and code."""

from math import floor

import streamlit as st

from vitviz import results
from vitviz.config import ViTConfig
from vitviz.config.sides import size_of, spelled
from vitviz.counts.scaling.complexity import PatchSize, patch_sizes
from vitviz.figures.tokens import patch_grid as figures
from vitviz.images import Crop, Preprocess, Sized
from vitviz.measures.tokens import embedded
from vitviz.numbers import bytes_, exact, short, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.widgets.table import table

COLOURS = ("red", "green", "blue")
FLOAT32_BYTES = 4

BERT = 512  # positions (https://arxiv.org/abs/1810.04805)


def show(selection: Selection) -> None:
    config, crop, seen = selection.config, results.crop(selection), results.screen_photo(selection)
    preprocess = results.model_info(selection.model).preprocess
    (h, w), (ph, pw), n, c = config.image_sides, config.patch_sides, config.patches, config.channels
    rows, columns = config.grid
    chosen = address.read(config).patch
    flat = measure(selection, embedded, "patches")[chosen]

    if page.drawer("details"):
        photo = results.photo(selection.picture)
        page.drawing(
            figures.original(results.photo_copy(selection.picture), photo.size, preprocess.box(photo, selection.crop)),
            in_words(preprocess, photo, selection.crop),
            alt=f"{selection.picture.alt} A frame marks the part that the model sees.",
        )
        page.drawing(
            figures.patches(seen, rows, columns, chosen),
            f"{h} × {w} pixels in {rows} × {columns} = {exact(n)} {{patches}} of {ph} × {pw}; "
            f"{selection.token_name(chosen + len(config.prefix_tokens))} is framed.",
        )
        page.drawing(
            figures.sequence(seen, rows, columns, chosen),
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
        costs(config)

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


def in_words(preprocess: Preprocess, photo: Sized, chosen: Crop | None) -> str:
    """One or two sentences: how the picture is resized and cut, and how a value from 0 to 255 is normalised."""
    return f"{_geometry(preprocess, photo, chosen)} Then every value v from 0 to 255 becomes {_values(preprocess)}."


def costs(config: ViTConfig) -> None:
    """The table of patch sizes, and in words what half the size and single pixels would mean."""
    by_size = {cost.patch_size: cost for cost in patch_sizes(config)}
    here = by_size[config.patch_size]
    table(
        "The same model with other patch sizes",
        ["Patch size", "Tokens", "Attention weights of one head", "Parameters", "Multiply-adds"],
        [
            [
                "1 × 1: pixels" if size == 1 else spelled(size),
                exact(cost.tokens),
                exact(cost.attention_weights),
                exact(cost.parameters),
                short(cost.macs),
            ]
            for size, cost in by_size.items()
        ],
        marked=list(by_size).index(config.patch_size),
    )
    half = by_size.get(size_of((config.patch_sides[0] // 2, config.patch_sides[1] // 2)))
    if half and half.patch_size != 1:
        st.markdown(_half(here, half))
    if config.patch_size != 1 and 1 in by_size:
        st.markdown(_pixels(config, here, by_size[1]))


def _geometry(preprocess: Preprocess, photo: Sized, chosen: Crop | None) -> str:
    (rows, columns), size = preprocess.sides, spelled(preprocess.size)
    pixels = f"{photo.width} × {photo.height} pixels"
    if chosen:
        left, top, right, bottom = preprocess.box(photo, chosen)
        cut = f"{right - left} × {bottom - top} of them, from column {left + 1} and row {top + 1} on"
        return f"{pixels}; {cut}, were chosen and resized ({preprocess.interpolation}) to {size}."
    if preprocess.resize == "squash":
        return f"{pixels}, resized ({preprocess.interpolation}) to {size}; its proportions are not kept."
    if photo.size == (columns, rows) and preprocess.crop_fraction == 1:
        return f"{pixels}: already what the model reads, nothing is resized or cut."
    tall = rows * photo.width >= columns * photo.height
    side, which = (
        (rows if tall else columns),
        ("shorter side has" if rows == columns else "rows are" if tall else "columns are"),
    )
    scaled = floor(side / preprocess.crop_fraction)
    division = f" = ⌊{side} / {preprocess.crop_fraction}⌋" if scaled != side else ""
    resized = f"resized ({preprocess.interpolation}) until the {which} {scaled}{division}"
    return f"{pixels}, {resized}; the middle {size} are cut out."


def _values(preprocess: Preprocess) -> str:
    rules = [f"(v / 255 − {mean:g}) / {std:g}" for mean, std in zip(preprocess.mean, preprocess.std, strict=True)]
    if len(set(rules)) == 1:
        return rules[0]
    return ", ".join(f"{rule} in {colour}" for rule, colour in zip(rules, COLOURS, strict=True))


def _half(here: PatchSize, half: PatchSize) -> str:
    squared = (
        f"Every token looks at every token, so attention grows with the square: "
        f"× {small(half.attention_weights / here.attention_weights)}. "
        if here.attention_weights
        else "Linear attention makes no weights, and grows no faster than they. "
    )
    return (
        f"**Half the patch size:** {exact(half.tokens)} tokens for {exact(here.tokens)}, "
        f"× {small(half.tokens / here.tokens)}. {squared}"
        f"Parameters: × {small(half.parameters / here.parameters)}; multiply-adds: × {small(half.macs / here.macs)}."
    )


def _pixels(config: ViTConfig, here: PatchSize, pixels: PatchSize) -> str:
    h, w = config.image_sides
    needed = (
        f"One head of one layer would need {exact(pixels.attention_weights)} attention weights, "
        f"{bytes_(FLOAT32_BYTES * pixels.attention_weights)} in float32, where now it needs "
        f"{exact(here.attention_weights)}, {bytes_(FLOAT32_BYTES * here.attention_weights)}; "
        f"the model has {config.depth} · {config.heads} heads."
        if here.attention_weights
        else f"Linear attention makes no weights; all would take {short(pixels.macs)}MAC, where now they take "
        f"{short(here.macs)}MAC."
    )
    return (
        f"**Why not pixels as tokens?** {h} · {w} = {exact(h * w)} of them. {needed} "
        f"The sequence would be {small(h * w / BERT)} times "
        f"as long as the {BERT} positions of BERT, the text model of 2018 whose blocks a ViT shares."
    )
