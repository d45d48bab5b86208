"""What was published of the same questions, beside the siblings: curves over data, and what nets take for granted."""

import streamlit as st

from vitviz import palette
from vitviz.figures.counting import shelf as charts
from vitviz.figures.marks import Dash
from vitviz.numbers import short
from vitviz.shelf.measured import PRE_TRAINED, PUBLISHED_BY_DATA
from vitviz.ui import page
from vitviz.ui.widgets.table import table

LOOKS: dict[str, tuple[str, Dash]] = {
    "ViT-B/16": (palette.ATTENTION, "solid"),
    "ViT-L/16": (palette.HEAD, "solid"),
    "ViT-B/32": (palette.ATTENTION, "dash"),
    "ViT-L/32": (palette.HEAD, "dash"),
}
BIASES = (
    ("dense", "next to nothing", "nothing: a weight for each pair", "nothing"),
    ("convolution", "near belongs to near", "a filter, over all places", "a shift moves the map with it"),
    ("recurrence", "one after another", "a matrix, over all times", "a shift in time"),
    ("graph", "edges say who belongs to whom", "functions of nodes and edges, over all", "the order of the nodes"),
    (
        "ViT",
        "patches, and a place learned for each",
        "all but positions, over all tokens",
        "without positions: the order",
    ),
)


def by_data() -> None:
    """Table 5 of the paper as curves, and what they say."""
    ticks = [(float(pictures), short(pictures)) for pictures in PRE_TRAINED.values()]
    base, large = (PUBLISHED_BY_DATA[name] for name in ("ViT-B/16", "ViT-L/16"))
    st.markdown(
        "**Larger models want larger sets.** So the paper's: after "
        + ", after ".join(
            f"{name} ViT-L/16 has {of_large:.2f} % and ViT-B/16 {of_base:.2f} %"
            for name, of_base, of_large in zip(PRE_TRAINED, base, large, strict=True)
        )
        + ". The larger one is behind on the smallest set and ahead on both others. What is drawn is published, not "
        "measured here, and of ViTs alone; of ResNets, which small sets favour, the paper has curves and no such table."
    )
    page.chart(
        charts.published([(name, *LOOKS[name], PUBLISHED_BY_DATA[name]) for name in LOOKS], ticks),
        "The paper's accuracies by pictures of pre-training",
        "ImageNet, top-1, fine-tuned at 384 pixels, after pre-training on "
        + ", ".join(f"{name} ({short(pictures)})" for name, pictures in PRE_TRAINED.items())
        + ". Published: Dosovitskiy et al., 2020, table 5.",
        "published",
    )


def biases() -> None:
    """What four kinds of nets and a ViT take for granted, and what they share."""
    table(
        "Inductive bias: what a net takes for granted, and which parameters it shares",
        ("net", "takes for granted", "shares", "what may change without changing what is made"),
        BIASES,
        words=range(4),
    )
    st.caption(
        "Inductive bias: what a net prefers before it has seen data. The first four after "
        "[Battaglia et al. 2018](https://arxiv.org/abs/1806.01261), table 1. “Large scale training trumps inductive "
        "bias”, says ViT's paper: of 14 to 300 million pictures."
    )
