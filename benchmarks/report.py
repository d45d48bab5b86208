"""How a benchmark speaks: the machine, then one line per figure with its target, and a sentence on what it means."""

import os
import platform
from collections.abc import Callable
from pathlib import Path

import torch

from vitviz.numbers import small


def machine() -> str:
    """The machine in one line: processor, cores, PyTorch, threads, and who else is using it."""
    busy = ", ".join(f"{load:.1f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    return (
        f"{_processor()} · {os.cpu_count()} cores · {platform.system()} · Python {platform.python_version()} · "
        f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {torch.backends.cpu.get_cpu_capability()} · "
        f"load {busy}"
    )


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]


class Report:
    """Prints figures as they are measured, and remembers which missed their target."""

    def __init__(self, say: Callable[[str], None] = print) -> None:
        self.say = say
        self.missed: list[str] = []
        self.met = 0

    def at_most(self, name: str, value: float, limit: float, why: str, unit: str = "") -> None:
        """A figure that should not exceed `limit`."""
        self._line(name, value, f"<= {limit:g}", value <= limit, why, unit)

    def at_least(self, name: str, value: float, limit: float, why: str, unit: str = "") -> None:
        """A figure that should reach `limit`."""
        self._line(name, value, f">= {limit:g}", value >= limit, why, unit)

    def holds(self, name: str, fact: bool, why: str) -> None:
        """Something that is so or is not."""
        self._line(name, "yes" if fact else "no", "yes", fact, why, "")

    def note(self, name: str, value: float, why: str, unit: str = "") -> None:
        """A figure without a target, told because it helps to read the others."""
        self.say(f"  {name:<58} {small(value) + unit:>12}   {'':<12}        {why}")

    def section(self, title: str) -> None:
        """The head of a group of figures."""
        self.say(f"\n{title}")

    def close(self) -> None:
        """The last line: how many targets were met, and which were not."""
        missed = f"; missed: {' · '.join(self.missed)}" if self.missed else ""
        self.say(f"\n{self.met} of {self.met + len(self.missed)} targets met{missed}")

    def _line(self, name: str, value: float | str, target: str, met: bool, why: str, unit: str) -> None:
        text = value if isinstance(value, str) else small(value) + unit
        self.say(f"  {name:<58} {text:>12}   {target + unit:<12} {'met   ' if met else 'MISSED'} {why}")
        if met:
            self.met += 1
        else:
            self.missed.append(name)


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
