"""The engine: one forward for many who ask the same, a budget that holds, and a next request that works."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, current_thread

import numpy as np
import pytest
import torch

from vitviz.device import DeviceError
from vitviz.engine import Engine, nbytes
from vitviz.model import ViT
from vitviz.trace import Trace, record


def test_many_who_ask_the_same_share_one_computation() -> None:
    engine, go, runs = Engine(), Event(), []

    def work() -> int:
        go.wait(5)
        runs.append(1)
        return 7

    with ThreadPoolExecutor(20) as people:
        asked = [people.submit(lambda: engine.submit("same", work).result().value) for _ in range(20)]
        go.set()
        assert [answer.result() for answer in asked] == [7] * 20
    assert len(runs) == 1
    assert engine.submit("same", work).result().value == 7
    assert len(runs) == 1


def test_everything_runs_in_one_thread() -> None:
    engine = Engine()
    names = {engine.submit(str(key), lambda: current_thread().name).result().value for key in range(5)}
    assert len(names) == 1


def test_what_was_not_asked_for_longest_is_forgotten_first() -> None:
    engine = Engine(budget=2_500)
    for key in "ab":
        engine.submit(key, lambda: np.zeros(1000, np.uint8)).result()
    engine.submit("a", lambda: pytest.fail("a was kept")).result()
    engine.submit("c", lambda: np.zeros(1000, np.uint8)).result()
    assert engine.held == 2_000
    assert engine.submit("a", lambda: pytest.fail("a was used last")).result().nbytes == 1000
    assert engine.submit("b", lambda: "new").result().value == "new"


def test_a_result_larger_than_the_budget_still_reaches_who_asked() -> None:
    engine = Engine(budget=10)
    assert engine.submit("large", lambda: np.zeros(1000)).result().nbytes == 8000
    engine.submit("next", lambda: np.zeros(1)).result()
    assert engine.held == 8


def test_a_model_stays_as_long_as_its_traces_are_used_and_goes_with_them() -> None:
    engine = Engine(budget=2_500)
    engine.submit("model", lambda: np.zeros(1000, np.uint8)).result()
    engine.submit("trace", lambda: np.zeros(500, np.uint8), needs=("model",)).result()
    engine.submit("other model", lambda: np.zeros(1000, np.uint8)).result()
    engine.submit("trace", lambda: pytest.fail("the trace was kept")).result()
    engine.submit("third model", lambda: np.zeros(1000, np.uint8)).result()
    assert engine.submit("model", lambda: pytest.fail("its trace was used last")).result().nbytes == 1000
    assert engine.held == 2_500
    engine.submit("large model", lambda: np.zeros(5000, np.uint8)).result()
    engine.submit("its trace", lambda: np.zeros(10, np.uint8), needs=("large model",)).result()
    engine.submit("a measure", lambda: np.zeros(5, np.uint8), needs=("its trace",)).result()
    assert engine.held == 5_015
    engine.submit("large model", lambda: pytest.fail("the measure needs the trace, and that the model")).result()
    assert engine.submit("trace", lambda: "new").result().value == "new"


def test_a_failure_is_told_and_not_kept() -> None:
    engine = Engine()
    with pytest.raises(ValueError, match="no such thing"):
        engine.submit("key", lambda: (_ for _ in ()).throw(ValueError("no such thing"))).result()
    assert engine.submit("key", lambda: "now it works").result().value == "now it works"


def test_out_of_memory_is_a_sentence_and_the_next_request_works() -> None:
    engine, tries = Engine(), []

    def too_large() -> None:
        tries.append(1)
        raise torch.OutOfMemoryError("CUDA out of memory")

    with pytest.raises(DeviceError, match="out of memory for this model and picture; choose a smaller model"):
        engine.submit("large", too_large).result()
    assert len(tries) == 2
    assert engine.submit("small", lambda: 1).result().value == 1


def test_out_of_memory_forgets_what_is_kept_and_tries_again() -> None:
    engine, tries = Engine(), []
    engine.submit("kept", lambda: np.zeros(1000)).result()

    def fits_into_an_empty_device() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1000 bytes")
        return "fits"

    assert engine.submit("large", fits_into_an_empty_device).result().value == "fits"
    assert engine.held == 0


def test_another_runtime_error_is_not_taken_for_a_lack_of_memory() -> None:
    engine, tries = Engine(), []

    def wrong() -> None:
        tries.append(1)
        raise RuntimeError("shapes do not fit")

    with pytest.raises(RuntimeError, match="shapes do not fit"):
        engine.submit("wrong", wrong).result()
    assert len(tries) == 1


def test_bytes_are_counted_inside_whatever_holds_them(tiny_trace: Trace, tiny_model: ViT) -> None:
    @dataclass
    class Holder:
        arrays: list[np.ndarray]
        name: str = "no bytes"

    assert nbytes({"a": Holder([np.zeros(3), np.zeros(2)])}) == 40
    assert nbytes(tiny_trace) == tiny_trace.nbytes
    assert nbytes(tiny_model) == 4 * sum(parameter.numel() for parameter in tiny_model.parameters())
    assert nbytes(record(tiny_model, torch.zeros(1, 3, 32, 32))) == tiny_trace.nbytes
