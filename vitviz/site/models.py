"""What a page without a server is told of a model, and of the pictures that come with it."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from vitviz import results
from vitviz.board import scene
from vitviz.board.meta import caveat, meta, strip
from vitviz.board.pictures import second_run
from vitviz.pages import PAGES
from vitviz.results import requests
from vitviz.results.asking import engine
from vitviz.samples import first, of_world, samples
from vitviz.scripts.fitting import fits, forward_sizes, small
from vitviz.scripts.parcels import Arrays, pack
from vitviz.selection import FIRST_MODEL, PHOTO_MODEL, ModelChoice, Picture, Selection
from vitviz.shelf.rows import SHELF

Json = dict[str, Any]
OWN = "own"  # a picture that a reader brings
SHOWN = [page for page in PAGES.values() if (page.folder / "numbers.js").is_file()]
# Those of all that ship that a browser can run, by name.
MODELS = {
    it.name: it
    for it in (FIRST_MODEL, PHOTO_MODEL, *(ModelChoice(name, config) for name, config in SHELF.items()))
    if fits(it.config)
}


def description(model: ModelChoice) -> Json:
    """Sizes, names, the words of all pages, and what is a fact: of every picture, and of each alone.

    What hangs on the pixels of a reader's own picture the browser finds out.
    """
    bytes_of_any = samples()[of_world(model.name)[0]].data
    own = Picture(OWN, "Your picture", "Your picture.", bytes_of_any)
    pictures = {it.id: Selection(model, it) for it in (*samples().values(), own)}
    facts = {link: {page.address: scene.facts_alone(page, it) for page in SHOWN} for link, it in pictures.items()}
    common = {
        stem: {name: value for name, value in its.items() if all(one[stem][name] == value for one in facts.values())}
        for stem, its in facts[OWN].items()
    }
    preprocess = results.model_info(model).preprocess
    labels = results.labels(pictures[OWN])
    words = strip(model.config, model.untrained)
    stages = {page.address for page in SHOWN}
    return {
        "name": model.name,
        "title": model.title,
        "config": forward_sizes(model.config),
        "rule": {**asdict(preprocess), "sides": preprocess.sides},
        "labels": labels if isinstance(labels, tuple) else [],
        "strip": {**words, "stages": [it for it in words["stages"] if it["stem"] in stages], "others": []},
        "meta": meta(pictures[OWN]),
        "facts": common,
        "switched": [page.address for page in SHOWN if page.switched],
        "small": small(model.config),
        "long": [moment for its in common.values() for moment, price in its.get("prices", {}).items() if price],
        "files": list(fixed(pictures[OWN])),
        "pictures": {
            link: {
                "facts": {
                    stem: {name: value for name, value in its.items() if name not in common[stem]}
                    for stem, its in facts[link].items()
                },
                "caveat": caveat(it),
                **beside(it),
                "others": [other["id"] for its in facts[link].values() for other in its.get("others", [])],
            }
            for link, it in pictures.items()
        },
    }


def beside(selection: Selection) -> Json:
    """Other pictures by their links: that with which the class token is compared, the second one if none is chosen."""
    shown = selection.picture
    others = (it.id for it in samples().values() if it.id != shown.id and it.drawn == shown.drawn)
    return {
        "other": next(others),
        "second": second_run(selection).picture.link,
    }


def fixed(selection: Selection) -> Mapping[str, Callable[[], Arrays]]:
    """Numbers of pages that hang on no picture, by name."""
    return {name: make for page in SHOWN for name, make in scene.fixed(page, selection).items()}


def numbers(model: ModelChoice) -> Mapping[str, bytes]:
    """The parameters, what is `fixed`, and where a browser runs the model unasked, means for a part's place."""
    found = {"parameters": pack("", "parameters", engine().submit(requests.parameters_request(model)).result().value)}
    if small(model.config):
        means = engine().submit(requests.described_means_request(model)).result().value
        used = {which: mean for which, mean in means.items() if not which.endswith("attn.out")}  # it follows from z
        found["means"] = pack("", "means", used)
    return found | {name: pack("", name, make()) for name, make in fixed(Selection(model, first())).items()}


def pictures() -> list[Json]:
    """Those that come with the site."""
    return [{"link": it.id, "title": it.title, "alt": it.alt, "drawn": it.drawn} for it in samples().values()]
