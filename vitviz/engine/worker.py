"""One worker for the device: equal requests are computed once, and of one person's only the newest.

Streamlit runs every visitor's script in a thread of its own. PyTorch would make a pool of threads for each of them, and
two forwards at once are slower than one after the other, so all of PyTorch runs in this worker.

What asks is a `Request`, what comes back is a future, and nothing else passes between the two: an engine of many
machines would keep this interface.
"""

import time
from collections import Counter, OrderedDict, deque
from collections.abc import Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Event, Thread
from typing import Any, TypeVar

from vitviz.device import DeviceError, DeviceMemoryError, give_back, is_out_of_memory, synchronise
from vitviz.engine.request import File, Request
from vitviz.engine.results import Result, Results, nbytes

T = TypeVar("T")

BUDGET = 2_000_000_000  # bytes of results that are kept
MOST_WAITING = 400  # requests: a class of two hundred, twice
ATTEMPTS = 2  # for a request in which the worker died
EVENTS = ("answered", "joined", "finished", "failed", "dropped", "refused", "deaths")
RECENT = 16  # requests whose mean time makes the estimate


class BusyError(DeviceError):
    """Too many requests are waiting already."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request stands in the queue: how many are before it, and in about how many seconds its turn comes."""

    ahead: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Status:
    """The engine at one moment, and since its start.

    `computed` counts finished calls by function, nested ones too; `answered` the runs of pages that found their forward
    kept. Of the requests that had to wait, `joined` found an equal one under way, `finished` were computed, `failed`
    ended in an error, `dropped` had nobody who waited any more, for `refused` the queue had no room. `deaths` are the
    workers that had to be replaced.
    """

    waiting: int
    running: str
    kept: int
    held: int
    budget: int
    computed: Mapping[str, int]
    answered: int
    joined: int
    finished: int
    failed: int
    dropped: int
    refused: int
    deaths: int


@dataclass
class _Job:
    """A request that waits or runs, and who asked for it: one future for each, which is theirs to cancel."""

    request: Request[Any]
    askers: list[tuple[str, Future[Any]]] = field(default_factory=list)
    attempts: int = 0

    @property
    def wanted(self) -> bool:
        return not all(future.cancelled() for _, future in self.askers)


