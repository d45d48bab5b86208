"""Requests of one kind that wait are computed at once where that is worth while, as pictures are on a GPU."""

from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.engine_calls import CALLS, DEMO, GO, forward_of, hold, note, until, wait_for
from tests.engines import MakeEngine
from vitviz import weights
from vitviz.config import ViTConfig
from vitviz.engine import Door, Request, Together
from vitviz.forward import build_model, describe_forward, measure, pictures_at_once, run_forward, run_forwards
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.measures.quantised import dequantise
from vitviz.model import ViT

pytestmark = pytest.mark.usefixtures("fresh_calls")
MOST = 3


def power(base: int, exponent: int) -> int:
    note(exponent)
    if exponent < 0:
        raise ValueError(f"{exponent} is negative")
    return base**exponent


def powers(base: int, exponents: list[int]) -> list[int]:
    note(tuple(exponents))
    if min(exponents) < 0:
        raise ValueError("one of them is negative")
    return [base**exponent for exponent in exponents]


def three(*args: Any) -> int:
    return MOST


def one(*args: Any) -> int:
    return 1


def asked(base: int, exponent: int, most: Any = three) -> Request[int]:
    return Request(power, (base, exponent), together=Together(1, powers, most))


def twice(value: int) -> int:
    return 2 * value


def queue(engine: Door, *requests: Request[Any]) -> "list[Future[Any]]":
    """The futures of requests that wait together behind one that holds the engine until `GO`."""
    engine.submit(Request(hold, ("the engine",)))
    wait_for(engine, "hold")
    futures = []
    for place, request in enumerate(requests):
        futures.append(engine.submit(request, f"person {place}"))
        until(lambda: engine.status().waiting == len(futures))  # one after the other, wherever the engine is
    return futures


def behind(engine: Door, *requests: Request[Any]) -> "list[Future[Any]]":
    """The futures of requests that have waited together."""
    futures = queue(engine, *requests)
    GO.set()
    return futures


def test_what_waits_for_the_same_is_computed_at_once_and_each_gets_its_own(make_engine: MakeEngine) -> None:
    nested = Request(twice, (asked(2, 4),))
    futures = behind(make_engine(), asked(2, 3), asked(3, 3), nested, asked(2, 5), asked(2, 6))
    assert [future.result(60).value for future in futures] == [8, 27, 32, 32, 64]
    assert CALLS == ["the engine", (3, 4, 5), 3, 6], "at most three, of one base, also those that others need"


def test_who_has_no_company_or_gains_nothing_by_it_is_computed_alone(make_engine: MakeEngine) -> None:
    engine = make_engine()
    assert engine.submit(asked(2, 3)).result(60).value == 8
    futures = behind(engine, asked(3, 1, one), asked(3, 2, one))
    assert [future.result(60).value for future in futures] == [3, 9]
    assert CALLS == [3, "the engine", 1, 2]


def test_where_one_of_them_fails_each_gets_its_own_answer(make_engine: MakeEngine) -> None:
    first, bad, last = behind(make_engine(), asked(2, 3), asked(2, -1), asked(2, 5))
    assert (first.result(60).value, last.result(60).value) == (8, 32)
    with pytest.raises(ValueError, match="-1 is negative"):
        bad.result(60)


def test_nobody_is_computed_for_who_has_left(make_engine: MakeEngine) -> None:
    engine = make_engine()
    left, stays, other = queue(engine, *(asked(2, exponent) for exponent in range(3)))
    assert left.cancel()
    until(lambda: engine.status().waiting == 2)
    GO.set()
    assert (stays.result(60).value, other.result(60).value) == (2, 4)
    assert CALLS == ["the engine", (1, 2)]


def test_pictures_in_a_batch_come_out_as_they_do_alone(make_engine: MakeEngine) -> None:
    loaded = weights.load("demo", device="cpu")
    passes = [forward_of(photo.read()) for photo in PHOTOS[:MOST]]
    together = Together(1, run_forwards, three)
    futures = behind(make_engine(), *(Request(describe_forward, (replace(it, together=together),)) for it in passes))
    for photo, future in zip(PHOTOS, futures, strict=False):
        info, alone = future.result(60).value, run_forward(loaded, open_image(photo.read()), True).info
        np.testing.assert_array_equal(info.crop, alone.crop)
        np.testing.assert_allclose(info.logits, alone.logits, atol=1e-4)
        for maps, alone_maps in zip(info.maps, alone.maps, strict=True):
            np.testing.assert_allclose(dequantise(maps), dequantise(alone_maps), atol=0.01)


def test_a_trace_of_a_batch_falls_into_traces_of_its_pictures() -> None:
    loaded = weights.load("demo", device="cpu")
    forwards = run_forwards(loaded, [open_image(photo.read()) for photo in PHOTOS[:2]], False)
    for photo, forward in zip(PHOTOS, forwards, strict=False):
        alone = run_forward(loaded, open_image(photo.read()), False).trace
        assert forward.trace.names == alone.names
        for name in alone.names:
            torch.testing.assert_close(forward.trace[name].tensor, alone[name].tensor, atol=1e-4, rtol=1e-4)
    assert forwards[0].trace.nbytes == alone.nbytes


def test_a_gpu_takes_many_pictures_a_cpu_one_and_pictures_that_see_each_other_stay_apart() -> None:
    sizes = ViTConfig(image_size=16, patch_size=4, dim=8, depth=1, heads=1, mlp_dim=8, classes=2)
    demo = weights.load("demo", device="cpu")
    assert pictures_at_once(demo) == 1
    for norm, most in (("layer", 32), ("batch", 1)):
        with torch.device("meta"):  # which is no CPU
            assert pictures_at_once(replace(demo, model=ViT(sizes.with_(norm=norm)))) == most


def test_what_a_request_is_compared_by_does_not_say_how_it_is_computed() -> None:
    data = PHOTOS[0].read()
    other = Request(build_model, (ViTConfig(),), (("seed", 0),))
    assert forward_of(data) == replace(forward_of(data), together=None)
    assert forward_of(data).kind == forward_of(PHOTOS[1].read()).kind != forward_of(data, other).kind
    assert DEMO.kind == ""


def test_what_a_process_may_have_died_of_is_computed_alone() -> None:
    passed = forward_of(PHOTOS[0].read())
    request = Request(measure, (Request(twice, (passed,)), 1), (("beside", passed),))
    assert passed.kind
    assert request.alone() == request
    assert not any(part.kind for part in request.alone().all_parts)
