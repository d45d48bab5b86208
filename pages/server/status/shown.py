"""What stands on *Server status*."""

import time

import streamlit as st

from vitviz.engine import Engine, Status
from vitviz.figures.counting import server as figures
from vitviz.machine.device import Device
from vitviz.numbers import bytes_, exact
from vitviz.pretrained import PRETRAINED
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.server.client import engine
from vitviz.ui.widgets.table import table
from vitviz.weights import hub

RENEWED = 2.0  # seconds
OUTCOMES = {
    "finished": "computed",
    "answered": "served from cache",
    "joined": "merged with an identical request",
    "dropped": "dropped: nobody waited for it",
    "failed": "failed (message shown)",
    "refused": "refused: the queue was full",
}


@st.fragment(run_every=RENEWED)
def now() -> None:
    """The engine's figures at this moment."""
    status = engine().status()
    draw(status, engine().device(), engine().trouble())
    hits, forwards = status.answered, status.computed.get("run_forward", 0)
    page.formula(
        r"\text{from the cache} = \frac{\text{pages that found their forward pass}}"
        r"{\text{those} + \text{forward passes computed}}",
        rf"{hits / (hits + forwards):.1%}".replace("%", r"\,\%")
        + rf" = \frac{{{exact(hits)}}}{{{exact(hits)} + {exact(forwards)}}}"
        if hits + forwards
        else r"\text{no page has asked for one yet}",
    )
    models()


def show(_: Selection) -> None:
    now()
    page.source(Engine.submit)


def draw(status: Status, device: Device, trouble: str) -> None:
    """Where the engine runs, the queue, the kept results, and what became of all requests so far."""
    if trouble:
        st.error(f"{trouble[0].upper()}{trouble[1:]}.")
    _members(status)
    figures_now = {
        "Waiting": exact(status.waiting),
        "Forward passes computed": exact(sum(status.computed.get(it, 0) for it in ("run_forward", "run_edited"))),
        "Results kept": exact(status.results),
        "Memory of results": bytes_(status.result_bytes),
        "Workers replaced": exact(status.restarts),
    }
    for column, (name, value) in zip(st.columns(len(figures_now)), figures_now.items(), strict=True):
        column.metric(name, value)
    st.progress(
        min(status.result_bytes / status.budget, 1.0),
        f"{bytes_(status.result_bytes)} of {bytes_(status.budget)} for results",
    )
    many = {name: getattr(status, outcome) for outcome, name in OUTCOMES.items()}
    page.drawing(
        figures.outcomes(*many.items()),
        f"{exact(sum(many.values()))} requests, cache hits included, since this engine started. "
        + (f"Memory in use on {device.name}: {bytes_(device.used)} of {bytes_(device.total)}." if device.total else ""),
        title="Requests by outcome",
        key="outcomes",
    )


def models() -> None:
    """One row for each, as it is at this moment."""
    page.sentence(
        "**Published models.** Those that are here open at once, without a network. Others are fetched when somebody "
        "asks for them, one at a time; before a class by `python -m vitviz weights fetch NAME` on the server."
    )
    table(
        "Published models on this server",
        ("model", "name", "on this server", "size", "licence"),
        [
            (model.title, name, _place(name), f"{model.megabytes:,} MB", model.licence)
            for name, model in PRETRAINED.items()
        ],
        words=(0, 1, 2, 4),
    )


def _place(name: str) -> str:
    if hub.local(name):
        return "here"
    download = hub.latest(name)
    if download and not download.path.done() and not download.stopped:
        return f"on its way, {bytes_(download.done)}"
    return f"{bytes_(begun)} of it" if (begun := hub.begun(name)) else "to fetch"


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
