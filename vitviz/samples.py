"""The pictures that are always there: scenes drawn like those the demo model learned from, and photographs."""

from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO

from PIL import Image

from vitviz.images import PHOTOS
from vitviz.selection import FIRST_MODEL, Picture
from vitviz.shelf.rows import SHELF


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


def _png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
