"""The layer table as a tree: modules inside modules, each with the sum of what it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from vitviz.counts.layers import LayerRow


@dataclass(frozen=True, slots=True)
class Node:
    """One module: its last name, its own row of the table if it has one, all parameters inside it, and its parts."""

    name: str
    row: LayerRow | None
    parameters: int
    parts: tuple["Node", ...]


def layer_tree(rows: Sequence[LayerRow], level: int = 0) -> tuple[Node, ...]:
    """The rows as branches by their paths, in the order of the calls; a module called twice stands there twice."""
    groups = groupby(rows, key=lambda row: row.module.split(".")[level])
    return tuple(node for name, group in groups for node in _nodes(name, list(group), level))


def _nodes(name: str, group: list[LayerRow], level: int) -> list[Node]:
    own = [row for row in group if row.module.count(".") == level]
    inside = [row for row in group if row not in own]
    if not inside:
        return [Node(name, row, row.parameters, ()) for row in own]
    return [Node(name, own[0] if own else None, sum(row.parameters for row in group), layer_tree(inside, level + 1))]
