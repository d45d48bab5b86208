"""What stands on *Dropout*."""

from collections.abc import Iterator
from math import sqrt

import numpy as np
import streamlit as st

from vitviz import results
from vitviz.edits import Edits
from vitviz.equations import after_sum
from vitviz.figures.laboratory import chance as figures
from vitviz.measures.arrays import Array
from vitviz.measures.classes import best
from vitviz.measures.laboratory.chance import ByChance, answers_by_chance, nothing_falls_out, path_rates
from vitviz.numbers import exact, many, small
from vitviz.selection import Selection
from vitviz.ui import controls, page, pieces
from vitviz.ui.links import escaped
from vitviz.ui.sidebar.models import published
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.laboratory import number_of_passes

from .page import DRAW, DROP_PATH_RATE, DROPOUT_RATE, RUNS

MOST_CLASSES = 6


def show(selection: Selection) -> None:
    config = selection.config
    if not config.classes:
        published.offer(published.WITH_CLASSES, "with-answers")
    rate, path, numbers = st.columns(3)
    with rate:
        dropout = controls.draw(DROPOUT_RATE, config)
    with path:
        drop_path = controls.draw(DROP_PATH_RATE, config)
    with numbers:
        draw = controls.draw(DRAW, config)

    if config.classes:
        predictions.warn(selection)
        plain = predictions.final(selection).probabilities
        growing = run(selection, dropout, drop_path, draw)
        spread, fallen = (column.empty() for column in st.columns([3, 2]))
        for found in growing:
            with spread.container():
                answers(selection, found, plain)
            with fallen.container():
                left_out(selection, found, drop_path)
    formulas(selection, dropout, drop_path)
    st.caption(
        "Dropout after the positions, on the attention weights, after Wₒ, and twice in the MLP. The seed decides "
        f"what is dropped, here seeds {(draw - 1) * RUNS + 1} to {draw * RUNS}. At inference neither "
        "is on."
    )
    page.source(answers_by_chance, Edits.in_training, "dropped_out", "path", path_rates)


def run(selection: Selection, dropout: float, drop_path: float, draw: int) -> Iterator[ByChance]:
    """So many answers of one draw, as they come; fewer where the model is large, until all are asked for."""
    count = number_of_passes(selection.config, RUNS, 1, "answers", "chance")
    first = (draw - 1) * RUNS + 1
    runs = pieces.chance_answers(selection, dropout, drop_path, first, first + count)
    return map(_all_of, pieces.growing(runs, "Answering by chance"))


def _all_of(found: list[ByChance]) -> ByChance:
    return ByChance(np.concatenate([it.probabilities for it in found]), np.concatenate([it.fell_out for it in found]))


def answers(selection: Selection, found: ByChance, plain: Array) -> None:
    """A strip of probabilities for each class that counts, and how often the first class stays first."""
    labels, probabilities = results.labels(selection), found.probabilities
    winner, runs = int(plain.argmax()), len(probabilities)
    classes = best(np.maximum(plain, probabilities.mean(axis=0)), MOST_CLASSES)
    stays = int((probabilities.argmax(axis=1) == winner).sum())
    own = probabilities[:, winner]
    page.picture(
        selection,
        figures.strips([labels[at] for at in classes], probabilities[:, classes], plain[classes]),
        f"{many(runs, 'answer')} × {exact(len(plain))} probabilities, {len(classes)} classes drawn. "
        f"“{escaped(labels[winner])}” stays first in {stays} of {runs}.",
        alt=f"Probabilities of {len(classes)} classes in {runs} runs, with and without chance.",
        title="Answers by chance",
        key="chance_strips",
    )
    st.caption(
        f"Without dropout {small(float(plain[winner]))}; mean of the {runs} runs {small(float(own.mean()))}, from "
        f"{small(float(own.min()))} to {small(float(own.max()))}, standard deviation {small(float(own.std()))}."
    )


def left_out(selection: Selection, found: ByChance, drop_path: float) -> None:
    """Which branches were dropped in which run."""
    config, flags = selection.config, found.fell_out
    if not drop_path:
        st.caption("The drop path rate is 0: every block takes part in every run.")
        return
    rates = path_rates(config.depth, drop_path)
    expected, fell = 2 * sum(rates), flags.sum(axis=(1, 2))
    whole = int(flags.all(axis=2).sum())
    page.drawing(
        figures.left_out(flags),
        f"{many(len(flags), 'run')} × {config.depth} blocks × 2 additions to the {{residual stream}}.",
        alt="Which attention and which MLP were dropped in which run.",
        title="What was dropped",
        key="chance_left_out",
    )
    st.caption(
        f"The rate rises from 0 in layer 1 to {small(rates[-1])} in layer {config.depth}: expected "
        f"{small(expected)} dropped branches per run, observed {small(float(fell.mean()))}; both of a block "
        f"{many(whole, 'time')}. Runs that lost none: {int((fell == 0).sum())}, expected "
        f"{small(len(flags) * nothing_falls_out(config.depth, drop_path))}."
    )


def formulas(selection: Selection, dropout: float, drop_path: float) -> None:
    """Dropout and drop path with their means and the numbers of these rates."""
    depth = selection.config.depth
    factor = 1 / (1 - dropout)
    page.formula(
        r"\begin{gathered} \tilde x = \frac{m}{1 - p}\, x \\ m \in \{0, 1\},\ P(m = 0) = p \\ "
        r"\operatorname{E} \tilde x = x, \quad \operatorname{sd} \tilde x = \sqrt{\tfrac{p}{1 - p}}\, |x| "
        r"\end{gathered}",
        rf"p = {small(dropout)}: \quad \tfrac{{1}}{{1 - p}} = {small(factor)}, \quad \sqrt{{\tfrac{{p}}{{1 - p}}}} = "
        rf"{small(sqrt(dropout * factor))}",
    )
    last = path_rates(depth, drop_path)[-1]
    added = after_sum(selection.config, r"\mathbf z_{l-1} + \frac{m_l}{1 - p_l}\, f_l(\mathbf z_{l-1})")
    page.formula(
        rf"\begin{{gathered}} \mathbf z_l = {added} \\ "
        r"p_l = p_L\, \frac{l - 1}{L - 1} \end{gathered}",
        rf"\begin{{gathered}} L = {depth},\ p_L = {small(last)} \\ P(\text{{none is dropped}}) \\ "
        rf"= \textstyle\prod_l (1 - p_l)^2 = {small(nothing_falls_out(depth, drop_path))} \end{{gathered}}",
    )
