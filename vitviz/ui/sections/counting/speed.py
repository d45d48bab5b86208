"""The measured beside the counted: for each stage its multiply-accumulates, its time, and the rate between them."""

from dataclasses import dataclass

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.figures.counts import percent
from vitviz.measures.speed import Speed
from vitviz.numbers import exact, short, small
from vitviz.ui.widgets.table import table

POOLING = ("q", "k", "v", "scores", "z", "out", "mlp.hidden", "mlp.out")
# stage of the clock -> results of matrix products, as `counts.macs` names them inside a block
PRODUCTS = {
    "patch embedding": ("embed.patch_tokens",),
    "q k v projections": ("attn.q", "attn.k", "attn.v"),
    "fused attention": ("attn.scores", "attn.z"),
    "output projection": ("attn.out", "attn.unscaled"),
    "MLP, first layer": ("mlp.hidden", "mlp.gate"),
    "MLP, second layer": ("mlp.out", "mlp.unscaled"),
    "attention pooling": tuple(f"pool.{it}" for it in ("q", "k", "v", "scores", "z", "out", "mlp.hidden", "mlp.out")),
    "head": ("logits",),
    "QKᵀ": ("attn.scores",),
    "AV": ("attn.z",),
    "q k v, token by token": ("attn.q", "attn.k", "attn.v"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One stage of a forward: counted multiply-accumulates, measured seconds; `calls` is 0 beside the forward."""

    stage: str
    macs: int
    seconds: float
    calls: int

    @property
    def rate(self) -> float:
        """Multiply-accumulates per second."""
        return self.macs / self.seconds


def lines(config: ViTConfig, speed: Speed) -> list[Line]:
    """Every stage with what all its calls take; stages beside the forward as if it called them once per block."""
    counted: dict[str, int] = {}
    for row in counts.macs(config):
        local = row.tensor.split(".", 2)[2] if row.tensor.startswith("blocks.") else row.tensor
        counted[local] = counted.get(local, 0) + row.count
    return [
        Line(
            it.stage,
            sum(counted.get(name, 0) for name in PRODUCTS.get(it.stage, ())),
            it.seconds * (it.calls or config.depth),
            it.calls,
        )
        for it in speed.stages
    ]


def show(name: str, rows: list[Line], speed: Speed, total: Line | None = None) -> None:
    """A table of stages: counted, measured, and the rate against a large matrix product."""
    table(
        name,
        ["Stage", "MAC", "ms", "Of the forward", "MAC per second", "Of a large product"],
        [_cells(row, speed) for row in rows],
        total=_cells(total, speed) if total else (),
    )


def _cells(row: Line, speed: Speed) -> list[str]:
    cells = [row.stage, exact(row.macs), small(1000 * row.seconds), percent(row.seconds / speed.forward)]
    return [*cells, short(row.rate), f"{100 * row.rate / speed.peak:.0f} %"] if row.macs else [*cells, "–", "–"]
