"""What stands under every figure: its caption, and what it was made with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.numbers import exact, small
from vitviz.takeaway.calculations import calculation_of, part_of, patch_of, title_of
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.takeaway.opening import Opened


def caption(it: Opened, numbers: NDArray[Any], title: str, classes: int = 0) -> str:
    """What the numbers of a view are, of which model and picture, and what they say of what is chosen.

    Where there are more classes than `classes` in a panel, it says so.
    """
    view, its = it.view, calculation_of(it.view)
    where = [f"layer {view.layer + 1}"] if its.uses("layer") else []
    where += [f"head {view.head + 1}"] if its.uses("head") else []
    where += [f"query {view.config.token_names[view.query]}"] if its.uses("query") else []
    where += [f"patch {patch_of(view) + 1}"] if its.uses("patch") else []
    said = [
        f"{title_of(view)}: {its.says}.",
        f"Model {PurePath(view.model).name}, picture “{title}”{', ' if where else ''}{', '.join(where)}.",
    ]
    if its.axes in ("head k", "head q", "layer k"):
        said += _looked_at(view, numbers)
    elif its.axes in ("classes", "(depth + 1) classes"):
        said += _answered(it.loaded.labels, np.atleast_2d(numbers))
    else:
        said.append(f"Largest magnitude: {small(float(np.abs(numbers).max()))}.")
    if classes and view.config.classes > classes:
        said.append(f"{classes} of {exact(view.config.classes)} classes are drawn.")
    if view.edits:
        said.append(f"Edited: {view.edits.in_short(view.config)}.")
    if not it.loaded.trained:
        said.append("Untrained parameters.")
    return " ".join(filter(None, [*said, part_of(view)]))


def learned_caption(view: View, largest: float) -> str:
    """The same of a moment of training."""
    its = calculation_of(view)
    where = f"layer {view.layer + 1}" if its.uses("layer") else f"patch {patch_of(view) + 1}"
    return (
        f"{title_of(view)}: {its.says}. Model {view.model} after {view.learned} steps of training, {where}. Largest "
        f"magnitude: {small(largest)}."
    )


def chosen_of(view: View) -> tuple[str, int | None]:
    """What each map of a wall is of, and which is chosen: none where the mean of the heads is."""
    if calculation_of(view).axes == "layer k":
        return "layer", view.layer
    return "head", None if view.choices.get("mean") else view.head


def on_a_patch(view: View) -> bool:
    """Whether the query is a patch."""
    return view.query >= len(view.config.prefix_tokens)


def _looked_at(view: View, rows: NDArray[Any]) -> list[str]:
    """Of weights `panel t`, the largest of the panel that is chosen, whose the largest of all is, and of the map."""
    names, (noun, chosen) = view.config.token_names, chosen_of(view)
    row = rows.mean(axis=0) if chosen is None else rows[chosen]
    own = f"{_looks(view)} {names[int(row.argmax())]}: {small(float(row.max()))}"
    panel, token = divmod(int(rows.argmax()), rows.shape[1])
    whose = f"{small(float(rows.max()))}, {noun} {panel + 1}, {names[token]}"
    said = [f"{own}, the largest magnitude."] if panel == chosen else [f"{own}.", f"Largest magnitude: {whose}."]
    on_patches = float(rows[:, len(view.config.prefix_tokens) :].max())
    if on_patches < rows.max():
        said.append(f"The maps are of the patches, where the largest is {small(on_patches)}.")
    return said


def _looks(view: View) -> str:
    if view.page == "depth":
        return f"After layer {view.layer + 1} it has gathered most from"
    if view.page == "overview":
        return f"In layer {view.layer + 1} it looks most at"
    who = "The mean of the heads" if chosen_of(view)[1] is None else f"Head {view.head + 1}"
    return f"{who}: it is looked at most by" if view.shows == "column" else f"{who} looks most at"


def _answered(labels: Sequence[str], rows: NDArray[Any]) -> list[str]:
    """Of probabilities `layer classes`, the answer, and the largest of all where another is."""
    answer = int(rows[-1].argmax())
    said = [f"The answer is “{labels[answer]}”, {small(float(rows[-1, answer]))}."]
    layer, which = divmod(int(rows.argmax()), rows.shape[1])
    if layer < len(rows) - 1:
        said.append(f"Largest magnitude: {small(float(rows.max()))}, “{labels[which]}” after layer {layer}.")
    return said
