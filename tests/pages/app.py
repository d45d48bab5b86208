"""The app under AppTest: one visitor at one page, and what stands on it."""

import base64
import json
import os
import re
from dataclasses import fields, replace
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.util import calc_hash
from vitviz.pages.counting.speed import networks

from tests.unit.equations.formulas import wrong
from vitviz.board.address import of_second, read_words
from vitviz.board.numbers import parcels
from vitviz.engine import Engine
from vitviz.figures.figure import Figure
from vitviz.figures.live import message
from vitviz.figures.marks import Mark
from vitviz.figures.plotly import spec
from vitviz.machine.device import Device
from vitviz.pages import PAGES
from vitviz.results import requests
from vitviz.selection import Selection
from vitviz.ui.board import numbers
from vitviz.ui.server.client import ENGINE, Asking, engine
from vitviz.ui.sidebar import uploads
from vitviz.ui.widgets.live import chart as charts_live

if TYPE_CHECKING:
    from vitviz.engine import Door
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

# For what a test changes inside the engine, which it cannot in another process.
inline_only = pytest.mark.skipif(os.environ.get(ENGINE) == "process", reason="the engine runs in a process of its own")
TAG = re.compile(r"</?[a-z]\w*[^<>]*>")
# What of a widget nobody reads, and the strip, which is the same on every page.
MACHINES = {"model", "row", "leads", "source", "bdata", "f4", "i4", "kind", "template", "stages", "others"}
SENT: dict[str, Figure] = {}
MOUNT = charts_live.chart
USUAL: dict[str, Any] = {"handles": [], "legend": [], "plane": None, "says": "", "choice": ""}
MAIN = "../../vitviz/ui/main.py"  # as seen from this file
uploads.browser = lambda: "AppTest"  # whose cookies are mocks
# Every AppTest reads about all packages that are installed, which took nine tenths of a visit.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
POLL = local_script_runner.require_widgets_deltas


