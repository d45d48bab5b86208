"""What a switch costs: exact differences between two configurations, of which nothing is built."""

from collections.abc import Iterator
from dataclasses import dataclass

from vitviz import counts
from vitviz.cards.card import Card, Choice
from vitviz.config import ConfigError, ViTConfig
from vitviz.shelf.measured import Measured, all_of
from vitviz.shelf.rows import BASE, ON_SCREEN, SHELF, chosen_as

BYTES = 4  # of a number in fp32
PAPERS = "learned"  # the row that is the paper's model


@dataclass(frozen=True, slots=True)
class Figure:
    """One count of a model without a switch and with it."""

    name: str
    without: int
    having: int
    formula: str = ""  # of the second, where there is one
    bytes: bool = False

    @property
    def change(self) -> int:
        """How many more there are."""
        return self.having - self.without


def compared(config: ViTConfig, card: Card, choice: Choice) -> tuple[ViTConfig, ViTConfig]:
    """The model without and with a value: one of the two is `config`; raises `ConfigError` where there can be none."""
    if card.has(config, choice) and choice is not card.usual:
        return card.changed(config, card.usual), config
    return config, card.changed(config, choice)


def totals(without: ViTConfig, having: ViTConfig) -> tuple[Figure, ...]:
    """Parameters, multiply-accumulates, and bytes of parameters and activations."""
    before, after = _totals(without), _totals(having)
    return tuple(Figure(name, before[name], after[name], bytes=name.endswith("fp32")) for name in before)


def items(without: ViTConfig, having: ViTConfig) -> Iterator[Figure]:
    """The kinds of parameters that change."""
    before, after = ({it.name: it for it in counts.parameter_split(config)} for config in (without, having))
    for name in {**before, **after}:
        figure = Figure(
            name,
            before[name].count if name in before else 0,
            after[name].count if name in after else 0,
            after[name].formula if name in after else "",
        )
        if figure.change:
            yield figure


def _totals(config: ViTConfig) -> dict[str, int]:
    parameters = counts.total_parameters(config)
    return {
        "parameters": parameters,
        "MACs": counts.total_macs(config),
        "parameters in fp32": BYTES * parameters,
        "activations in fp32": BYTES * sum(counts.activation_memory(config).values()),
    }


def siblings(card: Card, choice: Choice) -> list[Measured]:
    """The paper's model of the shelf and those with that value; none where no such one is trained."""
    try:
        config = card.changed(BASE, choice)
    except ConfigError:
        return []
    rows = [row for row, it in ON_SCREEN.items() if it.norms and it.sizes == config and row != PAPERS]
    found = all_of([PAPERS, *rows])
    return found if len(found) > 1 or config == BASE else []


def on_shelf(row: str) -> str:
    """The name by which a sibling is chosen; empty where it does not ship."""
    name = chosen_as(row)
    return name if name in SHELF else ""
