"""What stands under every figure: its caption, and what it was made with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.numbers import exact, small
from vitviz.takeaway.calculations import calculation_of, called, known_of, patch_of, print_of, title_of
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.weights import Loaded


def caption(view: View, numbers: NDArray[Any], title: str = "", loaded: Loaded | None = None) -> str:
    """What the numbers of a view are, of which model and picture, and what they say of what is chosen.

    A moment of training has neither a picture nor a model that was `loaded`.
    """
    its, printed = calculation_of(view), print_of(view)
    where = [f"layer {view.layer + 1}"] if its.uses("layer") else []
    where += [f"head {view.head + 1}"] if its.uses("head") else []
    where += [f"query {view.config.token_names[view.query]}"] if its.uses("query") else []
    where += [f"patch {patch_of(view) + 1}"] if its.uses("patch") else []
    model, learned = PurePath(view.model).name, f" after {view.learned} steps of training"
    of = [f"Model {model}, picture “{title}”" if loaded else f"Model {model}{learned}", *where]
    sentences = [f"{title_of(view)}: {its.says}.", f"{', '.join(of)}."]
    sentences += read_off(view, numbers, loaded)
    if 0 < printed.classes < view.config.classes:
        sentences.append(f"{printed.classes} of {exact(view.config.classes)} classes are drawn.")
    if loaded and view.edits:
        sentences.append(f"Edited: {view.edits.in_short(view.config)}.")
    if loaded and not loaded.trained:
        sentences.append("Untrained parameters.")
    return " ".join(sentences)


def read_off(view: View, numbers: NDArray[Any], loaded: Loaded | None = None) -> list[str]:
    """What the numbers of a view say of what is chosen, or which is the largest."""
    its = calculation_of(view)
    if its.printed and its.printed.strongest:
        return _strongest(view, numbers, its.printed.strongest)
    if its.printed and its.printed.legend:
        return [called(its.printed.legend, {**known_of(view), "values": numbers})]
    if loaded and its.axes in ("classes", "(depth + 1) classes"):
        return _answered(loaded.labels, np.atleast_2d(numbers))
    return [f"Largest magnitude: {small(float(np.abs(numbers).max()))}."]


def _strongest(view: View, rows: NDArray[Any], begins: str) -> list[str]:
    """Of weights `panel t`, the largest of the panel that is chosen, whose the largest of all is, and of the map."""
    names, (noun, _) = view.config.token_names, calculation_of(view).axes.split()
    chosen = view.layer if noun == "layer" else None if view.choices.get("mean") else view.head
    row = rows.mean(axis=0) if chosen is None else rows[chosen]
    head = "The mean of the heads" if chosen is None else f"Head {view.head + 1}"
    begun = begins.format(layer=view.layer + 1, head=head)
    own = f"{begun} {names[int(row.argmax())]}: {small(float(row.max()))}"
    panel, token = divmod(int(rows.argmax()), rows.shape[1])
    whose = f"{small(float(rows.max()))}, {noun} {panel + 1}, {names[token]}"
    sentences = [f"{own}, the largest magnitude."] if panel == chosen else [f"{own}.", f"Largest magnitude: {whose}."]
    on_patches = float(rows[:, len(view.config.prefix_tokens) :].max())
    if on_patches < rows.max():
        sentences.append(f"The maps are of the patches, where the largest is {small(on_patches)}.")
    return sentences


def _answered(labels: Sequence[str], rows: NDArray[Any]) -> list[str]:
    """Of probabilities `layer classes`, the answer, and the largest of all where another is."""
    answer = int(rows[-1].argmax())
    sentences = [f"The answer is “{labels[answer]}”, {small(float(rows[-1, answer]))}."]
    layer, which = divmod(int(rows.argmax()), rows.shape[1])
    if layer < len(rows) - 1:
        sentences.append(f"Largest magnitude: {small(float(rows.max()))}, “{labels[which]}” after layer {layer}.")
    return sentences
