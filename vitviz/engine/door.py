"""The door to PyTorch: what whoever draws a page may ask of an engine, wherever that engine runs."""

from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from vitviz.engine.lane import Place
from vitviz.engine.request import Request
from vitviz.engine.results import Result
from vitviz.engine.status import Status
from vitviz.machine.device import Device

T = TypeVar("T")


class Door(Protocol):
    """Requests go in and values come out, with the type and the words of errors. No model and no trace comes out."""

    def submit(self, request: Request[T], person: str = "") -> "Future[Result[T]]":
        """The future result: kept, under way, or new. A failure is raised to all who wait, and not kept.

        Cancel the future to leave the queue. A `person` waits for one request at a time: a newer one cancels the older.
        Raises `BusyError` where the queue is full.
        """

    def cached(self, request: Request[T]) -> Result[T] | None:
        """The result of `request` if it is at hand: the short way for what has been computed before."""

    def place(self, request: Request[Any]) -> Place:
        """Where `request` stands; nothing is ahead of one that runs or is done."""

    def forget(self, part: str) -> None:
        """Drop all results whose key contains `part`: a picture's digest, when its owner has left."""

    def count_hit(self, key: str) -> None:
        """Count a run of a page that found its forward pass kept, under `key`, and let that not be the next to go."""

    def status(self) -> Status:
        """Numbers for the server's operator."""

    def trouble(self) -> str:
        """What is wrong with the engine, in a sentence, or nothing; nobody waits for that."""

    def device(self, choice: str = "auto") -> Device:
        """The device of that name as it is now, or the one that is taken where none is named."""
