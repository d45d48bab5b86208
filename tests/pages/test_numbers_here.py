"""The numbers that a browser makes itself beside Python's: each array of each parcel, at every moment of every page.

What a page without a server does not have is `LACKS`, with the reason.
"""

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import decompress

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.unit.ui.test_board import unpack
from vitviz import results
from vitviz.board import numbers
from vitviz.board.address import read_words
from vitviz.board.meta import meta, strip
from vitviz.installed import APP
from vitviz.pages import PAGES
from vitviz.results import requests
from vitviz.results.asking import engine
from vitviz.samples import samples
from vitviz.scripts.fitting import forward_sizes
from vitviz.scripts.parcels import pack
from vitviz.selection import FIRST_MODEL, PHOTO_MODEL, ModelChoice, Selection
from vitviz.shelf.rows import SHELF
from vitviz.site.models import description, fixed

pytestmark = pytest.mark.long  # each model by itself
Arrays = Mapping[str, NDArray[Any]]
NODE = Path(__file__).parents[1] / "frontend/numbers/answers.js"
CLOSE = 1e-4  # of what the numbers of an array range over
HERE = {name: page for name, page in PAGES.items() if (page.folder / "numbers.js").is_file()}
MODELS = {
    FIRST_MODEL: ("left", "tabby"),
    ModelChoice("shelf_learned_2d_0", SHELF["shelf_learned_2d_0"]): ("right",),
    ModelChoice("shelf_registers_0", SHELF["shelf_registers_0"]): ("above",),
    PHOTO_MODEL: ("sailboat",),
}
# What a page without a server does not have, by page and the beginning of the name, and why.
LACKS = {
    ("intervene", r"(heads|patches) "): "a browser that has this asks everything once itself",
    ("intervene", r"accuracy "): "the scenes that are answered are drawn by Python",
    (
        "why_this_answer",
        r"randomised-",
    ): "a model is drawn anew by PyTorch's chance",
    ("why_this_answer", r"trial-(?!means)"): "a model that is not small is put to trial by Python alone",
}
# Whole numbers that stand for others, one step from the right one at most: a rounding may fall either way.
STEPS = ("code", "light", "matrices")
# Differences of two passes, which are rounding alone where nothing moves: held to the size of what the passes are of.
OF_PASSES, ROUNDING = ("moved", "stayed", "logits", "with"), 1e-5
AS_GOOD = 1.1  # times the error of Python's own rounding to bytes
HALVES = 2**-11  # of a number of 16 bits, by which two that are rounded differ beside
HANDED_ON = "cropping"  # has the whole picture, which a browser has from its visitor, in whatever kind of file
# Addresses beside those of every moment, of the first picture alone.
DONOR = "below"
MORE = (
    "page=heads&shows=rollout&query=14&layer=3",
    "page=what_a_token_knows&moment=elsewhere&of=k&layer=2&query=60",
    "page=what_a_token_knows&moment=alike&of=pixels&query=60&covered=yes",
    "page=why_this_answer&moment=maps&answer=3&against=5",
    "page=why_this_answer&moment=sum&answer=2&against=7",
    "page=why_this_answer&moment=trial&fill=blur",
    "page=why_this_answer&moment=trial&fill=mean",
    "page=heads&learned=100",
    "page=intervene&runs=server&edits=h1.1*0 m2=mean&layer=2&query=3",
    "page=intervene&runs=server&edits=r2.5 p3=paste&donor=" + DONOR,
    "page=heads&edits=h2.1-2*0&switches=open&runs=server&layer=3",
    "page=depth&edits=b2*0.5 p7=grey&query=12",
    "page=query_key_value&edits=t=2 k2=9&layer=2&query=12&runs=server",
    "page=class_head&moment=way&edits=e=shuffled@3&query=12&runs=server",
)


def words_of(model: ModelChoice, picture: str) -> list[str]:
    """Addresses at which every page is asked, one at least for each moment."""
    place = "&query=class&layer=1", "&query=38&layer=3"
    moments = [(name, moment.name) for name, page in HERE.items() for moment in page.moments(model.config)]
    asked = [f"page={name}&moment={moment}{place[at % 2]}" for at, (name, moment) in enumerate(moments)]
    return [*asked, *(MORE if (model, picture) == (FIRST_MODEL, MODELS[FIRST_MODEL][0]) else ())]


