"""The engine: one computation for many who ask, the newest wish of each, and a budget that holds."""

import pickle
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from threading import current_thread
from typing import Any

import numpy as np
import pytest
import torch

from tests.engine_calls import CALLS, GO, hold, note, stand, until, wait_for, zeros
from tests.engines import MakeEngine
from vitviz import weights
from vitviz.config import PRESETS, ViTConfig
from vitviz.engine import BusyError, Engine, File, Request, nbytes, results
from vitviz.engine.results import OBJECT, Result, Results
from vitviz.forward import measure, run_forward
from vitviz.images import digest, open_image
from vitviz.measures import attention_weights
from vitviz.model import ViT
from vitviz.trace import Trace, record

pytestmark = pytest.mark.usefixtures("fresh_calls")


def test_many_who_ask_the_same_share_one_computation(make_engine: MakeEngine) -> None:
    engine = make_engine()
    with ThreadPoolExecutor(20) as people:
        asked = [people.submit(lambda: engine.submit(Request(hold, ("same",))).result(60).value) for _ in range(20)]
        GO.set()
        assert [answer.result() for answer in asked] == ["same"] * 20
    assert engine.submit(Request(hold, ("same",))).result(60).value == "same"
    assert CALLS == ["same"]


def test_everything_runs_in_one_thread_of_the_engine(make_engine: MakeEngine) -> None:
    engine = make_engine()
    names = {engine.submit(Request(_thread, (key,))).result(60).value for key in range(5)}
    assert names == {"engine"}


def _thread(key: int) -> str:
    return current_thread().name


def test_a_result_says_how_long_it_was_computed(make_engine: MakeEngine) -> None:
    slept = Request(_sleep, (0.2,))
    engine = make_engine()
    seconds = engine.submit(slept).result(60).seconds
    assert seconds >= 0.2
    assert engine.submit(slept).result(60).seconds == seconds, "of one that is kept still what it took"


def _sleep(seconds: float) -> float:
    time.sleep(seconds)
    return 0.0


def test_a_request_says_what_decides_its_result_and_travels() -> None:
    config, data = PRESETS["demo"], b"a picture"
    model = Request(weights.build, (config,), (("seed", 3), ("device", "cpu")))
    picture = Request(open_image, (File(digest(data), data),))
    seen = Request(run_forward, (model, picture, True), keeps_alive=(model,))
    rows = Request(measure, (seen, attention_weights, 2), keeps_alive=(seen,))
    others: list[Request[Any]] = [
        Request(measure, (seen, attention_weights, 3)),
        Request(measure, (Request(run_forward, (model, picture, False)), attention_weights, 2)),
        Request(weights.build, (config,), (("seed", 4), ("device", "cpu"))),
        Request(weights.build, (config,), (("seed", 3), ("device", "cpu")), version="newer"),
        Request(weights.build, (config.with_(depth=7),), (("seed", 3), ("device", "cpu"))),
        Request(open_image, (File(digest(b"another"), b"another"),)),
    ]
    asked: list[Request[Any]] = [model, picture, seen, rows, *others]
    assert len({request.key for request in asked}) == 10
    there = pickle.loads(pickle.dumps(rows))
    assert there.key == rows.key
    assert there.args[0].args[1].args[0].data == data
    assert "a picture" not in rows.key


def test_arguments_that_are_requests_are_computed_first_and_once(make_engine: MakeEngine) -> None:
    engine, inner = make_engine(), Request(note, (2,))
    outer = Request(_sum, (inner, inner, 3))
    assert engine.submit(outer).result(60).value == 7
    assert CALLS == [2]
    assert engine.status().computed == {"note": 1, "_sum": 1}


def _sum(*values: int) -> int:
    return sum(values)


def test_of_one_persons_stale_requests_only_the_newest_is_computed(make_engine: MakeEngine) -> None:
    engine = make_engine()
    under_way = engine.submit(Request(hold, ("first",)), "ann")
    wait_for(engine, "hold")
    stale = [engine.submit(Request(note, (i,)), "ann") for i in range(9)]
    other = engine.submit(Request(note, ("bob's",)), "bob")
    until(lambda: engine.status().waiting == 2)  # what is asked of another process arrives there later
    last = Request(note, ("newest",))
    newest = engine.submit(last, "ann")
    until(lambda: engine.place(last).ahead == 2)
    GO.set()
    assert newest.result(60).value == "newest"
    assert other.result(60).value == "bob's"
    assert under_way.result(60).value == "first"
    assert CALLS == ["first", "bob's", "newest"]
    for future in stale:
        with pytest.raises(CancelledError):
            future.result(0)
    assert engine.status().dropped == 9


