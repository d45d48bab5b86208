"""The drawers of *Class head*: details, formula and code."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from vitviz import counts, results
from vitviz.board.readout import reader
from vitviz.config import ViTConfig
from vitviz.equations import NORMS
from vitviz.figures.marks import Floats
from vitviz.figures.model import classes as figures
from vitviz.figures.strips import strips
from vitviz.measures.classes import Readout, answer, logit_lens, named_classes
from vitviz.numbers import exact, small
from vitviz.results import measure, measure_long
from vitviz.samples import samples
from vitviz.selection import Selection
from vitviz.shelf.measured import all_of
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.links import escaped
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.table import table as table_of

MOST_BARS, MOST_LINES = 10, 16
PICTURES = 6  # that are compared
ALIKE = 1e-6  # probabilities of the same vector, on any device


def heads(config: ViTConfig) -> str:
    """What gives the logits, as LaTeX."""
    if config.distilled:
        return (
            r"\tfrac12 \bigl(W \operatorname{LN}(\mathbf z_\text{class}) + \mathbf b"
            r" + W' \operatorname{LN}(\mathbf z_\text{distillation}) + \mathbf b'\bigr)"
        ).replace(NORMS["layer"], NORMS[config.norm])
    hidden = r"\tanh\bigl(W_h {} + \mathbf b_h\bigr)" if config.pre_logits else "{}"
    return rf"W {hidden.replace('{}', reader(config).formula)} + \mathbf b"


def show(selection: Selection) -> None:
    config = selection.config
    after = address.read(config).after
    place = f"after layer {after}" if after else "before the first layer"
    final = measure(selection, answer, after)

    if page.drawer("details"):
        hidden = f", a hidden layer of {exact(config.pre_logits)} with tanh reads that" if config.pre_logits else ""
        page.sentence(
            f"{reader(config).says}{hidden}, the head gives one logit per class, and softmax makes them probabilities."
        )
        predictions.warn(selection)
        if len(final.stream):
            class_token(selection, final, place)
        if config.classes:
            scores(selection, final, place)
            lens(selection, after)
            if config.pool == "class" and config.norm != "batch":
                before_attention(selection)
            why_bert()
        else:
            page.sentence("This model has no head: its result is the vector that a head would read.")
            page.link("five_shots", "Classes of your own, from five pictures of each: Five shots")

    if page.drawer("formula") and config.classes:
        best = final.best(1)[0]
        logit, own = small(final.logits[best]), final.heads[:, best]
        mean = rf"y_1 &= \tfrac12 ({small(own[0])} + {page.addend(own[-1])}) = {logit} \\ " * config.distilled
        page.formula(
            rf"\begin{{aligned}} \mathbf y &= {heads(config)} \\ p_c &= e^{{y_c}} \big/ \textstyle\sum_j e^{{y_j}}"
            r"\end{aligned}",
            rf"\begin{{aligned}} {mean}"
            rf"p_1 &= e^{{{logit}}} \big/ \textstyle\sum_j e^{{y_j}} = {small(final.probabilities[best])} "
            r"\end{aligned}",
        )
        st.caption(
            f"Linear ({exact(config.pooled)} to {exact(config.pre_logits)}), tanh, Linear: as the paper pre-trains; "
            "for fine-tuning it takes one Linear."
            if config.pre_logits
            else "One Linear, as after fine-tuning. For pre-training the paper puts one hidden layer before it "
            "(Linear, tanh, Linear); sources print its sizes differently, one even as a single matrix of MLP size × d."
        )
        st.caption(moved(config))
    elif page.drawer("formula"):
        page.formula(
            rf"\mathbf y = {reader(config).formula}",
            rf"\mathbf y \in \mathbb R^{{{config.pre_logits or config.pooled}}}",
        )

    if page.drawer("code"):
        drawn = (logit_lens, figures.logits, figures.probabilities, figures.lens) if config.classes else ()
        page.source("ViT.classify", answer, *drawn)


def class_token(selection: Selection, final: Readout, place: str) -> None:
    """The tokens that the heads read, before and after the final norm."""
    vectors: dict[str, Floats] = {}
    for name, stream, normalised in zip(selection.config.prefix_tokens, final.stream, final.normalised, strict=False):
        vectors |= {f"[{name}] {place}": stream, f"[{name}] normalised": normalised}
    before, after = final.stream[0], final.normalised[0]
    page.picture(
        selection,
        strips(vectors),
        f"The {exact(len(before))} components of the {{class token}} {place} and after the final norm, on one scale: "
        f"mean {small(before.mean())} becomes {small(after.mean())}, "
        f"variance {small(before.var())} becomes {small(after.var())}.",
        title="The class token and its norm",
    )


def scores(selection: Selection, final: Readout, place: str) -> None:
    """Logits and probabilities of the most probable classes, and how one becomes the other."""
    classes = final.best(MOST_BARS)
    labels = [results.labels(selection)[index] for index in classes]
    of_heads = dict(zip(("class head", "distillation head"), final.heads[:, classes], strict=False))
    every = selection.config.classes
    if every > 1:
        which = f"The first {len(classes)} of {exact(every)} classes, the most probable on top, read {place}."
        total = f"all {exact(every)} sum to {small(final.probabilities.sum())}."
    else:
        which, total = f"The only class, read {place}.", "with one class, softmax says so whatever the logit."
    left, right = st.columns(2)
    with left:
        page.picture(
            selection,
            figures.logits(labels, final.logits[classes], of_heads),
            which
            + " Each of two heads reads its own token; a bar is the mean of the two." * selection.config.distilled,
        )
    with right:
        page.picture(
            selection,
            figures.probabilities(labels, final.probabilities[classes]),
            f"“{escaped(labels[0])}” has the probability {small(final.probabilities[classes[0]])}; {total}",
        )


def lens(selection: Selection, after: int) -> None:
    """The same read-out before the first block and after each."""
    table = measure(selection, logit_lens)
    lines, winners = named_classes(table, MOST_LINES), table.argmax(axis=1).tolist()
    lost = [read for read, winner in enumerate(winners) if winner != winners[-1]]
    since = f"from layer {lost[-1] + 1} on" if lost else "at every one"
    page.picture(
        selection,
        figures.lens(
            table[:, lines],
            [results.labels(selection)[index] for index in lines],
            [lines.index(winner) if winner in lines else None for winner in winners],
            after,
        ),
        f"The same norm and head on the {{residual stream}} at {len(table)} places, {len(lines)} of "
        f"{exact(selection.config.classes)} classes; a dot marks the most probable at each place. "
        f"“{escaped(results.labels(selection)[winners[-1]])}” leads {since}.",
        title="The logit lens",
    )


def before_attention(selection: Selection) -> None:
    """What the head says of the class token alone, before it has looked at any picture, and after, of several."""
    ids = list(samples())[:: max(1, len(samples()) // PICTURES)][:PICTURES]
    lenses = [measure_long(Selection(selection.model, samples()[it]), logit_lens) for it in ids]
    named, depth = results.labels(selection), selection.config.depth
    read = list(dict.fromkeys((0, 1, depth)))
    first = np.stack([lens[0] for lens in lenses])
    apart, best = float(np.ptp(first, axis=0).max()), int(first[0].argmax())
    page.sentence(
        "**Why can a token that is no {patch} classify?** Before layer 1 the {class token} is one vector"
        f"{', learned from the whole training set' if results.trained(selection) else ''}: the head says of it "
        f"“{escaped(named[best])}”, {small(float(first[0, best]))}, whatever the picture. What is in it comes by "
        "attention alone."
    )
    table_of(
        "What the head says of the class token, of several pictures",
        ("picture", *("before layer 1" if at == 0 else f"after layer {at}" for at in read)),
        [
            (samples()[it].title, *(_caption(lens[at], named) for at in read))
            for it, lens in zip(ids, lenses, strict=True)
        ],
        words=range(1 + len(read)),
    )
    page.check(
        apart < ALIKE,
        f"Read before layer 1, no probability differs between the {len(ids)} pictures by more than {small(apart)}.",
    )


def why_bert() -> None:
    """Why BERT needs a token for the whole, and a ViT need not have one: what the siblings reached."""
    usual, mean = all_of(["learned", "gap"])
    page.sentence(
        "**BERT needs its [CLS].** It is trained on two questions at once: which words were masked, read off the "
        "tokens of these words, and whether the second sentence followed the first, read off [CLS], which is no word "
        "of either (Devlin et al., 2018). A ViT has one question, of the whole picture, and can do without: siblings "
        f"of the demo are right in {usual.mean('all'):.3f} of all scenes with such a token, and in "
        f"{mean.mean('all'):.3f} with the mean of their {{patches}}."
    )
    page.link("siblings", "Class token or mean: Siblings", differs="Learning rates")


def moved(config: ViTConfig) -> str:
    """What fine-tuning replaces, and what it trains on, in numbers."""
    split = {it.name: it.count for it in counts.parameter_split(config)}
    replaced = sum(split.get(kind, 0) for kind in ("head", "pre-logits"))
    return (
        "What moves when a model that was pre-trained on 21 thousand classes is fine-tuned on one thousand? The whole "
        "head is replaced by one Linear of zeros; the paper trains everything on. Here that would replace "
        f"{exact(replaced)} parameters, and train {exact(counts.total_parameters(config) - replaced)} others on."
    )


def _caption(probabilities: Floats, named: Sequence[str]) -> str:
    best = int(probabilities.argmax())
    return f"{named[best]} {small(float(probabilities[best]))}"
