"""Fallbacks where a model cannot be shown: the same one in less memory, or the last that worked, and a sentence why."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from vitviz import results
from vitviz.results import requests
from vitviz.selection import FIRST_MODEL, ModelChoice, Selection
from vitviz.ui import notices
from vitviz.ui.links import escaped
from vitviz.ui.server.client import engine

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

LAST_SELECTION, RUN = (
    "last_shown",
    "last_run",
)  # in the session: what this visitor saw last, and the last whose pass is made
Failure = (RuntimeError, ValueError)  # and of these only those that `sentence` knows


def ready(selection: Selection, notice: "DeltaGenerator", embedded: bool = False) -> Selection:
    """`selection` after its forward pass; where that fails, `notice` says why, and what works takes its place.

    For a page that shows only what was `embedded`, before the first block, that is enough.
    """
    with notice:
        early = embedded and selection.model.key not in st.session_state.get("lighter", {}) and seen(selection)
        working = selection if early else _that_works(selection)
    st.session_state[LAST_SELECTION] = working
    if not early:
        st.session_state[RUN] = working
    return working


def seen(selection: Selection) -> bool:
    """Whether the model sees the picture; of one that does not, its forward pass says why."""
    try:
        results.model_input(selection)
    except Failure as error:
        sentence(error)  # one of another kind is raised again
        return False
    return True


def nothing_shown_yet(selection: Selection) -> bool:
    """Whether this visitor has seen no model yet, and may wait for this one: every engine begins with the first."""
    if LAST_SELECTION in st.session_state:
        return False
    request = requests.info_request(selection)
    return selection.model != FIRST_MODEL or (not engine().cached(request) and engine().place(request).starting)


@contextmanager
def explained(place: "DeltaGenerator | None" = None) -> Iterator[None]:
    """Say in a sentence why something cannot be shown, and end the run, where nothing else can take its place.

    `place` is where the sentence stands, if not at the end of what is drawn.
    """
    try:
        yield
    except Failure as error:
        (place or st).error(f"{sentence(error)}.")
        st.stop()


def sentence(error: Exception) -> str:
    """What a person can do about an error of the device, a checkpoint or edits; any other error is raised again."""
    from vitviz.edits import EditsError
    from vitviz.machine.device import DeviceError  # here, because pages that only count do without PyTorch
    from vitviz.weights import WeightsError

    if not isinstance(error, DeviceError | WeightsError | EditsError):
        raise error
    return escaped(str(error))


def _that_works(selection: Selection) -> Selection:
    lighter: dict[str, tuple[ModelChoice, str]] = st.session_state.setdefault("lighter", {})
    try:
        if selection.model.key not in lighter:
            return _computed(selection)
        choice, why = lighter[selection.model.key]
        return _made_lighter(selection, choice, why)
    except Failure as error:
        why = sentence(error)
        lighter.pop(selection.model.key, None)
        steps = list(results.lighter(selection.model)) if _is_memory(error) else []
    for choice in steps:
        try:
            working = _made_lighter(selection, choice, why)
        except Failure as error:
            sentence(error)
            if not _is_memory(error):
                break
        else:
            lighter[selection.model.key] = choice, why
            return working
    if selection.edits:
        notices.warn(f"{why}. Shown: the model without edits.")
        return _that_works(selection.plain)
    working = _last_good(selection)
    notices.error(f"{why}. The previous model is still shown.")
    return working


def _computed(selection: Selection) -> Selection:
    request = requests.info_request(selection)
    if engine().cached(request):
        engine().count_hit(request.key)
    _ = results.forward_info(selection)
    return selection


def _made_lighter(selection: Selection, choice: ModelChoice, why: str) -> Selection:
    lighter = _computed(replace(selection, model=choice))
    way = "on the CPU, which is slower" if choice.device == "cpu" else f"in {choice.precision}, which is approximate"
    notices.warn(f"{why}. Shown: the same model {way}.")
    return lighter


def _last_good(selection: Selection) -> Selection:
    before = [st.session_state[it] for it in (LAST_SELECTION, RUN) if it in st.session_state]
    good: Selection = before[-1] if before else Selection(FIRST_MODEL, selection.picture)
    for it in before or [good]:
        try:
            return _computed(replace(selection, model=it.model))
        except Failure as error:
            sentence(error)
    with explained():
        return _computed(good)


def _is_memory(error: Exception) -> bool:
    from vitviz.machine.device import DeviceMemoryError

    return isinstance(error, DeviceMemoryError)
