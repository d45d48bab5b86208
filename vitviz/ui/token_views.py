"""The longer pictures of the chapter from pixels to tokens, each with its caption."""

import numpy as np
import streamlit as st

from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding, position_embedding
from vitviz.measures import tokens as measures
from vitviz.measures.arrays import Array
from vitviz.numbers import exact, small
from vitviz.ui import controls
from vitviz.ui import furniture as page
from vitviz.ui.view import View

FILTERS = 28  # principal components of the filters that are shown


def filters(view: View) -> None:
    """The principal components of the filters, and how much of their variance each explains."""
    components = view.measure(measures.filter_components, FILTERS)
    share = components.share
    pictures, variance = st.columns([3, 2])
    with pictures:
        page.picture(
            view,
            patch_embedding.filters(components.directions, view.config.patch_size),
            f"The first {len(share)} principal components of the {exact(view.config.dim)} filters, row by row; grey "
            "is 0, each is scaled to its own largest number, and its sign is chosen so that this number is positive.",
        )
    with variance:
        page.picture(
            view,
            patch_embedding.shares(share),
            f"Together {100 * share.sum():.1f} % of the variance of all {exact(view.config.dim)} filters.",
        )


def convolution(view: View, patch: int) -> None:
    """The token of one patch by a matrix product and by a convolution, and how far the two differ anywhere."""
    linear, convolved = view.measure(measures.projection).tokens, view.measure(measures.convolved_tokens)
    page.picture(
        view,
        strips(
            {
                "linear": linear[patch],
                "convolution": convolved[patch],
                "difference": linear[patch] - convolved[patch],
            },
            "A convolution does the same",
        ),
        f"x·E + b, and a convolution whose stride is its kernel size, {view.config.patch_size}: of all "
        f"{' × '.join(map(exact, linear.shape))} numbers none differs by more than "
        f"{small(np.abs(linear - convolved).max())}, and the largest is {small(np.abs(linear).max())}.",
    )


def cloud(view: View, patch: int) -> None:
    """All tokens by their principal components: as colours on the grid, and as points."""
    components = view.measure(measures.token_components, 3)
    n, (rows, columns) = exact(view.config.patches), view.config.grid
    share = ", ".join(f"{100 * one:.1f} %" for one in components.share)
    grid, points = st.columns(2)
    with grid:
        page.picture(
            view,
            patch_embedding.token_grid(components.coordinates, rows, columns, patch),
            f"Red, green and blue: the first three principal components of the {n} tokens ({share} of their variance), "
            "each scaled to its own largest number.",
        )
    with points:
        page.picture(
            view,
            patch_embedding.token_cloud(components.coordinates, view.crop, rows, columns, patch),
            f"The same {n} tokens on the first two components; each point has the mean colour of its {{patch}}.",
        )


def similarity(view: View, maps: Array, patch: int, step: int) -> None:
    """Which positions are similar: the maps of every `step`th patch each way, and the one of `patch` enlarged."""
    (row, column), (rows, columns) = divmod(patch, view.config.grid[1]), view.config.grid
    patches = np.arange(view.config.patches).reshape(rows, columns)[row % step :: step, column % step :: step]
    enlarged = maps[row // step, column // step]
    specials = view.config.special_tokens
    placeless = ", ".join(f"[{name}]" for name in specials if view.config.special_positions)
    left_out = f" Left out, having no place on the grid: {placeless}." if placeless else ""
    others = np.delete(enlarged.ravel(), patch)
    elsewhere = f", and from {small(others.min())} to {small(others.max())} elsewhere" if others.size else ""
    all_maps, one_map = st.columns(2)
    with all_maps:
        page.picture(
            view,
            position_embedding.similarity_maps(maps, patches, (row // step, column // step)),
            f"{maps.shape[0]} × {maps.shape[1]} maps of {rows} × {columns}: the cosine of one {{position}} with "
            f"each.{left_out}",
        )
    with one_map:
        page.picture(
            view,
            position_embedding.similarity_map(enlarged, patch),
            f"The framed map: {controls.token_name(view, len(specials) + patch)} has 1 with itself{elsewhere}. "
            "One scale for all maps, from −1 to 1.",
        )
