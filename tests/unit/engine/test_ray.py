"""Engines on Ray, on two nodes of this machine: the same numbers, each forward pass once, and nothing lost."""

import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.engine_calls import DEMO, forward_of, until
from tests.ray_cluster import Deploy, say
from tests.unit.engine.test_process import die_once, where
from tests.unit.engine.test_wire import MEASURES, same
from vitviz import weights
from vitviz.engine import Request, Result
from vitviz.engine.process.client import STARTING
from vitviz.engine.ray import RayEngine, caller
from vitviz.engine.ray.caller import Caller
from vitviz.forward import (
    describe_forward,
    describe_model,
    describe_photo,
    measure,
    run_forward,
)
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.machine.device import DeviceError
from vitviz.measures import classes

pytestmark = pytest.mark.ray


@pytest.fixture
def make(deploy: Deploy) -> Iterator[Callable[..., RayEngine]]:
    """A server of pages as Ray sees it, beside two replicas that have computed nothing yet."""
    made: list[RayEngine] = []

    def make() -> RayEngine:
        if not made:
            deploy({}, replicas=2)
        made.append(engine := RayEngine())
        until(lambda: engine.device() is not STARTING and len(engine.status().members) == 2)
        return engine

    yield make
    for engine in made:
        engine.close()


def told(function: Callable[[Any], Any], of: Request[Any]) -> Request[Any]:
    return Request(function, (of,), keeps_alive=(of,))


def pictures(many: int) -> list[bytes]:
    """Files that differ; a picture ends where its format says so."""
    return [PHOTOS[0].read() + bytes([place]) for place in range(many)]


def test_every_result_is_bit_equal_to_the_local_engines(make: Callable[..., RayEngine]) -> None:
    engine, compared = make(), 0
    loaded = weights.load("demo", device="cpu")
    for photo in PHOTOS[:3]:
        picture = open_image(photo.read())
        local, seen = run_forward(loaded, picture, True), forward_of(photo.read())
        pairs: list[tuple[Request[Any], Any]] = [
            (Request(measure, (seen, function, *args), keeps_alive=(seen,)), measure(local, function, *args))
            for function, args in MEASURES
        ]
        pairs.append((told(describe_photo, seen.args[1]), describe_photo(picture)))
        pairs.append((told(describe_model, DEMO), describe_model(loaded)))
        for request, value in pairs:
            assert same(engine.submit(request).result(60).value, value), request.name
        info = engine.submit(told(describe_forward, seen)).result(60).value
        for name in ("crop", "shown", "maps", "logits"):
            assert same(getattr(info, name), getattr(local.info, name))
        compared += len(pairs) + 1
    say("results bit-equal to the local engine's", f"{compared} of {compared}")


def test_of_two_hundred_people_with_one_picture_one_forward_pass_is_made(make: Callable[..., RayEngine]) -> None:
    servers = [make(), make()]
    seen = forward_of(PHOTOS[0].read())
    request = told(describe_forward, seen)
    with ThreadPoolExecutor(50) as people:
        asked = [people.submit(servers[place % 2].submit, request, f"person {place}") for place in range(200)]
        answers: list[Result[Any]] = [future.result().result(60) for future in asked]
    assert len({id(answer.value) for answer in answers}) == 2, "it came once to each server of pages"
    assert same(answers[0].value, answers[1].value)
    status = servers[0].status()
    assert status.computed["run_forward"] == 1
    say("200 people with the same picture, 2 servers, 2 replicas", "1 forward pass")


def test_a_picture_stays_with_the_replica_that_holds_it(make: Callable[..., RayEngine]) -> None:
    engine = make()
    passes = [forward_of(data) for data in pictures(12)]
    for seen in passes:
        engine.submit(told(describe_forward, seen)).result(60)
    for seen in passes:
        for place in range(3):
            engine.submit(Request(measure, (seen, classes.answer, place), keeps_alive=(seen,))).result(60)
    status = engine.status()
    assert status.computed["run_forward"] == 12
    say("12 pictures, each asked about 4 times", "12 forward passes")


def test_the_bytes_of_a_picture_are_sent_once(make: Callable[..., RayEngine], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    send = Caller.send

    async def spy(self: Caller, call: Any, files: dict[str, bytes]) -> Any:
        sent.append(len(files))
        return await send(self, call, files)

    monkeypatch.setattr(Caller, "send", spy)
    engine, seen = make(), forward_of(PHOTOS[0].read() + b"sent once")
    for place in range(4):
        engine.submit(Request(measure, (seen, classes.answer, place), keeps_alive=(seen,))).result(60)
    assert sum(sent) == 1
    assert len(sent) == 5, "the first was asked for them"


def test_a_replica_that_is_killed_in_the_middle_loses_nothing(make: Callable[..., RayEngine], tmp_path: Path) -> None:
    engine = make()
    began = time.monotonic()
    killed = engine.submit(Request(die_once, (str(tmp_path / "mark"), "survived")), "ann")
    beside = [engine.submit(Request(where, (key,)), f"person {key}") for key in range(20)]
    assert killed.result(60).value == "survived"
    say("a replica killed in the middle: answered after", f"{time.monotonic() - began:.1f} s")
    assert len({future.result(60).value for future in beside}) <= 3, (
        "two replicas, and the one in the killed one's place"
    )
    assert engine.status().replaced == 1
    say("of 20 requests beside it answered", "20")
    until(lambda: len(engine.status().members) == 2)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_kills_every_replica_is_told_and_the_next_request_works(make: Callable[..., RayEngine]) -> None:
    engine = make()
    with pytest.raises(DeviceError, match="the engine ended 2 times in the middle of this; choose another picture or"):
        engine.submit(Request(die)).result(60)
    assert engine.submit(Request(where, (99,))).result(60).value > 0
    until(lambda: len(engine.status().members) == 2)


def test_another_version_is_refused_with_both_numbers(
    make: Callable[..., RayEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make()
    monkeypatch.setattr(caller, "__version__", "0.0.7")
    with pytest.raises(
        DeviceError, match=r"pages is vitviz 0\.0\.7 and the engine on Ray is vitviz \d.*; install the same"
    ):
        engine.submit(Request(where, (1,))).result(60)


def test_how_long_a_cached_measure_takes(make: Callable[..., RayEngine]) -> None:
    engine, seen = make(), forward_of(PHOTOS[0].read())
    request = Request(measure, (seen, classes.answer, 2), keeps_alive=(seen,))
    engine.submit(request).result(60)
    took = []
    for _ in range(100):
        engine._results.clear()
        began = time.perf_counter()
        engine.submit(request).result(60)
        took.append((time.perf_counter() - began) * 1000)
    median, slow = statistics.median(took), statistics.quantiles(took, n=20)[-1]
    say("a measure that a replica has kept, median and 95 % (limit 10 ms)", f"{median:.1f} ms, {slow:.1f} ms")
    assert engine.status().computed["measure"] == 1
