"""What every fuzzer does: files are opened in processes of their own, watched, and what became of them is counted.

A file that kills the interpreter, hangs, or takes too much time or memory has a number, and can be made again from it.
"""

import os
import re
import resource
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from vitviz.numbers import bytes_, exact

MOST_SECONDS = 2  # of CPU time for one file
MOST_HELD = 400_000_000  # bytes beyond what the process holds when it starts
MOST_ADDRESSES = 4_000_000_000  # bytes more that the process can ask for: a blow-up ends there, and the machine goes on
SILENT_S = 60  # seconds until a silent file counts as hanging
BLOCK = 1000  # files for one process
SHOWN = 20  # kinds of outcome, and files that went wrong


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that opens strangers' files.

    `broken(seed, number)` makes the name of a good file and the file broken; `opened` opens that, or raises `error`
    with a sentence. `fault_of_result` looks closely at what was opened, `fault_of_sentence` at what was said instead;
    both return what is wrong, or nothing. `kind` is a sentence without what belongs to one file only.
    """

    title: str
    broken: Callable[[int, int], tuple[str, Any]]
    opened: Callable[[Any], Any]
    error: type[Exception]
    fault_of_result: Callable[[Any], str]
    fault_of_sentence: Callable[[str], str]
    kind: Callable[[str], str]

    @property
    def good(self) -> str:
        """What a file came to that could be opened."""
        return self.title.removesuffix("s")


class Outcome(NamedTuple):
    """What a file came to: what it is, or its sentence; CPU seconds, bytes held, and what went `wrong`, if it did."""

    number: int
    name: str
    what: str
    seconds: float = 0
    held: int = 0
    wrong: str = ""


def judge(subject: Subject, seed: int, number: int) -> Outcome:
    """Open one broken file and look closely at what comes back; `held` counts from 0 bytes."""
    name, file = subject.broken(seed, number)
    what = wrong = ""
    result = None
    _peak()
    start = time.process_time()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = subject.opened(file)
        except subject.error as error:
            what, wrong = subject.kind(str(error)), subject.fault_of_sentence(str(error))
        except Exception:
            what, wrong = "another exception", traceback.format_exc()
    seconds, held = time.process_time() - start, _peak()
    if result is not None:
        what, wrong = subject.good, subject.fault_of_result(result)
    if warned:
        wrong = f"warns: {warned[0].message}"
    if seconds > MOST_SECONDS:
        wrong = wrong or f"takes {seconds:.1f} s"
    return Outcome(number, name, what, seconds, held, wrong)


def _peak() -> int:
    """The most bytes this process held since the last call; off Linux, since its start."""
    try:
        held = int(re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) * 1024
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return held


def _work(pipe: Connection, subject: Subject, seed: int, numbers: range) -> None:
    """In a process of its own: judge these files, in turn."""
    with suppress(ValueError, OSError):  # macOS knows no such limit, and no such file
        addresses = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + MOST_ADDRESSES
        resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))
    _peak()
    before = _peak()  # and not later: what making the good files leaves behind would be lent to the broken ones
    for number in numbers:
        outcome = judge(subject, seed, number)
        held = outcome.held - before
        wrong = outcome.wrong or (f"holds {bytes_(held)}" if held > MOST_HELD else "")
        pipe.send(outcome._replace(held=held, wrong=wrong))


def outcomes(subject: Subject, seed: int, numbers: range) -> Iterator[Outcome]:
    """Judge these files in another process, and in a new one behind each file that ends or blocks it."""
    while numbers:
        here, there = Pipe(duplex=False)
        process = get_context("spawn").Process(target=_work, args=(there, subject, seed, numbers), daemon=True)
        process.start()
        there.close()
        end = "hangs"
        try:
            while numbers and here.poll(SILENT_S):
                yield here.recv()
                numbers = numbers[1:]
        except EOFError:
            process.join()
            end = f"ends its process, exit status {process.exitcode}"
        process.kill()
        process.join()
        if numbers:
            yield Outcome(numbers[0], subject.broken(seed, numbers[0])[0], end, wrong=end)
            numbers = numbers[1:]


def run(subject: Subject, seed: int, numbers: range) -> list[Outcome]:
    """Judge these files on all cores, and say meanwhile how many are done."""
    blocks = [numbers[start : start + BLOCK] for start in range(0, len(numbers), BLOCK)]
    found: list[Outcome] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for block in pool.map(lambda block: list(outcomes(subject, seed, block)), blocks):
            found += block
            if sys.stderr.isatty():
                print(f"\r{exact(len(found))} of {exact(len(numbers))}", end="\r", file=sys.stderr, flush=True)
    return found


def summary(subject: Subject, found: list[Outcome], seed: int) -> str:
    """The figures of a run: kinds of outcome by format, the slowest and the largest file, and all that went wrong."""
    lines = []
    for form in dict.fromkeys(outcome.name.split()[0] for outcome in found):
        kinds = Counter(outcome.what for outcome in found if outcome.name.split()[0] == form)
        lines.append(f"\n{form}: {exact(kinds.total())} files, {exact(len(kinds))} kinds of outcome")
        lines += [f"{exact(count):>9}  {what}" for what, count in kinds.most_common(SHOWN)]
    slowest, largest = (max(found, key=lambda outcome: outcome[field]) for field in (3, 4))
    wrong = [outcome for outcome in found if outcome.wrong]
    lines += [
        f"\nslowest: {slowest.seconds:.2f} s of CPU time, file {slowest.number} ({slowest.name}: {slowest.what})",
        f"largest: {bytes_(largest.held)}, file {largest.number} ({largest.name}: {largest.what})",
        f"{subject.title}: {exact(sum(outcome.what == subject.good for outcome in found))} of {exact(len(found))}",
        f"gone wrong: {exact(len(wrong))}",
    ]
    for outcome in wrong[:SHOWN]:
        again = f"python -m benchmarks.fuzz 1 --only {subject.title} --seed {seed} --first {outcome.number}"
        lines.append(f"\n{again}  ({outcome.name})\n{outcome.wrong}")
    return "\n".join(lines)
