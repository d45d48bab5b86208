"""What a step shows, as an address: "heads?sample=left&layer=5&query=40", checked against the model that it names."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from urllib.parse import parse_qsl, unquote, urlencode

from vitviz.addresses.old import moment_said, page_now, translated
from vitviz.addresses.place import COUNTED, IN_BLOCKS, SECOND, TOKENS, Place, read_crop, read_place, read_token, whole
from vitviz.addresses.words import DRAWERS, PICTURE
from vitviz.choice import ON_OFF
from vitviz.choices import SWITCHES, WORDS, choice_of, refusal
from vitviz.config import FIELDS, OWN, OWN_START, PRESETS, ConfigError, ViTConfig
from vitviz.config.config import CHOICES
from vitviz.config.sides import written
from vitviz.demo.samples import BY_ID, EXCHANGED
from vitviz.demo.snapshots import snapshots
from vitviz.edits import Edits
from vitviz.images import PHOTOS
from vitviz.pages import FIRST, LEADS, PAGES
from vitviz.pretrained import KNOW_PHOTOGRAPHS, PRETRAINED, SIZES, at_size
from vitviz.shelf.rows import SHELF
from vitviz.shown import hides, quoted

FIRST_MODEL = "demo"
MODELS: Mapping[str, ViTConfig] = {**PRESETS, **SHELF}
OTHER_MODELS = (OWN, "your own file", *PRETRAINED)  # whose sizes an address alone does not tell
SAMPLES = (*BY_ID, *(photo.id for photo in PHOTOS))
OF_A_MODEL: Mapping[str, Collection[str]] = CHOICES | {
    name: tuple(ON_OFF) for name in FIELDS if isinstance(getattr(OWN_START, name), bool)
}
KNOWN_AS = {f"{SECOND}moment": "learned"}  # the second column's moment of training
STEPS = ("learned", "training", f"{SECOND}moment")
MOST_LETTERS = 600


class ViewError(ValueError):
    """An address that leads nowhere; the message says why, and what there is."""


@dataclass(frozen=True)
class View:
    """A page by its stem, and the words of its address; what they do not say stands as usual."""

    page: str
    words: tuple[tuple[str, str], ...] = ()

    @property
    def address(self) -> str:
        """As a link has it, from the folder of the app on; the first page is called by no name."""
        page, query = PAGES[self.page].address, urlencode(self.words)
        return f"{page}?{query}" if query else page

    def get(self, name: str, usual: str = "") -> str:
        """What the address says of something."""
        return dict(self.words).get(name, usual)

    @property
    def model(self) -> str:
        """The model by its name."""
        return self.get("model", FIRST_MODEL)

    @property
    def config(self) -> ViTConfig | None:
        """The sizes of the model; None where its name does not tell them."""
        return _sizes(self.model, self.get("size"))

    @cached_property
    def place(self) -> Place:
        """Where in the model the view looks. Raises `ViewError` where its sizes are not known."""
        if self.config is None:
            raise ViewError(f"nothing can be asked of {self.model}, whose sizes its name does not tell")
        return read_place(dict(self.words), self.config)[0]


def read_view(text: str) -> View:
    """The view that an address names, without what is as usual. Raises `ViewError` for a word that the app would drop.

    >>> read_view("heads?sample=cat&layer=5").address
    'heads?layer=5'
    """
    if len(text) > MOST_LETTERS:
        raise ViewError(f"the view is {len(text):,} letters long; {MOST_LETTERS} is the most")
    if hides(unquote(text.strip())):
        raise ViewError("the view holds a letter that cannot be seen; write it anew")
    page, _, query = text.strip().removeprefix("/").partition("?")
    page = page_now(page) or FIRST.stem
    if page == LEADS.stem:
        raise ViewError(f"the page “{page}” is the lecturer's own window and follows nobody; show any other page")
    if page not in PAGES:
        raise ViewError(f"there is no page “{quoted(page)}”{_nearest(page, PAGES)}")
    words = tuple(translated(parse_qsl(query, keep_blank_values=True)))
    names = [name for name, _ in words]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ViewError(f"“{quoted(twice)}” is said twice")
    view = View(page, words)
    for sentence in _wrong(view):
        raise ViewError(sentence)
    words = tuple((name, _today(view, text) or "" if name == "moment" else text) for name, text in words)
    usual = _usual(view)
    return View(page, tuple((name, text) for name, text in words if text and usual.get(name) != text))


def _wrong(view: View) -> Iterator[str]:
    """A sentence for each word that the app would drop."""
    if view.model not in (*MODELS, *OTHER_MODELS):
        yield f"there is no model “{quoted(view.model)}”{_nearest(view.model, MODELS)}"
    for name, text in view.words:
        if name.removeprefix(SECOND) not in WORDS and name != f"{SECOND}image":
            yield f"an address has no word “{quoted(name)}”{_nearest(name, WORDS)}"
        elif name in SWITCHES and text not in SWITCHES[name]:
            yield f"{name} “{quoted(text)}”, and there is {_listed(SWITCHES[name])}"
        elif (legal := OF_A_MODEL.get(name.removeprefix(SECOND))) and text and text not in legal:
            yield f"{name} “{quoted(text)}”, and there is {_listed(legal)}"
        elif name == "open" and text not in DRAWERS:
            yield f"open “{quoted(text)}”, and there is {_listed(DRAWERS)}"
        elif name in PICTURE and name != "crop" and text not in (*SAMPLES, *EXCHANGED):
            yield f"there is no sample “{quoted(text)}”{_nearest(text, SAMPLES)}; a lesson shows samples only"
        elif name == "crop" and read_crop(text) is None:
            yield f"crop “{quoted(text)}”, and a square is left-top-side in thousandths, such as 250-0-500"
        elif text and (why := refusal(KNOWN_AS.get(name, name.removeprefix(SECOND)), text, _config_of(view, name))):
            yield f"{name} “{quoted(text)}”, and {why}"
        elif text and (choice := choice_of(view.page, name)) and not choice.takes(text, dict(view.words), view.config):
            few = choice.few(dict(view.words), view.config)
            places = {"word": name, "text": quoted(text), "values": _listed(few), "nearest": _nearest(text, few)}
            yield choice.refused.format(**places)
        elif name.removeprefix(SECOND) == "size" and text and (why := _no_size(_model_of(view, name), text)):
            yield f"{name} “{quoted(text)}”, and {why}"
        elif name in STEPS and text and _model_of(view, name) == FIRST_MODEL and int(text) not in snapshots().steps:
            yield f"{name} “{quoted(text)}”, and there are steps {', '.join(map(str, snapshots().steps))}"
    if view.config:
        yield from _not_of(view, view.config)


def _model_of(view: View, name: str) -> str:
    """The model of the column that a word belongs to."""
    return view.get(f"{SECOND}model", view.model) if name.startswith(SECOND) else view.model


def _config_of(view: View, name: str) -> ViTConfig | None:
    """Its sizes; None where its name does not tell them."""
    return _sizes(_model_of(view, name), view.get(f"{SECOND if name.startswith(SECOND) else ''}size"))


def _sizes(model: str, size: str) -> ViTConfig | None:
    """The sizes of a model on pictures of such a size; None where its name does not tell them."""
    if model not in SIZES or model not in MODELS or _no_size(model, size):
        return MODELS.get(model)
    return at_size(model, size)


def _no_size(model: str, size: str) -> str:
    """Why a model reads no pictures of such a size, as half a sentence; "" where it does."""
    if size and model not in SIZES:
        return f"{model} reads pictures of one size; others are read by {_listed(KNOW_PHOTOGRAPHS[:2])} and the like"
    try:
        at_size(model, size)
    except ConfigError as error:
        return str(error)
    return ""


def _usual(view: View) -> dict[str, str]:
    """What the app leaves out of an address."""
    usual = {name: values[0] for name, values in SWITCHES.items()} | {"sample": SAMPLES[0], "model": FIRST_MODEL}
    usual |= {name: str(COUNTED[name].usual) for name in IN_BLOCKS}
    if view.model in SIZES:
        usual["size"] = written(SIZES[view.model].image_size)
    if view.config:
        prefix = view.config.prefix_tokens
        of_boards = (*IN_BLOCKS, *(() if choice_of(view.page, "beside") else ("beside",)))
        usual |= {"query": prefix[0] if prefix else "1", "moment": _today(view, "") or ""}
        usual |= {name: str(COUNTED[name].usual_of(view.config)) for name in of_boards}
    return usual


def _not_of(view: View, config: ViTConfig) -> Iterator[str]:
    """A sentence for each place that this model does not have."""
    beside = view.get("beside", "1")
    if not choice_of(view.page, "beside") and whole(beside, 1, config.heads) is None:  # where it is a model
        yield f"beside “{quoted(beside)}”, and there is only head 1 to {config.heads}"
    prefix = config.prefix_tokens
    for name in TOKENS:
        if read_token(text := view.get(name, "1"), config) is None:
            named = "".join(f"{it}, " for it in prefix)
            yield f"{name} “{quoted(text)}”, and the {view.model} has {named}patches 1 to {config.patches:,}"
    if _today(view, text := view.get("moment")) is None:
        names = PAGES[view.page].moment_names(config)
        there = f"there is {_listed(names)}" if names else "the page has no moments"
        yield f"moment “{quoted(text)}”, and {there}{_nearest(text, names)}"
    yield from Edits.read(view.get("edits"), config)[1]


def _today(view: View, text: str) -> str | None:
    """The moment that a word says, by its name, as `moment_said`; as it is where the model's sizes are not known."""
    return moment_said(text, view.page, PAGES[view.page].moment_names(view.config)) if view.config else text


def _nearest(text: str, of: Collection[str]) -> str:
    near = get_close_matches(text, of, 1, cutoff=0.5)
    return f"; the nearest is “{near[0]}”" if near else ""


def _listed(values: Collection[str]) -> str:
    return ", ".join(values)
