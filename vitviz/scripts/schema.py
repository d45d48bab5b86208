"""What can be chosen, for the browser: modules of data and their types, written from the declarations of Python.

`make schema` writes them beside the scripts that read them; where they are stale a test says so, and which change
breaks what a script may have held on to.
"""

import json
import sys
from typing import Any, Literal, NotRequired, Required, TypedDict, get_args, is_typeddict

import numpy as np

from vitviz import messages
from vitviz.activations import INSIDE, ONCE
from vitviz.addresses.place import COUNTED, LEAST_SIDE, MOST_SIDE, SECOND, TOKENS, Counted
from vitviz.addresses.words import DRAWERS, HOME, LECTURES, OF_A_VISIT
from vitviz.choices import HERE_ALONE, LEAVES, SWITCHES
from vitviz.edits.edit import KINDS, Kind
from vitviz.figures.figure import Axis, Figure, Handle, Key, Panel, Plane, Stop
from vitviz.figures.live.message import LEFT_OUT
from vitviz.figures.marks import Area, Bars, Dash, Grid, Line, Mark, Points, Rule, Shape, Spot, Text
from vitviz.images import containers, opening, says
from vitviz.installed import FRONTEND
from vitviz.lecture.rooms.shapes import BINS
from vitviz.lecture.rooms.votes import FULL
from vitviz.pages import LEADS, PAGES, TEACHES
from vitviz.scripts.typescript import breaks, module, types

FOLDER = FRONTEND / "schema"


class Grammar(TypedDict, total=False):
    """What a word of edits may say, as `Kind` of vitviz/edits; as a rule its sign is "=", and "*1" neutral."""

    layer: Literal["one", "any"]
    places: Literal["heads", "patches", "tokens", "patch"]
    words: list[str]
    usual: str
    seeded: str
    sign: Literal["*"]
    least: float
    most: float | Literal["tokens", "patches", "furthest"]
    whole: bool
    neutral: str
    does: dict[str, str]
    runs: bool


class Wording(TypedDict):
    """How people say what a word of edits does: `done` by what stands behind its sign, "#" for any other number.

    Where another word says the same of it, `done` is the letter of that.
    """

    says: str
    done: dict[str, str] | str
    runs: NotRequired[tuple[str, str]]
    together: NotRequired[str]


# Of figures what the browser is given as it is; what the others become, types/figure.d.ts says.
SHAPES = (Figure, Panel, Axis, Key, Stop, Handle, Plane, Bars, Points, Area, Line, Spot, Text, Rule, Grid)
OTHERS = 'import type { Colours, Heat, Numbers, Picture, Says } from "../types/figure.js";\n'
NAMES = {Mark: "Mark", Dash: "Dash", Shape: "Shape", np.ndarray: "Numbers"} | dict.fromkeys(LEFT_OUT, "")

Read = Literal["token", "crop", "edits", "donor", "moment"]  # how a word of an address is read
OPEN = ["", *DRAWERS]
SELECTION = """
/** What is chosen, or previewed, by the words of an address; layers, heads, tokens and components count from 0. */
export interface Selection {
    page: string;
"""
# What their names do not say.
SAYS = {
    "beside": "A second head, to be seen beside the first.",
    "key": "A token, or STRONGEST where none was chosen.",
    "answer": "A class, or NONE where none was chosen: then the most probable.",
    "against": "A class that it is compared with, or NONE.",
    "removed": "How many patches are gone.",
    "randomised": "How many parts of the model are drawn anew, from the head down.",
    "learned": "Steps of training after which the model is looked at, or NONE: as it is.",
    "crop": 'The square of the picture that the model sees, "left-top-side" in thousandths; "" for its own choice.',
    "edits": 'What is changed in the forward pass; "" where nothing is.',
    "donor": 'The sample that is the second picture, for edits that take states or pixels from one; "" for none.',
    "moment": 'By its name; "" on a page without moments.',
}


# Of a picture file, in pixels, bytes and parts.
LIMITS = {
    "pixels": containers.MOST_PIXELS,
    "deep": containers.MOST_DEEP_PNG_PIXELS,
    "webp": containers.MOST_WEBP_PIXELS,
    "coefficients": containers.MOST_COEFFICIENTS,
    "runs": containers.MOST_RUN_LENGTH_PIXELS,
    "run-bytes": containers.MOST_RUN_LENGTH_BYTES,
    "parts": containers.MOST_PARTS,
    "passes": containers.MOST_PASSES,
    "bytes": opening.MOST_BYTES,
    "ratio": opening.LONGEST_RATIO,
    "side": opening.SIDE,
    "rows": opening.ROWS,
    "kept": opening.MOST_KEPT,
}


class Numbered(TypedDict, total=False):
    """A number of an address, as `Counted` of vitviz/addresses; its least, usual and before are 1 as a rule."""

    most: Required[Literal["depth", "heads", "dim", "classes"] | int]
    least: int
    usual: int | None
    before: int


def word(its: Counted) -> dict[str, Any]:
    """A number of an address as `Numbered`."""
    usual = Counted._field_defaults
    return {name: it for name, it in its._asdict().items() if name not in usual or it != usual[name]}


