"""Edits that scale parts of a model, as factors of its weights: then plain functions need to know nothing of edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz.config import ViTConfig

if TYPE_CHECKING:
    from vitviz.edits import Edits
    from vitviz.plain import Weights

Factors = dict[tuple[str, int | None], float]  # by the name of a layer and a head, None for all it reads
LAST = {
    "head": ("attn.proj",),
    "attention": ("attn.proj",),
    "mlp": ("mlp.fc2",),
    "block": ("attn.proj", "mlp.fc2"),
}  # the layers whose outputs an edit of a kind scales


def factors_of(edits: Edits) -> Factors | None:
    """What layers are multiplied with; None for edits that do more."""
    found: Factors = {}
    for edit in edits.each:
        if edit.kind not in LAST or edit.word:
            return None
        for part in LAST[edit.kind]:
            for head in edit.places or (None,):
                key = f"blocks.{edit.layer}.{part}", head
                found[key] = found.get(key, 1) * edit.number
    return found


def scaled(w: Weights, config: ViTConfig, factors: Factors) -> Weights:
    w, dh = dict(w), config.head_dim
    for (layer, head), factor in factors.items():
        weight, bias = w[f"{layer}.weight"].clone(), w[f"{layer}.bias"]
        if head is None:
            weight, bias = factor * weight, factor * bias
        else:
            weight[:, head * dh : (head + 1) * dh] *= factor  # the columns that read this head
        w |= {f"{layer}.weight": weight, f"{layer}.bias": bias}
    return w
