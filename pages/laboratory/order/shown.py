"""What stands on *Permutation*."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from vitviz import results
from vitviz.config.sides import middle, spelled, tall
from vitviz.edits import Edits
from vitviz.figures.laboratory.panels import panels
from vitviz.measures.arrays import Array
from vitviz.measures.classes import best
from vitviz.measures.laboratory.order import SAME, Reordered, reordered
from vitviz.numbers import exact, power, small
from vitviz.results import measure
from vitviz.selection import FIRST_MODEL, ModelChoice, Selection
from vitviz.shelf.rows import SHELF, chosen_as
from vitviz.ui import page
from vitviz.ui.links import escaped
from vitviz.ui.widgets.laboratory import guess, verdict
from vitviz.ui.widgets.live.mosaic import Exchange, mosaic
from vitviz.ui.widgets.table import table

from .page import GUESS

SIBLING = chosen_as("none")
MOST = 5
NEITHER, ONE, BOTH = "of neither", "only of the one with positions", "of both"


def show(selection: Selection) -> None:
    answer = "answer" if selection.config.classes else "result"
    pictures, text = st.columns(2)
    with pictures:
        exchange = chosen(selection)
    blind, other = pair(selection, exchange)
    with text:
        guessed = guess(GUESS, f"Which {answer} changes?", (NEITHER, ONE, BOTH))
        if guessed:
            theirs = "" if blind.number == other.number else f"a {other.number} "
            verdict(
                guessed,
                right_answer(blind, other),
                f"a {blind.number} changes by {small(blind.answer_moved)} at most without positions, and {theirs}by "
                f"{small(other.answer_moved)} in {escaped(other.selection.model.title)}.",
            )
            for column, seen in zip(st.columns(2), (blind, other), strict=True):
                with column:
                    answers(seen)
        else:
            st.caption(f"Both {answer}s, and how far each token moved, come with your guess.")

    if guessed:
        limit = limit_of(blind, other)
        for column, seen in zip(st.columns(2), (blind, other), strict=True):
            with column:
                tokens(seen, exchange, selection.config.grid, limit)
        proofs(blind, other)

    numbers = (
        rf"\begin{{gathered}} \max \left\lvert f(PX) - P f(X) \right\rvert = {small(blind.moved)} \\ "
        rf"\text{{without positions,}} \quad {small(other.moved)} \ \text{{in the other model}} \end{{gathered}}"
    )
    page.formula(r"\operatorname{SA}(P X) = P \operatorname{SA}(X) \quad \text{because}")
    page.formula(
        r"\begin{gathered} \operatorname{softmax}\!\left(\tfrac{P Q K^\top P^\top}{\sqrt{d_h}}\right) P V \\ "
        r"= P \operatorname{softmax}\!\left(\tfrac{Q K^\top}{\sqrt{d_h}}\right) V \end{gathered}",
        numbers if guessed else "",
    )
    page.source("attention", "ViT.embed", reordered)


@dataclass(frozen=True, slots=True)
class Seen:
    """A model that looks at both pictures: its selection with the plain picture, what it made of both, its title."""

    selection: Selection
    found: Reordered
    title: str

    @property
    def moved(self) -> float:
        """The largest difference between two tokens of the same patch, or of those without a place."""
        return float(max(self.found.followed.max(), self.found.prefix.max(initial=0)))

    @property
    def answer_moved(self) -> float:
        """The largest difference of a `number` of what leaves the model."""
        return float(np.abs(self.found.logits[1] - self.found.logits[0]).max())

    @property
    def number(self) -> str:
        """What leaves the model is made of."""
        return "logit" if self.selection.config.classes else "component of the result"

    @property
    def probabilities(self) -> Array:
        """Before and after: `2 classes`."""
        raised = np.exp(self.found.logits - self.found.logits.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def chosen(selection: Selection) -> Exchange:
    """The picture before and after, under the hand; what changes places in it."""
    config = selection.config
    alt = f"What the model sees. {selection.picture.alt}"
    exchange = mosaic("swap", results.screen_photo(selection), config.grid, Exchange(0, middle(config.grid)), alt)
    st.caption(
        f"{spelled(config.image_size)} pixels, exactly what {escaped(selection.model.title)} sees: "
        f"{spelled(config.grid)} = {exact(config.patches)} patches."
    )
    return exchange


def pair(selection: Selection, exchange: Exchange) -> tuple[Seen, Seen]:
    """The position-less sibling and the model on screen; where that is the sibling itself, the demo model."""
    blind = replace(selection, model=ModelChoice(SIBLING, SHELF[SIBLING]))
    other = replace(selection, model=FIRST_MODEL) if selection.model.name == SIBLING else selection
    kinds = "without positions" if other.config.positions == "none" else f"positions {other.config.positions}"
    return (
        Seen(blind, _run(blind, selection, exchange), f"{blind.model.title}, trained without any"),
        Seen(other, _run(other, selection, exchange), f"{escaped(other.model.title)}, {kinds}"),
    )


def _run(model: Selection, chosen_on: Selection, exchange: Exchange) -> Reordered:
    there = _on_grid(exchange, chosen_on.config.grid, model.config.grid)
    return measure(replace(model, edits=Edits.parse(there.edits, model.config)), reordered)


def _on_grid(exchange: Exchange, old: tuple[int, int], new: tuple[int, int]) -> Exchange:
    """The same places on another grid: the patches in whose squares the middles of the chosen ones lie."""
    if exchange.seed is not None or old == new:
        return exchange

    def there(patch: int) -> int:
        row, column = (
            int((at + 0.5) / was * now) for at, was, now in zip(divmod(patch, old[1]), old, new, strict=True)
        )
        return row * new[1] + column

    return Exchange(there(exchange.first), there(exchange.second))


def tokens(seen: Seen, exchange: Exchange, on: tuple[int, int], limit: float) -> None:
    """How far each token is from that of its place before, and from that of its patch, on one scale."""
    selection, found = seen.selection, seen.found
    there = _on_grid(exchange, on, selection.config.grid)
    places = () if there.seed is not None else (there.first, there.second)
    prefix = "".join(
        f" [{name}] {small(float(moved))}."
        for name, moved in zip(selection.config.prefix_tokens, found.prefix, strict=True)
    )
    rows, columns = selection.config.grid
    maps = {"token of the same place": found.in_place, "token of the same patch": found.followed}
    page.picture(
        selection,
        panels(
            maps,
            [limit, limit],
            "largest difference",
            framed=dict.fromkeys(maps, places),
            patch=tall(selection.config.patch_sides),
        ),
        f"{rows} × {columns} tokens after the last norm: largest difference of a component; one scale for both.",
        heading=seen.title,
        alt=f"How far the tokens of {selection.model.title} moved.",
        key=f"order_{selection.model.name}",
    )
    st.caption(f"Of tokens of the same patch the largest is {small(float(found.followed.max()))}.{prefix}")


def answers(seen: Seen) -> None:
    """The most probable classes before and after."""
    if not seen.selection.config.classes:
        st.caption(
            f"This model has no classes; what a head would read moves by {small(seen.answer_moved)} at most, "
            f"of {seen.found.logits.shape[1]} components."
        )
        return
    labels, (before, after) = results.labels(seen.selection), seen.probabilities
    order = best(np.maximum(before, after), MOST)
    rows = [(labels[at], small(float(before[at])), small(float(after[at]))) for at in order]
    st.markdown(f"**{escaped(seen.selection.model.title)}**")
    table(f"The answer of {seen.selection.model.title}", ("class", "before", "after"), rows)


def proofs(blind: Seen, other: Seen) -> None:
    """What holds of this picture and these models, with its largest difference."""
    limit = power(SAME)
    page.check(
        blind.moved <= SAME and blind.answer_moved <= SAME,
        f"Without positions: every token goes with its patch (largest difference {small(blind.moved)}), all others "
        f"stay, and so does the answer (largest difference of a logit {small(blind.answer_moved)}); at most {limit}, "
        "which is rounding. The tokens are equivariant, the answer is invariant.",
    )
    if other.selection.config.positions == "none":
        page.sentence(
            f"The model on screen has no {{positions}} either: largest difference of a token {small(other.moved)}, of "
            f"a {other.number} {small(other.answer_moved)}. {_who_still_knows(other)}"
        )
        return
    page.sentence(
        f"With {{positions}}, a patch elsewhere is another token: the largest difference of one that went with its "
        f"patch is {small(other.moved)}, that of a {other.number} {small(other.answer_moved)}. "
        "Even tokens that nobody moved change, because they look at those that did."
    )


def _who_still_knows(seen: Seen) -> str:
    """Where a model without positions learns the place all the same."""
    config = seen.selection.config
    if config.attention == "window":
        return "Its window still knows which patches are neighbours."
    if config.pool == "flatten":
        return "Its tokens are blind to order, but the head reads them side by side, each with weights of its own."
    return "It is as blind to order as the sibling."


def limit_of(*seen: Seen) -> float:
    """The end of the one scale."""
    return max(float(max(it.found.in_place.max(), it.found.followed.max())) for it in seen) or 1.0


def right_answer(blind: Seen, other: Seen) -> str:
    """Which of the answers changed."""
    if other.answer_moved <= SAME:
        return NEITHER
    return ONE if blind.answer_moved <= SAME else BOTH
