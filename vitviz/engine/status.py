"""What the engine has done so far and holds now, in numbers for the server's operator."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from vitviz.machine.device import describe, resident


@dataclass(frozen=True, slots=True)
class Member:
    """A process in which the engine computes: its name, its device, bytes of memory, and the clock at its start."""

    name: str
    device: str
    memory: int
    since: float


@dataclass(frozen=True, slots=True)
class Status:
    """The engine at one moment, and since its `members` started.

    `computed` counts finished calls by function, nested ones too; `answered` the runs of pages that found their forward
    pass kept. Of the requests that had to wait, `joined` found an equal one under way, `finished` were computed,
    `failed` ended in an error, `dropped` had nobody who waited any more, for `refused` the queue had no room.
    `restarts` are the workers that had to be replaced, and `replaced` the members, since the server's start. `kind`
    says where the engine runs.
    """

    waiting: int
    running: tuple[str, ...]
    results: int
    result_bytes: int
    budget: int
    computed: Mapping[str, int]
    answered: int = 0
    joined: int = 0
    finished: int = 0
    failed: int = 0
    dropped: int = 0
    refused: int = 0
    restarts: int = 0
    replaced: int = 0
    kind: str = ""
    members: tuple[Member, ...] = ()


def this_process(since: float) -> Member:
    """The process that asks, which has been an engine `since` a moment of the clock."""
    return Member(f"process {os.getpid()}", describe().name, resident(), since)
