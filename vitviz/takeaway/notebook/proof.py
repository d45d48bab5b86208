"""Which model and which picture it was: digests that a notebook holds what it loads against."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from PIL import Image

    from vitviz.model import ViT
    from vitviz.weights import Loaded

_digests: WeakKeyDictionary[ViT, str] = WeakKeyDictionary()


def loaded_digest(loaded: Loaded) -> str:
    """`parameters_digest` of a loaded model, which nobody changes: computed once, some 50 ms for 22 M parameters."""
    if loaded.model not in _digests:
        _digests[loaded.model] = parameters_digest(loaded.model)
    return _digests[loaded.model]


def parameters_digest(model: ViT) -> str:
    """sha256 of all parameters of a model as float32, by their names in order."""
    found = sha256()
    for name, value in sorted(model.state_dict().items()):
        found.update(f"{name} {tuple(value.shape)} ".encode())
        found.update(value.detach().float().cpu().contiguous().numpy().tobytes())
    return found.hexdigest()


def picture_digest(crop: Image.Image) -> str:
    """sha256 of the pixels that a model sees, and of their width and height."""
    return sha256(f"{crop.size} {crop.mode} ".encode() + crop.tobytes()).hexdigest()
