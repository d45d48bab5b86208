"""Every learnable tensor and every matrix product of a model, row by row; the rows sum to the totals.

Nothing is built: each row follows from the configuration alone.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from vitviz.activations import activation_names, unrolled
from vitviz.config import ViTConfig
from vitviz.counts.formula import Symbols, put_in, shape, symbols, value
from vitviz.counts.parts import outcome, parts, products
from vitviz.shown import html_table


@dataclass(frozen=True, slots=True)
class Row:
    """One tensor or product: where it stands, what it is, and how its count comes about.

    `tensor` is the name in the state dict (parameters) or in the trace (products); `axes` its axes in einops words;
    `formula` the count in symbols and `numbers` the same with this model's sizes.
    """

    stage: str
    tensor: str
    axes: str
    shape: tuple[int, ...]
    formula: str
    numbers: str
    count: int


class Rows(tuple[Row, ...]):
    """Rows that a notebook shows as a table, with the sum of their counts below."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        names = [field.name for field in fields(Row)]
        total = ["total", *[""] * (len(names) - 2), sum(row.count for row in self)]
        return html_table(names, ([getattr(row, name) for name in names] for row in self), total)


def parameters(config: ViTConfig) -> Rows:
    """Every learnable tensor of the model, in the order of the forward pass; the counts sum to all its parameters."""
    numbers = symbols(config)
    rows = [_row(part.stage, part.tensor, part.axes, part.formula(numbers), numbers) for part in parts(config)]
    return _layer_by_layer(rows, config.depth)


def macs(config: ViTConfig) -> Rows:
    """Every matrix product of one forward pass of one image, in multiply-accumulates (one is two FLOPs).

    `tensor` and `shape` are those of the product's result. Norms, softmax, GELU and sums are not matrix products.
    """
    numbers, known = symbols(config), activation_names(config)
    rows = [
        _row(it.stage, name, known[name].axes, it.formula(numbers), numbers)
        for it, name in ((it, outcome(it, config)) for it in products(config))
    ]
    return _layer_by_layer(rows, config.depth)


def csv_text(rows: Sequence[Any]) -> str:
    """Rows of one dataclass as CSV with a header; a shape is written like its axes: `768 3 16 16`."""
    names = [field.name for field in fields(rows[0])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(getattr(row, name)) for name in names] for row in rows)
    return text.getvalue()


def _row(stage: str, tensor: str, axes: str, formula: str, numbers: Symbols) -> Row:
    return Row(stage, tensor, axes, shape(axes, numbers), formula, put_in(formula, numbers), value(formula, numbers))


def _layer_by_layer(rows: Sequence[Row], depth: int) -> Rows:
    """The rows in the order of the forward pass; those of a block once for each layer, by their full names."""
    tensors, stages = (unrolled(names, depth) for names in ([it.tensor for it in rows], [it.stage for it in rows]))
    return Rows(
        Row(stage, tensor, row.axes, row.shape, row.formula, row.numbers, row.count)
        for row, tensor, stage in (
            (rows[at], tensor, stage) for (at, tensor), (_, stage) in zip(tensors, stages, strict=True)
        )
    )


def _cell(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value
