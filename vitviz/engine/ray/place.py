"""Where a request belongs: to the replica that holds its picture, among those that have its model."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from vitviz.engine.request import File, Request
from vitviz.forward import build_model, load_model

MAKES_A_MODEL = (load_model, build_model)
BETWEEN = " @ "


def place_of(request: Request[Any]) -> str:
    """The key of the model and the digest of the picture, or what stands in for one that is not asked about."""
    inside = list(request.all_parts)
    model = next((it.key for it in inside if it.function in MAKES_A_MODEL), "")
    picture = next((file.digest for it in inside for file in _files(it)), model or request.key)
    return f"{model}{BETWEEN}{sha256(picture.encode()).hexdigest()}"


def parts_of(place: str) -> tuple[str, str]:
    """Model and picture of a place."""
    model, _, picture = place.rpartition(BETWEEN)
    return model, picture


def preference(picture: str, replica: str) -> bytes:
    """How much a replica wants a picture: all who ask agree on the largest, and one more replica takes its share only.

    Rendezvous hashing: Thaler and Ravishankar, "Using name-based mappings to increase hit rates", 1998.
    """
    return sha256(f"{picture} {replica}".encode()).digest()


def device_of(request: Request[Any]) -> str:
    """The kind of device that a request asks for, or one among its arguments; "auto" leaves it open."""
    return next((device for it in request.all_parts if (device := dict(it.options).get("device"))), "auto")


def _files(request: Request[Any]) -> Iterator[File]:
    for value in (*request.args, *(value for _, value in request.options)):
        if isinstance(value, File):
            yield value
