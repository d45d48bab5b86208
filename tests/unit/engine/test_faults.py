"""The engine when something breaks: errors are told, shortages and deaths survived, and the next request works."""

from threading import get_native_id

import pytest
import torch

from tests.engine_calls import CALLS, fail, note, zeros
from tests.engines import MakeEngine
from vitviz.engine import Request
from vitviz.machine.device import DeviceError, DeviceMemoryError

pytestmark = pytest.mark.usefixtures("fresh_calls")


def test_a_failure_is_told_and_not_kept(make_engine: MakeEngine) -> None:
    engine = make_engine()
    for _ in range(2):
        with pytest.raises(ValueError, match="no such thing"):
            engine.submit(Request(fail, ("no such thing",))).result(60)
    assert engine.submit(Request(note, ("now it works",))).result(60).value == "now it works"
    assert engine.status().failed == 2


def test_out_of_memory_is_a_sentence_and_the_next_request_works(make_engine: MakeEngine) -> None:
    engine = make_engine()
    with pytest.raises(DeviceMemoryError, match="out of memory for this model and picture; choose a smaller model"):
        engine.submit(Request(_too_large)).result(60)
    assert len(CALLS) == 2
    assert engine.submit(Request(note, (1,))).result(60).value == 1


def _too_large() -> None:
    CALLS.append("tried")
    raise torch.OutOfMemoryError("CUDA out of memory")


def test_out_of_memory_forgets_what_is_kept_and_tries_again(make_engine: MakeEngine) -> None:
    engine = make_engine()
    engine.submit(Request(zeros, (1000,))).result(60)
    assert engine.submit(Request(_fits_into_an_empty_device)).result(60).value == "fits"
    assert engine.status().result_bytes == 0


def test_after_a_shortage_the_model_in_use_is_still_kept(make_engine: MakeEngine) -> None:
    engine, model = make_engine(), Request(zeros, (1000,))
    seen = Request(_fits_into_an_empty_device, (model,), keeps_alive=(model,))
    assert engine.submit(seen).result(60).value == "fits"
    assert engine.status().result_bytes == 1000
    engine.submit(model).result(60)
    assert engine.status().computed["zeros"] == 1


def test_what_the_device_says_itself_is_a_shortage_too(make_engine: MakeEngine) -> None:
    engine = make_engine()
    engine.submit(Request(zeros, (1000,))).result(60)
    with pytest.raises(DeviceMemoryError, match="needs 9 GB and has 1 GB free"):
        engine.submit(Request(_asks_first)).result(60)
    assert len(CALLS) == 2
    assert engine.status().result_bytes == 0


def _asks_first() -> None:
    CALLS.append("tried")
    raise DeviceMemoryError("it needs 9 GB and has 1 GB free")


def _fits_into_an_empty_device(*given: object) -> str:
    CALLS.append("tried")
    if len(CALLS) == 1:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1000 bytes")
    return "fits"


def test_another_runtime_error_is_not_taken_for_a_lack_of_memory(make_engine: MakeEngine) -> None:
    engine = make_engine()
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        engine.submit(Request(_wrong)).result(60)
    assert CALLS == ["tried"]


def _wrong() -> None:
    CALLS.append("tried")
    raise RuntimeError("shapes do not fit")


def test_a_worker_that_is_killed_in_a_request_is_replaced_and_the_request_tried_again(make_engine: MakeEngine) -> None:
    engine = make_engine()
    replaced = engine.submit(Request(_until_killed)).result(60).value
    assert replaced != CALLS[0]
    assert engine.status().restarts == 1
    assert engine.submit(Request(note, ("next",))).result(60).value == "next"


def _until_killed() -> int:
    """The thread's number, of the second that tries."""
    CALLS.append(get_native_id())
    if len(CALLS) == 1:
        raise SystemExit
    return get_native_id()


def test_a_request_that_kills_every_worker_fails_with_a_sentence_and_the_next_works(make_engine: MakeEngine) -> None:
    engine = make_engine()
    with pytest.raises(DeviceError, match="the worker ended 2 times in the middle of this; choose another picture"):
        engine.submit(Request(_deadly)).result(60)
    assert engine.submit(Request(note, ("next",))).result(60).value == "next"
    assert engine.status().restarts == 2


def _deadly() -> None:
    raise SystemExit
