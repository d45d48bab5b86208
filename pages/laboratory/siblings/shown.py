"""What stands on *Siblings*."""

import streamlit as st

from vitviz import palette
from vitviz.demo.artifacts import read_metrics
from vitviz.figures.counting import shelf as charts
from vitviz.figures.marks import Dash
from vitviz.laboratory.recipe import Cooked, recipe
from vitviz.numbers import exact, percent, short
from vitviz.selection import Selection
from vitviz.shelf import measured
from vitviz.shelf.measured import PRE_TRAINED, PUBLISHED_BY_DATA
from vitviz.shelf.rows import Recipe
from vitviz.ui import controls, page
from vitviz.ui.server.client import ask
from vitviz.ui.widgets.table import table

from . import measured as section
from .page import DIFFERS

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
LOSSES = {
    "class": ("class of the picture", palette.ATTENTION),
    "patch": ("what each patch shows", palette.PATCH),
    "hidden": ("pixels of hidden patches", palette.POSITION),
    "spread": ("attention wider than a few patches", palette.HEAD),
}
GROUPS = ("matrices of the blocks", "all else, heads for training too", "filters of the patch embedding", "positions")
EVERY = 10  # steps between two entries of the record


def show(selection: Selection) -> None:
    here = selection.model.name
    match controls.draw(DIFFERS, selection.config, label_visibility="collapsed"):
        case "Positions":
            section.positions(here)
        case "Switches":
            section.switches(here)
        case "Learning rates":
            section.rates()
            trained()
        case _:
            section.data()
            by_data()
            biases()
    page.formula(
        r"\bar a = \tfrac{1}{S} \textstyle\sum_s a_s \qquad \sigma_\text{guess} = \sqrt{\frac{p (1 - p)}{n}}",
        r"\sqrt{\frac{0.25 \cdot 0.75}{248}} = 0.027",
    )
    page.source(measured.of, Recipe)


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


def trained() -> None:
    """The schedule and the losses as curves, the optimisers as a table."""
    metrics = read_metrics()
    plan, history = metrics["training"], metrics["history"]
    cooked = _recipe(plan)
    page.sentence(
        f"**The demo's recipe.** {exact(plan['steps'])} steps of {plan['batch']} pictures, out of "
        f"{exact(plan['pictures'])} that were drawn for it, in {plan['minutes']:g} minutes on {plan['processes']} CPU "
        f"cores. The learning rate rises for {plan['warm_up']} steps, stays until step {plan['hold']}, and falls along "
        f"a cosine to {percent(cooked.rates[-1])} of its height. Three losses and a reward for looking at few {{patch}}"
        "es are added up; all but the first are for training alone, and their heads are thrown away."
    )
    named = [
        (f"{title}, × {cooked.weights[key]:g}", colour, [step[key] for step in history if key in step])
        for key, (title, colour) in LOSSES.items()
    ]
    page.chart(
        charts.losses(named, EVERY, "loss, before its weight"),
        "The demo's losses by step",
        f"One value in {EVERY} steps, each the mean of the last {charts.MARGIN + 1}. Cross-entropy of the class, "
        f"labels smoothed by {cooked.smoothing:g}, and of each patch; squared error of pixels, until step "
        f"{exact(plan['whole'])}: from there on the model sees all patches of half as many pictures. The weight of the "
        f"reward grows until step {plan['hold']}.",
        "demo-losses",
    )
    page.chart(
        charts.schedule(cooked.rates),
        "The demo's learning rate by step",
        "As a share of the full height that the table gives for each group of parameters.",
        "demo-rate",
    )
    table(
        "Optimisers of the demo's training",
        ("optimiser", "of", "parameters", "full learning rate", "weight decay", "momentum, or betas"),
        [
            (group.optimiser, of, exact(group.parameters), f"{group.rate:g}", f"{group.decay:g}", _all(group.momentum))
            for group, of in zip(cooked.groups, GROUPS, strict=True)
        ],
        words=(0, 1, 5),
    )


def _all(momentum: tuple[float, ...]) -> str:
    return ", ".join(f"{it:g}" for it in momentum)


def _recipe(plan: "dict[str, float]") -> Cooked:
    from vitviz.engine import Request

    key = tuple(plan[name] for name in ("steps", "warm_up", "hold", "focus"))
    return ask(Request(recipe, key), "Reading the recipe").value
