"""The photographs that come with the app; sources and licences stand in `vitviz/samples/ATTRIBUTION.md`."""

from dataclasses import dataclass
from pathlib import Path

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
