"""One worker for the device: requests from all visitors in, results out, each computed once."""

from vitviz.engine.request import File, Request
from vitviz.engine.results import Result, nbytes
from vitviz.engine.worker import BUDGET, BusyError, Engine, Place, Status

__all__ = ["BUDGET", "BusyError", "Engine", "File", "Place", "Request", "Result", "Status", "nbytes"]
