"""A view as a notebook that repeats its numbers: with the library, and once more in plain PyTorch.

The notebook is written here as the JSON that it is, so that nothing has to be installed to write one, and the same view
is the same bytes; tests hold it to Jupyter's own rules (nbformat).
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz import __version__
from vitviz.calculation import Function
from vitviz.edits import Edits
from vitviz.machine.price import seconds
from vitviz.numbers import exact
from vitviz.plain import is_plain
from vitviz.takeaway.calculations import (
    Calculation,
    calculation_of,
    is_shown,
    names_of,
    parameters,
    places_of,
    title_of,
    values,
)
from vitviz.takeaway.data.axes import in_words
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.notebook.cells import code, says, word, written
from vitviz.takeaway.notebook.loading import config, model, moment, picture, where_model, where_picture
from vitviz.takeaway.notebook.proof import picture_digest
from vitviz.takeaway.notebook.scaling import Factors, factors_of, scaled
from vitviz.takeaway.notebook.scroll import sentences_of
from vitviz.takeaway.opening import Opened, sample
from vitviz.view import View

HERE = f"""\
from importlib import import_module

# Nothing is installed or changed here: it runs with the PyTorch that is there.
try:
    for name in ("torch", "einops", "plotly", "safetensors", "vitviz"):
        import_module(name)
