"""What another patch size would cost: why patches, and why not pixels."""

import streamlit as st

from vitviz.config import ViTConfig
from vitviz.counts.patch_sizes import PatchSize, patch_sizes
from vitviz.numbers import bytes_, exact, short, small
from vitviz.ui.ledger_table import table

FLOAT32_BYTES = 4


def draw(config: ViTConfig) -> None:
    """The table of patch sizes, and in words what half the size and single pixels would mean."""
    costs = {cost.patch_size: cost for cost in patch_sizes(config)}
    here = costs[config.patch_size]
    table(
        "The same model with other patch sizes",
        ["Patch size", "Tokens", "Attention weights of one head", "Parameters", "Multiply-adds"],
        [
            [
                "1 × 1: pixels" if size == 1 else f"{size} × {size}",
                exact(cost.tokens),
                exact(cost.attention_weights),
                exact(cost.parameters),
                short(cost.macs),
            ]
            for size, cost in costs.items()
        ],
        marked=list(costs).index(config.patch_size),
    )
    half = costs.get(config.patch_size // 2)
    if half and config.patch_size > 2:
        st.markdown(_half(here, half))
    if config.patch_size > 1:
        st.markdown(_pixels(config, here, costs[1]))


def _half(here: PatchSize, half: PatchSize) -> str:
    return (
        f"**Half the patch size:** {exact(half.tokens)} tokens for {exact(here.tokens)}, "
        f"× {small(half.tokens / here.tokens)}. Every token looks at every token, so attention grows with the square: "
        f"× {small(half.attention_weights / here.attention_weights)}. "
        f"Parameters: × {small(half.parameters / here.parameters)}; multiply-adds: × {small(half.macs / here.macs)}."
    )


def _pixels(config: ViTConfig, here: PatchSize, pixels: PatchSize) -> str:
    side = config.image_size
    return (
        f"**Why not pixels as tokens?** {side} · {side} = {exact(side * side)} of them. One head of one layer would "
        f"need {exact(pixels.attention_weights)} attention weights, "
        f"{bytes_(FLOAT32_BYTES * pixels.attention_weights)} in float32, where now it needs "
        f"{exact(here.attention_weights)}, {bytes_(FLOAT32_BYTES * here.attention_weights)}; "
        f"the model has {config.depth} · {config.heads} heads."
    )
