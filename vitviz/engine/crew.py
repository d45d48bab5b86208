"""The workers: one for each lane, and those that were told to end and have not yet."""

from collections import Counter
from collections.abc import Sequence

from vitviz.engine.lane import Job, Lane, Lanes
from vitviz.engine.worker import Desk, Worker

NICE_STEP = 5  # steps of priority, as `nice` counts them, by which a lane lets the one before it go first


class Crew:
    """Puts a worker to each lane. Not safe for several threads; the engine has the lock."""

    def __init__(self, desk: Desk, lanes: Lanes, events: Counter[str]) -> None:
        self._desk, self._lanes, self._events = desk, lanes, events
        self._workers: dict[Lane, Worker] = {}
        self._ending: dict[Worker, tuple[Job, float]] = {}  # the job that is over, and when it was
        for lane in lanes:
            self._start(lane)

    def lane_of(self, worker: Worker) -> Lane | None:
        """The lane of a worker, none of one that was replaced."""
        return next((lane for lane in self._lanes if self._workers[lane] is worker), None)

    def replace(self, lane: Lane, job: Job | None = None, now: float = 0.0) -> None:
        """Put another worker to a lane; the one before is gone, or ends as soon as it asks for its `job`."""
        if job:
            self._ending[self._workers[lane]] = job, now
        self._events["restarts"] += 1
        self._start(lane)

    def note_end(self, worker: Worker) -> None:
        """The thread of a worker is at its end."""
        self._ending.pop(worker, None)

    @property
    def ending(self) -> Sequence[tuple[Job, float]]:
        """Jobs that are over and have not come to an end, and since when."""
        return [*self._ending.values()]

    @property
    def needs(self) -> int:
        """Bytes that what runs takes beside results; what is over takes them until it has come to an end."""
        return sum(job.needs for job in (*self._lanes.running, *(job for job, _ in self.ending)))

    def _start(self, lane: Lane) -> None:
        self._workers[lane] = Worker(self._desk, lane.name, NICE_STEP * [*self._lanes].index(lane))
        self._workers[lane].start()
