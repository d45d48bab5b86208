"""The photographs that come with the app; sources and licences stand in `vitviz/samples/ATTRIBUTION.md`."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from PIL import Image

from vitviz.images.opening import open_image

FOLDER = Path(__file__).parents[1] / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    """One photograph: `id` for the URL and the file name, `title` for the eye, `alt` for a screen reader."""

    id: str
    title: str
    alt: str

    def read(self) -> bytes:
        """The JPEG file, for `open_image` like any upload."""
        return (FOLDER / f"{self.id}.jpg").read_bytes()


PHOTOS = (
    Sample("tabby", "Tabby cat", "The face of a tabby cat with green eyes, looking past the camera."),
    Sample("coffee", "Coffee", "A red cup of espresso with a spoon on a red saucer, on a wooden table."),
    Sample("launch", "Rocket launch", "A white rocket stands between two lattice towers at dusk, under a blue sky."),
    Sample("astronaut", "Astronaut", "An astronaut in an orange suit smiles in front of a flag and a model shuttle."),
    Sample("camera", "Camera (grey)", "A man in a dark coat looks through a camera on a tripod, in black and white."),
)
BY_TITLE = {photo.title.lower(): photo for photo in PHOTOS}
PART = 0.4, 0.8  # of a photograph's shorter side, the least and the most


def parts(title: str, first: int, last: int) -> Iterator[Image.Image]:
    """Parts number `first` to `last - 1` of a photograph: squares anywhere in it, half of them as in a mirror."""
    picture = open_image(BY_TITLE[title].read())
    for number in range(first, last):
        rnd = Random(f"{title} {number}")
        side = round(rnd.uniform(*PART) * min(picture.size))
        left, top = (rnd.randint(0, length - side) for length in picture.size)
        part = picture.crop((left, top, left + side, top + side))
        yield part.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if number % 2 else part
