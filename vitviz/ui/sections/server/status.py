"""The engine's figures: where it runs, the queue, the kept results, and what became of all requests."""

import time

import streamlit as st

from vitviz.engine import Status
from vitviz.figures import server as figures
from vitviz.machine.device import Device
from vitviz.numbers import bytes_, exact
from vitviz.ui import page

OUTCOMES = {
    "finished": "computed",
    "answered": "served from cache",
    "joined": "merged with an identical request",
    "dropped": "dropped: nobody waited for it",
    "failed": "failed (message shown)",
    "refused": "refused: the queue was full",
}


def draw(status: Status, device: Device, trouble: str) -> None:
    """Where the engine runs, the queue, the kept results, and what became of all requests so far."""
    if trouble:
        st.error(f"{trouble[0].upper()}{trouble[1:]}.")
    _members(status)
    figures_now = {
        "Waiting": exact(status.waiting),
        "Forward passes computed": exact(sum(status.computed.get(it, 0) for it in ("run_forward", "run_edited"))),
        "Results kept": exact(status.kept),
        "Memory of results": bytes_(status.held),
        "Workers replaced": exact(status.restarts),
    }
    for column, (name, value) in zip(st.columns(len(figures_now)), figures_now.items(), strict=True):
        column.metric(name, value)
    st.progress(min(status.held / status.budget, 1.0), f"{bytes_(status.held)} of {bytes_(status.budget)} for results")
    many = {name: getattr(status, outcome) for outcome, name in OUTCOMES.items()}
    page.drawing(
        figures.outcomes(*many.items()),
        f"{exact(sum(many.values()))} requests, cache hits included, since this engine started. "
        + (f"Memory in use on {device.name}: {bytes_(device.used)} of {bytes_(device.total)}." if device.total else ""),
        title="Requests by outcome",
        key="outcomes",
    )


def _members(status: Status) -> None:
    """The processes that compute; without any there is nothing to count yet."""
    if not status.members:
        st.caption("No engine has answered yet.")
        return
    lines = [f"The engine runs {status.kind}. Processes replaced since the server started: {exact(status.replaced)}."]
    for member in status.members:
        since = _ago(time.time() - member.since)
        lines.append(f"- {member.name} on {member.device}: {bytes_(member.memory)} of memory, started {since} ago")
    st.markdown("\n".join(lines))


def _ago(seconds: float) -> str:
    """A time in its largest unit."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{exact(int(seconds / length))} {unit}"
    return f"{int(seconds)} s"
