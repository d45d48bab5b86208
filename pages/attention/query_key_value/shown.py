"""The drawers of *Query, key, value*: details, formula and code."""

import numpy as np
import streamlit as st

from vitviz import equations, numbers
from vitviz.addresses.place import STRONGEST
from vitviz.config import ViTConfig
from vitviz.figures.attention import steps as figures
from vitviz.measures.attention import AttentionSteps, Difference, attention_steps, fused_difference
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.widgets.table import table

WRITTEN_OUT = 4  # keys that are written out
TOLERANCE = 1e-4  # of the largest magnitude: more than rounding in fp32


def show(selection: Selection) -> None:
    config = selection.config
    at = address.read(config)

    if page.drawer("details") or page.drawer("formula"):
        step = measure(selection, attention_steps, at.layer, at.head, at.query)
        key = strongest(step)[0] if at.key == STRONGEST else at.key

    if page.drawer("details"):
        asks, answers = (selection.token_name(token) for token in (at.query, key))
        st.subheader(f"1. Multiply: {asks} asks {answers}", anchor=False)
        multiply(selection, step, key)
        st.caption(weights_of_a_head(config))
        st.subheader("2. Softmax: scores become weights that sum to 1", anchor=False)
        compare(selection, step, key)
        in_numbers(selection, step, key)
        st.subheader("3. Weighted sum of the values", anchor=False)
        mix(selection, step)
        compared_with_fused(selection, measure(selection, fused_difference, at.layer))

    if page.drawer("formula"):
        first = rf"{numbers.small(float(step.q[0]))} \cdot {page.addend(float(step.keys[key, 0]))}"
        page.formula(
            formula_of_scores(config)[1],
            rf"q \cdot k = {first} + \dots = {numbers.small(float(step.products[key]))} \qquad "
            rf"s_k = {numbers.small(float(step.scores[key]))}".replace("−∞", r"-\infty"),
        )
        st.caption(why_scaled(config))
        page.formula(
            r"a_k = \frac{e^{s_k - \max s}}{\sum_j e^{s_j - \max s}}",
            rf"\frac{{{numbers.small(float(step.exponentials[key]))}}}{{{numbers.small(step.denominator)}}} = "
            rf"{numbers.small(float(step.weights[key]))}",
        )
        page.formula(
            r"z = \sum_k a_k v_k",
            rf"z: {config.tokens} \times {config.head_dim} \rightarrow {config.head_dim}",
        )

    if page.drawer("code"):
        page.source(attention_steps, fused_difference, "attention", "Attention")


def multiply(selection: Selection, step: AttentionSteps, key: int) -> None:
    """Step 1: q · k for one key, term by term."""
    dh, name = selection.config.head_dim, selection.token_name(key)
    page.picture(
        selection,
        figures.dot_product(step.q, step.keys[key], name),
        f"{{query}} and {{key}}: {numbers.exact(dh)} components each, on one scale. Their {numbers.exact(dh)} products "
        f"sum to q · k = {numbers.small(float(step.products[key]))}; {formula_of_scores(selection.config)[0]}, "
        f"the score is {numbers.small(float(step.scores[key]))}.",
        alt=f"Bars of q, of k of {name}, and of their products.",
        title="Query times key",
        key="walk_multiply",
    )


def weights_of_a_head(config: ViTConfig) -> str:
    """What queries, keys and values of one head take here, and where a head reads its slice of the token alone."""
    d, dh, heads = config.dim, config.head_dim, config.heads
    whole, slice_ = 3 * d * dh, 3 * dh * dh
    together = " = d · 3 · dₕ, as much as one has here" if config.usual_head_dim else ""
    return (
        f"Each head is made from the whole token: d · 3 · dₕ = {d} · 3 · {dh} = {numbers.exact(whole)} weights. Texts "
        f"that draw dₕ × dₕ matrices on a head's own slice of the token give it 3 · dₕ · dₕ = 3 · {dh} · {dh} = "
        f"{numbers.exact(slice_)}, and all {heads} heads together {heads} · {numbers.exact(slice_)} = "
        f"{numbers.exact(heads * slice_)}{together}."
    )


def compare(selection: Selection, step: AttentionSteps, key: int) -> None:
    """Step 2: the scores of all keys become weights."""
    tokens, names = selection.config.tokens, [selection.token_name(token) for token in range(selection.config.tokens)]
    weight = float(step.weights[key])
    page.picture(
        selection,
        figures.scores_and_weights(step.scores, step.weights, names, selection.config.prefix_tokens, key),
        f"{numbers.exact(tokens)} scores and their weights. {names[key]} is framed: its weight is "
        f"{numbers.small(weight)}, {numbers.small(weight * tokens)} of what uniform attention would give (1/{tokens}). "
        f"The row sums to 1: measured, {step.weights.sum(dtype=np.float64):.7f}.",
        alt=f"Bars of the scores and of the weights of all {tokens} keys.",
        title="Scores and weights",
        key="walk_compare",
    )


