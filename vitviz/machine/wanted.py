"""Whether what this thread computes is still wanted: asked between blocks and steps, so that it can end there.

Nothing ends a thread from outside: whatever it was in the middle of, an import, a table that others read, would stay
half done in this process for good. Whoever has work done says for its time how to ask, and where nobody does, asking
costs a tenth of a microsecond. So is room in memory, before a step that takes much: who has it computed gives up what
can be made again.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import local
from typing import TypeVar

T = TypeVar("T")


class Unwanted(BaseException):
    """Ends work that took too long, or that nobody waits for any more; no error, which somebody might handle."""


class _Thread(local):
    ask: Callable[[], None] | None = None
    make: Callable[[int], None] | None = None


_thread = _Thread()


def require_wanted() -> None:
    """Raise `Unwanted` where nobody has a use any more for what this thread computes."""
    if ask := _thread.ask:
        ask()


def while_wanted(steps: Iterable[T]) -> Iterator[T]:
    """`steps`, asking before each."""
    for step in steps:
        require_wanted()
        yield step


@contextmanager
def asking(ask: Callable[[], None]) -> Iterator[None]:
    """Have this thread call `ask`, which may raise `Unwanted`, between the steps of its work."""
    _thread.ask, before = ask, _thread.ask
    try:
        yield
    finally:
        _thread.ask = before


def make_room(needed: int) -> None:
    """Say that what follows takes `needed` bytes at once, with the largest of its steps."""
    if make := _thread.make:
        make(needed)


@contextmanager
def making_room(make: Callable[[int], None]) -> Iterator[None]:
    """Have this thread call `make` before it takes much memory."""
    _thread.make, before = make, _thread.make
    try:
        yield
    finally:
        _thread.make = before
