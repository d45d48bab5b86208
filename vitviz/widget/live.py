"""The live board: an `anywidget` whose numbers the notebook's kernel makes, and whose choice goes both ways."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from anywidget import AnyWidget
from traitlets import Dict, Int, TraitError, Unicode, Union, observe, validate

from vitviz.board import scene, scripts
from vitviz.board.meta import meta, strip
from vitviz.edits import EditsError
from vitviz.engine import BusyError
from vitviz.images import ImageError
from vitviz.installed import FRONTEND
from vitviz.machine.device import DeviceError
from vitviz.page import Page
from vitviz.scripts.bundle import offering, script_of
from vitviz.scripts.lean import lean_script
from vitviz.selection import Selection
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.explorer.explorer import HEIGHT
from vitviz.takeaway.explorer.page import document, markup, styles
from vitviz.weights import WeightsError
from vitviz.widget.chosen import EXPLORED, NUMBERS, SHOWN, TEXTS, Chosen

FRAME, WIDGET = FRONTEND / "doors/widget/frame.js", FRONTEND / "doors/widget/widget.js"
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
REASONS = BusyError, DeviceError, EditsError, ImageError, WeightsError  # that are sentences for who looks
CHOSEN = ("page", *NUMBERS, *TEXTS)


class Board(Chosen, AnyWidget):
    """A model and a picture on the board: `Board("demo", "cat", page="heads", layer=3)`.

    `page` and every word of an address are traits: `board.layer`, `board.query`, `board.edits`; those that are numbers
    are `int`, the others texts. What is chosen on the board is read from them, and what is set is shown; they count
    from 1. Setting what there is not raises `TraitError`, with a sentence that says what there is.
    """

    address = Unicode().tag(sync=True)
    height = Int(HEIGHT).tag(sync=True)
    page = Unicode()
    _page = Unicode().tag(sync=True)
    _title = Unicode().tag(sync=True)
    _schema = Dict().tag(sync=True)
    _esm = script_of(WIDGET)

    def __init__(
        self,
        model: str | Path = "demo",
        picture: str | Path = "",
        page: str = EXPLORED,
        size: int | str = "",
        **words: Any,
    ) -> None:
        """`model` is a name, or a checkpoint's file; `picture` the name of a sample, or an image file.

        `size` are the pixels of a side of what it reads; `words` are those of an address. Raises `TakeawayError` for
        what there is not, and what `load` and `open_image` raise.
        """
        self.add_traits(**{name: Int() for name in NUMBERS}, **{name: Union([Unicode(), Int()]) for name in TEXTS})
        Chosen.__init__(self, model, picture, page, size, words)
        self._page = _document()
        self._title = f"{self._model.title} on {self._picture.title}"
        AnyWidget.__init__(self)
        self.on_msg(lambda _, content, buffers: self._answer(content))

    def __setattr__(self, name: str, value: Any) -> None:
        AnyWidget.__setattr__(self, name, value)

    @validate("address")
    def _leads_somewhere(self, proposal: Any) -> str:
        page, _, words = proposal["value"].partition("?")
        with _refusing():
            return self._address(page, dict(parse_qsl(words)))

    @validate(*CHOSEN)
    def _is_there(self, proposal: Any) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        with _refusing():
            self.address_with(name, value)
        return value if name in NUMBERS else str(value)

    @observe(*CHOSEN)
    def _say(self, change: Any) -> None:
        """Let the address say what the trait does by now: who was told of it before may have set another."""
        self.address = self.address_with(change["name"], getattr(self, change["name"]))

    @observe("address")
    def _follow(self, _: Any) -> None:
        """Let the traits say what the address does, before anyone is told, and the board what its page is drawn of."""
        with self.hold_trait_notifications():
            self.page = self.shown_page.stem
            for name in (*NUMBERS, *TEXTS):
                setattr(self, name, self.value(name))
        selection = self.selection(self.shown_page, self.words)
        if self._schema.get("data", {}).get("meta", {}).get("digest") != selection.digest:
            self._schema = self._schema_of(selection)

    def _schema_of(self, selection: Selection) -> dict[str, Any]:
        """What the board is told of the model, the picture and all pages, as `Schema` in the front end."""
        page = self.shown_page
        every = strip(self.config, self._model.untrained)
        facts = {stem: _facts(it, selection) for stem, it in SHOWN.items()}
        data = {
            **every,
            "stages": [it for it in every["stages"] if it["stem"] in SHOWN],
            "others": [],
            "page": page.address,
            "picture": self._picture.title,
            "model": self._model.name,
            "model_title": self._model.title,
            "device": "",
            "own": "",
            "key": "",
            "arrived": "",
            "meta": meta(selection),
            "facts": facts[page.address],
            "second": None,
        }
        return {"data": data, "facts": facts}

    def _answer(self, content: dict[str, Any]) -> None:
        """Answer the board: numbers, the names of all, or a sentence why there are none."""
        answer: dict[str, Any] = {"view": content["view"], "number": content["number"]}
        try:
            found = self.numbers_of(content["name"], content["words"])
        except REASONS as error:
            self.send({**answer, "refused": str(error)})
        except Exception as error:
            self.send({**answer, "refused": f"the kernel cannot answer: {type(error).__name__}: {error}"})
            raise
        else:
            arrays = [found] if isinstance(found, bytes) else []
            self.send(answer if arrays else {**answer, "names": found}, arrays)


@contextmanager
def _refusing() -> Iterator[None]:
    """Say of a trait why it is refused."""
    try:
        yield
    except TakeawayError as error:
        raise TraitError(str(error)) from error


def _facts(page: Page, selection: Selection) -> dict[str, Any]:
    """Those of its scene; where switches stand beside it, the kernel runs the model with the edits."""
    switches = {"folded": "here", "forward": None, "runs": "the notebook's kernel runs the model"}
    return {**scene.facts(page, selection), **(switches if page.switched else {})}


@cache
def _document() -> str:
    """The page in the frame: the board, and what makes the scene of every page."""
    scenes = [scripts.scene(page, FRAME) for page in SHOWN.values()]
    later = [scripts.later(page, FRAME) for page in SHOWN.values() if (page.folder / "later.js").is_file()]
    code = [offering(FRAME), *(f"{{\n{make}\n{hand_over}\n}}" for make, hand_over in scenes + later)]
    sheets = (sheet for page in SHOWN.values() for sheet in sorted(page.folder.rglob("scene.css")))
    return document("The board", POLICY, styles(*sheets), markup(), lean_script("\n".join(code)))
