"""The numbers of several engines as those of one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from vitviz.engine.process.client import NOTHING
from vitviz.engine.status import Status

ADDED_UP = (
    "waiting",
    "results",
    "result_bytes",
    "budget",
    "joined",
    "finished",
    "failed",
    "dropped",
    "refused",
    "restarts",
)


def summary(replicas: Sequence[Status], joined: int, died: int) -> Status:
    """The sums over all replicas, what this web process joined itself, and how many replicas it saw die.

    Runs of pages that were answered are told to all replicas, so the oldest knows them best.
    """
    if not replicas:
        return replace(NOTHING, kind="in replicas on Ray", replaced=died)
    sums = Counter({"joined": joined})
    for status in replicas:
        sums.update({name: getattr(status, name) for name in ADDED_UP})
    computed: Counter[str] = Counter()
    for status in replicas:
        computed.update(status.computed)
    members = sorted((member for status in replicas for member in status.members), key=lambda member: member.since)
    many = "one replica" if len(replicas) == 1 else f"{len(replicas)} replicas"
    return Status(
        running=tuple(name for status in replicas for name in status.running),
        computed=dict(computed),
        replaced=died,
        kind=f"in {many} on Ray",
        members=tuple(members),
        answered=max(status.answered for status in replicas),
        **{name: sums[name] for name in ADDED_UP},
    )
