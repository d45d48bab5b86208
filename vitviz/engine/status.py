"""What the engine has done so far and holds now, in numbers for the server's operator."""

from collections.abc import Mapping
from dataclasses import dataclass

EVENTS = ("answered", "joined", "finished", "failed", "dropped", "refused", "restarts")


@dataclass(frozen=True, slots=True)
class Status:
    """The engine at one moment, and since its start.

    `computed` counts finished calls by function, nested ones too; `answered` the runs of pages that found their forward
    pass kept. Of the requests that had to wait, `joined` found an equal one under way, `finished` were computed,
    `failed` ended in an error, `dropped` had nobody who waited any more, for `refused` the queue had no room.
    `restarts` are the workers that had to be replaced.
    """

    waiting: int
    running: tuple[str, ...]
    kept: int
    held: int
    budget: int
    computed: Mapping[str, int]
    answered: int
    joined: int
    finished: int
    failed: int
    dropped: int
    refused: int
    restarts: int
