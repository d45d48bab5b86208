"""The drawers of *Class head*: details, formula and code."""

import streamlit as st

from vitviz.config import ViTConfig
from vitviz.equations.stream import NORMS
from vitviz.figures.model import classes as figures
from vitviz.measures.classes import answer, logit_lens
from vitviz.numbers import exact, small
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.results import measure
from vitviz.ui.selection import current
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.readout import reader

from . import details


def heads(config: ViTConfig) -> str:
    """What gives the logits, as LaTeX."""
    if config.distilled:
        return (
            r"\tfrac12 \bigl(W \operatorname{LN}(\mathbf z_\text{class}) + \mathbf b"
            r" + W' \operatorname{LN}(\mathbf z_\text{distillation}) + \mathbf b'\bigr)"
        ).replace(NORMS["layer"], NORMS[config.norm])
    hidden = r"\tanh\bigl(W_h {} + \mathbf b_h\bigr)" if config.pre_logits else "{}"
    return rf"W {hidden.replace('{}', reader(config).formula)} + \mathbf b"


def show() -> None:
    """Draw it."""
    selection = current()

    config = selection.config
    after = address.read(config).after
    place = f"after layer {after}" if after else "before the first layer"
    given = measure(selection, answer, after)

    if page.drawer("details"):
        hidden = f", a hidden layer of {exact(config.pre_logits)} with tanh reads that" if config.pre_logits else ""
        page.sentence(
            f"{reader(config).says}{hidden}, the head gives one logit per class, and softmax makes them probabilities."
        )
        predictions.warn(selection)
        if len(given.stream):
            details.class_token(selection, given, place)
        if config.classes:
            details.scores(selection, given, place)
            details.lens(selection, after)
            if config.pool == "class" and config.norm != "batch":
                details.before_attention(selection)
            details.why_bert()
        else:
            page.sentence("This model has no head: its result is the vector that a head would read.")
            page.link("five_shots", "Classes of your own, from five pictures of each: Five shots")

    if page.drawer("formula") and config.classes:
        best = given.best(1)[0]
        logit, own = small(given.logits[best]), given.heads[:, best]
        mean = rf"y_1 &= \tfrac12 ({small(own[0])} + {page.addend(own[-1])}) = {logit} \\ " * config.distilled
        page.formula(
            rf"\begin{{aligned}} \mathbf y &= {heads(config)} \\ p_c &= e^{{y_c}} \big/ \textstyle\sum_j e^{{y_j}}"
            r"\end{aligned}",
            rf"\begin{{aligned}} {mean}"
            rf"p_1 &= e^{{{logit}}} \big/ \textstyle\sum_j e^{{y_j}} = {small(given.probabilities[best])} "
            r"\end{aligned}",
        )
        st.caption(
            f"Linear ({exact(config.pooled)} to {exact(config.pre_logits)}), tanh, Linear: as the paper pre-trains; "
            "for fine-tuning it takes one Linear."
            if config.pre_logits
            else "One Linear, as after fine-tuning. For pre-training the paper puts one hidden layer before it "
            "(Linear, tanh, Linear); sources print its sizes differently, one even as a single matrix of MLP size × d."
        )
        st.caption(details.moved(config))
    elif page.drawer("formula"):
        page.formula(
            rf"\mathbf y = {reader(config).formula}",
            rf"\mathbf y \in \mathbb R^{{{config.pre_logits or config.pooled}}}",
        )

    if page.drawer("code"):
        drawn = (logit_lens, figures.logits, figures.probabilities, figures.lens) if config.classes else ()
        page.source("ViT.classify", answer, *drawn)
