"""Class names: ImageNet's thousand, or numbers where nobody knows better; no PyTorch, as they go to the server."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

IMAGENET_FILE = Path(__file__).parent / "data" / "imagenet_classes.txt"
IMAGENET_CLASSES = 1000


@dataclass(frozen=True, slots=True)
class Numbered(Sequence[str]):
    """ "class 0", "class 1" ...: made when somebody looks, because a million of them would take 60 MB."""

    classes: int

    def __len__(self) -> int:
        return self.classes

    def __getitem__(self, index: int | slice) -> Any:
        """One name, or several."""
        found = range(self.classes)[index]
        return f"class {found}" if isinstance(found, int) else tuple(f"class {one}" for one in found)


def class_names(classes: int, known: bool = True) -> Sequence[str]:
    """Names for `classes` classes; a trained model of 1,000 knows those of ImageNet-1k."""
    return imagenet_classes() if known and classes == IMAGENET_CLASSES else Numbered(classes)


@cache
def imagenet_classes() -> tuple[str, ...]:
    """The names of ImageNet-1k in the order that all published models use; `data/README.md` tells their source."""
    return tuple(IMAGENET_FILE.read_text(encoding="utf-8").splitlines())
