"""Assumed settings of a checkpoint, on the page itself, with controls that change them."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz import numbers
from vitviz.config import ACTIVATION_NAMES, LIMITS, ViTConfig, divisors
from vitviz.selection import Assumed, ModelChoice

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

FIELDS = ("heads", "activation", "epsilon")  # what a person may know better; for the rest there is no other model here
EPSILONS = (1e-5, 1e-6, 1e-12)
SILENT = "The file does not say these."


def chosen(assumed: Assumed) -> dict[str, Any]:
    """What a person chose in place of what was assumed, by the arguments of `weights.load`."""
    values = {field: st.session_state.get(_key(assumed, field)) for field in FIELDS if field in assumed.sentences}
    return {field: value for field, value in values.items() if value not in (None, getattr(assumed.config, field))}


def draw(model: ModelChoice, place: "DeltaGenerator") -> None:
    """Say what was assumed of the model's file, if anything was, with a control for all that could be otherwise."""
    if model.assumed is None or not model.assumed.sentences:
        return
    others = [f" {sentence}." for field, sentence in model.assumed.sentences.items() if field not in FIELDS]
    fields = [field for field in FIELDS if field in model.assumed.sentences]
    with place.container(border=True, key="assumed"):
        caption, *columns = st.columns([1.8, *(1 for _ in fields)], vertical_alignment="center", gap="small")
        caption.caption(f"{SILENT if fields else ''}{''.join(others)}")
        for column, field in zip(columns, fields, strict=True):
            with column:
                _control(model.assumed, field)


def _control(assumed: Assumed, field: str) -> None:
    """A list of the values that the field can have, of which one is marked as assumed."""
    usual, options = getattr(assumed.config, field), _options(assumed.config, field)

    def spelled(value: Any) -> str:
        mark = " assumed" if value == usual else ""
        return f"{field.capitalize()}: {_spelled(assumed.config, field, value)}{mark}"

    st.selectbox(
        field.capitalize(),
        options,
        index=options.index(usual),
        format_func=spelled,
        key=_key(assumed, field),
        label_visibility="collapsed",
        persist_state="session",
        filter_mode=None,
    )


def _options(config: ViTConfig, field: str) -> list[Any]:
    if field == "heads":
        return [number for number in divisors(config.dim) if number <= LIMITS["heads"]]
    if field == "activation":
        return [name for name in ACTIVATION_NAMES if name != "swiglu"]  # whose gates would be seen in the file
    return sorted({*EPSILONS, config.epsilon}, reverse=True)


def _spelled(config: ViTConfig, field: str, value: Any) -> str:
    if field == "heads":
        return f"{value} × {config.dim // value}"
    return ACTIVATION_NAMES[value] if field == "activation" else numbers.power(value)


def _key(assumed: Assumed, field: str) -> str:
    """One for each file: another one has other usual values."""
    return f"{field} {assumed.file}"
