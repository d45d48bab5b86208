"""What the engine is asked for, as a value: it has a name, it can be compared, and it can be pickled and sent away."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FunctionType
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class File:
    """The content of a file as an argument; its digest stands for it in keys."""

    digest: str
    data: bytes = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Together:
    """How requests that differ in one argument alone are computed at once.

    `function` gets a list in the place of argument number `differs` and returns a list; `most(*args)` is how many it
    should get, 1 where one after the other is as good.
    """

    differs: int
    function: Callable[..., list[Any]]
    most: Callable[..., int]


@dataclass(frozen=True)
class Request(Generic[T]):
    """A call of a module's function, written down.

    Arguments are plain values, functions, a `File`, whose bytes the function gets, or other requests, whose results it
    gets. `version` tells what else decides the result, such as the state of a file on the disk. `keeps_alive` are those
    requests whose results this one's result refers to: they are kept as long as it is in use. `takes_a_while` and
    `takes_long` say that the function itself, without the requests among its arguments, may take a part of a second, or
    more, and `together` how it is computed beside others of its kind that wait.
    """

    function: Callable[..., T]
    args: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    version: str = ""
    keeps_alive: tuple["Request[Any]", ...] = ()
    takes_a_while: bool = field(default=False, compare=False)
    takes_long: bool = field(default=False, compare=False)
    together: Together | None = field(default=None, compare=False)

    @cached_property
    def key(self) -> str:
        """A text that is equal for equal requests only; what the result is kept under."""
        return self._written(self.args)

    @cached_property
    def kind(self) -> str:
        """The key without the argument in which requests may differ that are computed together; "" for others."""
        if not self.together:
            return ""
        before, after = self.args[: self.together.differs], self.args[self.together.differs + 1 :]
        return self._written((*before, "any", *after))

    def _written(self, args: tuple[Any, ...]) -> str:
        words = [_key_part(value) for value in args]
        words += [f"{name}={_key_part(value)}" for name, value in self.options]
        return f"{_key_part(self.function)}({', '.join(words)}){self.version}"

    def alone(self) -> "Request[T]":
        """The same, computed by itself, and so all among its arguments."""

        def by_itself(value: Any) -> Any:
            return value.alone() if isinstance(value, Request) else value

        return replace(
            self,
            args=tuple(map(by_itself, self.args)),
            options=tuple((name, by_itself(value)) for name, value in self.options),
            together=None,
        )

    @property
    def parts(self) -> "Iterator[Request[Any]]":
        """The requests among the arguments."""
        for value in (*self.args, *(value for _, value in self.options)):
            if isinstance(value, Request):
                yield value

    @property
    def all_parts(self) -> "Iterator[Request[Any]]":
        """This request, and all among its arguments, theirs, and so on."""
        yield self
        for part in self.parts:
            yield from part.all_parts

    @property
    def root(self) -> str:
        """The key of what it is about: its model, the first request that needs no other and reads no file's bytes."""
        alone = (it for it in self.all_parts if not any(it.parts) and not any(isinstance(arg, File) for arg in it.args))
        return next(alone, self).key

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
