"""Class names: ImageNet's thousand, or numbers where nobody knows better."""

from functools import cache
from pathlib import Path

IMAGENET_FILE = Path(__file__).parent / "data" / "imagenet_classes.txt"
IMAGENET_CLASSES = 1000


def class_names(classes: int, known: bool = True) -> tuple[str, ...]:
    """Names for `classes` classes; a trained model of 1,000 knows those of ImageNet-1k."""
    if known and classes == IMAGENET_CLASSES:
        return imagenet_classes()
    return tuple(f"class {index}" for index in range(classes))


@cache
def imagenet_classes() -> tuple[str, ...]:
    """The names of ImageNet-1k in the order that all published models use; `data/README.md` tells their source."""
    return tuple(IMAGENET_FILE.read_text().splitlines())
