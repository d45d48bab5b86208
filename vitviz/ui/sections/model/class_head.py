"""The pictures of the class head: the class token and its norm, the scores of the classes, the logit lens."""

import streamlit as st

from vitviz.figures import classes as figures
from vitviz.figures.strips import strips
from vitviz.figures.tiles import Floats
from vitviz.measures.classes import Answer, logit_lens, named_classes
from vitviz.numbers import exact, small
from vitviz.ui import page, results
from vitviz.ui.links import escaped
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection

MOST_BARS, MOST_LINES = 10, 16


def class_token(selection: Selection, given: Answer, place: str) -> None:
    """The tokens that the heads read, before and after the final norm."""
    vectors: dict[str, Floats] = {}
    for name, stream, normalised in zip(selection.config.prefix_tokens, given.stream, given.normalised, strict=False):
        vectors |= {f"[{name}] {place}": stream, f"[{name}] normalised": normalised}
    before, after = given.stream[0], given.normalised[0]
    page.picture(
        selection,
        strips(vectors),
        f"The {exact(len(before))} components of the {{class token}} {place} and after the final norm, on one scale: "
        f"mean {small(before.mean())} becomes {small(after.mean())}, "
        f"variance {small(before.var())} becomes {small(after.var())}.",
        title="The class token and its norm",
    )


def scores(selection: Selection, given: Answer, place: str) -> None:
    """Logits and probabilities of the most probable classes, and how one becomes the other."""
    shown = given.best(MOST_BARS)
    labels = [results.labels(selection)[index] for index in shown]
    heads = dict(zip(("class head", "distillation head"), given.heads[:, shown], strict=False))
    every = selection.config.classes
    if every > 1:
        which = f"The first {len(shown)} of {exact(every)} classes, the most probable on top, read {place}."
        total = f"all {exact(every)} sum to {small(given.probabilities.sum())}."
    else:
        which, total = f"The only class, read {place}.", "with one class, softmax says so whatever the logit."
    left, right = st.columns(2)
    with left:
        page.picture(
            selection,
            figures.logits(labels, given.logits[shown], heads),
            which
            + " Each of two heads reads its own token; a bar is the mean of the two." * selection.config.distilled,
        )
    with right:
        page.picture(
            selection,
            figures.probabilities(labels, given.probabilities[shown]),
            f"“{escaped(labels[0])}” has the probability {small(given.probabilities[shown[0]])}; {total}",
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