except ImportError as error:
    raise ImportError(
        f"{{error}}: install vitviz by `pip install .` in its repository, or with a wheel of it beside this notebook "
        "by `pip install ./vitviz-{__version__}-py3-none-any.whl`; `--no-deps` leaves PyTorch as it is"
    ) from None"""
SCALED = (
    "## The edits, as factors of weights\n\nA head times a number is its columns of the output projection times it; "
    "attention, an MLP and a block are what leaves them times it."
)
MOST_SECONDS = 20  # of plain PyTorch, about: a notebook runs in a minute
OTHERS = "the numbers are others than those on screen"


def notebook(*views: Opened | View, file: str = "", donor: str = "", embed: bool = False) -> str:
    """The notebook of views that were opened, one after the other, as the text of an `.ipynb` file.

    Counts need no more than the view. An own picture is read from `file`, its name beside the notebook, and an own
    second picture of edits from `donor`; with `embed` the notebook holds what the model sees of them, without anything
    else that the files say. Raises `TakeawayError` where there is nothing of a view; of several, it is left out with
    that sentence.
    """
    whole = any(_calculation(it).uses("picture") for it in views)
    cells = [code(HERE)]
    before: Opened | View | None = None
    for it in views:
        try:
            cells += _section(it, before, file, donor, embed, whole)
            before = it
        except TakeawayError as error:
            if len(views) == 1:
                raise
            cells.append(says(f"# {title_of(it.view if isinstance(it, Opened) else it)}\n\n*Left out: {error}.*"))
    return written([cells[1], cells[0], *cells[2:]])  # what it is stands first


def _calculation(it: Opened | View) -> Calculation:
    return calculation_of(it.view if isinstance(it, Opened) else it)


def _section(
    it: Opened | View, before: Opened | View | None, file: str, donor: str, embed: bool, whole: bool
) -> list[dict[str, Any]]:
    """The cells of one view; model and picture are made once for views of the same that follow each other.

    With `whole`, all of the picture is there, for views that look at it in another way.
    """
    view, its = (it.view if isinstance(it, Opened) else it), _calculation(it)
    cells = [says(_opening(view, its))]
    if isinstance(it, Opened):
        numbers = values(view, it.trace, it.loaded, it.picture)
        loaded, seen = _shared(it, before)
        cells += [] if loaded else [_titled("The model", where_model(it)), code(model(it))]
        if not seen:
            all_of_it = (it.picture or sample(it.view.picture)) if whole else None
            own = picture(it.crop, it.view.picture, it.view.crop, file, embed, whole=all_of_it)
            cells += [_titled("The picture", where_picture(it.view.picture, file, embed)), code(own)]
        if it.donor:
            own = picture(it.donor, it.view.donor or "", None, donor, embed, "donor")
            title = "The second picture, which the edits put in"
            cells += [_titled(title, where_picture(it.view.donor, donor, embed)), code(own)]
    else:
        numbers = values(view)
    if view.learned is not None:
        cells += [says("## The moment of training"), code(moment(view.learned))]
    library = _library(view, its) if its.pictured else _counts(view, its)
    cells += [says("## The numbers of the view"), *([says(its.note)] if its.note else []), code(library)]
    cells += [says("## Measured anew"), code(f"{source(its.anew)}\n\n\n{_call(its.anew)}")] if its.anew else []
    if lacks := _lacks(view, its):
        cells += [says(f"*The same in plain PyTorch is left out: {lacks}.*")]
    else:
        factors = factors_of(view.edits) if its.plain and "w" in parameters(its.plain) else None
        cells += [says(SCALED), code(_scaled(factors))] if factors else []
        cells += [says("## The same in plain PyTorch"), code(_plain(its, scaled=bool(factors)))]
    if its.figure or is_shown(view):
        cells += [says("## The figure"), code(_drawn(its.figure) if its.figure else _figure(view))]
    cells += [says(its.after)] if its.after else []
    return [*cells, says("## The proof: these are the numbers that were on screen"), code(_proof(numbers, view, its))]


def _titled(title: str, sentence: str) -> dict[str, Any]:
    return says(f"## {title}\n\n{sentence}".rstrip())


def _shared(it: Opened, before: Opened | View | None) -> tuple[bool, bool]:
    """Whether model, and model and picture, are those of the view before."""
    if not isinstance(before, Opened):
        return False, False
    view, other = it.view, before.view
    model = (view.model, view.config, view.seed) == (other.model, other.config, other.seed)
    seen = view.picture == other.picture and picture_digest(it.crop) == picture_digest(before.crop)
    return model, model and seen


def _lacks(view: View, its: Calculation) -> str:
    """Why the notebook does without plain PyTorch; nothing where it has that."""
    config, passes = view.config, its.passes(view.config)
    if its.plain is None:
        return its.lacks
    if its.pictured and factors_of(view.edits) is None:
        return "the forward pass is edited, which 25 lines do not hold; `vitviz/model.py` does"
    if not (its.of_any or is_plain(config)):
        return "this model has more than the paper's, which 25 lines do not hold; `vitviz/model.py` does"
    if passes * seconds(config) > MOST_SECONDS:
        return f"it would take {exact(passes)} forward passes of this model; of a smaller one the notebook has it"
    return ""


def _opening(view: View, its: Calculation) -> str:
    names = names_of(view)
    chosen = [f"{name} {names[name] + 1}" for name in ("layer", "head") if its.uses(name)]
    after = f" after {view.learned} steps of training" if view.learned is not None else ""
    named = its.pictured or its.uses("config") or after
    model = [f"the model `{word(PurePath(view.model).name)}`{after}"] if named else []
    edited = f" Edited: `{word(str(view.edits))}`." if its.pictured and view.edits else ""
    where = f": {', '.join([*model, *chosen])}" if model else ""
    opening = "\n\n".join([f"# {title_of(view)}", *sentences_of(view)])
    return (
        f"{opening}\n\n{its.says[0].upper()}{its.says[1:]} ({in_words(its.axes)}){where}.{edited}\n\n"
        f"Made with vitviz {__version__}. The last cell asserts that this notebook makes the numbers that were on "
        "screen: change a line above it, and see."
    )


def _chosen(view: View, its: Calculation) -> list[str]:
    """What is chosen, as far as the numbers depend on it."""
    names = {name: value for name, value in names_of(view).items() if its.uses(name)}
    places = [name for name in places_of(view) if name in names]
    listed = ", ".join(str(names.pop(name)) for name in places)
    counted = f"{', '.join(places)} = {listed}  # {'all count' if len(places) > 1 else 'counts'} from 0"
    return [*([counted] if places else []), *(f"{name} = {value!r}" for name, value in names.items())]


def _library(view: View, its: Calculation) -> str:
    imports = ["from vitviz.edits import Edits"] if view.edits else []
    imports += ["from vitviz.edits.running import reference_means"] if view.edits.needs_means else []
    return "\n".join(
        [
            *imports,
            "from vitviz.trace import record",
            "",
            *_chosen(view, its),
            "trace = record(loaded.model, image)",
            *_edited(view.edits),
            *_calls_of(its),
            "values.shape",
        ]
    )


def lines(view: View) -> str:
    """The lines of a notebook that make the numbers of a view from what is known by then."""
    its = calculation_of(view)
    return "\n".join([*_chosen(view, its), *_calls_of(its)]).lstrip()


def _calls_of(its: Calculation) -> list[str]:
    """The functions that make the numbers, and their calls."""
    functions = its.needed(its.make)
    sources = [line for function in (*functions.values(), its.make) for line in ("", "", source(function))]
    return [*sources, "", "", *_calls(functions), f"values = {_call(its.make)}"]


def _calls(functions: Mapping[str, Function]) -> list[str]:
    return [f"{name} = {_call(function)}" for name, function in functions.items()]


def _call(function: Function) -> str:
    return f"{function.__name__}({', '.join(parameters(function))})"


def _edited(edits: Edits) -> list[str]:
    """The run with edits, which begins with the plain one; with what they put in."""
    if not edits:
        return []
    put_in = ", donor=record(loaded.model, donor)" if edits.needs_donor else ""
    put_in += ", means=reference_means(loaded)" if edits.needs_means else ""
    return [
        f'edits = Edits.parse("{edits}", config)',
        f"trace = record(loaded.model, image, edits=edits, plain=trace{put_in})",
    ]


def _counts(view: View, its: Calculation) -> str:
    sized = its.uses("config")
    return "\n".join(
        [
            "import numpy as np",
            "",
            *(["from vitviz.config import ViTConfig", "", f"config = {config(view)}"] if sized else []),
            *_chosen(view, its),
            *_calls_of(its),
            "values",
        ]
    )


def _scaled(factors: Factors) -> str:
    listed = [f'    ("{layer}", {head}): {factor:g},' for (layer, head), factor in factors.items()]
    call = ["w = scaled(loaded.model.state_dict(), config, {", *listed, "})"]
    return "\n".join([source(scaled), "", "", *call])


def _plain(its: Calculation, scaled: bool) -> str:
    assert its.plain is not None
    ours = its.needed(its.make)
    theirs = {name: function for name, function in its.needed(its.plain).items() if name not in ours}
    text = "\n\n\n".join(map(source, (*theirs.values(), *its.sources)))
    imports = [] if its.pictured else ["import torch"]
    imports += ["from torch.nn import functional as F"] if "F." in text else []
    names = [name for name in ("unedited_w", *([] if scaled else ["w"])) if name in parameters(its.plain)]
    weights = [f"{' = '.join(names)} = loaded.model.state_dict()"] if names else []
    calls = [*_calls(theirs), f"plain = {_call(its.plain)}.numpy()", "abs(plain - values).max()"]
    return "\n".join([*imports, "", "", text, "", "", *weights, *calls]).lstrip()


def source(function: Function) -> str:
    """The source of a function without its types, whose names a notebook does not have."""
    text = textwrap.dedent(inspect.getsource(function))
    (tree,) = ast.parse(text).body
    assert isinstance(tree, ast.FunctionDef)
    body = text.splitlines()[tree.body[0].lineno - 1 :]
    return "\n".join([f"def {_call(function)}:", *body])


def _drawn(figure: Function) -> str:
    """What draws the numbers, by Plotly."""
    imports = "from vitviz.figures.plotly import plotly_figure"
    return f"{imports}\n\n\n{source(figure)}\n\n\nplotly_figure({_call(figure)})"


def _figure(view: View) -> str:
    words = [f"{name}={number}" for name, number in places_of(view).items() if name != "patch"]
    words += [f'shows="{view.shows}"'] if view.shows != "row" else []
    if calculation_of(view) is not calculation_of(replace(view, choices={})):
        words.append(f'moment="{view.choices["moment"]}"')
    return f'import vitviz\n\nvitviz.show("{view.page}", trace, loaded, {", ".join(words)})'


def _proof(numbers: NDArray[Any], view: View, its: Calculation) -> str:
    flat = np.ascontiguousarray(numbers, "<i8" if numbers.dtype.kind == "i" else "<f4")
    packed = textwrap.wrap(b64encode(flat.tobytes()).decode(), 100)
    quoted = "\n".join(f'    "{line}"' for line in packed)
    names = ["values"] if _lacks(view, its) else ["values", "plain"]
    near = "atol=1e-5, equal_nan=True" if np.isnan(numbers).any() else "atol=1e-5"  # of what no share can be told
    asserts = [
        f'assert {name}.shape == given.shape and np.allclose({name}, given, {near}), "{OTHERS}"' for name in names
    ]
    return "\n".join(
        [
            "from base64 import b64decode",
            "",
            "given = np.frombuffer(b64decode(",
            quoted,
            f'), "{flat.dtype.str}").reshape({numbers.shape})',
            *asserts,
            f'print("{exact(numbers.size)} numbers are those that were on screen")',
        ]
    )
