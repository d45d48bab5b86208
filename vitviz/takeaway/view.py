"""What somebody looked at, as a value: read from a link of the app, or from the same words on a command line."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from vitviz.config import FIELDS, OWN, OWN_START, PRESETS, ConfigError, ViTConfig
from vitviz.config.sides import middle
from vitviz.config.words import with_words
from vitviz.edits import Edits
from vitviz.images import Crop
from vitviz.pretrained import PRETRAINED
from vitviz.shelf.rows import SHELF
from vitviz.takeaway.errors import TakeawayError

FIRST_SAMPLE = "cat"
WHOLE = re.compile(r"\d{1,6}", re.ASCII)
CROP = re.compile(r"(\d{1,5})-(\d{1,5})-(\d{1,4})", re.ASCII)
SHOWS = ("row", "column")
STRONGEST = -1  # the key that nobody has chosen: the one with the largest weight
MOST_QUOTED = 40  # letters of what is refused


@dataclass(frozen=True, slots=True)
class View:
    """A page, what it is of, and what is chosen on it; layers, heads, tokens and components count from 0.

    `model` is a name, or that of a checkpoint's file; `picture` a sample's id, "" for one's own; `after` blocks have
    run.
    """

    page: str
    model: str
    config: ViTConfig
    seed: int
    picture: str
    crop: Crop | None
    edits: Edits
    layer: int
    head: int
    query: int
    key: int
    component: int
    after: int
    shows: str


def from_link(link: str, pages: Collection[str], file: str = "", config: ViTConfig | None = None) -> View:
    """The view that a link of the app leads to, one of `pages`.

    `file` and `config` are name and sizes of the model where it stands in a checkpoint. Raises `TakeawayError` where
    the link leads to nothing that there is.
    """
    try:
        parts = urlsplit(link.strip())
        asked = {name: values[-1] for name, values in parse_qs(parts.query, max_num_fields=200).items()}
    except ValueError as error:
        raise TakeawayError(f"“{quoted(link)}” is no link: {error}") from error
    page = parts.path.rpartition("/")[2] or "overview"
    return from_words(page, asked | ({"model": file} if file else {}), pages, config)


def from_words(page: str, asked: Mapping[str, str], pages: Collection[str], config: ViTConfig | None = None) -> View:
    """The same from the words of an address; `config` is that of a model which stands in a file.

    Raises `TakeawayError` for what there is not, with both numbers.
    """
    if page not in pages:
        raise TakeawayError(f"nothing can be taken away from “{quoted(page)}”; there are {', '.join(pages)}")
    model = asked.get("model", "demo")
    config = config or _config(model, asked)
    if config is None:
        raise TakeawayError(f"there is no model “{quoted(model)}”; give the path of its file, or demo or a preset")
    names = config.prefix_tokens

    def whole(name: str, least: int, most: int, usual: int) -> int:
        text = asked.get(name, "")
        if not text:
            return usual
        if not WHOLE.fullmatch(text) or not least <= int(text) <= most:
            raise TakeawayError(f"there is no {name} {quoted(text)}: they are {least} to {most}")
        return int(text)

    def token(name: str, usual: int) -> int:
        text = asked.get(name, "").strip("[]")
        return names.index(text) if text in names else len(names) - 1 + whole(name, 1, config.patches, usual)

    edits, refused = Edits.read(asked.get("edits", ""), config)
    if refused:
        raise TakeawayError(f"of the edits: {refused[0]}")
    shows = asked.get("shows", "row")
    return View(
        page=page,
        model=model,
        config=config,
        seed=whole("seed", 0, 999_999, 0),
        picture="" if asked.get("image") else asked.get("sample", FIRST_SAMPLE),
        crop=_crop(asked.get("crop", "")),
        edits=edits,
        layer=whole("layer", 1, config.depth, 1) - 1,
        head=whole("head", 1, config.heads, 1) - 1,
        query=token("query", 0) if asked.get("query") else _first(config, page),
        key=token("key", 0) if asked.get("key") else STRONGEST,
        component=whole("component", 1, config.dim, 1) - 1,
        after=whole("after", 0, config.depth, config.depth),
        shows=shows if shows in SHOWS else "row",
    )


def check_places(config: ViTConfig, layer: int = 0, head: int = 0, query: int = 0) -> None:
    """Raise `TakeawayError` for a layer, head or token that a model does not have; all count from 0."""
    for noun, number, count in (
        ("layer", layer, config.depth),
        ("head", head, config.heads),
        ("query", query, config.tokens),
    ):
        if not 0 <= number < count:
            raise TakeawayError(f"there is no {noun} {number}: they are 0 to {count - 1}")


def token_names(config: ViTConfig) -> list[str]:
    """What tokens are called: "[class]", "patch 1" ..."""
    prefix = [f"[{name}]" for name in config.prefix_tokens]
    return [*prefix, *(f"patch {number}" for number in range(1, config.patches + 1))]


def quoted(text: str) -> str:
    """Foreign words, short, and with nothing that a terminal or a page could obey."""
    return "".join(letter for letter in text[:MOST_QUOTED] if letter.isalnum() or letter in " -_.")


def _first(config: ViTConfig, page: str) -> int:
    """The token that a page begins with: a patch where it shows patches, else the first token."""
    patches = ("patch_grid", "patch_embedding", "position_embedding")
    return len(config.prefix_tokens) + middle(config.grid) if page in patches else 0


def _crop(text: str) -> Crop | None:
    found = CROP.fullmatch(text)
    return Crop(*map(int, found.groups())) if found else None


def _config(model: str, asked: Mapping[str, str]) -> ViTConfig | None:
    """The sizes of a model by its name; None where only its file says them."""
    if model == OWN:
        return _own(asked)
    if model in PRETRAINED:
        return PRETRAINED[model].config
    return {**PRESETS, **SHELF}.get(model)


def _own(asked: Mapping[str, str]) -> ViTConfig:
    """A model that somebody built: fields by name, as links have them."""
    pairs = [f"{name}={asked[name]}" for name in FIELDS if asked.get(name, "auto") != "auto"]
    try:
        return with_words(OWN_START, pairs)
    except ConfigError as error:
        raise TakeawayError(str(error)) from error
