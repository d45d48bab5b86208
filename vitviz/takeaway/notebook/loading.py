"""The cells of a notebook that make the model and the picture, and hold both against what was on screen."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from vitviz.config import FIELDS, ViTConfig
from vitviz.pretrained import PRETRAINED
from vitviz.takeaway.notebook.cells import quoted
from vitviz.takeaway.notebook.proof import parameters_digest, picture_digest
from vitviz.takeaway.view import OWN, View

if TYPE_CHECKING:
    from vitviz.images import Crop
    from vitviz.takeaway.opening import Opened

PICTURE = "the picture is another than the one on screen"
MODEL = "the parameters are others than those on screen"


def model(it: Opened) -> str:
    """What loads the model, or draws it."""
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
            f'loaded = build({config(view)}, seed={view.seed}, device="cpu")',
        ]
    if view.model in PRETRAINED:
        return [
            "from vitviz.weights import hub, load",
            "",
            f"path = hub.fetch({quoted(view.model)}, lambda done, total: None)  # or what is on this machine already",
            f'loaded = load(path, name={quoted(view.model)}, device="cpu")',
        ]
    seed = f", seed={view.seed}" if view.seed else ""
    return [
        "from vitviz.weights import load",
        "",
        f'loaded = load({quoted(PurePath(view.model).name)}{seed}, device="cpu")',
    ]


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
