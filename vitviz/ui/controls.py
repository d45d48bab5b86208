"""The controls of choices: one way to draw each kind, bound to the word of the address."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from vitviz.addresses.ranges import Number
from vitviz.choice import HEAD_CLASSES, ON_OFF, Choice
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.ui.links import check_choice
from vitviz.ui.widgets.live.choice import chosen
from vitviz.ui.widgets.live.slider import slider


def draw(choice: Choice, config: ViTConfig, **look: Any) -> Any:
    """The control of a choice, and what is chosen; a word where the link asks for what there is not.

    A live slider over the stops of a number, an input of one that is typed, a toggle, buttons for a few words, else an
    input of text. What else Streamlit's own should have comes in `look`.
    """
    few, usual = choice.few({}, config), choice.usual_of({}, config)
    look = {"label": choice.label, "key": choice.word, "bind": "query-params"} | look
    if isinstance(choice.values, Number):
        if not choice.typed:
            check(choice, list(few), str(usual))
            return slider(choice.label, list(few.values()), usual, choice.word)
        least, most = choice.values.ends() or (None, None)
        return st.number_input(**{"min_value": least, "max_value": most, "value": usual} | look)
    if few == ON_OFF:
        return st.toggle(value=few[usual], **look)
    if not few:
        return st.text_input(**look)
    check(choice, list(few))
    return few[st.segmented_control(options=list(few), default=usual, required=True, **look)]


def held(choice: Choice, config: ViTConfig, legal: Sequence[Any] = (), there: str = "") -> Any:
    """What a hand on a chart has chosen of what is `legal` there, in words `there`; a word as of `draw` of all else."""
    usual, legal = choice.usual_of({}, config), legal or list(choice.few({}, config).values())
    check(choice, list(map(str, legal)), str(usual) if isinstance(choice.values, Number) else "the usual one", there)
    return chosen(choice.word, legal, usual)


def check(choice: Choice, legal: Sequence[str], usual: str = "the usual one", there: str = "") -> None:
    """A word where the link asks for what is not `legal`; before the control is drawn."""
    there = there or choice.there or f"{choice.label.lower()} {', '.join(legal)}".strip()
    check_choice(choice.word, legal, there, usual)


def classes(config: ViTConfig) -> ViTConfig:
    """The model with as many classes as asked for; published tables often have five, and 0 means no head."""
    count = draw(
        HEAD_CLASSES,
        config,
        value=None,
        placeholder=f"{exact(config.classes)}, as in the model",
        width=320,
        help="Empty keeps the model's own number; 0 takes the head away.",
    )
    return config if count is None else config.with_(classes=count)
