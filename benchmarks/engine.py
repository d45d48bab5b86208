"""Where PyTorch runs: a forward pass beside busy scripts, what crossing to a process costs, and how soon one is back.

Both engines run in one interleaved loop, so that whoever else uses the machine slows both.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from statistics import median
from threading import Event, Thread
from typing import Any

from benchmarks.report import Report
from vitviz.config import PRESETS
from vitviz.engine import Door, Engine, File, Request
from vitviz.engine.process import ProcessEngine
from vitviz.forward import build_model, describe_forward, load_model, run_forward
from vitviz.forward import measure as measured
from vitviz.images import digest, open_image
from vitviz.images.photos import PHOTOS
from vitviz.machine.wanted import asking
from vitviz.measures.attention import attention_by_layer
from vitviz.measures.classes import answer
from vitviz.measures.laboratory.gradients import gradients
from vitviz.ui.server.startup import SWITCH

SCRIPTS = 3
ROUNDS = 15
CROSSINGS = 100
KILLS = 5
TRIES = 3


def measure(report: Report) -> None:
    """All figures, of the two engines in turn."""
    inside, apart = Engine(), ProcessEngine()
    _beside_scripts(report, inside, apart)
    _crossing(report, inside, apart)
    _killed(report, apart)
    _gaps(report)
    apart.close()


def _beside_scripts(report: Report, inside: Engine, apart: ProcessEngine) -> None:
    report.section(f"Forward pass with all maps, demo, beside {SCRIPTS} scripts busy with Python: medians of {ROUNDS}")
    usual = sys.getswitchinterval()
    ways: dict[str, tuple[Door, float]] = {
        "in the server's process": (inside, usual),
        "the same, where threads give way sooner": (inside, SWITCH),
        "in a process of its own": (apart, usual),
        "in a process, where threads give way sooner": (apart, SWITCH),
    }
    alone: dict[str, list[float]] = {name: [] for name in ways}
    beside: dict[str, list[float]] = {name: [] for name in ways}
    for engine in (inside, apart):
        _seconds(engine, _forward("warm"))
    try:
        for turn in range(ROUNDS):
            for name, (where, interval) in ways.items():
                sys.setswitchinterval(interval)
                alone[name].append(_seconds(where, _forward(f"{name}, alone {turn}")))
                with _busy_scripts():
                    beside[name].append(_seconds(where, _forward(f"{name}, beside {turn}")))
    finally:
        sys.setswitchinterval(usual)
    for name in ways:
        words = f"alone {1000 * median(alone[name]):.0f} ms, from request to values"
        report.note(f"{name}", 1000 * median(beside[name]), words, " ms")
    ratio = median(beside[name]) / median(alone[name])
    report.at_most(f"{name}, beside scripts / alone", ratio, 6, "one interleaved run")


def _crossing(report: Report, inside: Engine, apart: ProcessEngine) -> None:
    report.section(f"What crossing to the process costs: medians of {CROSSINGS}, less those of the engine inside")
    model = Request(build_model, (PRESETS["vit_base_patch16_224"],), (("seed", 0), ("device", "cpu")))
    for name, limit, forward, function in (
        ("a measure of the demo model", 2, _forward("warm").args[0], answer),
        ("all maps of ViT-B/16", 15, _forward("ViT-B", model).args[0], None),
    ):
        costs: dict[Door, list[float]] = {inside: [], apart: []}
        for turn in range(CROSSINGS + 1):
            for engine, seconds in costs.items():
                asked: Request[Any] = (
                    Request(measured, (forward, function, 1), version=str(turn))
                    if function
                    else Request(describe_forward, (forward,), version=str(turn))
                )
                seconds.append(_seconds(engine, asked))
        more = median(costs[apart][1:]) - median(costs[inside][1:])  # the first of each runs the model
        report.at_most(name, 1000 * more, limit, "request there, values back", " ms")


def _killed(report: Report, apart: ProcessEngine) -> None:
    report.section(f"The process is killed in the middle of a request: {KILLS} times")
    waited = []
    for turn in range(KILLS):
        victim = apart.submit(Request(_pid, (turn,))).result().value
        asked = apart.submit(_forward(f"killed {turn}"))
        started = time.perf_counter()
        os.kill(victim, signal.SIGKILL)
        asked.result()
        waited.append(time.perf_counter() - started)
    report.at_most(
        "from the kill to the answer, the longest", max(waited), 8, "the new process loads the model again", " s"
    )


def _gaps(report: Report) -> None:
    report.section(f"Between two questions whether ViT-B/16 is still wanted, the longest: the best of {TRIES}")
    config = PRESETS["vit_base_patch16_224"]
    loaded, picture = build_model(config, seed=0, device="cpu"), open_image(PHOTOS[0].read())
    passed = run_forward(loaded, picture, True)
    for name, work in {
        "its parameters are drawn": lambda: build_model(config, seed=1, device="cpu"),
        "a forward pass with all maps": lambda: run_forward(loaded, picture, True),
        "attention of all layers": lambda: measured(passed, attention_by_layer),
        "the gradient of its loss": lambda: measured(passed, gradients, 0, "usual"),
    }.items():
        report.at_most(name, 1000 * min(_longest(work) for _ in range(TRIES)), 50, "two cores", " ms")


def _longest(work: Callable[[], object]) -> float:
    """Seconds of the longest stretch of work without a question, of this thread's own time: it works as long as any."""
    asked = [time.thread_time()]
    with asking(lambda: asked.append(time.thread_time())):
        work()
    return max(after - before for before, after in pairwise([*asked, time.thread_time()]))


def _pid(turn: int) -> int:
    return os.getpid()


def _forward(version: str, model: Request[Any] | None = None) -> Request[Any]:
    """A forward pass that nobody has asked for yet."""
    data = PHOTOS[0].read()
    picture = Request(open_image, (File(digest(data), data),))
    model = model or Request(load_model, ("demo",), (("device", "cpu"),))
    forward = Request(run_forward, (model, picture, True), version=version, keeps_alive=(model,))
    return Request(describe_forward, (forward,), keeps_alive=(forward,))


def _seconds(engine: Door, request: Request[Any]) -> float:
    started = time.perf_counter()
    engine.submit(request).result()
    return time.perf_counter() - started


@contextmanager
def _busy_scripts() -> Iterator[None]:
    over = Event()

    def script() -> None:
        while not over.is_set():
            for _ in range(1000):
                pass

    threads = [Thread(target=script, daemon=True) for _ in range(SCRIPTS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
