"""Times that survive a shared machine: CPU time over all threads, works taken in turn, compared round by round.

With OMP_WAIT_POLICY=passive a waiting thread burns nothing, so the CPU time of a piece of work hardly depends on who
else is using the machine; and a ratio within one round cancels what is left.
"""

import random
import time
from collections.abc import Callable, Mapping
from statistics import median

Work = Callable[[], object]
Samples = Mapping[str, list[float]]


def interleaved(works: Mapping[str, Work], rounds: int, repeats: Mapping[str, int] | None = None) -> Samples:
    """CPU seconds of each work in each round, in an order drawn anew every round, after one round to warm up.

    `repeats` says how often a short work is done per sample; its samples are the mean.
    """
    samples: dict[str, list[float]] = {name: [] for name in works}
    order = random.Random(0)
    for turn in range(rounds + 1):
        for name in order.sample(list(works), len(works)):
            times = (repeats or {}).get(name, 1)
            seconds = cpu_seconds(works[name], times)
            if turn:
                samples[name].append(seconds)
    return samples


def ratio(samples: Samples, one: str, other: str) -> float:
    """Median over the rounds of `one` divided by `other`."""
    return median(a / b for a, b in zip(samples[one], samples[other], strict=True))


def cpu_seconds(work: Work, times: int = 1) -> float:
    """CPU seconds of one `work()`, the mean of `times`."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times