def told(selection: Selection) -> dict[str, Any]:
    """What the browser is told of a model and a picture beside the parameters, as a site tells it."""
    its = described(selection.model)
    of_picture = its["pictures"][selection.picture.id]
    return {
        "meta": meta(selection),
        **{name: its["rule"][name] for name in ("mean", "std")},
        **{name: its[name] for name in ("labels", "switched", "small", "long")},
        **{name: of_picture[name] for name in ("other", "second", "others")},
        "files": {name: f"{name}.bin" for name in its["files"]},
    }


described = cache(description)


@cache
def files_of(selection: Selection) -> Mapping[str, Arrays]:
    """What hangs on no picture."""
    return {name: make() for name, make in fixed(selection).items()}


@pytest.fixture(scope="module", params=MODELS, ids=lambda it: it.name)
def model(request: pytest.FixtureRequest) -> ModelChoice:
    found: ModelChoice = request.param
    return found


@pytest.fixture(scope="module")
def found(model: ModelChoice, tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], Arrays]:
    """What the browser's code answers of every picture of a model: the arrays of each name."""
    folder = tmp_path_factory.mktemp(model.name)
    pictures = MODELS[model]
    runs: list[dict[str, Any]] = [
        {"picture": it, "edits": "", "words": words_of(model, it), "told": told(of(model, it))} for it in pictures
    ]
    arrays = engine().submit(requests.parameters_request(model)).result().value
    (folder / "parameters.bin").write_bytes(pack("", "parameters", arrays))
    wanted = {*pictures, DONOR, *(link for run in runs for link in links_of(run["told"]))}
    for link in wanted:
        whole = np.frombuffer(samples()[link].data, np.uint8)
        seen: dict[str, NDArray[Any]] = {"patches": results.patches(of(model, link)), "whole": whole}
        (folder / f"{link}.bin").write_bytes(pack("", link, seen))
    for name, its in files_of(of(model, pictures[0])).items():
        (folder / f"{name}.bin").write_bytes(pack("", name, its))
    if model.config.classes:
        means = engine().submit(requests.described_means_request(model)).result().value
        (folder / "means.bin").write_bytes(pack("", "means", means))
    asked = {
        "config": forward_sizes(model.config),
        "stages": strip(model.config, False)["stages"],
        "pages": {name: str(page.folder / "numbers.js") for name, page in HERE.items()},
        "runs": runs,
    }
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    subprocess.run(["node", NODE, folder], check=True, cwd=APP)
    answers = (folder / "answers.bin").read_bytes()
    start = 4 + int.from_bytes(answers[:4], "little")
    by_name: dict[tuple[str, str], Arrays] = {}
    for length in json.loads(answers[4:start])["bundle"]:
        _, name, its = unpack(answers[start : start + length])
        at, _, name = name.partition(" ")
        by_name[pictures[int(at)], name] = its
        start += length
    return by_name


def links_of(told: Mapping[str, Any]) -> Sequence[str]:
    return told["other"], told["second"], *told["others"]


@cache
def of(model: ModelChoice, picture: str) -> Selection:
    return Selection(model, samples()[picture])


def test_every_array_of_every_moment_is_pythons(model: ModelChoice, found: Mapping[tuple[str, str], Arrays]) -> None:
    wrong = []
    for picture in MODELS[model]:
        seen: set[str] = set()
        for words in words_of(model, picture):
            split = dict(it.split("=", 1) for it in words.split("&"))
            page = PAGES[split["page"]]
            selection = replace(of(model, picture), donor=samples()[split["donor"]] if "donor" in split else None)
            wanted = dict(numbers.parcels(page, selection, read_words(split, model.config, split["page"])))
            lacking = {name for name in wanted if lacks(split["page"], name)}
            names = bytes(found[picture, f"names {words}"]["names"]).decode().split("\n")
            assert names == [name for name in wanted if name not in lacking], words
            for name in [it for it in names if it not in seen]:
                arrays = dict(wanted[name]())
                if name == HANDED_ON:
                    arrays["picture"] = np.frombuffer(samples()[picture].data, np.uint8)
                wrong += [f"{picture} {words} {name}: {it}" for it in differences(found[picture, name], arrays)]
            seen |= set(names)
    assert not wrong, "\n".join(wrong)


