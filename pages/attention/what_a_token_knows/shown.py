"""The drawers of *What a token knows*: details, formula and code."""

from vitviz.config.sides import tall
from vitviz.figures.attention import knows as figures
from vitviz.figures.tokens.position_embedding import similarity_map
from vitviz.measures.shared_components import shared_components
from vitviz.measures.similarity import all_pairs, cosines, lengths, nearest, patch_vectors
from vitviz.numbers import exact, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address


def show(selection: Selection) -> None:
    config = selection.config
    at = address.read(config)

    if page.drawer("details"):
        alike_here(selection, at.layer, at.patch)
        how_long(selection)

    if page.drawer("formula"):
        page.formula(
            r"\cos(x_i, x_j) = \frac{x_i \cdot x_j}{\lVert x_i \rVert \, \lVert x_j \rVert}",
            rf"x \in \mathbb{{R}}^{{{config.patches} \times {config.dim}}}",
        )
        page.formula(
            r"C = \frac{1}{N} \sum_{i} (x_i - \bar x)(x_i - \bar x)^T \qquad C u_m = \lambda_m u_m \qquad "
            r"c_{im} = u_m \cdot (x_i - \bar x)",
            rf"i \text{{ over the patches of all pictures}}, \quad C: {config.dim} \times {config.dim}, \quad "
            r"\text{share of } m: \lambda_m / \textstyle\sum_j \lambda_j",
        )

    if page.drawer("code"):
        page.source(patch_vectors, cosines, all_pairs, nearest, shared_components, lengths)


def alike_here(selection: Selection, layer: int, patch: int) -> None:
    """The cosines of the states of one layer with that of one patch."""
    config = selection.config
    values = measure(selection, cosines, "state", layer, patch)
    others = [at for at in range(config.patches) if at != patch]
    most = max(others, key=lambda at: values[at], default=patch)
    first = len(config.prefix_tokens)
    nearest_one = f" Nearest is {selection.token_name(first + most)}, {small(float(values[most]))}." if others else ""
    page.picture(
        selection,
        similarity_map(values.reshape(config.grid), patch, tall(config.patch_sides)),
        f"The cosine of {selection.token_name(first + patch)} with each of {exact(config.patches)} {{patches}} after "
        f"layer {layer + 1}, on a scale from -1 to 1; their mean is {small(float(values.mean()))}.{nearest_one}",
    )


def how_long(selection: Selection) -> None:
    """The lengths of all tokens, layer by layer, before and after the last norm."""
    found, config = measure(selection, lengths), selection.config
    page.picture(
        selection,
        figures.lengths_by_layer([found.before, found.after], len(config.prefix_tokens)),
        f"The median of {exact(config.patches)} patches, the shortest and the longest, before layer 1 and after each; "
        f"{exact(len(found.outliers))} are far longer than the others.",
        title="How long patches are",
    )
