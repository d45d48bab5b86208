"""Who answers what is asked of a model and a picture: an engine in this process, unless an app says otherwise."""

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from vitviz.engine import Door, Request, Result

T = TypeVar("T")


class Asks(Protocol):
    """How whoever asks gets to an engine, and waits for it."""

    def engine(self) -> "Door":
        """The one that all share."""

    def ask(self, request: "Request[T]", saying: str) -> "Result[T]":
        """Its result for `request`; `saying` tells what is going on while that takes long."""

    def begin_all(self, *requests: "Request[Any]") -> None:
        """Let it begin with all of these at once; who waits for one of them asks for it."""


class Here:
    """A script or a notebook asks, and waits."""

    @cache  # noqa: B019  # there is one
    def engine(self) -> "Door":
        from vitviz.engine import Engine
        from vitviz.engine.jobs import import_all

        import_all()
        return Engine()

    def ask(self, request: "Request[T]", saying: str) -> "Result[T]":
        return self.engine().submit(request).result()

    def begin_all(self, *requests: "Request[Any]") -> None:
        for request in requests:
            self.engine().submit(request)


_asks: Asks = Here()


def ask_by(asks: Asks) -> None:
    """Let all that is asked from now on be asked this way."""
    global _asks
    _asks = asks


def engine() -> "Door":
    """The engine that answers."""
    return _asks.engine()


def ask(request: "Request[T]", saying: str) -> "Result[T]":
    """The engine's result for `request`; `saying` tells what is going on while that takes long."""
    return _asks.ask(request, saying)


def begin_all(*requests: "Request[Any]") -> None:
    """Let the engine begin with all of these at once; who waits for one of them asks for it."""
    _asks.begin_all(*requests)
