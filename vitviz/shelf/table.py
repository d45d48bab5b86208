"""Table 8 of Dosovitskiy et al. 2020 (appendix D.4) in miniature: what was measured here, the paper's beside it."""

from collections.abc import Sequence
from typing import Any

from vitviz.shelf.rows import ROWS

# ImageNet, 5-shot linear, ViT-B/16
PUBLISHED = {
    "none": 0.61382,
    "learned": 0.64206,
    "learned_2d": 0.64001,
    "relative": 0.64032,
    "learned_every_layer": 0.63964,
    "learned_2d_every_layer": 0.64046,
    "learned_every_layer_shared": 0.64292,
    "learned_2d_every_layer_shared": 0.64022,
}
MEASURES = ("accuracy_things", "accuracy_relations", "accuracy")


def table(results: dict[str, Any]) -> str:
    """The rows as Markdown: mean over the seeds, and from the least to the most where there are several."""
    lines = [
        "| positions | added at | seeds | things | relations (chance 0.25) | all | the paper's |",
        "| :-- | :-- | --: | --: | --: | --: | --: |",
    ]
    for row, config in ROWS.items():
        found = [it["tested"][-1] for name, it in results.items() if name != "recipe" and it["row"] == row]
        if found:
            ours = " | ".join(_mean_and_range([it[measure] for it in found]) for measure in MEASURES)
            published = f"{PUBLISHED[row]:.3f}" if row in PUBLISHED else "–"
            lines.append(f"| {config.positions} | {config.positions_at} | {len(found)} | {ours} | {published} |")
    return "\n".join(lines)


def _mean_and_range(values: Sequence[float]) -> str:
    mean = f"{sum(values) / len(values):.3f}"
    return mean if len(values) == 1 else f"{mean} ({min(values):.3f} to {max(values):.3f})"