class Engine:
    """`submit(request)` has it computed by the worker, once for all who ask, and keeps the result within the budget.

    Results are shared between visitors and must not be changed. `idle` is set while the worker has nothing to do.
    """

    def __init__(self, budget: int = BUDGET, most_waiting: int = MOST_WAITING, idle: Event | None = None) -> None:
        self._most_waiting = most_waiting
        self._turn = Condition()  # guards all that follows
        self._results = Results(budget)
        self._waiting: OrderedDict[str, _Job] = OrderedDict()
        self._running: _Job | None = None
        self._computed: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        self._obtained: dict[str, Result[Any]] = {}  # for the request that runs; the worker's own
        self._forgotten: set[str] = set()
        self._seconds: deque[float] = deque(maxlen=RECENT)
        self._tidy = True
        self._idle = idle or Event()
        self._start_worker()

    def submit(self, request: Request[T], person: str = "") -> "Future[Result[T]]":
        """The future result: kept, under way, or new. A failure is raised to all who wait, and not kept.

        Cancel the future to leave the queue. A `person` waits for one request at a time: a newer one cancels the older.
        Raises `BusyError` where the queue is full.
        """
        future: Future[Result[T]] = Future()
        with self._turn:
            self._leave_others(person, request.key)
            if result := self._results.get(request.key):
                future.set_result(result)
                return future
            job = self._under_way(request.key)
            if job:
                self._events["joined"] += 1
            else:
                job = self._queue(request)
            job.askers.append((person, future))
            self._turn.notify()
        return future

    def kept(self, request: Request[T]) -> Result[T] | None:
        """The result of `request` if it is kept: the short way for what has been computed before."""
        with self._turn:
            return self._results.get(request.key)

    def note_answered(self) -> None:
        """Count a run of a page that found its forward kept."""
        with self._turn:
            self._events["answered"] += 1

    def place(self, request: Request[Any]) -> Place:
        """Where `request` stands; nothing is ahead of one that runs or is done."""
        with self._turn:
            ahead = 0
            if request.key in self._waiting:
                before = list(self._waiting).index(request.key)
                jobs = list(self._waiting.values())[:before]
                ahead = sum(job.wanted for job in jobs) + (self._running is not None)
            return Place(ahead, ahead * self._usual_seconds)

    def status(self) -> Status:
        """Figures for whoever runs the server."""
        with self._turn:
            return Status(
                waiting=self._many_waiting,
                running=self._running.request.name if self._running else "",
                kept=len(self._results),
                held=self._results.nbytes,
                budget=self._results.budget,
                computed=dict(self._computed),
                **{event: self._events[event] for event in EVENTS},
            )

    def forget(self, part: str) -> None:
        """Drop all results whose key contains `part`: a picture's digest, when its owner has left.

        The worker gives the memory back when it has nothing else to do.
        """
        with self._turn:
            self._results.forget(part)
            self._forgotten.add(part)
            self._tidy = False
            self._turn.notify()

    def clear(self) -> None:
        """Drop all results and give their memory back."""
        with self._turn:
            self._results.clear()
        give_back()

    @property
    def _usual_seconds(self) -> float:
        return sum(self._seconds) / len(self._seconds) if self._seconds else 0.0

    @property
    def _many_waiting(self) -> int:
        return sum(job.wanted for job in self._waiting.values())

    def _leave_others(self, person: str, key: str) -> None:
        for other, job in self._waiting.items():
            for asker, future in job.askers:
                if person and asker == person and other != key:
                    future.cancel()

    def _under_way(self, key: str) -> _Job | None:
        if self._running and self._running.request.key == key:
            return self._running
        job = self._waiting.get(key)
        return job if job and job.wanted else None

    def _queue(self, request: Request[Any]) -> _Job:
        if (waiting := self._many_waiting) >= self._most_waiting:
            self._events["refused"] += 1
            raise BusyError(
                f"{waiting} requests are waiting and the limit is {self._most_waiting}; "
                f"try again in about {max(1, round(waiting * self._usual_seconds))} s"
            )
        self._events["dropped"] += self._waiting.pop(request.key, None) is not None
        job = self._waiting[request.key] = _Job(request)
        return job

    def _start_worker(self) -> None:
        Thread(target=self._live, name="engine", daemon=True).start()

    def _live(self) -> None:
        try:
            while True:
                self._serve(self._next())
        except BaseException:  # errors of requests end there; this is the end of the thread
            self._bury()

    def _next(self) -> _Job:
        while True:
            with self._turn:
                while not self._waiting and self._tidy:
                    self._idle.set()
                    self._turn.wait()
                if self._waiting:
                    self._idle.clear()
                    key, job = next(iter(self._waiting.items()))
                    wanted = job.wanted  # asked once: somebody may leave at any moment
                    self._running = job if wanted else None  # before it leaves the queue: a worker may die here, too
                    del self._waiting[key]
                    if wanted:
                        return job
                    self._events["dropped"] += 1
                    continue
                self._tidy = True
                self._forgotten.clear()
            give_back()

    def _serve(self, job: _Job) -> None:
        job.attempts += 1
        started = time.perf_counter()
        result: Result[Any] | None = None
        error: Exception | None = None
        try:
            result = self._answer(job.request)
        except DeviceError as raised:
            error = raised.with_traceback(None)  # it would hold the model that was too large
        except Exception as raised:
            error = raised
        self._obtained.clear()
        self._close(job, result, error, time.perf_counter() - started)

    def _close(self, job: _Job, result: Result[Any] | None, error: Exception | None, seconds: float = 0.0) -> None:
        with self._turn:  # the job runs until all have their answer
            for _, future in job.askers:
                with suppress(InvalidStateError):  # of those who have left, or were answered before a worker died
                    if error:
                        future.set_exception(error)
                    else:
                        future.set_result(result)
            self._running = None
            self._seconds.append(seconds)
            self._events["failed" if error else "finished"] += 1

    def _bury(self) -> None:
        """Put another worker in the place of one that died; its request is tried once more."""
        try:
            with self._turn:
                self._events["deaths"] += 1
                self._obtained.clear()
                job, self._running = self._running, None
                if job and job.attempts < ATTEMPTS:
                    self._waiting[job.request.key] = job
                    self._waiting.move_to_end(job.request.key, last=False)
                    job = None
            if job:
                what = f"the worker ended {ATTEMPTS} times in the middle of this"
                self._close(job, None, DeviceError(f"{what}; choose another picture or a smaller model"))
        finally:
            self._start_worker()

    def _answer(self, request: Request[T]) -> Result[T]:
        """The result of `request`, after those of the requests among its arguments."""
        with self._turn:
            result = self._results.get(request.key)
        if result is None:
            result = self._compute(request)
        self._obtained[request.key] = result
        return result

    def _compute(self, request: Request[T]) -> Result[T]:
        args = [self._argument(value) for value in request.args]
        options = {name: self._argument(value) for name, value in request.options}
        value = self._attempt(request, args, options)
        synchronise()
        result = Result(value, nbytes(value), tuple(held.key for held in request.holds))
        with self._turn:
            self._computed[request.name] += 1
            if not any(part in request.key for part in self._forgotten):
                for key in result.holds:  # what made room for this is needed as long as this is
                    if key in self._obtained and key not in self._results:
                        self._results.keep(key, self._obtained[key], self._obtained)
                self._results.keep(request.key, result, self._obtained)
        return result

    def _argument(self, value: Any) -> Any:
        if isinstance(value, Request):
            return self._answer(value).value
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
        self.clear()
        try:
            return request.function(*args, **options)
        except DeviceError:
            raise
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        self.clear()
        raise DeviceMemoryError("the device is out of memory for this model and picture; choose a smaller model")
