"""The board on the page: one component above all pages, and what it is told."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz import palette, results
from vitviz.addresses.old import numbered
from vitviz.addresses.words import LECTURES
from vitviz.board import scene
from vitviz.board.address import of_second
from vitviz.board.numbers import names
from vitviz.board.scene import counted
from vitviz.config import ViTConfig
from vitviz.installed import FRONTEND
from vitviz.messages import ColumnShown, Meta, OfPage, Other, Stage, Strip
from vitviz.page import Page
from vitviz.pages import CHAPTERS, PAGES
from vitviz.scripts.bundle import bundle_for, offering, sheet_of
from vitviz.scripts.lean import lean_script
from vitviz.scripts.sizes import sizes, weights_scale
from vitviz.selection import Selection
from vitviz.ui.board import address, numbers
from vitviz.ui.board import second as second_column
from vitviz.ui.board.second import Second
from vitviz.ui.components import Code, component, tell
from vitviz.ui.forward import delivery
from vitviz.ui.server.client import begun, engine
from vitviz.ui.sidebar import cropping
from vitviz.ui.sidebar.models import published
from vitviz.ui.sidebar.uploads import ARRIVED
from vitviz.ui.suited import match
from vitviz.ui.takeaway.views import offer_of

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

BOARD = FRONTEND / "doors/board"
EDITING = FRONTEND / "editing/editing.css"  # of the scene that is made of switches; others fetch it with theirs
COMPACT = ",", ":"


def _board() -> Code:
    stage = (FRONTEND / "frame/stage.html").read_text(encoding="utf-8")
    board = (BOARD / "board.html").read_text(encoding="utf-8")
    return Code(
        lean_script(offering(BOARD / "board.js")),
        board.replace("{menu}", delivery.script("menu")).replace("{stage}", stage),
        sheet_of(BOARD / "board.css"),
    )


def _css(folder: Path, name: str = "*", *first: Path) -> str:
    """The style sheets in and under a folder, after those that are `first`, as a text of JavaScript."""
    return json.dumps(sheet_of(*first, *sorted(folder.rglob(f"{name}.css"))))


def _handed(path: Path, what: str, code: str, others: Mapping[str, Path] | None = None) -> Code:
    """The code of a module that hands the board a way to `what` it exports, called `load` in what is sent."""
    hand_over = f"(globalThis.__vitviz_inbox ??= []).push({code});"
    text = bundle_for(path, BOARD / "board.js", what, others)
    return Code(lean_script(f"{text}\nexport default () => {{ {hand_over} }};\n"))


def _columns() -> Code:
    folder = FRONTEND / "columns"
    differences = {page.address: path for page in PAGES.values() if (path := page.folder / "difference.js").is_file()}
    return _handed(folder / "columns.js", "Columns", f"{{ columns: load, css: {_css(folder)} }}", differences)


def _lecture() -> Code:
    folder = FRONTEND / "lecture"
    css = _css(folder, "*", FRONTEND / "questions/questions.css")
    return _handed(folder / "parts.js", "Parts", f"{{ lecture: load, css: {css} }}")


mount = component("vitviz.board", _board)
columns = component("vitviz.columns", _columns)
lecture = component("vitviz.lecture", _lecture)


@cache
def _scene(stem: str) -> Callable[..., None]:
    """What sends the modules of a scene, and what hands the function that makes it to the board."""
    make = re.sub(r"_(\w)", lambda found: found[1].upper(), stem)
    path = PAGES[stem].folder / "scene.js"
    css = _css(PAGES[stem].folder, "scene", *([EDITING] if PAGES[stem].compares else []))
    entry = f"{{ stem: {json.dumps(addresses[stem])}, load, css: {css} }}"
    return component(f"vitviz.{stem}", lambda: _handed(path, make, entry))


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
    first = selection.plain if entry.switched else selection
    numbers.register(first, *([second.selection] if second and second.selection else []))
    facts = _facts(entry, first)
    if entry.switched:
        facts |= delivery.switches(selection.model, chosen.switches["switches"] == "open" and second is None)
    with _carried():
        _tell(entry, selection, _meta(entry.stem, first), facts, second, names=names(entry, first, chosen))
        if second and any(it.columns for it in entry.moments(selection.config)):
            columns(key="columns")
            if column := second.selection:
                place = of_second(chosen, entry.stem, selection.config, column)
                if why_not := second_column.explained(lambda: _draw_second(entry, column, place)):
                    tell(key="second-failed", data=[{"beside": {"page": entry.address, "failed": why_not}}])


def _draw_second(entry: Page, selection: Selection, place: address.Address) -> None:
    """The same of another model or picture."""
    results.forward_info(selection)
    strip = _strip(selection.config, selection.model.untrained)
    message: ColumnShown = {
        "page": entry.address,
        "meta": _meta(entry.stem, selection, "second"),
        "facts": _facts(entry, selection),
        "stages": strip["stages"],
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
    """Those of the scene; of a model without classes also which one knows some."""
    offer = "" if selection.config.classes else published.offer_text(published.WITH_CLASSES)
    return {**scene.facts(entry, selection), "with_classes": offer}


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
    """What `_strip` says as JSON, without its braces: most of what is said in a run."""
    return json.dumps(_strip(config, untrained), ensure_ascii=False, separators=COMPACT)[1:-1]


@lru_cache(maxsize=256)
def _strip(config: ViTConfig, untrained: bool) -> Strip:
    """What the strip and the foot of the board say of a model, from its sizes and whether it has learned anything."""
    stages: list[Stage] = []
    others: list[Other] = []
    for chapter, entries in CHAPTERS.items():
        first = True
        for entry in entries:
            if entry.on_board:
                moments = entry.moments(config)
                names = [it.name for it in moments]
                old = numbered(entry.stem, names)
                stage: Stage = {
                    "stem": entry.address,
                    "title": entry.title,
                    "label": entry.label,
                    "shape": entry.text_of(entry.shape, config),
                    "colour": entry.colour,
                    "moments": [{"name": it.name, "sentence": entry.headline(it, config, untrained)} for it in moments],
                    "columns": [it.name for it in moments if it.columns],
                    "count": counted(config, entry.stage),
                }
                if old != names:
                    stage["numbered"] = old
                stages.append(stage)
            else:
                other: Other = {"stem": entry.address, "title": entry.title}
                if first:
                    other["begins"] = chapter
                others.append(other)
                first = False
    return {"stages": stages, "others": others, "palette": palette.DRAWN, "weights": weights_scale()}


def _meta(stem: str, selection: Selection, column: str = "first") -> Meta:
    from vitviz.ui.widgets import predictions

    config, picture = selection.config, selection.picture
    return {
        "digest": selection.digest,
        "model": selection.model.name,
        "model_title": selection.model.title,
        "trained": results.trained(selection),
        "caveat": predictions.caveat(selection),
        "match": match(selection),
        "picture": {"title": picture.title, "alt": picture.alt, "digest": picture.digest[:16]},
        "crop": cropping.written(selection.crop),
        "edits": str(selection.edits),
        "donor": selection.donor_link,
        "takes": offer_of(stem, selection, column),
        **sizes(config),
    }
