"""A model, a picture and what is chosen of them, in the words of an address; shown as one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from vitviz.addresses.place import COUNTED, TOKENS, read_crop
from vitviz.board import numbers
from vitviz.board.address import read_words
from vitviz.choice import quoted
from vitviz.choices import SWITCHES
from vitviz.config import ConfigError, ViTConfig
from vitviz.edits import NO_EDITS, Edits
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.pretrained import PRETRAINED, SIZES, at_size
from vitviz.samples import first, samples
from vitviz.scripts.parcels import pack
from vitviz.selection import Checkpoint, ModelChoice, Picture, Selection
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.explorer.explorer import Explorer, explore, layers_around
from vitviz.takeaway.opening import model as load_model
from vitviz.takeaway.opening import opened, read_picture
from vitviz.takeaway.view import from_words

if TYPE_CHECKING:
    from vitviz.view import View

# Not the first page, which offers pictures, and none that compares, which a server answers piece by piece.
SHOWN = {it.address: it for it in PAGES.values() if it.on_board and it.address and not it.compares}
EXPLORED = next(it.stem for it in SHOWN.values() if it.explored == "row")
NUMBERS = tuple(COUNTED)
TEXTS = (*TOKENS, "crop", "edits", "donor", "moment", *(word for word in SWITCHES if word != "runs"))


class Chosen:
    """What is chosen counts from 1, as on screen and in an address: `layer=3`, `query="class"` or `query=40`."""

    address: str

    def __init__(
        self, model: str | Path, picture: str | Path, page: str, size: int | str, words: dict[str, Any]
    ) -> None:
        """`model` is a name, or a checkpoint's file; `picture` the name of a sample, or an image file.

        `size` are the pixels of a side of what such a model reads, where it has a choice, "" for its usual one.

        Raises `TakeawayError` for what there is not, and what `load` and `open_image` raise.
        """
        if unknown := [name for name in words if name not in (*NUMBERS, *TEXTS)]:
            raise TakeawayError(f"nothing is chosen by “{unknown[0]}”; there are {', '.join((*NUMBERS, *TEXTS))}")
        self._file = read_picture(str(picture)) if str(picture) else None
        self._model, self._picture = _model(str(model), str(size)), _picture(str(picture), self._file)
        self.address = self._address(page, {name: str(value) for name, value in words.items()})

    @property
    def config(self) -> ViTConfig:
        """The model's sizes."""
        return self._model.config

    @property
    def shown_page(self) -> Page:
        """The page that the address leads to."""
        return SHOWN[self.address.partition("?")[0]]

    @property
    def words(self) -> dict[str, str]:
        """What the address says; what is usual it leaves out."""
        return dict(parse_qsl(self.address.partition("?")[2]))

    @property
    def _of_any_page(self) -> dict[str, str]:
        return {name: text for name, text in self.words.items() if name != "moment"}

    @property
    def explorer(self) -> Explorer:
        """The attention explorer, where the address looks."""
        checkpoint = self._model.checkpoint if self._model.name not in SIZES else None  # else the view says which
        loaded = load_model(checkpoint.path) if checkpoint else None
        it = opened(self._view(EXPLORED, self._of_any_page), self._file, loaded)
        view = it.view
        return explore(
            it.trace,
            it.loaded,
            model=self._model.title,
            picture=self._picture.title,
            layers=layers_around(view.config, view.layer),
            layer=view.layer,
            head=view.head,
            query=view.query,
        )

    def save(self, path: str | Path) -> Path:
        """Write the attention explorer as a file that opens without a network, whole or not at all."""
        return self.explorer.save(path)

    def _repr_html_(self) -> str:
        return self.explorer._repr_html_()

    def __getattr__(self, name: str) -> Any:
        if name == "page":
            return self.shown_page.stem
        if name not in (*NUMBERS, *TEXTS):
            raise AttributeError(f"a board has no {name}; what is chosen are {', '.join((*NUMBERS, *TEXTS))}")
        return self.value(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("page", *NUMBERS, *TEXTS):
            name, value = "address", self.address_with(name, value)
        super().__setattr__(name, value)

    def value(self, name: str) -> int | str:
        """What a word chooses, said or usual."""
        text = self.words.get(name) or self._usual(name, self.shown_page)
        return int(text) if name in NUMBERS else text

    def address_with(self, name: str, value: object) -> str:
        """The address where one word, or the page, is another. Raises `TakeawayError` for what there is not."""
        if name == "page":
            return self._address(str(value), self._of_any_page)
        return self._address(self.shown_page.stem, self.words | {name: str(value)})

    def numbers_of(self, name: str, words: str) -> list[str] | bytes | None:
        """The numbers of a name, as a browser unpacks them; for "" the names of all that an address needs.

        None where its page needs none of that name. `words` are those of the address, with its `page`.
        """
        chosen = {**dict(parse_qsl(words)), "runs": "server"}  # the kernel is
        page = SHOWN[chosen["page"]]
        selection, address = self.selection(page, chosen), read_words(chosen, self.config, page.stem)
        if not name:
            return numbers.names(page, selection, address)
        arrays = numbers.numbers_of(name, page, selection, address)
        return None if arrays is None else pack(selection.digest, name, arrays)

    def selection(self, page: Page, words: dict[str, str]) -> Selection:
        """What a page is drawn of: the plain run, where it shows itself what edits lead to."""
        edits = NO_EDITS if page.switched or page.unedited else Edits.read(words.get("edits", ""), self.config)[0]
        donor = samples().get(words.get("donor", ""))
        return Selection(
            self._model,
            self._picture,
            read_crop(words.get("crop", "")),
            edits if donor else edits.without_donor(),
            donor,
        )

    def _view(self, page: str, words: dict[str, str]) -> View:
        of = {"model": self._model.name, "picture" if self._file else "sample": self._picture.id}
        return from_words(page, {**words, **of}, PAGES, self.config)

    def _address(self, page: str, words: dict[str, str]) -> str:
        if page not in SHOWN:
            raise TakeawayError(f"a notebook shows no page “{page}”; there are {', '.join(SHOWN)}")
        chosen = {name: text for name, text in words.items() if text not in ("", self._usual(name, SHOWN[page]))}
        if (donor := chosen.get("donor")) and donor not in samples():
            raise TakeawayError(f"there is no donor “{quoted(donor)}”; samples are {', '.join(samples())}")
        self._view(page, chosen)
        return f"{page}?{urlencode(chosen, safe='*')}" if chosen else page  # as a browser writes it

    def _usual(self, name: str, page: Page) -> str:
        """What a word chooses that the address leaves out."""
        if name in NUMBERS:
            return str(COUNTED[name].usual_of(self.config))
        if name == "query":
            return next(iter(self.config.prefix_tokens), "1")
        if name == "moment":
            return page.moment_names(self.config)[0]
        return SWITCHES[name][0] if name in SWITCHES else ""


class Board(Chosen):
    """One file in a frame: `anywidget` is not installed here."""

    def __init__(
        self,
        model: str | Path = "demo",
        picture: str | Path = "",
        page: str = EXPLORED,
        size: int | str = "",
        **words: Any,
    ):
        """As `Chosen`; `words` are those of an address."""
        super().__init__(model, picture, page, size, words)


def _model(name: str, size: str) -> ModelChoice:
    """The model of that name, or in that file, for pictures of that size."""
    from vitviz.forward import look_into
    from vitviz.weights import hub

    path = Path(name) if Path(name).is_file() else None
    if size and name not in SIZES:
        raise TakeawayError(f"{quoted(name)} reads pictures of one size; those of another are for {', '.join(SIZES)}")
    try:
        sized = at_size(name, size) if name in SIZES else None
    except ConfigError as error:
        raise TakeawayError(str(error)) from error
    if name in PRETRAINED and (path := hub.local(name)) is None:
        raise TakeawayError(f"{name} is not on this machine; `vitviz weights fetch {name}` fetches it")
    if path is None:
        return ModelChoice(name, sized or from_words(EXPLORED, {"model": name}, PAGES).config)
    called = name if name in PRETRAINED else path.name
    side = sized.image_size if sized else None
    config, libraries, _, _ = look_into(str(path), name=called, image_size=side)
    state = path.stat()
    stamp = (state.st_mtime_ns, state.st_size)
    return ModelChoice(called, config, checkpoint=Checkpoint(str(path), stamp, side, preprocess=libraries[0]))


def _picture(name: str, data: bytes | None) -> Picture:
    """The sample of that name, or the picture in a file."""
    if data is None:
        return samples()[name] if name else first()
    return Picture("own", Path(name).name, f"{Path(name).name}.", data)
