"""A kind of view that can be taken away: which numbers it shows, and how they are made twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of view.

    `says` is what its numbers are, `axes` theirs in einops words. `call` is the line of the library that makes them, in
    the names of a notebook. `plain` is the function that makes the same without the library, `given` what it is called
    with, and `helpers` are what it calls, in order. Where the first axis is a number, `places` are what stands there.
    """

    title: str
    says: str
    axes: str
    imports: str
    call: str
    plain: Callable[..., Any]
    given: str
    helpers: tuple[Callable[..., Any], ...] = ()
    places: tuple[str, ...] = ()
    pictured: bool = True  # whether it is of a picture; else of a model's sizes alone

    @property
    def sources(self) -> tuple[Callable[..., Any], ...]:
        """What a notebook has to hold of `plain`, in the order in which it is read."""
        return (*self.helpers, self.plain)
