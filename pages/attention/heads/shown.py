"""The drawers of *Heads*: details, formula and code."""

from vitviz.equations import attention
from vitviz.measures import attention_weights
from vitviz.measures.attention import layer_scores
from vitviz.measures.heads import kernels
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.selection import current

from . import details


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    at = address.read(config)

    if page.drawer("details"):
        details.server_drawn(selection, at.layer, at.head, at.query)
        details.as_a_kernel(selection, at.layer, at.head)
        details.attention_learned(selection, at.layer)

    if page.drawer("formula"):
        sizes = [
            *([rf"\sqrt{{d_h}} = \sqrt{{{config.head_dim}}}"] if r"\sqrt{d_h}" in attention.scores(config) else []),
            rf"{config.heads} \times {config.tokens} \times {config.tokens}",
        ]
        page.formula(
            r" \qquad ".join([f"A = {attention.weights(config)}", *attention.where(config)]),
            r", \quad ".join(sizes),
        )

    if page.drawer("code"):
        page.source(attention_weights, layer_scores, kernels, "attention", "attention_scores")
