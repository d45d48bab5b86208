"""Choices that only the counting pages need."""

import streamlit as st

from vitviz.config import LIMITS, ViTConfig
from vitviz.numbers import exact


def classes(config: ViTConfig) -> ViTConfig:
    """The model with as many classes as asked for; published tables often have five, and 0 means no head."""
    count = st.number_input(
        "Classes in the head",
        min_value=0,
        max_value=LIMITS["classes"],
        value=None,
        placeholder=f"{exact(config.classes)}, as in the model",
        key="head_classes",
        bind="query-params",
        width=320,
        help="Empty keeps the model's own number; 0 takes the head away.",
    )
    return config if count is None else config.with_(classes=count)
