"""A request on its way to a replica, and what comes back."""

from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vitviz.engine.process.wire import unpack
from vitviz.machine.device import DeviceError

if TYPE_CHECKING:
    from vitviz.engine.ray.replica import Reply


@dataclass(eq=False, slots=True)
class Call:
    """A request on its way, for all here who wait for it: what is sent, and where to."""

    name: str
    key: str
    place: str
    device: str
    parts: list[Any]
    files: dict[str, bytes]
    waiting: list[tuple[str, Future[Any]]] = field(default_factory=list)
    deaths: int = 0
    sent: bool = False  # it is on its way
    left: bool = False  # it was taken back, or may be: nobody joins it any more
    forgotten: bool = False

    @property
    def wanted(self) -> bool:
        """Whether anybody waits for it."""
        return not all(future.cancelled() for _, future in self.waiting)


def opened(answer: "Reply") -> tuple[Any, bool]:
    """The value or the error of an answer, copied out of the memory that Ray shares, and whether it failed."""
    try:
        return unpack([bytes(part) for part in answer.parts], {}), answer.failed
    except Exception as error:
        return DeviceError(f"the answer of the engine cannot be read: {error}"), True
