"""The numbers that a browser makes itself beside Python's: each array of each parcel, at every moment of every page.

What a page without a server does not have is `LACKS`, with the reason.
"""

import json
import subprocess
from collections.abc import Mapping, Sequence
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
from vitviz.board.pictures import second_run
from vitviz.installed import APP
from vitviz.pages import PAGES
from vitviz.results import requests
from vitviz.results.asking import engine
from vitviz.samples import of_world, samples
from vitviz.scripts.fitting import forward_sizes
from vitviz.scripts.parcels import pack
from vitviz.selection import FIRST_MODEL, ModelChoice, Selection
from vitviz.shelf.rows import SHELF

Arrays = Mapping[str, NDArray[Any]]
NODE = Path(__file__).parents[1] / "frontend/numbers/answers.js"
CLOSE = 1e-4  # of what the numbers of an array range over
HERE = {name: page for name, page in PAGES.items() if (page.folder / "numbers.js").is_file()}
MODELS = {
    FIRST_MODEL: ("left", "cat", "tabby"),
    ModelChoice("shelf_learned_2d_0", SHELF["shelf_learned_2d_0"]): ("right",),
    ModelChoice("shelf_registers_0", SHELF["shelf_registers_0"]): ("above",),
}
# What a page without a server does not have, by page and the beginning of the name, and why.
LACKS: dict[tuple[str, str], str] = {}
# Whole numbers that stand for others, one step from the right one at most: a rounding may fall either way.
STEPS = ("code", "light", "matrices")
# Differences of two passes, which are rounding alone where nothing moves: held to the size of what the passes are of.
OF_PASSES, ROUNDING = ("moved", "stayed", "logits", "with"), 1e-5
HANDED_ON = "cropping"  # has the whole picture, which a browser has from its visitor, in whatever kind of file
# Addresses beside those of every moment.
MORE = ("page=heads&shows=rollout&query=14&layer=3",)


def words_of(model: ModelChoice) -> list[str]:
    """Addresses at which every page is asked, one at least for each moment."""
    place = "&query=class&layer=1", "&query=38&layer=3"
    moments = [(name, moment.name) for name, page in HERE.items() for moment in page.moments(model.config)]
    asked = [f"page={name}&moment={moment}{place[at % 2]}" for at, (name, moment) in enumerate(moments)]
    return [*asked, *(it for it in MORE if it.split("&")[0][5:] in HERE)]


def told(selection: Selection) -> dict[str, Any]:
    """What the browser is told of a model and a picture beside the parameters."""
    preprocess = results.model_info(selection.model).preprocess
    labels = results.labels(selection)
    others = (it for it in samples().values() if it.id != selection.picture.id and it.drawn == selection.picture.drawn)
    return {
        "meta": meta(selection),
        "labels": labels if isinstance(labels, tuple) else [],
        "mean": preprocess.mean,
        "std": preprocess.std,
        "other": next(others).link,
        "second": second_run(selection).picture.link,
        "others": [it for it in of_world(selection.model.name) if it != selection.picture.id],
        "switched": [name for name, page in PAGES.items() if page.switched],
        "files": {},
    }


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
        {"picture": it, "edits": "", "words": words_of(model), "told": told(of(model, it))} for it in pictures
    ]
    arrays = engine().submit(requests.parameters_request(model)).result().value
    (folder / "parameters.bin").write_bytes(pack("", "parameters", arrays))
    wanted = {*pictures, *(link for run in runs for link in links_of(run["told"]))}
    for link in wanted:
        whole = np.frombuffer(samples()[link].data, np.uint8)
        seen: dict[str, NDArray[Any]] = {"patches": results.patches(of(model, link)), "whole": whole}
        (folder / f"{link}.bin").write_bytes(pack("", link, seen))
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
        for words in words_of(model):
            split = dict(it.split("=") for it in words.split("&"))
            page = PAGES[split["page"]]
            wanted = dict(numbers.parcels(page, of(model, picture), read_words(split, model.config, split["page"])))
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


def lacks(page: str, name: str) -> bool:
    return any(page == where and name.startswith(what) for where, what in LACKS)


def differences(found: Arrays, wanted: Arrays) -> list[str]:
    """Where arrays are not those that they should be."""
    if list(found) != list(wanted):
        return [f"{list(found)} and not {list(wanted)}"]
    wrong = (differs(name, found[name], np.asarray(wanted[name])) for name in wanted)
    return [it for it in wrong if it]


def differs(name: str, found: NDArray[Any], wanted: NDArray[Any]) -> str:
    """Why an array is not the wanted one, or ""."""
    if name == "picture":
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
    off = np.abs(found.astype(np.float64) - wanted.astype(np.float64))
    if not np.array_equal(np.isfinite(found), np.isfinite(wanted)):
        return f"{name}: other numbers are none"
    off = off[np.isfinite(wanted)]
    if name == "histogram":  # a product on the border of two bins may be counted in either
        moved = off.sum() / 2
        return "" if moved <= CLOSE * wanted.sum() + 1 else f"{name}: {moved} pairs are in other bins"
    if wanted.dtype.kind in "ui":
        most = float(name in STEPS)
    else:
        most = CLOSE * float(np.ptp(wanted[np.isfinite(wanted)], axis=None) or np.abs(wanted).max() or 1)
    if name in OF_PASSES and found.size == 1:
        most = max(most, ROUNDING)
    return "" if off.max(initial=0) <= most else f"{name}: off by {off.max():.3g}, and {most:.3g} may be"


def sent(array: NDArray[Any]) -> str:
    """As what kind of numbers it reaches the board: those of 16 bits are numbers of 32 there."""
    return "float32" if array.dtype == np.float16 else str(array.dtype)


def pixels(file: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(Image.open(BytesIO(bytes(file))))
