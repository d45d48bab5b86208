"""Where PyTorch runs: requests from all visitors in, results out, each computed once and none for ever."""

from vitviz.engine.door import Door
from vitviz.engine.engine import BUDGET_BYTES, Engine
from vitviz.engine.lane import BusyError, Place
from vitviz.engine.request import File, Request, Together
from vitviz.engine.results import Result, nbytes
from vitviz.engine.status import Status

__all__ = [
    "BUDGET_BYTES",
    "BusyError",
    "Door",
    "Engine",
    "File",
    "Place",
    "Request",
    "Result",
    "Status",
    "Together",
    "nbytes",
]
