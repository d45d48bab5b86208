"""The board on the page: one component above all pages, and what it is told."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz import results
from vitviz.addresses.words import LECTURES
from vitviz.board import scene, scripts
from vitviz.board.address import of_second
from vitviz.board.meta import meta, strip
from vitviz.board.numbers import names
from vitviz.board.scripts import handed, styles
from vitviz.config import ViTConfig
from vitviz.installed import FRONTEND
from vitviz.messages import ColumnShown, Meta, OfPage
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.scripts.bundle import markup_of, offering, sheet_of
from vitviz.scripts.lean import lean_script
from vitviz.selection import Selection
from vitviz.ui.board import address, numbers
from vitviz.ui.board import second as second_column
from vitviz.ui.board.second import Second
from vitviz.ui.components import Code, component, tell
from vitviz.ui.forward import delivery
from vitviz.ui.server.client import begun, engine
from vitviz.ui.sidebar import uploads
from vitviz.ui.sidebar.models import published
from vitviz.ui.sidebar.uploads import ARRIVED
from vitviz.ui.suited import match
from vitviz.ui.takeaway.views import offer_of

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

BOARD = FRONTEND / "doors/board"
COMPACT = ",", ":"


def _board() -> Code:
    return Code(
        lean_script(offering(BOARD / "board.js")),
        markup_of(BOARD / "board.html").replace("{menu}", delivery.script("menu")),
        sheet_of(BOARD / "board.css"),
    )


def _handed(code: str, hand_over: str) -> Code:
    return Code(lean_script(f"{code}\nexport default () => {{ {hand_over} }};\n"))


def _columns() -> Code:
    folder = FRONTEND / "columns"
    differences = {page.address: path for page in PAGES.values() if (path := page.folder / "difference.js").is_file()}
    sent = f"{{ columns: load, css: {styles(folder)} }}"
    return _handed(*handed(folder / "columns.js", BOARD / "board.js", "Columns", sent, differences))


def _lecture() -> Code:
    folder = FRONTEND / "lecture"
    sent = f"{{ lecture: load, css: {styles(folder, '*', FRONTEND / 'questions/questions.css')} }}"
    return _handed(*handed(folder / "parts.js", BOARD / "board.js", "Parts", sent))


mount = component("vitviz.board", _board)
columns = component("vitviz.columns", _columns)
lecture = component("vitviz.lecture", _lecture)


@cache
def _scene(stem: str) -> Callable[..., None]:
    """What sends the modules of a scene, and what hands the function that makes it to the board."""
    return component(f"vitviz.{stem}", lambda: _handed(*scripts.scene(PAGES[stem], BOARD / "board.js")))


addresses = {entry.stem: entry.address for entry in PAGES.values()}


def draw(entry: Page, selection: Selection, lit: str = "", second: Second | None = None) -> None:
    """The board for a page, and the names of its scene's numbers; then those of the second column, where there is one.

    `lit` is the page that a lecturer's window is at, by its stem: the strip lights it as well.
    Must be called at the same place in every run: a component that moves is mounted anew, and the board with it.
    """
    if not entry.forward:
        with _carried():
            _tell(entry, selection, None, {}, second, lit=lit)
        return
    chosen = address.read(selection.config, entry.stem)
    address.check_all(selection.config, entry.stem)
    first = selection.plain if entry.switched or entry.unedited else selection
    other = second.selection if second else None
    if entry.others:
        first, other = _with_others(first, other)
    numbers.register(first, *([other] if other else []))
    facts = _facts(entry, first)
    if entry.switched:
        facts |= delivery.switches(selection.model, chosen.switches["switches"] == "open" and second is None)
    with _carried():
        _tell(entry, selection, _meta(entry.stem, first), facts, second, names=names(entry, first, chosen))
        if second and any(it.columns for it in entry.moments(selection.config)):
            columns(key="columns")
            if column := other:
                place = of_second(chosen, entry.stem, selection.config, column)
                if why_not := second_column.explained(lambda: _draw_second(entry, column, place)):
                    tell(key="second-failed", data=[{"beside": {"page": entry.address, "failed": why_not}}])


def _with_others(first: Selection, second: Selection | None) -> tuple[Selection, Selection | None]:
    """Both columns, each with what it is shown beside: this browser's own pictures, then that of the other column."""
    own = uploads.own_pictures()
    there = replace(second, others=(*own, first.picture)) if second else None
    return replace(first, others=(*own, *([second.picture] if second else []))), there


