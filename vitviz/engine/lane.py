"""What waits for a worker: jobs in the order of their coming, each with everybody who asked for it."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Lock
from typing import Any

from vitviz.engine.request import Request
from vitviz.engine.results import Result
from vitviz.machine.device import DeviceError
from vitviz.machine.wanted import Unwanted

RECENT = 16  # requests whose mean time makes the estimate


class BusyError(DeviceError):
    """Too many requests are waiting already."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request stands in the queue: how many are before it, and in about how many seconds its turn comes.

    Nobody knows while the engine is `starting`.
    """

    ahead: int
    seconds: float
    starting: bool = False


@dataclass(eq=False)
class Job:
    """A request that waits or runs, and who asked for it: one future for each, which is theirs to cancel.

    `begins` are called when it is about to run, `ended` when its thread is at the end of it;
    `started` and `unwanted_since` are moments of the monotonic clock;
    `forgotten` are parts of keys whose results may not be kept; its step `needs` so many bytes beside results; once it
    is `over`, nothing that is still computed for it counts.
    """

    request: Request[Any]
    waiters: list[tuple[str, Future[Any]]] = field(default_factory=list)
    begins: list[Callable[[], None]] = field(default_factory=list)
    ended: list[Callable[[], None]] = field(default_factory=list)
    attempts: int = 0
    started: float = 0.0
    unwanted_since: float | None = None
    forgotten: set[str] = field(default_factory=set)
    needs: int = 0
    over: bool = False

    @property
    def wanted(self) -> bool:
        """Whether anybody waits for it."""
        return not all(future.cancelled() for _, future in self.waiters)

    def require_current(self) -> None:
        """Raise `Unwanted` where nothing that is computed for this job counts any more."""
        if self.over:
            raise Unwanted

    def end(self, result: Result[Any] | None, error: BaseException | None) -> None:
        """Give everybody who waits their answer; the one of `result` and `error` that is there."""
        self.over = True
        for _, future in self.waiters:
            with suppress(InvalidStateError):  # of those who have left
                if error:
                    future.set_exception(error)
                else:
                    future.set_result(result)


class Lane:
    """A queue, and the job at its head that runs. Not safe for several threads; the engine has the lock."""

    def __init__(self, name: str, lock: Lock, events: Counter[str]) -> None:
        self.name = name
        self.news = Condition(lock)  # something waits
        self.running: Job | None = None
        self.seconds: deque[float] = deque(maxlen=RECENT)  # that the last requests took
        self._waiting: OrderedDict[str, Job] = OrderedDict()
        self._events = events

    @property
    def waiting(self) -> int:
        """Number of queued jobs that still have waiting visitors."""
        return sum(job.wanted for job in self._waiting.values())

    @property
    def usual_seconds(self) -> float:
        """What the last requests took in the mean."""
        return sum(self.seconds) / len(self.seconds) if self.seconds else 0.0

    @property
    def jobs(self) -> list[Job]:
        """All jobs, the running one first."""
        return [*([self.running] if self.running else []), *self._waiting.values()]

    def under_way(self, key: str) -> Job | None:
        """The job of that key, if somebody still waits for it or it runs."""
        if self.running and self.running.request.key == key:
            return self.running
        job = self._waiting.get(key)
        return job if job and job.wanted else None

    def alike(self, request: Request[Any]) -> dict[str, Request[Any]]:
        """All requests of the kind of `request` that somebody's jobs need, by key."""
        parts = (part for job in self.jobs if job.wanted for part in job.request.all_parts)
        return {part.key: part for part in parts if part.kind == request.kind}

    def put(self, request: Request[Any]) -> Job:
        """Append a new job, or put it where one stands that nobody waits for any more: who asks again is as far on."""
        self._events["dropped"] += request.key in self._waiting
        job = self._waiting[request.key] = Job(request)
        return job

    def put_back(self, job: Job) -> None:
        """Let `job`, which ran, be the next to run."""
        self.running, job.needs = None, 0
        self._waiting[job.request.key] = job
        self._waiting.move_to_end(job.request.key, last=False)

    def take(self) -> Job | None:
        """Start the next job that has waiting visitors and return it; None where there is none."""
        while self._waiting:
            key, job = next(iter(self._waiting.items()))
            wanted = job.wanted  # asked once: somebody may leave at any moment
            self.running = job if wanted else None  # before it leaves the queue: a worker may die here, too
            del self._waiting[key]
            if wanted:
                return job
            self._events["dropped"] += 1
        return None

    def end(self, result: Result[Any] | None, error: Exception | None) -> None:
        """Give everybody who waits for the job that runs their answer."""
        assert self.running
        self.running.end(result, error)  # first: the job runs until all have it
        self.running = None
        self._events["failed" if error else "finished"] += 1

    def drop(self) -> None:
        """Let go of the job that runs, for which nobody waits."""
        assert self.running
        self.running.over, self.running = True, None
        self._events["dropped"] += 1

    def leave(self, person: str, key: str) -> None:
        """Cancel what `person` waits for, but for the request of that key."""
        for other, job in self._waiting.items():
            for waiter, future in job.waiters:
                if waiter == person and other != key:
                    future.cancel()

    def places(self) -> dict[str, Place]:
        """Where each request stands that waits, by its key."""
        places, ahead, seconds = dict[str, Place](), int(self.running is not None), self.usual_seconds
        for key, job in self._waiting.items():
            places[key] = Place(ahead, ahead * seconds)
            ahead += job.wanted
        return places


class Lanes:
    """Three queues: of what takes a moment, a `while`, or `long`. Not safe for several threads, either."""

    def __init__(self, lock: Lock, events: Counter[str]) -> None:
        names = "engine", "engine, larger work", "engine, long work"
        self.short, self.larger, self.long = (Lane(name, lock, events) for name in names)

    def __iter__(self) -> Iterator[Lane]:
        return iter((self.short, self.larger, self.long))

    def of(self, needed: Collection[Request[Any]]) -> Lane:
        """The lane of a request for which all those that are `needed` have to be computed."""
        if any(it.takes_long for it in needed):
            return self.long
        return self.larger if any(it.takes_a_while for it in needed) else self.short

    @property
    def waiting(self) -> int:
        """Number of queued jobs that still have waiting visitors."""
        return sum(lane.waiting for lane in self)

    @property
    def running(self) -> list[Job]:
        """The jobs that run."""
        return [lane.running for lane in self if lane.running]

    def under_way(self, key: str) -> Job | None:
        """The job of that key, if somebody still waits for it or it runs."""
        return next(filter(None, (lane.under_way(key) for lane in self)), None)

    def that_runs(self, job: Job) -> Lane:
        """The lane of a job that runs."""
        return next(lane for lane in self if lane.running is job)

    def places(self) -> dict[str, Place]:
        """Where each request stands that waits, by its key."""
        return {key: place for lane in self for key, place in lane.places().items()}

    def leave(self, person: str, key: str) -> None:
        """Cancel what `person` waits for, but for the request of that key."""
        for lane in self:
            lane.leave(person, key)
