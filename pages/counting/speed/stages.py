"""The measured beside the counted: for each stage its multiply-accumulates, its time, and the rate between them."""

from dataclasses import dataclass

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.figures.counting import counts as charts
from vitviz.measures.speed import Speed, Spent
from vitviz.numbers import exact, percent, short, small
from vitviz.ui import page
from vitviz.ui.widgets.live import chart as live
from vitviz.ui.widgets.table import table

# stages of the clock that are other than one step of the forward pass
STEPS = {
    "fused attention": ("QKᵀ", "AV"),
    "linear attention": ("KᵀV", "Q(KᵀV)"),
    "q k v, token by token": ("q k v projections",),
}

REST, WHOLE = "the rest", "the whole forward pass"


@dataclass(frozen=True, slots=True)
class StageTime:
    """One stage of a forward pass: counted multiply-accumulates, measured seconds; `calls` is 0 for what is beside."""

    stage: str
    macs: int
    seconds: float
    calls: int

    @property
    def rate(self) -> float:
        """Multiply-accumulates per second."""
        return self.macs / self.seconds


def lines(config: ViTConfig, speed: Speed) -> list[StageTime]:
    """Every stage with what all its calls take; stages beside the forward pass as if it called them once per block.

    Those of the forward pass sum to it: what no stage covers is the rest, below 0 where a stage takes longer by itself.
    """
    stages = [
        StageTime(it.stage, _macs(config, it.stage), it.seconds * (it.calls or config.depth), it.calls)
        for it in speed.stages
    ]
    covered = sum(line.seconds for line in stages if line.calls)
    return [*stages, StageTime(REST, 0, speed.forward - covered, 1)]


def spent(config: ViTConfig, speed: Speed, size: int) -> list[Spent]:
    """The same stages, then the whole forward pass, with what they read and write at `size` bytes for a number."""
    counted = counts.traffic(config)
    rows = [line for line in lines(config, speed) if line.stage in counted]
    stages = [
        Spent(it.stage, it.macs, size * counted[it.stage].count * (it.calls or config.depth), it.seconds) for it in rows
    ]
    whole = Spent(WHOLE, counts.total_macs(config), size * counts.total_traffic(config), speed.forward)
    return [*stages, whole]


def await_clock(config: ViTConfig) -> None:
    """The picture with what is counted alone, for as long as the clock runs."""
    total = counts.total_macs(config)
    others = counts.stages_beside(config)
    stages = [(it, _macs(config, it) / total, None) for it in counts.traffic(config) if it not in others]
    live.chart(charts.counted_and_measured(stages), "Stages, counted; the clock runs.", "speed_counted")


def attention_told(config: ViTConfig) -> str:
    """How the forward pass makes its attention, where that is not one fused call; else nothing."""
    if config.plain_scores:
        return ""
    if config.attention == "linear":
        return "Linear attention compares no pair of tokens: it has no QKᵀ, no softmax and no AV. "
    left_out = {"top_k": "top-k leaves out", "window": "the window leaves out"}.get(config.attention)
    every = f" All pairs are multiplied, also those that {left_out}: QKᵀ stands for both steps." if left_out else ""
    mask = " The mask of the window is not counted as read." if config.attention == "window" else ""
    return f"The forward pass writes this attention out.{every}{mask} "


def same_arithmetic(config: ViTConfig) -> str:
    """What is timed beside the forward pass, and what is other there."""
    written_out = (
        "Written out, attention makes the same products as the fused one, and stores the weights between them. "
        if config.plain_scores
        else ""
    )
    return (
        f"{written_out}Token by token, the projections make the same products as all at once, but every token fetches "
        "the whole matrix from memory again."
    )


def draw(rows: list[StageTime], speed: Speed, total: StageTime, caption: str) -> None:
    """The picture of stages, counted and measured."""
    page.chart(
        charts.counted_and_measured(
            [(row.stage, row.macs / total.macs, row.seconds / speed.forward) for row in rows if row.stage != REST]
        ),
        "Stages, counted and measured",
        caption,
        "speed",
    )


def show(name: str, rows: list[StageTime], speed: Speed, peak: float, total: StageTime | None = None) -> None:
    """A table of stages: counted, measured, and the rate against the highest one."""
    table(
        name,
        ["Stage", "MAC", "ms", "Of the forward pass", "MAC per second", "Of the highest rate"],
        [_cells(row, speed, peak) for row in rows],
        total=_cells(total, speed, peak) if total else (),
        lights=[row.stage for row in rows],
    )


def _macs(config: ViTConfig, stage: str) -> int:
    counted = counts.mac_steps(config)
    return sum(counted.get(step, 0) for step in STEPS.get(stage, (stage,)))


def _cells(row: StageTime, speed: Speed, peak: float) -> list[str]:
    cells = [row.stage, exact(row.macs), small(1000 * row.seconds), _share(row.seconds / speed.forward)]
    return [*cells, short(row.rate), f"{100 * row.rate / peak:.0f} %"] if row.macs else [*cells, "–", "–"]


def _share(share: float) -> str:
    return percent(share) if share >= 0 else f"−{percent(-share)}"