def _draw_second(entry: Page, selection: Selection, place: address.Address) -> None:
    """The same of another model or picture."""
    results.forward_info(selection)
    stages = strip(selection.config, selection.model.untrained)["stages"]
    message: ColumnShown = {
        "page": entry.address,
        "meta": _meta(entry.stem, selection, "second"),
        "facts": _facts(entry, selection),
        "stages": stages,
        "names": names(entry, selection, place),
    }
    tell(key="second", data=[{"beside": message}])


def draw_ahead(entry: Page, selection: Selection, second: Second | None = None) -> None:
    """The board as far as a model's sizes tell it, the strip and the headline, before a visitor's first forward pass.

    It says of itself that it is ahead: while a browser fetches the carrier's code, Streamlit may hand on what was said
    last before what was said first, and the board would wait for ever.
    """
    with _carried():
        _tell(entry, selection, None, {}, second, ahead=True)


def draw_seen(entry: Page, selection: Selection) -> None:
    """The board of a page with a scene and the picture on it, before there is a forward pass."""
    facts = _facts(entry, selection) | (delivery.switches(selection.model, opened=False) if entry.switched else {})
    numbers.register(selection)
    with _carried():
        _tell(entry, selection, _meta(entry.stem, selection), facts, None, ahead=True, names=numbers.AHEAD)


def _facts(entry: Page, selection: Selection) -> dict[str, Any]:
    """Those of the scene, and where its later script is; of a model without classes also which one knows some."""
    offer = "" if selection.config.classes else published.offer_text(published.WITH_CLASSES)
    return {**scene.facts(entry, selection), **delivery.later(entry, selection.model), "with_classes": offer}


def _carried() -> "DeltaGenerator":
    """The board, and a place for what is carried to it: what changes from run to run is not sent with its code."""
    mount(key="board")
    return st.container(gap=None, key="carried")


def _tell(
    entry: Page,
    selection: Selection,
    meta: Meta | None,
    facts: dict[str, Any],
    second: Second | None,
    ahead: bool = False,
    lit: str = "",
    names: list[str] | None = None,
) -> None:
    model = selection.model
    picture = selection.picture
    device = engine().device(model.device).short if entry.forward or begun() else ""
    exact = model.precision == "fp32" or not device
    message: OfPage = {
        "picture": picture.title,
        "model": model.name,
        "model_title": model.title,
        "device": device if exact else f"{device} · {model.precision}",
        "own": picture.digest if picture.id == "own" else "",
        "key": numbers.key(),
        "arrived": st.session_state.get(ARRIVED, ""),
        "page": entry.address,
        "meta": meta,
        "facts": facts,
        "second": second_column.to_browser(selection, second) if second else None,
        "ahead": ahead,
        "names": names or [],
    }
    if lit:
        message["lit"] = addresses[lit]
    text = json.dumps(message, separators=COMPACT)
    tell(key="data", data=f"[{{{_strip_text(selection.config, model.untrained)},{text[1:]}]")
    if entry.on_board:
        _scene(entry.stem)(key=f"script-{entry.stem}")
    if not entry.leads and any(word in st.query_params for word in LECTURES):
        lecture(key="lecture")


@lru_cache(maxsize=256)
def _strip_text(config: ViTConfig, untrained: bool) -> str:
    """What `strip` says as JSON, without its braces: most of what is said in a run."""
    return json.dumps(strip(config, untrained), ensure_ascii=False, separators=COMPACT)[1:-1]


def _meta(stem: str, selection: Selection, column: str = "first") -> Meta:
    return {**meta(selection), "match": match(selection), "takes": offer_of(stem, selection, column)}