def test_what_one_person_leaves_another_still_gets(make_engine: MakeEngine) -> None:
    engine = make_engine()
    engine.submit(Request(hold, ("first",)))
    wait_for(engine, "hold")
    left, waited_for = (engine.submit(Request(note, ("shared",)), person) for person in ("ann", "bob"))
    gone = engine.submit(Request(note, ("nobody's",)), "eve")
    assert left.cancel()
    assert gone.cancel()
    until(lambda: engine.status().waiting == 1)
    GO.set()
    assert waited_for.result(60).value == "shared"
    assert engine.submit(Request(note, ("last",))).result(60).value == "last"
    assert CALLS == ["first", "shared", "last"]


def test_who_leaves_and_comes_back_is_served(make_engine: MakeEngine) -> None:
    engine = make_engine()
    engine.submit(Request(hold, ("first",)))
    wait_for(engine, "hold")
    assert engine.submit(Request(note, ("again",))).cancel()
    back = engine.submit(Request(note, ("again",)))
    GO.set()
    assert back.result(60).value == "again"
    assert CALLS == ["first", "again"]


def test_the_queue_tells_the_place_and_says_when_it_is_full(make_engine: MakeEngine) -> None:
    engine = make_engine(most_waiting=3)
    running = Request(hold, ("first",))
    engine.submit(running)
    wait_for(engine, "hold")
    requests, futures = [Request(note, (i,)) for i in range(3)], []
    for ahead, request in enumerate(requests, 1):  # on a cluster, what is sent later may arrive before
        futures.append(engine.submit(request))
        stand(engine, request, ahead)
    assert engine.place(running).ahead == 0
    with pytest.raises(BusyError, match=r"3 requests are waiting and the limit is 3; try again in about \d+ s"):
        engine.submit(Request(note, ("too many",))).result(60)
    futures[0].cancel()
    stand(engine, requests[2], 2)
    accepted = engine.submit(Request(note, ("in the place of one who left",)))
    GO.set()
    assert accepted.result(60)
    assert engine.status().refused == 1
    assert engine.place(requests[2]).ahead == 0


def test_what_was_not_asked_for_longest_is_forgotten_first() -> None:
    engine = Engine(budget=2_500)
    a, b, c = (Request(zeros, (1000,), version=name) for name in "abc")
    for request in (a, b, a, c):
        engine.submit(request).result(60)
    assert engine.status().result_bytes == 2_000
    engine.submit(a).result(60)
    assert engine.status().computed == {"zeros": 3}
    engine.submit(b).result(60)
    assert engine.status().computed == {"zeros": 4}


def test_what_a_page_found_kept_is_not_the_next_to_go(make_engine: MakeEngine) -> None:
    engine = make_engine(budget=2_500)
    a, b, c = (Request(zeros, (1000,), version=name) for name in "abc")
    engine.submit(a).result(60)
    engine.submit(b).result(60)
    engine.count_hit(a.key)
    engine.submit(c).result(60)
    assert engine.status().answered == 1
    engine.submit(Request(note, (a,))).result(60)
    assert engine.status().computed["zeros"] == 3, "b made room"


def test_a_result_larger_than_the_budget_still_reaches_who_asked(make_engine: MakeEngine) -> None:
    engine = make_engine(budget=10)
    assert engine.submit(Request(zeros, (8000,))).result(60).nbytes == 8000
    engine.submit(Request(zeros, (8,))).result(60)
    assert engine.status().result_bytes == 8


def test_small_results_are_not_kept_without_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MAX_RESULTS", 3)
    engine = Engine()
    for place in range(5):
        engine.submit(Request(note, (place,))).result(60)
    assert [engine.cached(Request(note, (place,))) is None for place in range(5)] == [True, True, False, False, False]


def test_a_model_of_many_tiny_blocks_counts_with_what_python_needs_for_them() -> None:
    deep = ViT(ViTConfig(image_size=1, patch_size=1, dim=1, depth=200, heads=1, mlp_dim=1, classes=1))
    assert 5e6 < nbytes(deep) < 10e6, "measured: 29 kB a block"