def in_numbers(selection: Selection, step: AttentionSteps, key: int) -> None:
    """Step 2 in numbers: the strongest keys and the chosen one, all others together, and the sum of all."""
    tokens, highest = selection.config.tokens, page.addend(float(step.scores.max()))
    keys = list(dict.fromkeys([*strongest(step), key]))
    rows = []
    for token in keys:
        values = (step.products[token], step.scores[token], step.exponentials[token], step.weights[token])
        rows.append((selection.short_token_name(token), *(numbers.small(float(value)) for value in values)))
    if rest := tokens - len(keys):
        others = (step.denominator - step.exponentials[keys].sum(), 1 - step.weights[keys].sum())
        rows.append((f"the other {numbers.exact(rest)}", "", "", *(numbers.small(float(value)) for value in others)))
    table(
        "From scores to weights, for the strongest keys and the chosen one",
        ("key", "q · k", formula_of_scores(selection.config)[0], f"exp(s − {highest})", "weight"),
        rows,
        total=(
            f"all {numbers.exact(tokens)}",
            "",
            "",
            numbers.small(step.denominator),
            f"{step.weights.sum(dtype=np.float64):.7f}",
        ),
        marked=keys.index(key),
    )


def mix(selection: Selection, step: AttentionSteps) -> None:
    """Step 3: the values, each times its weight, add up to the output of the head."""
    config, keys = selection.config, strongest(step)
    shares = step.weights[keys, None] * step.values[keys]
    parts = [
        (f"{numbers.small(float(step.weights[token]))} · v of {selection.token_name(token)}", share)
        for token, share in zip(keys, shares, strict=True)
    ]
    totals = [("the sum: the output of the head", step.z)]
    if rest := config.tokens - len(keys):
        totals.insert(0, (f"the other {numbers.exact(rest)} keys together", step.z - shares.sum(axis=0)))
    page.picture(
        selection,
        figures.weighted_values(parts, totals),
        f"{numbers.exact(config.tokens)} {{values}} of {numbers.exact(config.head_dim)} components, each times its "
        f"weight: the strongest on one scale, all others together and the sum on another. The sum is the output of "
        f"this head for this query; heads × components: {config.heads} × {config.head_dim} = "
        f"{numbers.exact(config.heads * config.head_dim)} go on to the next step.",
        alt="Bars of the strongest weighted values, of all others together, and of their sum.",
        title="Weighted values and their sum",
        key="walk_mix",
    )


def compared_with_fused(selection: Selection, difference: Difference) -> None:
    """Whether the steps above are what the forward pass does, as measured."""
    config = selection.config
    page.check(
        difference.relative <= TOLERANCE,
        f"Computing attention step by step like this, in every head and for all {numbers.exact(config.tokens)} queries "
        f"of this layer, gives the same as {_ran(config)} ({selection.model.precision}): the largest "
        f"difference is {numbers.small(difference.largest)}, {numbers.small(difference.relative)} of the largest "
        "value.",
    )


def _ran(config: ViTConfig) -> str:
    """How this model's attention runs, and why."""
    if config.plain_scores:
        return "PyTorch's fused attention"
    if config.attention == "linear":
        return "linear attention, which sums φ(k)·v over all keys first and never makes a score"
    why = "a scale of its own" if config.attention == "full" else f"attention {config.attention}"
    return f"the forward pass, which writes attention out too because this model has {why}"


def formula_of_scores(config: ViTConfig) -> tuple[str, str]:
    """How a score is made of q·k: for the head of a column, and as LaTeX."""
    latex = f"s_k = {equations.score(config)}"
    if config.attention == "linear":
        return "ln φ(q)·φ(k)", latex
    scaled = f"÷ √{config.head_dim}" if config.score_scale is None else f"× {config.score_scale:g}"
    return f"{scaled} + B" if config.positions == "relative" else scaled, latex


def why_scaled(config: ViTConfig) -> str:
    """What becomes of the variance of q · k in this model, and what others call the width of a head."""
    dh, note = config.head_dim, "Texts that write √h or √n mean √dₕ, of the width of a head."
    if config.attention == "linear":
        return f"φ makes every component positive, so that its logarithm is a score; nothing is divided. {note}"
    then = (
        f"divided by √{dh} it is 1 again"
        if config.score_scale is None
        else f"times {config.score_scale:g} it is {numbers.small(dh * config.score_scale**2)}, where division by √{dh} "
        "would make it 1 again"
    )
    return (
        f"Where the components of q and k have variance 1, q · k, a sum of {dh} products, has variance {dh}; {then}. "
        f"{note}"
    )


def strongest(step: AttentionSteps) -> list[int]:
    """The keys with the largest weights, the largest first."""
    order: list[int] = np.argsort(-step.weights, kind="stable")[:WRITTEN_OUT].tolist()
    return order
