"""No job runs for ever, and none for nobody; and a process in which one does all the same is replaced."""

import time
import traceback
from collections.abc import Callable
from threading import Condition, Lock, Thread

from vitviz.engine.crew import Crew
from vitviz.engine.failures import Failures, Heritage, last_words
from vitviz.engine.lane import Job, Lane, Lanes
from vitviz.machine.device import DeviceError

HEARTBEAT_S = 0.5  # between two looks at the jobs that run
HANGS = 30.0  # seconds until a thread that should end hangs: the longest call into PyTorch takes some ten
IDLE_TIMEOUT_S = 30.0  # in which a process with one that hangs waits for a moment when nobody waits for anything
FEWER = "choose a smaller model or fewer, larger patches"

Ends = Callable[[Heritage], None]


class Clock:
    """Ends jobs that have run for `deadline` seconds, and those that nobody has waited for since `grace` seconds.

    `ends` is called, in a thread of the clock's, where another process should take the place of this one: a thread
    hangs, or errors say that what was imported is not whole. Without it the engine goes on as well as it can.
    """

    def __init__(
        self,
        lock: Lock,
        lanes: Lanes,
        crew: Crew,
        failures: Failures,
        deadline: float,
        grace: float,
        ends: Ends | None,
    ) -> None:
        self._lock, self._lanes, self._crew, self._failures = lock, lanes, crew, failures
        self._deadline, self._grace, self._ends = deadline, grace, ends
        self._busy = Condition(lock)  # something runs
        self._unsound: Exception | None = None  # what says so: another process is asked for all jobs
        Thread(target=self._watch, name="engine's clock", daemon=True).start()

    # What is called with the lock.

    @property
    def unsound(self) -> bool:
        """Whether no job is begun here any more."""
        return self._unsound is not None

    def look(self) -> None:
        """Something runs, or this process is unsound."""
        self._busy.notify()

    def note_error(self, job: Job, error: Exception) -> bool:
        """Whether an error says that this process is unsound, and another will be asked for the job."""
        if self._failures.note(job.request, error) and self._ends:
            self._unsound = error
            self.look()
        return self.unsound

    def is_over(self, now: float) -> bool:
        """Whether this process should be replaced: it is unsound, or a thread hangs and nobody waits for another."""
        hang = [(job, since) for job, since in self._crew.ending if now - since > HANGS]
        for job, _ in hang:
            if not self._failures.why_not(job.request.key):
                self._failures.note_endless(job.request, f"this did not end when nobody waited for it; {FEWER}")
        in_use = self._lanes.waiting or self._lanes.running
        return self.unsound or any(not in_use or now - since > HANGS + IDLE_TIMEOUT_S for _, since in hang)

    def _watch(self) -> None:
        while True:
            with self._lock:
                self._busy.wait(HEARTBEAT_S if self._crew.ending or self._lanes.running or self.unsound else None)
                now = time.monotonic()
                for lane in self._lanes:
                    if lane.running:
                        self._look_at(lane, lane.running, now)
                over, heritage = self.is_over(now), self._failures.heritage
            if over and self._ends:
                if self._unsound:
                    last_words("".join(traceback.format_exception(self._unsound)))  # nobody else is told
                self._ends(heritage)
                return

    def _look_at(self, lane: Lane, job: Job, now: float) -> None:
        """Have a job end where it is time, and put another worker in its place at once: what it still does is lost."""
        job.unwanted_since = None if job.wanted else job.unwanted_since or now
        late = now - job.started > self._deadline
        if not late and (job.unwanted_since is None or now - job.unwanted_since < self._grace):
            return
        if late:
            why = f"this took longer than the {self._deadline:g} s that one request may take; {FEWER}"
            self._failures.note_endless(job.request, why)
            lane.end(None, DeviceError(why))
        else:
            lane.drop()
        self._crew.replace(lane, job, now)