def _ended(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    """Wait for the end of a script and leave its engine the processor: AppTest looks at it every millisecond."""
    thread = runner._script_thread
    assert thread
    thread.join(timeout)
    if thread.is_alive():
        POLL(runner, 0)


local_script_runner.require_widgets_deltas = _ended


def visit(stem: str = "overview", /, **query: str) -> AppTest:
    """The app as its first request finds it: a page by its address, with these query parameters."""
    app = AppTest.from_file(MAIN, default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    return turn_to(app, stem)


def turn_to(app: AppTest, stem: str) -> AppTest:
    """The same visitor on another page."""
    app._page_hash = calc_hash(PAGES[stem].address)  # `switch_page` knows pages by files alone
    return app.run()


def problems(app: AppTest) -> list[str]:
    """Exceptions and errors on the page."""
    return [error.value for error in (*app.exception, *app.error)]


def healthy(app: AppTest) -> AppTest:
    """The app, after a look at what it complains of."""
    assert problems(app) == []
    return app


def true_to_the_unit(app: AppTest) -> AppTest:
    """The app, after every sum and product that it prints was computed again."""
    assert wrong([it.value for it in app.main.latex], words(app), shown(app).config) == []
    return app


def shown(app: AppTest) -> Selection:
    """The model and picture on the page."""
    selection: Selection = app.session_state["selection"]
    return selection


def told(app: AppTest) -> list[dict[str, Any]]:
    """What the board is told, message by message."""
    parts = (it.proto for it in app.get("bidi_component"))
    return [json.loads(it.json)[0] for it in parts if it.component_name == "vitviz.data"]


def numbers_sent(app: AppTest) -> dict[tuple[str, str], dict[str, Any]]:
    """What the board asks the server for when it is told that, by whose it is and by its name, in their order."""
    words = {name: it[-1] if isinstance(it, list) else it for name, it in app.query_params.items()}
    drawn = {it.digest: it for it in app.session_state[numbers.DRAWN]}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for said in told(app):
        column = said.get("beside", said)
        if not column.get("names"):
            continue
        page = next(it for it in PAGES.values() if it.address == column["page"])
        selection, config = drawn[column["meta"]["digest"]], shown(app).config
        place = read_words(words, config, page.stem)
        if "beside" in said:
            place = of_second(place, page.stem, config, selection)
        with Asking():
            made = {name: dict(make()) for name, make in parcels(page, selection, place)}
        assert column["names"] == list(made)
        found |= {(selection.digest, name): arrays for name, arrays in made.items()}
    return found


def trace(selection: Selection) -> "Trace":
    """What the engine keeps of a forward pass; pages get no trace."""
    return _inline().submit(requests.forward_request(selection)).result(60).value.trace


def loaded(selection: Selection) -> "Loaded":
    """The model that the engine keeps; pages get no model."""
    return _inline().submit(requests.load_request(selection.model)).result(60).value


def _inline() -> "Door":
    """The app's engine, or one beside it that lets models and traces out."""
    return engine() if isinstance(engine(), Engine) else _beside()


@cache
def _beside() -> Engine:
    return Engine()


def captions(app: AppTest) -> str:
    """All captions of the main part, a line each."""
    return "\n".join(caption.value for caption in app.main.caption)


def figures(app: AppTest) -> list[dict[str, Any]]:
    """What Plotly draws, top to bottom, and after it what it would draw of the figures that are live."""
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")] + [spec(it) for it in live_figures(app)]


def live_figures(app: AppTest) -> list[Figure]:
    """The figures of the page that the browser draws, but for its charts."""
    told = [json.loads(it.json)[0].get("figure") for it in _mounted(app, "chart").values()]
    return [SENT[key] for it in told if (key := json.dumps(it, sort_keys=True)) in SENT]


def _remembered(drawn: Figure, alt: str, key: str, **how: Any) -> None:
    if "label" in how:  # no chart
        SENT[json.dumps(message(drawn), sort_keys=True)] = drawn
    MOUNT(drawn, alt, key, **how)


charts_live.chart = _remembered


def drawn(figure: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """A figure's marks of a kind ("heatmap", "bar", "markers", "lines"), without its legend's, in order."""
    marks = (it for it in figure["data"] if not it.get("showlegend"))
    return [it for it in marks if kind in (it["type"], it.get("mode"))]


def array(sent: Any) -> np.ndarray:
    """An array as Plotly sends it."""
    if not isinstance(sent, dict):
        return np.asarray(sent, dtype=float)
    flat = np.frombuffer(base64.b64decode(sent["bdata"]), sent["dtype"])
    return flat.reshape([int(side) for side in sent["shape"].split(",")]) if "shape" in sent else flat


def html(app: AppTest) -> str:
    """What the page writes as HTML, top to bottom."""
    return "\n".join(element.proto.body for element in app.get("html"))


def words(app: AppTest) -> str:
    """What is read on the page, without tags: text, formulas, tables, figures, labels, and what live widgets say."""
    written = [*app.main.title, *app.main.subheader, *app.main.markdown, *app.main.latex, *app.main.caption]
    written += [*app.main.success, *app.main.info, *app.main.warning]
    kinds = ("button", "selectbox", "slider", "select_slider", "text_input", "toggle", "checkbox", "expander")
    controls = [it for kind in kinds for it in getattr(app.main, kind)]
    spoken = [text for proto in app.main.get("bidi_component") for text in _texts(json.loads(proto.proto.json or "0"))]
    drawn = [text for figure in figures(app) for text in _texts(figure["data"]) + _texts(figure["layout"])]
    read = [*(it.value for it in written), *(it.label for it in controls), *spoken, *drawn, html(app)]
    return "\n".join(unescape(TAG.sub("", text)) for text in read)


def _texts(sent: Any) -> list[str]:
    """The texts in what a widget is told, without those that are addresses and names for the machine."""
    if isinstance(sent, dict):
        return [text for key, value in sent.items() if key not in MACHINES for text in _texts(value)]
    if isinstance(sent, list):
        return [text for value in sent for text in _texts(value)]
    return [sent] if isinstance(sent, str) else []


def live(app: AppTest, name: str) -> dict[str, dict[str, Any]]:
    """What the live widgets of a kind ("slider", "frames", "chart", ...) are given, by their accessible name.

    The marks of a figure stand in it by their kinds ("areas", "lines", ...), with what is usual filled in.
    """
    told = {label: json.loads(proto.json)[0] for label, proto in _mounted(app, name).items()}
    charts = [chart for data in told.values() for chart in (data, *data.get("charts", ())) if "figure" in chart]
    for chart in charts:
        chart |= USUAL | chart["figure"] | _marks(chart["figure"])
    return told


def _marks(figure: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    there = [mark for row in figure["rows"] for panel in row for mark in panel["marks"]]
    usual = {kind.__name__.lower(): {it.name: it.default for it in fields(kind)} for kind in get_args(Mark)}
    return {f"{kind}s": [own | it for it in there if it["kind"] == kind] for kind, own in usual.items()}


def _mounted(app: AppTest, name: str) -> dict[str, Any]:
    protos = (element.proto for element in app.get("bidi_component"))
    found = [it for it in protos if it.component_name.endswith(f"vitviz.{name}")]
    return {json.loads(it.json)[0]["label" if name in ("slider", "frames") else "alt"]: it for it in found}


def heard(app: AppTest) -> WidgetStates:
    """What the browser knows of all widgets, and says with its next message."""
    states: WidgetStates = app._tree.get_widget_states()
    return states


def move(app: AppTest, label: str, value: str, knows: WidgetStates | None = None) -> AppTest:
    """The app after its live slider of this name was moved: AppTest cannot, so this is the browser's message.

    A hand that is faster than the runs moves it in a browser that `knows` what it had `heard` before them.
    """
    slider = _mounted(app, "slider")[label]
    said = {"name": json.loads(slider.json)[0]["name"], "value": value, "count": 1}
    states = WidgetStates()
    states.CopyFrom(knows or heard(app))
    sent = states.widgets.add(id=_make_trigger_id(slider.id, "events"))
    sent.json_trigger_value = json.dumps([{"event": "moved", "value": said}])
    return app._run(states)


def stops(app: AppTest, label: str) -> list[str]:
    """The values at which a live slider stops."""
    return [stop["value"] for stop in live(app, "slider")[label]["stops"]]


def stands(app: AppTest, label: str) -> str:
    """The value at which a live slider stands."""
    return stops(app, label)[live(app, "slider")[label]["at"]]


def ask(app: AppTest, **query: str) -> AppTest:
    """The same visitor after the browser has written this into the address, as a live widget does when it is moved."""
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def tell_of_device(monkeypatch: pytest.MonkeyPatch, *precisions: str, kind: str = "") -> None:
    """Let the engine describe a device with these precisions, of the machine's own kind where none is named.

    Models run where they ran before; a CPU computes in every precision, only not all of them quickly.
    """
    door = type(engine())
    here = door.device

    def device(self: object, choice: str = "auto") -> Device:
        found = here(self, choice)  # type: ignore[arg-type]
        return replace(found, precisions=precisions, kind=kind if kind and choice == "auto" else found.kind)

    monkeypatch.setattr(door, "device", device)


def time_few_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Speed time networks in two batches and at two sizes: of more it says the same."""
    monkeypatch.setattr(networks, "BATCHES", (1, 2))
    monkeypatch.setattr(networks, "SIDES", (32, 64))
