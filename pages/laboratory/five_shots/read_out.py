"""What the page Five shots draws of the read-out that is solved at once: pictures, scores, and what shots are worth."""

import numpy as np
import streamlit as st

from vitviz.demo.scenes import CLASSES, FAMILIES
from vitviz.figures.laboratory import five_shots as figures
from vitviz.images.photos import BY_TITLE
from vitviz.laboratory.shots import ClassOf
from vitviz.measures.laboratory.five_shots import ReadOut, read_vector, ridge, tried
from vitviz.numbers import exact, many, percent, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.shelf.rows import SHELF
from vitviz.ui import page
from vitviz.ui.links import escaped
from vitviz.ui.widgets.table import table

from .page import MOST_SHOTS


def solved(found: list[ClassOf], shots: int, penalty: float) -> ReadOut:
    """The read-out from the first `shots` of each class."""
    vectors = [it.taught[:shots] for it in found]
    labels = np.repeat(np.arange(len(found)), [len(it) for it in vectors])
    return ridge(np.concatenate(vectors), labels.tolist(), len(found), penalty)


def pictures(found: list[ClassOf], shots: int, read_out: ReadOut) -> None:
    """Shots and held-out pictures of each class, the wrongly named ones crossed."""
    taught = [len(it.taught[:shots]) for it in found]
    rows = [
        np.concatenate([it.seen.small[:used], it.seen.small[it.shots :]])
        for it, used in zip(found, taught, strict=True)
    ]
    wrong = [
        np.flatnonzero(read_out.scores(it.held_out).argmax(axis=-1) != place).tolist() if len(it.held_out) else []
        for place, it in enumerate(found)
    ]
    tested, missed = sum(len(it.held_out) for it in found), sum(map(len, wrong))
    caption = (
        f"{tested - missed} of {exact(tested)} held-out pictures classified correctly "
        f"({percent((tested - missed) / tested)}); by chance {percent(1 / len(found))}."
        if tested
        else f"No picture is held out: upload more than {MOST_SHOTS} of a class to test it."
        if all(len(it.seen.vectors) == it.count for it in found)
        else "The held-out pictures are on their way."
    )
    room = max(min(shots, it.shots) + it.count - it.shots for it in found)
    page.drawing(
        figures.pictures([it.name for it in found], rows, taught, wrong, room),
        f"{many(sum(taught), 'shot')} of {len(found)} classes, framed, and beside them held-out pictures, a cross "
        f"where the answer is wrong. {caption}",
        own=any(it.own for it in found),
        alt="The pictures of each class.",
        title="The pictures of each class",
        key="shots_pictures",
    )


def on_screen(selection: Selection, found: list[ClassOf], read_out: ReadOut) -> None:
    """What the read-out says of the picture on screen."""
    values = read_out.scores(measure(selection, read_vector))
    names, best = [it.name for it in found], int(values.argmax())
    page.picture(
        selection,
        figures.scores(names, values),
        f"“{escaped(names[best])}” with {small(float(values[best]))} of {len(names)} scores. About 1 means yes, about "
        "−1 no; nothing makes them sum to 1.",
        heading="Scores of the picture on screen",
        alt="Scores of the picture on screen.",
        key="shots_scores",
    )


def by_shots(found: list[ClassOf], shots: int, penalty: float) -> None:
    """What more shots are worth on the held-out pictures."""
    if not sum(len(it.held_out) for it in found):
        st.caption("Without held-out pictures nothing tells what more shots are worth.")
        return
    most = max(it.shots for it in found)
    accuracies = tried([it.taught for it in found], [it.held_out for it in found], most, penalty)
    means = accuracies.right.mean(axis=1) / accuracies.tested
    page.drawing(
        figures.by_shots(accuracies.right, accuracies.tested, 1 / len(found), shots),
        f"{'1 shot' if most == 1 else f'1–{most} shots'}, {many(accuracies.right.shape[1], 'draw')} each, on "
        f"{exact(accuracies.tested)} held-out pictures: {percent(float(means[0]))} with 1"
        f"{f', {percent(float(means[-1]))} with {most}' if most > 1 else ''}; dashed, chance.",
        heading="What more shots are worth",
        alt="Share of held-out pictures classified correctly by number of shots.",
        key="shots_worth",
    )
    rows = [
        (str(number), *(f"{count:.0f}" for count in right), percent(float(right.mean()) / accuracies.tested))
        for number, right in enumerate(accuracies.right, start=1)
    ]
    draws = [f"draw {draw}" for draw in range(1, accuracies.right.shape[1] + 1)]
    table(f"Classified correctly of {accuracies.tested}", ("shots", *draws, "on average"), rows, marked=shots - 1)


def what_it_knew(selection: Selection, found: list[ClassOf]) -> None:
    """How new these classes are to a model that learned to name scenes."""
    names = [it.name for it in found]
    if not BY_TITLE.keys().isdisjoint(names):
        st.caption(
            "Parts of one photograph overlap, in one light: they are easier to name than other photographs of the same "
            "thing would be."
        )
    if not (selection.model.name == "demo" or selection.model.name in SHELF):
        return
    if families := [name for name in names if name in FAMILIES]:
        text = "; ".join(f"{name} are {', '.join(FAMILIES[name])}" for name in families)
        st.caption(f"New to it: {text}. It learned to name each, and nobody told it what they have in common.")
    elif all(name in CLASSES for name in names):
        st.caption("It was trained to name each of these classes: one shot may do. Choose families, or own pictures.")


def formulas(found: list[ClassOf], shots: int, penalty: float) -> None:
    """The closed form with the numbers of what was solved."""
    size, count = found[0].seen.vectors.shape[1], sum(min(shots, it.shots) for it in found)
    page.formula(
        r"\begin{aligned} W &= X^\top (X X^\top + \lambda I)^{-1} Y \\ &= (X^\top X + \lambda I)^{-1} X^\top Y \\ "
        r"\mathbf s &= \mathbf x^\top W + \mathbf b \\ \mathbf b &= \bar{\mathbf y} - \bar{\mathbf x}^\top W "
        r"\end{aligned}",
        rf"\begin{{gathered}} X: {exact(count)} \times {exact(size)}, \quad Y: {exact(count)} \times {len(found)} "
        rf"\text{{ of }} \pm 1 \\ \lambda = {penalty:g} \\ {exact(size)} \cdot {len(found)} + {len(found)} \\ "
        rf"= {exact((size + 1) * len(found))} \text{{ parameters}} \end{{gathered}}",
    )
