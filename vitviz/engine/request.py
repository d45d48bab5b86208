"""What the engine is asked for, as a value: it has a name, it can be compared, and it can be pickled and sent away."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class File:
    """The content of a file as an argument; its digest stands for it in keys."""

    digest: str
    data: bytes = field(repr=False, compare=False)


@dataclass(frozen=True)
class Request(Generic[T]):
    """A call of a module's function, written down.

    Arguments are plain values, functions, a `File`, whose bytes the function gets, or other requests, whose results it
    gets. `version` tells what else decides the result, such as the state of a file on the disk. `keeps_alive` are those
    requests whose results this one's result refers to: they are kept as long as it is in use. `takes_long` says that
    the function itself, without the requests among its arguments, may take more than a moment.
    """

    function: Callable[..., T]
    args: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    version: str = ""
    keeps_alive: tuple["Request[Any]", ...] = ()
    takes_long: bool = field(default=False, compare=False)

    @cached_property
    def key(self) -> str:
        """A text that is equal for equal requests only; what the result is kept under."""
        words = [_key_part(value) for value in self.args]
        words += [f"{name}={_key_part(value)}" for name, value in self.options]
        return f"{_key_part(self.function)}({', '.join(words)}){self.version}"

    @property
    def parts(self) -> "Iterator[Request[Any]]":
        """The requests among the arguments."""
        for value in (*self.args, *(value for _, value in self.options)):
            if isinstance(value, Request):
                yield value

    @property
    def name(self) -> str:
        """The function's name, for people."""
        return self.function.__name__


def _key_part(value: object) -> str:
    if isinstance(value, Request):
        return value.key
    if isinstance(value, FunctionType) and "<" not in value.__qualname__:
        return f"{value.__module__}.{value.__qualname__}"
    if callable(value) or hasattr(value, "shape"):
        raise TypeError(f"{type(value).__name__} has no name of its own: a request takes plain values and functions")
    return repr(value)