def words() -> dict[str, Any]:
    """What the board holds of an address, in the order of its words: numbers, one of few texts, or how it is read."""
    numbers = {name: word(its) for name, its in COUNTED.items()}
    of_code = {name: it for name, it in numbers.items() if "before" in it}
    from_1 = {name: it for name, it in numbers.items() if name not in of_code}
    read = {name: name for name in ("crop", "edits", "donor")}
    few = {name: list(SWITCHES[name]) for name in sorted(SWITCHES)}
    return {**from_1, **dict.fromkeys(TOKENS, "token"), **of_code, **read, **few, "moment": "moment", "open": OPEN}


def selection() -> str:
    """What is chosen as an interface of TypeScript: a field for each of `words`, found by its name as well."""
    lines = [SELECTION]
    for name, its in words().items():
        type_ = "number" if its == "token" or isinstance(its, dict) else "string"
        lines += [f"    /** {SAYS[name]} */\n"] if name in SAYS else []
        lines.append(f"    {name}: {' | '.join(map(json.dumps, its)) if isinstance(its, list) else type_};\n")
    return "".join([*lines, "    [word: string]: string | number;\n}\n"])


def grammar(kind: Kind) -> dict[str, Any]:
    """A kind of edits as `Grammar`."""
    its = {name: getattr(kind, name) for name in ("layer", "places", "usual", "neutral")}
    its |= {"runs": bool(kind.runs), "words": list(kind.words), "does": dict(kind.does)}
    if kind.range and kind.places != "patch":
        its |= {name: getattr(kind.range, name) for name in ("least", "most", "whole", "sign")}
    seeded = {} if kind.seeded is None else {"seeded": kind.seeded}
    return {name: it for name, it in its.items() if it and it not in ("=", "*1")} | seeded


def wordings() -> dict[str, Wording]:
    """The kinds of edits by their letters as people say them, what is done alike once."""
    found = {kind.letter: wording(kind) for kind in KINDS.values()}
    first: dict[str, str] = {}
    for letter, its in found.items():
        if (same := first.setdefault(str(its["done"]), letter)) != letter:
            its["done"] = same
    return found


def wording(kind: Kind) -> Wording:
    """A kind of edits as people say it."""
    done = {"" if word == kind.usual else word: it for word, it in kind.words.items()}
    done |= {number or "#": it for number, it in (kind.range.texts if kind.range else {}).items()}
    found: Wording = {"says": kind.says, "done": done}
    if kind.runs:
        found["runs"] = kind.runs
    if kind.together:
        found["together"] = kind.together
    return found


def files() -> dict[str, str]:
    """The texts of all files by their names."""
    shapes = [Grammar, Wording, Numbered, *filter(is_typeddict, vars(messages).values())]
    return {
        "edits.js": module(KINDS=("Record<string, Grammar>", {it.letter: grammar(it) for it in KINDS.values()})),
        "wording.js": module(WORDING=("Record<string, Wording>", wordings())),
        "figure.d.ts": types(
            *SHAPES, imports=OTHERS, known=NAMES, kinds=get_args(Mark), Mark=Mark, Dash=Dash, Shape=Shape
        ),
        "types.d.ts": types(
            *shapes,
            imports='import type { Figure } from "./figure.js";\n',
            known={messages.Drawn: "Figure"},
            Read=Read,
            ColumnData=messages.ColumnData,
            Made=messages.Made,
            Taught=messages.Taught,
            Message=messages.Message,
            Vote=messages.Vote,
        )
        + selection(),
        "visit.js": module(LECTURES=("string[]", LECTURES), OF_A_VISIT=("string[]", OF_A_VISIT)),
        "patches.js": module(INSIDE=("string[]", INSIDE), ONCE=("string[]", ONCE)),
        "pages.js": module(FIRST=("string", next(iter(PAGES))), HERE_ALONE=("string[]", HERE_ALONE)),
        "lectures.js": module(
            LEADS=("string", LEADS.address), TEACHES=("string", TEACHES.address), HOME=("string", HOME)
        ),
        "guesses.js": module(BINS=("number", BINS), FULL=("number", FULL)),
        "pictures.js": module(
            LIMITS=("Record<string, number>", LIMITS),
            SIGNATURES=("Record<string, string>", says.SIGNATURES),
            OTHER_FORMATS=("Record<string, string>", says.OTHER_FORMATS),
            REFUSALS=("Record<string, string>", says.REFUSALS),
            KINDS=("Record<string, string>", says.KINDS),
            SMALLER=("Record<string, string>", says.SMALLER),
            NOTES=("Record<string, string>", says.NOTES),
        ),
        "words.js": module(
            WORDS=("Record<string, Numbered | Read | string[]>", words()),
            LEAVES=("string[]", LEAVES),
            SIDES=("number[]", (LEAST_SIDE, MOST_SIDE)),
            SECOND=("string", SECOND),
        ),
    }


def main() -> None:
    """Write the files, and say which change breaks something."""
    for name, text in files().items():
        path = FOLDER / name
        for sentence in breaks(path.read_text(encoding="utf-8"), text) if path.is_file() else ():
            print(sentence, file=sys.stderr)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
