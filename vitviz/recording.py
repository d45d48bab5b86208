"""What a forward pass does with each of its values: `record(name, value)` sees it, and returns what to go on with."""

from collections.abc import Callable

from torch import Tensor

Record = Callable[[str, Tensor], Tensor]


def ignore(name: str, value: Tensor) -> Tensor:
    """The `record` of a forward pass that nobody watches."""
    return value


def into(values: dict[str, Tensor]) -> Record:
    """The `record` that keeps every value by its name and changes none."""

    def keep(name: str, value: Tensor) -> Tensor:
        values[name] = value
        return value

    return keep


def prefixed(prefix: str, record: Record) -> Record:
    """`record` for a part of the model: names get the part's prefix."""
    if record is ignore:
        return ignore
    return lambda name, value: record(f"{prefix}.{name}", value)
