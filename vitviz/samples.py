"""The pictures that are always there: scenes drawn like those the demo model learned from, and photographs."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO

from PIL import Image

from vitviz.images import PHOTOS, open_image
from vitviz.selection import FIRST_MODEL, Picture
from vitviz.shelf.rows import SHELF

THUMBNAIL = 112  # pixels; shown at half of that


class Samples(Mapping[str, Picture]):
    """All samples by id, the first one first; a scene is drawn when somebody wants to see it.

    Scenes whose balls have exchanged their colours are not listed, and can be had.
    """

    def __init__(self) -> None:
        from vitviz.demo.samples import BY_ID, EXCHANGED

        self._scenes = BY_ID | EXCHANGED
        self._photos = {it.id: it for it in PHOTOS}
        self.titles = {it.id: it.title for it in BY_ID.values()} | {it.id: it.title for it in PHOTOS}
        self._pictures: dict[str, Picture] = {}

    def exchanged(self, id: str) -> Picture | None:
        """The same scene with the colours of both balls exchanged; None where there is none."""
        return self.get(f"{id}_exchanged")

    def __getitem__(self, id: str) -> Picture:
        """The sample of that id."""
        if id not in self._pictures:
            self._pictures[id] = self._draw(id) if id in self._scenes else self._read(id)
        return self._pictures[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.titles)

    def __len__(self) -> int:
        return len(self.titles)

    def _draw(self, id: str) -> Picture:
        sample = self._scenes[id]
        return Picture(id, sample.title, f"A drawn scene: {sample.title}.", _png(sample.scene.image), drawn=True)

    def _read(self, id: str) -> Picture:
        photo = self._photos[id]
        return Picture(id, photo.title, photo.alt, photo.read())


@cache
def samples() -> Samples:
    """Those of the app."""
    return Samples()


def first() -> Picture:
    """The picture that everybody sees first."""
    return next(iter(samples().values()))


def of_world(model: str) -> list[str]:
    """Ids of samples of what a model of that name knows: scenes, those of two balls last, or else photographs."""
    from vitviz.demo.samples import BY_ID, RELATIONS

    if model != FIRST_MODEL.name and model not in SHELF:
        return [it.id for it in PHOTOS]
    return sorted(BY_ID, key=lambda id: id in RELATIONS)


@cache
def thumbnails() -> str:
    """Small square JPEGs of all samples as variables of a style sheet: `--sample-cat` and so on."""
    small = {id: _thumbnail(open_image(picture.data)) for id, picture in samples().items()}
    return "".join(f'--sample-{id}:url("data:image/jpeg;base64,{b64encode(it).decode()}");' for id, it in small.items())


def _thumbnail(image: Image.Image) -> bytes:
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    small = image.resize((THUMBNAIL, THUMBNAIL), box=(left, top, left + side, top + side))
    buffer = BytesIO()
    small.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()


def _png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
