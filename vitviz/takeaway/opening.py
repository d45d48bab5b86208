"""Model and picture of a view, run: what everything that is taken away is made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vitviz.choice import quoted
from vitviz.config import OWN
from vitviz.demo.samples import BY_ID, EXCHANGED
from vitviz.images import PHOTOS, open_image
from vitviz.pretrained import PRETRAINED, SIZES
from vitviz.takeaway.errors import TakeawayError
from vitviz.view import View

if TYPE_CHECKING:
    from PIL import Image

    from vitviz.images import Crop
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

SCENES = BY_ID | EXCHANGED
PICTURES = {it.id: it.title for it in SCENES.values()} | {it.id: it.title for it in PHOTOS}


@dataclass(frozen=True, slots=True)
class Opened:
    """A view's model and picture, and the trace of the one on the other; `crop` is what the model sees.

    `donor` is what it sees of the second picture, where edits need one; `picture` is all of the first.
    """

    view: View
    loaded: Loaded
    crop: Image.Image
    trace: Trace
    title: str
    donor: Image.Image | None = None
    picture: Image.Image | None = None


def opened(
    view: View, picture: bytes | None = None, loaded: Loaded | None = None, donor: bytes | None = None
) -> Opened:
    """Run the model of a view on its picture, or on the file `picture`; `loaded` where the model is here already.

    Edits are made after the plain run, as the app makes them: with the means over the reference scenes, and with the
    second picture, or the file `donor`, where they need those. Raises `TakeawayError` for what is not here, and what
    `load` and `open_image` raise.
    """
    from vitviz.edits.running import reference_means
    from vitviz.trace import record

    loaded = loaded or model(view.model, view)
    if picture is not None:
        view = replace(view, picture="")  # whatever the link said: it is of this picture now
    whole = open_image(picture) if picture is not None else sample(view.picture)
    crop, trace = _run(loaded, whole, view.crop)
    other = None
    if view.edits:
        put_in = None
        if view.edits.needs_donor:
            view = view if donor is None else replace(view, donor="")
            other, put_in = _run(loaded, open_image(donor) if donor is not None else _second_sample(view))
        means = reference_means(loaded) if view.edits.needs_means else None
        trace = record(loaded.model, trace["image"].tensor, edits=view.edits, plain=trace, donor=put_in, means=means)
    return Opened(view, loaded, crop, trace, PICTURES.get(view.picture, "your picture"), other, whole)


def _run(loaded: Loaded, image: Image.Image, crop: Crop | None = None) -> tuple[Image.Image, Trace]:
    """What the model sees of a picture, and the trace of the plain run on it."""
    from vitviz.trace import record

    pixels = loaded.preprocess.crop(image, crop)
    read = loaded.preprocess.normalised(pixels).to(loaded.model.device, loaded.model.dtype)
    return pixels, record(loaded.model, read)


def _second_sample(view: View) -> Image.Image:
    if view.donor is None:
        raise TakeawayError("some of the edits need a second picture; name one with donor=")
    if not view.donor:
        raise TakeawayError("the second picture is somebody's own, which no link holds; give its file")
    return sample(view.donor)


def model(name: str, view: View | None = None) -> Loaded:
    """The model of that name, or in that file, on the CPU in full precision."""
    from vitviz.weights import build, hub, load

    if name == OWN:
        if view is None:
            raise TakeawayError("a model that somebody built has no name; take the link of the app")
        return build(view.config, seed=view.seed, device="cpu")
    size = (view.config if view else SIZES[name]).image_size if name in SIZES else None
    if name in PRETRAINED:
        path = hub.local(name)
        if path is None:
            raise TakeawayError(f"{name} is not on this machine; `vitviz weights fetch {name}` fetches it")
        return load(path, name=name, image_size=size, device="cpu")
    return load(name, seed=view.seed if view else 0, image_size=size, device="cpu")


def sample(id: str) -> Image.Image:
    """A picture that is always there. Raises `TakeawayError` for another name."""
    if (scene := SCENES.get(id)) is not None:
        return scene.scene.image
    for photo in PHOTOS:
        if photo.id == id:
            return open_image(photo.read())
    if not id:
        raise TakeawayError("the link leads to somebody's own picture, which no link holds; give its file")
    raise TakeawayError(f"there is no sample “{quoted(id)}”; there are {', '.join(PICTURES)}")


def read_picture(file: str) -> bytes | None:
    """The bytes of a picture's file; None for the name of a sample. Raises `TakeawayError` where there is neither."""
    path = Path(file)
    if path.is_file():
        return path.read_bytes()
    if file in PICTURES:
        return None
    raise TakeawayError(f"{path.name} is neither a file nor a sample; samples are {', '.join(PICTURES)}")
