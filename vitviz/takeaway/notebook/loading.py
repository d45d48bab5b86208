"""The cells of a notebook that make the model and the picture, and hold both against what was on screen."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import astuple
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from vitviz.config import FIELDS, ViTConfig
from vitviz.demo.snapshots import snapshots
from vitviz.pretrained import PRETRAINED, SIZES
from vitviz.takeaway.notebook.cells import quoted, word
from vitviz.takeaway.notebook.proof import loaded_digest, picture_digest
from vitviz.takeaway.view import OWN
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.images import Crop
    from vitviz.takeaway.opening import Opened

PICTURE = "the picture is another than the one on screen"
UPLOAD = "; in Colab, upload it by the folder on the left"
MOMENT = "the moment of training is another than the one on screen"
MODEL = "the parameters are others than those on screen"


def model(it: Opened) -> str:
    """What loads the model, or draws it."""
    return "\n".join(
        [
            "import numpy as np",
            "import torch",
            "",
            "from vitviz.takeaway.notebook.proof import parameters_digest, picture_digest",
            *_loading(it),
            "config = loaded.config",
            f'assert parameters_digest(loaded.model) == "{loaded_digest(it.loaded)}", "{MODEL}"',
        ]
    )


def where_model(it: Opened) -> str:
    """Where the model's file comes from, or where to put it, in Markdown; empty for what vitviz brings or draws."""
    name, sources = it.view.model, it.loaded.sources
    if name in PRETRAINED:
        its = PRETRAINED[name]
        place = f"<https://huggingface.co/{its.repository}>"
        return f"`{name}` is fetched once from {place}: {its.megabytes:,} MB, {its.licence}."
    if sources is None:
        return ""
    card = " and the `config.json` that lay beside it" if "card" in astuple(sources) else ""
    return f"Put the model's file `{word(PurePath(name).name)}`{card} beside this notebook{UPLOAD}."


def where_picture(name: str | None, file: str, embed: bool) -> str:
    """Where somebody's own picture is to be put, in Markdown; empty for samples, and where the notebook holds it."""
    return "" if name or embed else f"Put the picture beside this notebook as `{word(PurePath(file).name)}`{UPLOAD}."


def _loading(it: Opened) -> list[str]:
    view = it.view
    if view.model == OWN:
        return [
            "from vitviz.config import ViTConfig",
            "from vitviz.weights import build",
            "",
            f'loaded = build({config(view)}, seed={view.seed}, device="cpu")',
        ]
    read = "".join(f"{name}={value!r}, " for name, value in _read(it).items())
    if view.model in PRETRAINED:
        return [
            "from vitviz.weights import hub, load",
            "",
            f"path = hub.fetch({quoted(view.model)}, lambda done, total: None)  # or what is on this machine already",
            f'loaded = load(path, name={quoted(view.model)}, {read}device="cpu")',
        ]
    seed = f"seed={view.seed}, " if view.seed else ""
    return [
        "from vitviz.weights import load",
        "",
        f'loaded = load({quoted(PurePath(view.model).name)}, {seed}{read}device="cpu")',
    ]


def _read(it: Opened) -> dict[str, Any]:
    """What `load` was told of a file: its picture size, and what somebody chose."""
    loaded, usual = it.loaded, SIZES.get(it.view.model)
    sizes, rules = loaded.config, loaded.preprocesses
    if loaded.sources is None:
        return {"image_size": sizes.image_size} if usual and usual.image_size != sizes.image_size else {}
    chosen = [name for name in ("heads", "activation", "epsilon") if getattr(loaded.sources, name) == "choice"]
    library = next(name for name, rule in rules.items() if rule == loaded.preprocess)
    return {
        "image_size": sizes.image_size,
        **{name: getattr(sizes, name) for name in chosen},
        **({"preprocess": library} if library != next(iter(rules)) else {}),
    }


def moment(step: int) -> str:
    """What holds a moment of the demo model's training against the one on screen."""
    found = snapshots().digest(step)
    return f'from vitviz.demo.snapshots import snapshots\n\nassert snapshots().digest({step}) == "{found}", "{MOMENT}"'


def config(view: View) -> str:
    """The sizes of a model that was built, as the call that makes them."""
    sizes, usual = view.config, ViTConfig()
    follows = ("head_dim",) if sizes.usual_head_dim else ()
    unlike = [name for name in FIELDS if name not in follows and getattr(sizes, name) != getattr(usual, name)]
    return f"ViTConfig({', '.join(f'{name}={getattr(sizes, name)!r}' for name in unlike)})"


def picture(
    seen: Image.Image,
    name: str,
    square: Crop | None,
    file: str,
    embed: bool,
    called: str = "image",
    whole: Image.Image | None = None,
) -> str:
    """What makes the pixels that the model saw: of a sample by its `name`, of an own picture from its file, or here.

    With the `whole` picture, that and its chosen square have names, too.
    """
    pixels = "crop" if called == "image" else f"{called}_crop"
    crop = f", Crop{(square.left, square.top, square.side)}" if square else ""
    imports, source = _source(name, file, whole or seen, embed)
    lines = [*imports, *(["from vitviz.images import Crop"] if crop else []), ""]
    if whole:
        lines += [f"picture = {source}", f"square = {crop.removeprefix(', ') or None}"]
        lines += [f"{pixels} = loaded.preprocess.crop(picture, square)"]
    else:
        lines += [f"{pixels} = {source if embed and not name else f'loaded.preprocess.crop({source}{crop})'}"]
    return "\n".join(
        [
            *lines,
            f'assert picture_digest({pixels}) == "{picture_digest(seen)}", "{PICTURE}"',
            f"{called} = loaded.preprocess.normalised({pixels})",
        ]
    )


def _source(name: str, file: str, pixels: Image.Image, embed: bool) -> tuple[list[str], str]:
    """The lines that import what makes a picture, and the expression that does."""
    if name:
        return ["from vitviz.takeaway.opening import sample"], f"sample({quoted(name)})"
    if embed:
        buffer = BytesIO()
        Image.fromarray(np.asarray(pixels)).save(buffer, "PNG")  # the pixels alone
        packed = b64encode(buffer.getvalue()).decode()
        imports = ["from base64 import b64decode", "from io import BytesIO", "", "from PIL import Image"]
        return imports, f'Image.open(BytesIO(b64decode("{packed}")))'
    read = f"open_image(Path({quoted(PurePath(file).name)}).read_bytes())"
    return ["from pathlib import Path", "", "from vitviz.images import open_image"], read
