"""A thread that computes one job after the other; all of PyTorch runs in such threads.

It sees the engine only as a `Desk`, so that a process, or another machine, could stand in its place.
"""

import os
import sys
import time
from threading import Thread, get_native_id
from typing import Any, Protocol, TypeVar

from vitviz.engine.lane import Job
from vitviz.engine.request import File, Request
from vitviz.engine.results import Result, nbytes
from vitviz.machine.device import DeviceError, DeviceMemoryError, is_out_of_memory, synchronise
from vitviz.machine.wanted import asking, making_room

T = TypeVar("T")

LOWEST = 19  # priority, as `nice` counts it


class Desk(Protocol):
    """Where a worker gets its jobs and leaves what they led to. Each raises `Unwanted` where the job is over."""

    def take(self, worker: "Worker") -> Job:
        """The next job; waits for it."""

    def find(self, job: Job, key: str) -> Result[Any] | None:
        """The result that is kept under `key`."""

    def alike(self, job: Job, request: Request[Any], most: int) -> list[Request[Any]]:
        """At most so many requests of the kind of `request` that are wanted for other jobs, and not kept."""

    def keep(self, job: Job, request: Request[Any], obtained: dict[str, Result[Any]]) -> None:
        """Keep what `job` computed for `request`, one of those `obtained` for it so far."""

    def make_room(self, job: Job, needed: int, obtained: dict[str, Result[Any]]) -> None:
        """Let go of results, but not of those that were `obtained`, so that a step of `job` has `needed` bytes."""

    def clear(self, job: Job) -> None:
        """Drop all results, because memory is short."""

    def close(self, job: Job, result: Result[Any] | None, error: Exception | None, seconds: float) -> None:
        """End the job."""

    def leave(self, worker: "Worker") -> None:
        """Note that this worker's thread ends, and put another in its place where that is not done yet."""


class Worker:
    """Takes jobs from `desk` until its job is over before it ends, or one kills it; by its `niceness`, in steps of
    priority, it lets others go first.
    """

    def __init__(self, desk: Desk, name: str, niceness: int = 0) -> None:
        self._desk = desk
        self._niceness = niceness
        self._thread = Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to take jobs."""
        self._thread.start()

    def _work(self) -> None:
        try:
            if self._niceness:
                _let_others_go_first(self._niceness)
            while True:
                job = self._desk.take(self)
                try:
                    self._serve(job)
                finally:
                    for tell in job.ended:
                        tell()
        except BaseException:  # errors of requests end in `_serve`; this is the end of the thread
            self._desk.leave(self)

    def _serve(self, job: Job) -> None:
        started = time.perf_counter()
        result: Result[Any] | None = None
        error: Exception | None = None
        try:
            computation = Computation(self._desk, job)
            with asking(job.require_current), making_room(computation.make_room):
                result = computation.answer(job.request)
        except DeviceError as raised:
            error = raised.with_traceback(None)  # it would hold the model that was too large
        except Exception as raised:
            error = raised
        self._desk.close(job, result, error, time.perf_counter() - started)


def _let_others_go_first(niceness: int) -> None:
    """Lower the priority of this thread, and so of the pool that PyTorch makes for it, within this process."""
    if sys.platform == "linux":  # elsewhere a thread has none of its own
        usual = os.getpriority(os.PRIO_PROCESS, os.getpid())
        os.setpriority(os.PRIO_PROCESS, get_native_id(), min(usual + niceness, LOWEST))


class Computation:
    """What one job takes: its request, and before it those among its arguments that are not kept."""

    def __init__(self, desk: Desk, job: Job) -> None:
        self._desk = desk
        self._job = job
        self._obtained: dict[str, Result[Any]] = {}

    def answer(self, request: Request[T]) -> Result[T]:
        """The result of `request`, after those of the requests among its arguments."""
        result = self._desk.find(self._job, request.key)
        self._obtained[request.key] = result or self._compute(request)
        return self._obtained[request.key]

    def make_room(self, needed: int) -> None:
        """Let results give way to a step that takes `needed` bytes."""
        self._desk.make_room(self._job, needed, self._obtained)

    def _compute(self, request: Request[T]) -> Result[T]:
        args = [self._argument(value) for value in request.args]
        options = {name: self._argument(value) for name, value in request.options}
        began = time.perf_counter()
        if not self._compute_together(request, args, options):
            self._keep(request, self._attempt(request, args, options), began)
        return self._obtained[request.key]

    def _keep(self, request: Request[T], value: T, began: float) -> None:
        synchronise()
        seconds = time.perf_counter() - began
        self._obtained[request.key] = Result(
            value, nbytes(value), tuple(part.key for part in request.keeps_alive), seconds
        )
        self._desk.keep(self._job, request, self._obtained)

    def _compute_together(self, request: Request[T], args: list[Any], options: dict[str, Any]) -> bool:
        """Compute `request` and what others wait for, where that is worth while and works for all of them."""
        together = request.together
        if not together or (most := together.most(*args)) < 2:
            return False
        others = self._desk.alike(self._job, request, most - 1)
        if not others:
            return False
        try:
            differing = [args[together.differs], *(self._argument(it.args[together.differs]) for it in others)]
            args = [*args[: together.differs], differing, *args[together.differs + 1 :]]
            began = time.perf_counter()
            values = together.function(*args, **options)
        except Exception:  # one of them cannot be computed, or all are too much: then each gets its own error
            return False
        for it, value in zip([request, *others], values, strict=True):
            self._keep(it, value, began)
        return True

    def _argument(self, value: Any) -> Any:
        if isinstance(value, Request):
            return self.answer(value).value
        return value.data if isinstance(value, File) else value

    def _attempt(self, request: Request[T], args: list[Any], options: dict[str, Any]) -> T:
        """Call the function; where memory runs out, forget what is kept and try once more.

        The second attempt stands outside the `except`, whose traceback would keep the failed tensors alive.
        """
        try:
            return request.function(*args, **options)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        self._desk.clear(self._job)
        try:
            return request.function(*args, **options)
        except DeviceError:
            raise
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        self._desk.clear(self._job)
        raise DeviceMemoryError("the device is out of memory for this model and picture; choose a smaller model")
