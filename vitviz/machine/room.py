"""Room in memory for what a thread is about to compute: whoever has it computed gives up what can be made again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local


class _Thread(local):
    make: Callable[[int], None] | None = None


_thread = _Thread()


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
