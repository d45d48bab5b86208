"""Views, read from links of the app, or from the same words on a command line."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypedDict
from urllib.parse import parse_qsl, urlsplit

from vitviz.addresses import links
from vitviz.addresses.old import page_now, translated
from vitviz.addresses.place import SECOND, TOKENS, Place, numbers, of_second, read_crop, read_place, same_place, whole
from vitviz.addresses.ranges import LARGEST_SEED
from vitviz.choice import quoted
from vitviz.choices import choices_of
from vitviz.config import FIELDS, OWN, OWN_START, PRESETS, ConfigError, ViTConfig
from vitviz.config.config import with_words
from vitviz.demo.samples import second_sample
from vitviz.edits import Edits
from vitviz.pages import FIRST, PAGES
from vitviz.pretrained import SIZES, at_size
from vitviz.shelf.rows import SHELF
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.training import steps_of
from vitviz.view import View

FIRST_SAMPLE = "cat"
SHOWS = ("row", "column")
COLUMNS = ("first", "second")
OWN_WORDS = (*FIELDS, "seed", "size")  # what an address says of a model besides its name


class Placed(TypedDict):
    """The fields of a view that say where in the model it looks."""

    layer: int
    head: int
    query: int
    key: int
    component: int
    after: int


def placed(place: Place, page: str) -> Placed:
    """Those of a place on a page."""
    return {
        "layer": place.through - 1 if PAGES[page].through else place.layer,
        "head": place.head,
        "query": place.query,
        "key": place.key,
        "component": place.component,
        "after": place.after,
    }


def from_link(
    link: str, pages: Collection[str], file: str = "", config: ViTConfig | None = None, *, column: str = "first"
) -> View:
    """The view that a link of the app leads to, one of `pages`; of its second column where `column` is "second".

    `file` and `config` are name and sizes of the first column's model where it stands in a checkpoint. Raises
    `TakeawayError` where the link leads to nothing that there is.
    """
    page, words = words_of(link)
    model = words.get("model")
    same = f"{SECOND}model" in words and words[f"{SECOND}model"] == model
    if file:
        words |= {"model": file} | ({f"{SECOND}model": file} if same else {})
    own = config if same or column == "first" else None
    return from_words(page, words, pages, own, column=column, first=config)


def words_of(link: str) -> tuple[str, dict[str, str]]:
    """The page of a link and the words of its address, as they are called today.

    Raises `TakeawayError` for what is no link.
    """
    try:
        parts = urlsplit(link.strip())
        words = dict(translated(parse_qsl(parts.query, max_num_fields=200)))
    except ValueError as error:
        raise TakeawayError(f"“{quoted(link)}” is no link: {error}") from error
    return page_now(parts.path.rpartition("/")[2]) or FIRST.stem, words


def from_words(
    page: str,
    words: Mapping[str, str],
    pages: Collection[str],
    config: ViTConfig | None = None,
    *,
    column: str = "first",
    first: ViTConfig | None = None,
) -> View:
    """The same from the words of an address. Raises `TakeawayError` for what there is not, with both numbers.

    With `column="second"` it is the view of the column beside the first, whose words begin with "b.": an app that shows
    two columns calls it once for each, with the same words. `config` are the sizes of a model that stands in a file;
    for the second column `first` are those of the first one's.
    """
    view, refused = understood(page, words, pages, config, column=column, first=first)
    if refused:
        raise TakeawayError(refused[0])
    return view


def understood(
    page: str,
    words: Mapping[str, str],
    pages: Collection[str],
    config: ViTConfig | None = None,
    *,
    column: str = "first",
    first: ViTConfig | None = None,
) -> tuple[View, tuple[str, ...]]:
    """The same as the app reads an address: what is usual stands for what there is not, and a sentence tells of each.

    Raises `TakeawayError` for another page, a model that is not known, and a second column that is not asked for.
    """
    if page not in pages:
        raise TakeawayError(f"nothing can be taken away from “{quoted(page)}”; there are {', '.join(pages)}")
    if column == "first":
        return _first(page, words, config)
    if f"{SECOND}model" not in words:
        raise TakeawayError(f"the link shows one column; the second begins with “{SECOND}model=”")
    view, refused = _first(page, words, first)
    second, more = _second(view, words, config)
    return second, (*refused, *more)


def _first(page: str, link_words: Mapping[str, str], config: ViTConfig | None) -> tuple[View, tuple[str, ...]]:
    model = link_words.get("model", "demo")
    config = config or _config(model, link_words)
    words = {name: text.strip("[]") if name in TOKENS else text for name, text in link_words.items()}
    place, wrong = read_place(words, config)
    refused = [_no_place(name, words[name], config) for name in wrong]
    shows = link_words.get("shows", "row")
    crop = read_crop(link_words.get("crop", ""))
    if link_words.get("crop") and crop is None:
        refused.append(
            f"there is no crop {quoted(link_words['crop'])}: write left-top-side in thousandths, such as 0-0-500"
        )
    picture = "" if link_words.get("picture") else link_words.get("sample", FIRST_SAMPLE)
    other = link_words.get("donor") or (second_sample(picture) if PAGES[page].compares else "")
    donor = _picture(other) if other else None
    edits, more = _edits(link_words if not PAGES[page].unedited else {}, config, donor)
    choices, others = choices_of(page, link_words, config, model)
    view = View(
        page=page,
        model=model,
        config=config,
        seed=_seed(link_words, refused),
        picture=picture,
        crop=crop,
        edits=edits,
        **placed(place, page),
        shows=shows if shows in SHOWS else "row",
        donor=donor if edits.needs_donor else None,
        choices=choices,
        learned=steps_of(link_words.get("learned", ""), page, "first", choices.get("moment", ""), model, refused),
    )
    return view, (*refused, *more, *others)


def _second(first: View, words: Mapping[str, str], config: ViTConfig | None) -> tuple[View, tuple[str, ...]]:
    """The column beside `first`; what its words do not say is as there, but for edits."""
    refused: list[str] = []
    own = of_second(words)
    model, seed = own["model"], first.seed
    same = model == first.model and not any(name in own for name in OWN_WORDS)
    if same:
        config = config or first.config
    else:
        usual = first.config if first.model == model == OWN else OWN_START
        config, seed = config or _config(model, own, usual), _seed(own, refused)
    place = same_place(
        Place(first.layer, first.head, first.query, first.key, first.component, first.after, through=first.layer + 1),
        first.config,
        config,
    )
    picture = _picture(own["image"]) if own.get("image") else first.picture
    other = own.get("donor") or words.get("donor")
    donor = _picture(other) if other else None
    edits, more = _edits(own, config, donor)
    choices = dict(first.choices)
    if moment := choices.get("moment", ""):
        choices["moment"] = moment = PAGES[first.page].same_moment(moment, first.config, config)
    view = replace(
        first,
        model=model,
        config=config,
        seed=seed,
        picture=picture,
        crop=first.crop if picture == first.picture else None,
        edits=edits,
        **placed(place, first.page),
        donor=donor if edits.needs_donor else None,
        column="second",
        choices=choices,
        learned=steps_of(own.get("moment", ""), first.page, "second", moment, model, refused),
    )
    return view, (*refused, *more)


def _edits(words: Mapping[str, str], config: ViTConfig, donor: str | None) -> tuple[Edits, tuple[str, ...]]:
    """The edits that this model can have, and with a second picture where they need one; sentences for all others."""
    edits, sentences = Edits.read(words.get("edits", ""), config)
    refused = tuple(f"of the edits: {sentence}" for sentence in sentences)
    if donor is None and edits.needs_donor:
        return edits.without_donor(), (*refused, "some of the edits need a second picture; name one with donor=")
    return edits, refused


def _seed(words: Mapping[str, str], refused: list[str]) -> int:
    text = words.get("seed", "")
    seed = whole(text, 0, LARGEST_SEED)
    if text and seed is None:
        refused.append(f"there is no seed {quoted(text)}: they are 0 to {LARGEST_SEED:,}")
    return seed or 0


def _picture(name: str) -> str:
    """A picture as a view has it: the name of a sample, "" for somebody's own, which links call by a digest."""
    return "" if name == links.OWN or links.OWN_PICTURE.fullmatch(name) else name


