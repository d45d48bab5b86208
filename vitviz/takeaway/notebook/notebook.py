"""A view as a notebook that repeats its numbers: with the library, and once more in plain PyTorch.

The notebook is written here as the JSON that it is, so that nothing has to be installed to write one, and the same view
is the same bytes; tests hold it to Jupyter's own rules (nbformat).
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz import __version__
from vitviz.config import FIELDS, ViTConfig
from vitviz.edits import Edits
from vitviz.images import Crop
from vitviz.numbers import exact
from vitviz.pretrained import PRETRAINED
from vitviz.takeaway.kinds import Kind, kind_of, names_of, values
from vitviz.takeaway.notebook.plain import is_plain
from vitviz.takeaway.notebook.proof import parameters_digest, picture_digest
from vitviz.takeaway.opening import Opened
from vitviz.takeaway.view import OWN, View

INSTALL = '%pip install --quiet "vitviz[notebook]"'
HINTS = re.compile(r": (?:Weights|Tensor|ViTConfig|int|str)\b| -> [^:]+(?=:)")
PICTURE = "the picture is another than the one on screen"
MODEL = "the parameters are others than those on screen"
OTHERS = "the numbers are others than those on screen"


def notebook(*views: Opened | View, file: str = "", donor: str = "", embed: bool = False) -> str:
    """The notebook of views that were opened, one after the other, as the text of an `.ipynb` file.

    Counts need no more than the view. An own picture is read from `file`, its name beside the notebook, and an own
    second picture of edits from `donor`; with `embed` the notebook holds what the model sees of them, without anything
    else that the files say.
    """
    cells = [_code(INSTALL)]
    for before, it in zip((None, *views), views, strict=False):
        cells += _section(it, before, file, donor, embed)
    return _written([cells[1], cells[0], *cells[2:]])  # what it is stands first


def _section(
    it: Opened | View, before: Opened | View | None, file: str, donor: str, embed: bool
) -> list[dict[str, Any]]:
    """The cells of one view; model and picture are made once for views of the same that follow each other."""
    view, trace = (it.view, it.trace) if isinstance(it, Opened) else (it, None)
    kind = kind_of(view)
    given = values(view, trace)
    cells = [_says(_opening(view, kind))]
    if isinstance(it, Opened):
        loaded, seen = _shared(it, before)
        cells += [] if loaded else [_says("## The model"), _code(_model(it))]
        if not seen:
            cells += [_says("## The picture"), _code(_picture(it.crop, it.view.picture, it.view.crop, file, embed))]
        if it.donor:
            own = _picture(it.donor, it.view.donor or "", None, donor, embed, "donor")
            cells += [_says("## The second picture, which the edits put in"), _code(own)]
    cells += [_says("## The numbers of the view"), _code(_library(view, kind) if trace else _counts(view, kind))]
    if _has_plain(view, kind):
        cells += [_says("## The same in plain PyTorch"), _code(_plain(kind))]
    else:
        cells += [_says(_no_plain(view))]
    if trace:
        cells += [_says("## The figure"), _code(_figure(view))]
    return [*cells, _says("## The proof: these are the numbers that were on screen"), _code(_proof(given, view, kind))]


def _shared(it: Opened, before: Opened | View | None) -> tuple[bool, bool]:
    """Whether model, and model and picture, are those of the view before."""
    if not isinstance(before, Opened):
        return False, False
    view, other = it.view, before.view
    model = (view.model, view.config, view.seed) == (other.model, other.config, other.seed)
    seen = view.picture == other.picture and picture_digest(it.crop) == picture_digest(before.crop)
    return model, model and seen


def _has_plain(view: View, kind: Kind) -> bool:
    return not kind.pictured or (is_plain(view.config) and not view.edits)


def _opening(view: View, kind: Kind) -> str:
    chosen = f", layer {view.layer + 1}, head {view.head + 1}" if "layer" in kind.call else ""
    edited = f" Edited: `{_word(str(view.edits))}`." if view.edits else ""
    return (
        f"# {kind.title}\n\n{kind.says[0].upper()}{kind.says[1:]} (`{kind.axes}`): the model "
        f"`{_word(PurePath(view.model).name)}`{chosen}.{edited}\n\nMade with vitviz {__version__}. The last cell "
        "asserts that this notebook makes the numbers that were on screen: change a line above it, and see."
    )


def _model(it: Opened) -> str:
    view = it.view
    return "\n".join(
        [
            "import numpy as np",
            "import torch",
            "",
            "from vitviz.takeaway.notebook.proof import parameters_digest, picture_digest",
            *_loading(view),
            "config = loaded.config",
            f'assert parameters_digest(loaded.model) == "{parameters_digest(it.loaded.model)}", "{MODEL}"',
        ]
    )


def _loading(view: View) -> list[str]:
    if view.model == OWN:
        return [
            "from vitviz.config import ViTConfig",
            "from vitviz.weights import build",
            "",
            f'loaded = build({_config(view)}, seed={view.seed}, device="cpu")',
        ]
    if view.model in PRETRAINED:
        return [
            "from vitviz.weights import hub, load",
            "",
            f"path = hub.fetch({_quoted(view.model)}, lambda done, total: None)  # or what is on this machine already",
            f'loaded = load(path, name={_quoted(view.model)}, device="cpu")',
        ]
    seed = f", seed={view.seed}" if view.seed else ""
    return [
        "from vitviz.weights import load",
        "",
        f'loaded = load({_quoted(PurePath(view.model).name)}{seed}, device="cpu")',
    ]


def _config(view: View) -> str:
    """The sizes of a model that was built, as the call that makes them."""
    config, usual = view.config, ViTConfig()
    follows = ("head_dim",) if config.usual_head_dim else ()
    unlike = [name for name in FIELDS if name not in follows and getattr(config, name) != getattr(usual, name)]
    return f"ViTConfig({', '.join(f'{name}={getattr(config, name)!r}' for name in unlike)})"


def _picture(seen: Image.Image, name: str, square: Crop | None, file: str, embed: bool, called: str = "image") -> str:
    """What makes the pixels that the model saw: of a sample by its `name`, of an own picture from its file, or here."""
    pixels = "crop" if called == "image" else f"{called}_crop"
    crop = f", Crop{(square.left, square.top, square.side)}" if square else ""
    if name:
        lines = ["from vitviz.takeaway.opening import sample", *(["from vitviz.images import Crop"] if crop else [])]
        lines += ["", f"{pixels} = loaded.preprocess.crop(sample({_quoted(name)}){crop})"]
    elif embed:
        buffer = BytesIO()
        seen.save(buffer, "PNG")
        lines = ["from base64 import b64decode", "from io import BytesIO", "", "from PIL import Image", ""]
        lines += [f'{pixels} = Image.open(BytesIO(b64decode("{b64encode(buffer.getvalue()).decode()}")))']
    else:
        lines = ["from pathlib import Path", "", f"from vitviz.images import {'Crop, ' if crop else ''}open_image", ""]
        lines += [
            f"{pixels} = loaded.preprocess.crop(open_image(Path({_quoted(PurePath(file).name)}).read_bytes()){crop})"
        ]
    return "\n".join(
        [
            *lines,
            f'assert picture_digest({pixels}) == "{picture_digest(seen)}", "{PICTURE}"',
            f"{called} = loaded.preprocess.normalised({pixels})",
        ]
    )


def _library(view: View, kind: Kind) -> str:
    names = names_of(view)
    chosen = f"{', '.join(names)} = {', '.join(map(str, names.values()))}  # all count from 0"
    imports = ["from vitviz.edits import Edits"] if view.edits else []
    imports += ["from vitviz.edits.running import reference_means"] if view.edits.needs_means else []
    return "\n".join(
        [
            *imports,
            kind.imports,
            "from vitviz.trace import record",
            "",
            chosen,
            "trace = record(loaded.model, image)",
            *_edited(view.edits),
            f"values = {kind.call}",
            "values.shape",
        ]
    )


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


def _counts(view: View, kind: Kind) -> str:
    return "\n".join(
        [
            "import numpy as np",
            "import torch",
            "",
            "from vitviz.config import ViTConfig",
            kind.imports,
            "from vitviz.model import ViT",
            "",
            f"config = {_config(view)}",
            f"values = {kind.call}",
            "values.sum()",
        ]
    )


def _plain(kind: Kind) -> str:
    sources = [source(function) for function in kind.sources]
    shapes = ['with torch.device("meta"):  # shapes alone: nothing is held', "    w = ViT(config).state_dict()"]
    weights = ["w = loaded.model.state_dict()"] if kind.pictured else shapes
    imports = ["from torch.nn import functional as F", "", ""] if "F." in "".join(sources) else []
    call = f"plain = {kind.plain.__name__}({kind.given}).numpy()"
    return "\n".join([*imports, "\n\n\n".join(sources), "", "", *weights, call, "abs(plain - values).max()"])


def source(function: Callable[..., Any]) -> str:
    """The source of a function of `plain`, without types."""
    return HINTS.sub("", textwrap.dedent(inspect.getsource(function))).rstrip()


def _no_plain(view: View) -> str:
    why = "the forward pass is edited" if view.edits else "this model has more than the paper's"
    return f"*The same in plain PyTorch is left out: {why}, which 25 lines do not hold; `vitviz/model.py` does.*"


def _figure(view: View) -> str:
    words = [f"{name}={number}" for name, number in names_of(view).items() if name != "patch"]
    shows = [f'shows="{view.shows}"'] if view.shows != "row" else []
    return f'import vitviz\n\nvitviz.show("{view.page}", trace, loaded, {", ".join([*words, *shows])})'


def _proof(given: NDArray[Any], view: View, kind: Kind) -> str:
    flat = np.ascontiguousarray(given, "<i8" if given.dtype.kind == "i" else "<f4")
    packed = textwrap.wrap(b64encode(flat.tobytes()).decode(), 100)
    quoted = "\n".join(f'    "{line}"' for line in packed)
    made = ["values", "plain"] if _has_plain(view, kind) else ["values"]
    asserts = [
        f'assert {name}.shape == given.shape and np.allclose({name}, given, atol=1e-5), "{OTHERS}"' for name in made
    ]
    return "\n".join(
        [
            "from base64 import b64decode",
            "",
            "given = np.frombuffer(b64decode(",
            quoted,
            f'), "{flat.dtype.str}").reshape({given.shape})',
            *asserts,
            f'print("{exact(given.size)} numbers are what was on screen")',
        ]
    )


def _quoted(text: str) -> str:
    """A name as Python writes it."""
    return json.dumps(text)


def _word(text: str) -> str:
    """A name between backticks that cannot end them, nor the line."""
    return re.sub(r"[`\s<>]", " ", text)


def _says(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    lines = text.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines}


def _written(cells: list[dict[str, Any]]) -> str:
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells, start=1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": numbered, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
