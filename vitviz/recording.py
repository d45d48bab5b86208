"""What a forward pass does with each of its values: `record(name, value)` sees it, and returns what to go on with.

Between two values a pass may end: every `record` of the model's own asks whether it is still wanted.
"""

from collections.abc import Callable

from torch import Tensor

from vitviz.machine.wanted import require_wanted

Record = Callable[[str, Tensor], Tensor]


def ignore(name: str, value: Tensor) -> Tensor:
    """The `record` of a forward pass that nobody watches."""
    require_wanted()
    return value


def into(values: dict[str, Tensor]) -> Record:
    """The `record` that keeps every value by its name and changes none."""

    def keep(name: str, value: Tensor) -> Tensor:
        require_wanted()
        values[name] = value
        return value

    return keep


def prefixed(prefix: str, record: Record) -> Record:
    """`record` for a part of the model: names get the part's prefix."""
    if record is ignore:
        return ignore

    def inside(name: str, value: Tensor) -> Tensor:
        require_wanted()
        return record(f"{prefix}.{name}", value)

    return inside