def _no_place(name: str, text: str, config: ViTConfig) -> str:
    least, most = (1, config.patches) if name in TOKENS else numbers(config)[name]
    return f"there is no {name} {quoted(text)}: they are {least} to {most}"


def check_places(config: ViTConfig, layer: int = 0, head: int = 0, query: int = 0) -> None:
    """Raise `TakeawayError` for a layer, head or token that a model does not have; all count from 0."""
    for noun, number, count in (
        ("layer", layer, config.depth),
        ("head", head, config.heads),
        ("query", query, config.tokens),
    ):
        if not 0 <= number < count:
            raise TakeawayError(f"there is no {noun} {number}: they are 0 to {count - 1}")


def _config(model: str, words: Mapping[str, str], usual: ViTConfig = OWN_START) -> ViTConfig:
    """The sizes of a model by its name; of one that somebody built, `usual` with what is asked for."""
    if model == OWN:
        return _own(words, usual)
    config = _at_size(model, words) if model in SIZES else {**PRESETS, **SHELF}.get(model)
    if config is None:
        raise TakeawayError(f"there is no model “{quoted(model)}”; give the path of its file, or demo or a preset")
    return config


def _at_size(model: str, words: Mapping[str, str]) -> ViTConfig:
    """A model on pictures of the size that is asked for."""
    try:
        return at_size(model, words.get("size", ""))
    except ConfigError as error:
        raise TakeawayError(str(error)) from error


def _own(words: Mapping[str, str], usual: ViTConfig) -> ViTConfig:
    """A model that somebody built: fields by name, as links have them."""
    pairs = [f"{name}={words[name]}" for name in FIELDS if words.get(name, "auto") != "auto"]
    try:
        return with_words(usual, pairs)
    except ConfigError as error:
        raise TakeawayError(str(error)) from error
