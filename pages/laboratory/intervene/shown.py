"""The drawers of *Intervene*: details, formula and code."""

from dataclasses import replace

import numpy as np
import streamlit as st

from vitviz import equations, results
from vitviz.board.pictures import second_run
from vitviz.board.readout import reader
from vitviz.config import ViTConfig
from vitviz.config.sides import tall
from vitviz.edits import Edits
from vitviz.figures.attention import maps as figures
from vitviz.measures import interventions
from vitviz.numbers import exact, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.links import escaped
from vitviz.ui.widgets.table import table

MOST_CLASSES = 16


def show(selection: Selection) -> None:
    config = selection.config
    at = address.read(config)
    edited = replace(selection, edits=at.edits, donor=second_run(selection).picture)

    if page.drawer("details"):
        listed(at.edits, config)
        if config.classes:
            answers(edited)
            lens(edited)
        else:
            moved(edited)
        maps(edited, at.layer, at.head, at.query)

    if page.drawer("formula"):
        for latex, numbers in formulas(config):
            page.formula(latex, numbers)
        st.caption(
            "A head is scaled before the output projection: its slice times λ, the same as scaling its columns of Wₒ. "
            f"The bias bₒ belongs to no head. {equations.off(config)}"
        )
        if any(at.edits.of("causal")):
            st.caption(causal(config))
        if any(at.edits.of("dropout", "drop_path")):
            st.caption(
                "Dropout multiplies by m / (1 − p), m being 0 or 1 by chance, after the positions, at the weights, "
                "after Wₒ and twice in the MLP; drop path does so with the whole attention or MLP branch."
            )

    if page.drawer("code"):
        of_maps = (interventions.heads_off, interventions.occluded, interventions.put_in)
        page.source("ViT.go_on", Edits.read, *(of_maps if config.classes else (interventions.moved,)))


def listed(edits: Edits, config: ViTConfig) -> None:
    """The edits in words, and what runs them in Python."""
    if not edits:
        page.sentence("Unedited: every number is that of the model as it is.")
        return
    table("The edits", ("edit", "what it does"), edits.listed(config), words=(0, 1))
    st.code(
        f"edits = Edits.parse({str(edits)!r}, model.config)\ntrace = record(model, image, edits=edits)",
        language="python",
    )


def answers(edited: Selection) -> None:
    """Logits and probabilities of the most probable classes, with the edits and without."""
    from vitviz.measures.interventions import compared_answers

    found, labels = measure(edited, compared_answers), results.labels(edited)
    order = np.argsort(-np.maximum(found.plain_probabilities, found.edited_probabilities))[:MOST_CLASSES]
    columns = (found.plain, found.edited, found.change, found.plain_probabilities, found.edited_probabilities)
    rows = [(labels[at], *(small(float(column[at])) for column in columns)) for at in order]
    table("The answer", ("class", "logit", "edited", "change", "probability", "edited"), rows)
    st.caption(f"The first {len(order)} of {exact(len(labels))} classes, by the larger of both probabilities.")


def lens(edited: Selection) -> None:
    """What the head says of the answer after every layer, with the edits and without."""
    from vitviz.measures.interventions import compared_lenses

    after, before = measure(edited, compared_lenses)
    best = int(before[-1].argmax())
    rows = [
        (str(layer), small(float(one[best])), small(float(other[best])))
        for layer, (one, other) in enumerate(zip(before, after, strict=True))
    ]
    table("The logit lens", ("read after layer", "probability", "edited"), rows)
    st.caption(f"Logit lens: the probability of “{escaped(results.labels(edited)[best])}”, 0 being before layer 1.")


def moved(edited: Selection) -> None:
    """How far the vector of a model without classes moved, read after every layer."""
    from vitviz.measures.interventions import moved as measured

    rows = [
        (str(layer), small(float(cosine)), small(float(length)))
        for layer, (cosine, length) in enumerate(measure(edited, measured).T)
    ]
    table("What the edits move", ("read after layer", "cosine to the unedited", "length of the difference"), rows)
    st.caption(
        f"The {reader(edited.config).name}, read as after the last layer, 0 being before layer 1; lengths in those of "
        "the unedited vector. This model has no classes, so there is no answer to compare."
    )


def maps(edited: Selection, layer: int, head: int, query: int) -> None:
    """What a query looks at in all heads of a layer, with the edits and without."""
    from vitviz.measures.interventions import compared_rows

    config = edited.config
    after, before, _ = measure(edited, compared_rows, layer, query)
    limit, prefix = float(max(after.max(), before.max())), len(config.prefix_tokens)
    for side, name, rows in zip(st.columns(2), ("with the edits", "without"), (after, before), strict=True):
        with side:
            page.picture(
                edited,
                figures.wall(
                    rows[:, prefix:].reshape(-1, *config.grid),
                    "head",
                    limit,
                    head,
                    edited.cell(query),
                    tall(config.patch_sides),
                ),
                f"What {edited.short_token_name(query)} looks at in {config.heads} heads {name}; one scale, 0 to "
                f"{small(limit)}.",
                heading=f"Layer {layer + 1}, {name}",
                key=f"intervene_{name}",
            )


def causal(config: ViTConfig) -> str:
    """What a causal mask is, and what is left for the token that stands first."""
    first = ""
    if config.pool == "class" and config.norm != "batch":
        first = (
            " [class] stands first and sees itself alone: masked in all layers, the answer is the same for every "
            "picture. GPT reads its last token, which sees all."
        )
    return (
        "Causal mask: M = 0 where the key stands at the query or before it, else −∞; patches stand row by row. A "
        f"decoder has it, so that a word is guessed from those before it; an encoder, as ViT is one, has none.{first}"
    )


def formulas(config: ViTConfig) -> tuple[tuple[str, str], ...]:
    """A block and a head of this model with the factors that edits set, each with its numbers, in LaTeX."""
    lines = equations.block(
        config,
        lambda _: r"\beta \alpha \bigl(\textstyle\sum_h \lambda_h\, \mathbf o_h W_o^{(h)} + \mathbf b_o\bigr)",
        r"\beta \mu \operatorname{{MLP}}({})".format,
    )
    none = "" if config.attention == "window" else ",\\ M = 0"
    softmax = rf"\operatorname{{softmax}}\!\left({equations.scores(config, 'q_h', 'k_h', 'T', masked=True)}\right)"
    return (
        (
            r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}",
            rf"\lambda_h,\ \alpha,\ \mu,\ \beta \in [0, 2], \quad h = 1 \dots {config.heads}, \quad "
            rf"\ell = 1 \dots {config.depth}",
        ),
        (
            r" \qquad ".join([rf"\mathbf o_h = {softmax}\, v_h", *equations.where(config)]),
            rf"d_h = {config.head_dim}, \quad \text{{without edits }} T = 1{none}",
        ),
    )
