"""The door to PyTorch: equal requests are computed once, of one person's only the newest, and none for ever.

Streamlit runs every visitor's script in a thread of its own. PyTorch would make a pool of threads for each of them, and
two forward passes at once are slower than one after the other, so PyTorch runs in three workers: one for what takes a
moment, one for what takes a part of a second, one for what takes long, so that nobody who asks for a moment's work
waits for a larger model, or for two hundred who all ask for one.

What asks is a `Request`, what comes back is a future, and nothing else passes between the two.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar

from vitviz.engine.clock import Clock, Ends
from vitviz.engine.crew import Crew
from vitviz.engine.failures import Failures, Heritage
from vitviz.engine.lane import BusyError, Job, Lane, Lanes, Place
from vitviz.engine.request import Request
from vitviz.engine.results import Result, Results
from vitviz.engine.status import Status, this_process
from vitviz.engine.worker import Worker
from vitviz.machine.device import Device, DeviceError, describe, give_back, release_memory, resident
from vitviz.machine.wanted import Unwanted

T = TypeVar("T")

BUDGET_BYTES = 2_000_000_000  # of the process: what it imports, what runs, and results that are kept
SLACK_BYTES = 100_000_000  # that were let go, and are given back to the system together
MOST_WAITING = 400  # requests: a class of two hundred, twice
ATTEMPTS = 2  # for a request in which the worker died
DEADLINE_S = 120.0  # three times the longest that is legal (vitviz/machine/price.py) on two idle cores
GRACE_S = 2.0  # that a job goes on when nobody waits for it: whoever left may be back at once
TIDY_DELAY_S = 0.1  # without news until memory is given back, once for a class that leaves


class Engine:
    """`submit(request)` has it computed by a worker, once for all who ask, and keeps the result; change none.

    Results have a `budget` of bytes, which they share with what is computed beside them: what the process leaves of
    `BUDGET`, and half of that in any case. `deadline`, `grace` and `ends` are the `Clock`'s.
    """

    def __init__(
        self,
        budget: int | None = None,
        most_waiting: int = MOST_WAITING,
        deadline: float = DEADLINE_S,
        grace: float = GRACE_S,
        ends: Ends | None = None,
    ) -> None:
        self._most_waiting, self._since = most_waiting, time.time()
        self._lock = Lock()  # guards all that follows
        self._results = Results(
            max(BUDGET_BYTES - SLACK_BYTES - resident(), BUDGET_BYTES // 2) if budget is None else budget
        )
        self._computed: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        self._failures = Failures()
        self._tidy = True
        self._lanes = Lanes(self._lock, self._events)
        with self._lock:
            self._crew = Crew(self, self._lanes, self._events)
            self._clock = Clock(self._lock, self._lanes, self._crew, self._failures, deadline, grace, ends)

    def submit(
        self,
        request: Request[T],
        person: str = "",
        begins: Callable[[], None] | None = None,
        ended: Callable[[], None] | None = None,
    ) -> "Future[Result[T]]":
        """The future result: kept, under way, or new. A failure is raised to all who wait, and not kept.

        Cancel the future to leave the queue. A `person` waits for one request at a time: a newer one cancels the older.
        `begins` is called in the worker before it computes anything, `ended` when it is through with it, whether or not
        anybody still waits. Raises `BusyError` where the queue is full.
        """
        future: Future[Result[T]] = Future()
        with self._lock:
            if person:
                self._lanes.leave(person, request.key)
            if result := self._results.get(request.key):
                future.set_result(result)
            elif why := self._failures.why_not(request.key):
                future.set_exception(DeviceError(why))
            else:
                job = self._join(request, person, future)
                job.begins += [begins] if begins else []
                job.ended += [ended] if ended else []
        return future

    def cached(self, request: Request[T]) -> Result[T] | None:
        """The result of `request` if it is kept: the short way for what has been computed before."""
        with self._lock:
            return self._results.get(request.key)

    def count_hit(self, key: str) -> None:
        """Count a run of a page that found its forward pass kept, under `key`, and let that not be the next to go."""
        with self._lock:
            self._events["answered"] += 1
            self._results.get(key)

    def place(self, request: Request[Any]) -> Place:
        """Where `request` stands; nothing is ahead of one that runs or is done."""
        return self.places().get(request.key, Place(0, 0.0))

    def places(self) -> dict[str, Place]:
        """Where each request stands that waits, by its key."""
        with self._lock:
            return self._lanes.places()

    def trouble(self) -> str:
        """What is wrong with the engine, in a sentence, or nothing."""
        return ""

    def device(self, choice: str = "auto") -> Device:
        """The device of that name as it is now, or the one that is taken where none is named."""
        return describe(choice)

    def status(self) -> Status:
        """Numbers for the server's operator."""
        here = this_process(self._since)
        with self._lock:
            return Status(
                waiting=self._lanes.waiting,
                running=tuple(job.request.name for job in self._lanes.running),
                results=len(self._results),
                result_bytes=self._results.nbytes,
                budget=self._results.budget,
                computed=dict(self._computed),
                kind="in the server's own process",
                members=(here,),
                **self._events,
            )

    def inherit(self, heritage: Heritage) -> None:
        """Know what the process before knew of requests that did not end."""
        with self._lock:
            self._failures.inherit(heritage)

    def forget(self, part: str) -> None:
        """Drop all results whose key contains `part`: a picture's digest, when its owner has left.

        A worker gives the memory back when it has nothing else to do.
        """
        with self._lock:
            self._results.forget(part)
            for lane in self._lanes:
                for job in lane.jobs:
                    job.forgotten.add(part)
            self._have_tidied()

    def _join(self, request: Request[T], person: str, future: "Future[Result[T]]") -> Job:
        if job := self._lanes.under_way(request.key):
            self._events["joined"] += 1
        else:
            lane = self._lanes.of([*self._needed(request)])
            job = self._queue(lane, request)
            lane.news.notify()
        job.waiters.append((person, future))
        return job

    def _needed(self, request: Request[Any]) -> Iterator[Request[Any]]:
        """What has to be computed for `request`: it, and those among its arguments that are not kept."""
        yield request
        for part in request.parts:
            if part.key not in self._results:
                yield from self._needed(part)

    def _queue(self, lane: Lane, request: Request[Any]) -> Job:
        if (waiting := self._lanes.waiting) >= self._most_waiting:
            self._events["refused"] += 1
            raise BusyError(
                f"{waiting} requests are waiting and the limit is {self._most_waiting}; "
                f"try again in about {max(1, round(waiting * lane.usual_seconds))} s"
            )
        return lane.put(request)

    # What the workers do: the `Desk`. Each call takes the lock by itself and asks first whether the job still counts.

    def take(self, worker: Worker) -> Job:
        """The next job of the worker's lane; waits for it."""
        while True:
            with self._lock:
                lane = self._crew.lane_of(worker)
                if lane is None:
                    raise Unwanted
                while not (job := self._next(lane)):
                    if not lane.news.wait(None if self._tidy else TIDY_DELAY_S) and not self._tidy:
                        break
                self._tidy |= not job
            if job:
                for tell in job.begins:
                    tell()
                return job
            release_memory()

    def find(self, job: Job, key: str) -> Result[Any] | None:
        """The result that is kept under `key`."""
        with self._lock:
            job.require_current()
            return self._results.get(key)

    def alike(self, job: Job, request: Request[Any], most: int) -> list[Request[Any]]:
        """At most so many requests of the kind of `request` that jobs behind `job` need, and that are not kept."""
        with self._lock:
            needed = self._lane_that_runs(job).alike(request)
            return [it for key, it in needed.items() if key != request.key and key not in self._results][:most]

    def keep(self, job: Job, request: Request[Any], obtained: dict[str, Result[Any]]) -> None:
        """Keep what `job` computed for `request`, and what that needs, even if it had to make room in between."""
        with self._lock:
            job.require_current()
            self._let_go(job)
            self._computed[request.name] += 1
            if any(part in request.key for part in job.forgotten):
                return
            for key in obtained[request.key].keeps_alive:
                if key in obtained and key not in self._results:
                    self._results.keep(key, obtained[key], obtained, self._crew.needs)
            self._results.keep(request.key, obtained[request.key], obtained, self._crew.needs)
        self._give_back()

    def make_room(self, job: Job, needed: int, obtained: dict[str, Result[Any]]) -> None:
        """Let go of results, but not of those that were `obtained`, so that a step of `job` has `needed` bytes."""
        with self._lock:
            job.require_current()
            job.needs = needed
            self._results.shrink(self._crew.needs, obtained)
        self._give_back()

    def clear(self, job: Job) -> None:
        """Drop all results and give their memory back."""
        with self._lock:
            job.require_current()
            self._results.clear()
        release_memory()

    def close(self, job: Job, result: Result[Any] | None, error: Exception | None, seconds: float) -> None:
        """End the job; where its error says that this process is unsound, the next one is asked for it."""
        with self._lock:
            lane = self._lane_that_runs(job)
            lane.seconds.append(seconds)
            self._let_go(job)
            if not (error and self._clock.note_error(job, error)):
                lane.end(result, error)

    def leave(self, worker: Worker) -> None:
        """Note that a worker's thread ends; where it died, put another in its place and try its request once more."""
        with self._lock:
            self._crew.note_end(worker)
            self._have_tidied()
            lane = self._crew.lane_of(worker)
            if lane is None:
                return
            job = lane.running
            if job and job.attempts < ATTEMPTS:
                lane.put_back(job)
            elif job:
                what = f"the worker ended {ATTEMPTS} times in the middle of this"
                lane.end(None, DeviceError(f"{what}; choose another picture or a smaller model"))
            self._crew.replace(lane)

    def _let_go(self, job: Job) -> None:
        self._results.let_go, job.needs = self._results.let_go + job.needs, 0

    def _give_back(self) -> None:
        with self._lock:
            much = self._results.much_let_go(SLACK_BYTES)
        if much:
            give_back()

    def _have_tidied(self) -> None:
        self._tidy = False
        for lane in self._lanes:
            lane.news.notify()

    def _next(self, lane: Lane) -> Job | None:
        job = None if self._clock.unsound else lane.take()
        if job:
            job.attempts += 1
            job.started = time.monotonic()
            self._clock.look()
        return job

    def _lane_that_runs(self, job: Job) -> Lane:
        job.require_current()
        return self._lanes.that_runs(job)
