"""The engine's figures: the queue, the kept results, and what became of all requests."""

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


def draw(status: Status, device: Device) -> None:
    """The queue, the kept results, and what became of all requests so far."""
    figures_now = {
        "Waiting": exact(status.waiting),
        "Forward passes computed": exact(status.computed.get("run_forward", 0)),
        "Results kept": exact(status.kept),
        "Memory of results": bytes_(status.held),
        "Workers replaced": exact(status.restarts),
    }
    for column, (name, value) in zip(st.columns(len(figures_now)), figures_now.items(), strict=True):
        column.metric(name, value)
    st.progress(min(status.held / status.budget, 1.0), f"{bytes_(status.held)} of {bytes_(status.budget)} for results")
    many = {name: getattr(status, outcome) for outcome, name in OUTCOMES.items()}
    page.drawing(
        figures.outcomes(many),
        f"{exact(sum(many.values()))} requests, cache hits included, since the server started, on {device.name}. "
        + (f"Memory in use: {bytes_(device.used)} of {bytes_(device.total)}." if device.total else ""),
        key="outcomes",
    )