def test_every_scene_with_numbers_makes_them_here() -> None:
    assert [name for name, page in PAGES.items() if (page.folder / "scene.py").is_file()] == list(HERE)


def lacks(page: str, name: str) -> bool:
    return any(page == where and re.match(what, name) for where, what in LACKS)


def differences(found: Arrays, wanted: Arrays) -> list[str]:
    """Where arrays are not those that they should be."""
    if list(found) != list(wanted):
        return [f"{list(found)} and not {list(wanted)}"]
    if "there" in wanted:
        return in_directions(found, wanted)
    wrong = (differs(name, found[name], np.asarray(wanted[name])) for name in wanted)
    return [it for it in wrong if it]


def differs(name: str, found: NDArray[Any], wanted: NDArray[Any]) -> str:
    """Why an array is not the wanted one, or ""."""
    if name.startswith("picture"):
        return "" if np.array_equal(pixels(found), pixels(wanted)) else f"{name}: other pixels"
    if name == "labels":
        return "" if json.loads(bytes(found)) == json.loads(bytes(wanted)) else f"{name}: other names"
    if name == "light":
        found, wanted = (np.frombuffer(decompress(bytes(it)), np.uint8) for it in (found, wanted))
        found, wanted = (np.stack([it & 15, it >> 4]) for it in (found, wanted))
    if found.shape != wanted.shape:
        return f"{name}: {found.shape} and not {wanted.shape}"
    if sent(found) != sent(wanted):
        return f"{name}: {found.dtype} and not {wanted.dtype}"
    there = np.isfinite(wanted)
    if not np.array_equal(np.where(there, 0, wanted), np.where(np.isfinite(found), 0, found), equal_nan=True):
        return f"{name}: other numbers are none"
    if not there.any():
        return ""
    off = np.abs(found[there].astype(np.float64) - wanted[there].astype(np.float64))
    if name == "histogram":  # a product on the border of two bins may be counted in either
        moved = off.sum() / 2
        return "" if moved <= CLOSE * wanted.sum() + 1 else f"{name}: {moved} pairs are in other bins"
    if wanted.dtype.kind in "ui":
        most = float(name in STEPS)
    else:
        most = CLOSE * float(np.ptp(wanted[there]) or np.abs(wanted[there]).max() or 1)
    if wanted.dtype == np.float16:
        most += HALVES * float(np.abs(wanted[there]).max())
    if (name in OF_PASSES and found.size == 1) or name == "error":
        most = max(most, ROUNDING)
    return "" if off.max() <= most else f"{name}: off by {off.max():.3g}, and {most:.3g} may be"


def in_directions(found: Arrays, wanted: Arrays) -> list[str]:
    """The same of vectors in main directions, which have no sign, a byte each: their products are nearly cosines."""
    off = float(np.abs(cosines_of(found) - cosines_of(wanted)).max())
    errors = [float(it["error"][0]) for it in (found, wanted)]
    wrong = [f"cosines: off by {off:.3g}, and {sum(errors):.3g} may be"] if off > sum(errors) else []
    return wrong + ([f"error: {errors}"] if errors[0] > AS_GOOD * errors[1] else [])


def cosines_of(its: Arrays) -> NDArray[Any]:
    """Those from the patches here to those there."""
    here, there = (its[name].astype(np.float32) * its["steps"] for name in ("here", "there"))
    return here @ there.reshape(-1, here.shape[1]).T


def sent(array: NDArray[Any]) -> str:
    """As what kind of numbers it reaches the board: those of 16 bits are numbers of 32 there."""
    return "float32" if array.dtype == np.float16 else str(array.dtype)


def pixels(file: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(Image.open(BytesIO(bytes(file))))