def test_a_model_stays_as_long_as_its_traces_are_used_and_goes_with_them() -> None:
    results = Results(2_500)
    results.keep("model", Result("model", 1000))
    results.keep("trace", Result("trace", 500, ("model",)))
    results.keep("other model", Result("other", 1000))
    assert results.get("trace")
    results.keep("third model", Result("third", 1000))
    assert results.get("model"), "its trace was used last"
    assert not results.get("other model")
    assert results.nbytes == 2_500
    results.keep("large model", Result("large", 5000))
    results.keep("its trace", Result("trace", 10, ("large model",)))
    results.keep("a measure", Result("measure", 5, ("its trace",)))
    assert results.nbytes == 5_015
    assert results.get("large model"), "the measure needs the trace, and that the model"
    assert not results.get("trace")
    results.forget("large")
    assert (results.nbytes, len(results)) == (0, 0)


def test_who_leaves_takes_the_pictures_results_along(make_engine: MakeEngine) -> None:
    engine, data = make_engine(), b"mine"
    mine = Request(_length, (File(digest(data), data),))
    engine.submit(Request(zeros, (Request(_length, (mine,)),))).result(60)
    engine.submit(Request(zeros, (7,))).result(60)
    assert engine.status().results == 4
    engine.forget(digest(data))
    assert engine.status().results == 1
    assert engine.status().result_bytes == 7


def _length(value: bytes | int) -> int:
    return value if isinstance(value, int) else len(value)


def test_a_model_larger_than_the_budget_is_built_once_for_as_long_as_it_is_looked_at(make_engine: MakeEngine) -> None:
    engine = make_engine(budget=1_000)
    model, picture = Request(zeros, (5_000,), version="model"), Request(zeros, (500,), version="picture")
    seen = Request(_both, (model, picture), keeps_alive=(model,))
    for _ in range(3):
        engine.submit(seen).result(60)
        engine.submit(model).result(60)
        engine.submit(Request(_length_of, (seen,), keeps_alive=(seen,))).result(60)
    assert engine.status().computed == {"zeros": 2, "_both": 1, "_length_of": 1}


def _both(model: np.ndarray, picture: np.ndarray) -> np.ndarray:
    return picture[:10].copy()


def _length_of(value: np.ndarray) -> int:
    return len(value)


def test_a_picture_that_is_forgotten_while_it_is_looked_at_is_not_kept(make_engine: MakeEngine) -> None:
    engine, data = make_engine(), b"mine"
    asked = engine.submit(Request(hold, (File(digest(data), data),)))
    wait_for(engine, "hold")
    engine.forget(digest(data))
    GO.set()
    assert asked.result(60).value == data
    assert engine.status().results == 0


def test_only_what_has_a_name_of_its_own_can_be_asked_for(make_engine: MakeEngine) -> None:
    for nameless in (np.zeros(2000), lambda: 1, torch.zeros(3)):
        with pytest.raises(TypeError, match="has no name of its own"):
            _ = Request(note, (nameless,)).key


def test_two_hundred_pictures_at_once_are_each_as_if_alone(tiny_model: ViT) -> None:
    pictures = [torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(i)) for i in range(200)]
    engine = Engine()
    with ThreadPoolExecutor(50) as people:
        asked = list(
            people.map(lambda i: engine.submit(Request(_walk, (Given(tiny_model, pictures[i], i),))), range(200))
        )
    for future, picture in zip(asked, pictures, strict=True):
        assert torch.equal(future.result(60).value["logits"].tensor, record(tiny_model, picture)["logits"].tensor)


@dataclass(frozen=True)
class Given:
    model: ViT
    picture: torch.Tensor
    place: int

    def __repr__(self) -> str:
        return f"picture {self.place}"


def _walk(given: Given) -> Trace:
    return record(given.model, given.picture)


def test_bytes_are_counted_inside_whatever_holds_them(tiny_trace: Trace, tiny_model: ViT) -> None:
    @dataclass
    class Holder:
        arrays: list[np.ndarray]
        name: str = "no bytes"

    assert nbytes({"a": Holder([np.zeros(3), np.zeros(2)])}) == 40
    assert nbytes(tiny_trace) == tiny_trace.nbytes + OBJECT * len(tiny_trace)
    objects = len([*tiny_model.parameters(), *tiny_model.modules()])
    numbers = sum(parameter.numel() for parameter in tiny_model.parameters())
    assert nbytes(tiny_model) == 4 * numbers + OBJECT * objects
    assert nbytes(record(tiny_model, torch.zeros(1, 3, 32, 32))) == nbytes(tiny_trace)
