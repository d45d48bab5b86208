"""What crosses the border between web process and engine: values as they were, files by name, and no model."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pytest
import torch

from tests.engine_calls import GO, fail, hold, note, until, zeros
from tests.engines import Loop
from vitviz import weights
from vitviz.engine import File, Request, Result
from vitviz.engine.process import ProcessEngine
from vitviz.engine.process.channel import Channel
from vitviz.engine.process.wire import COUNT, LENGTH, Wire, pack, size, unpack
from vitviz.forward import Forward, copy_photo, describe_forward, describe_model, describe_photo, measure, run_forward
from vitviz.images import ImageError, digest, open_image
from vitviz.images.photos import PHOTOS
from vitviz.machine.device import DeviceError, DeviceMemoryError
from vitviz.measures import attention, blocks, classes, positions, tokens
from vitviz.measures.quantised import exact_weights
from vitviz.trace import Trace
from vitviz.weights import WeightsError

pytestmark = pytest.mark.usefixtures("fresh_calls")
MEASURES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (attention.attention_weights, (1,)),
    (attention.attention_by_layer, ()),
    (attention.attention_steps, (1, 2, 3)),
    (blocks.additions, (1,)),
    (classes.answer, (2,)),
    (classes.head_parameters, ()),
    (exact_weights, (1, 4)),
    (positions.probabilities_without_positions, ()),
    (tokens.token_components, (3,)),
]


@pytest.fixture(scope="module")
def demo() -> Forward:
    return run_forward(weights.load("demo", device="cpu"), open_image(PHOTOS[0].read()), True)


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal to the last bit, looking into whatever holds arrays."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "__dataclass_fields__"):
        return type(one) is type(other) and all(
            same(getattr(one, name), getattr(other, name)) for name in one.__dataclass_fields__
        )
    return bool(one == other)


def there_and_back(value: object) -> Any:
    """The value at the other end of a pipe."""
    incoming, outgoing = os.pipe()
    with os.fdopen(incoming, "rb") as reading, os.fdopen(outgoing, "wb") as writing:
        wire = Wire(reading, writing)
        parts, files = pack(value)
        assert size(parts) < 60_000, "or nobody would read while this writes"
        wire.send(("words",), parts)
        head, parts = wire.receive()
        assert head == ("words",)
        return unpack(parts, files)


@pytest.mark.parametrize(("function", "args"), MEASURES, ids=lambda it: getattr(it, "__name__", ""))
def test_a_measure_arrives_bit_for_bit(demo: Forward, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    value = measure(demo, function, *args)
    parts, _ = pack(Result(value, 1))
    assert same(unpack([bytes(part) for part in parts], {}).value, value)


def test_what_a_page_is_told_arrives_bit_for_bit(demo: Forward) -> None:
    picture = open_image(PHOTOS[0].read())
    for value in (describe_photo(picture), describe_model(weights.load("demo", device="cpu")), describe_forward(demo)):
        parts, _ = pack(value)
        assert same(unpack([bytes(part) for part in parts], {}), value)


def test_arrays_lie_beside_the_pickle_and_nobody_can_write_them(demo: Forward) -> None:
    parts, _ = pack(describe_forward(demo))
    assert len(parts[0]) < 3_000
    assert size(parts) > sum(coded.nbytes for coded in demo.info.maps)
    arrived = unpack([bytes(part) for part in parts], {})
    assert not any(array.flags.writeable or array.flags.owndata for array in (arrived.crop, *arrived.maps))


def test_messages_follow_each_other_through_a_pipe() -> None:
    for value in (
        None,
        "words",
        np.arange(6).reshape(2, 3)[:, ::2],
        [b"", np.zeros(0), np.zeros(7, np.uint8), np.zeros(5000)],
    ):
        arrived = there_and_back(value)
        assert same(arrived, value)
        assert all(
            it.flags.aligned for it in (arrived if isinstance(arrived, list) else [arrived]) if hasattr(it, "flags")
        )


def test_a_file_goes_by_its_digest_and_its_bytes_by_themselves() -> None:
    data = PHOTOS[0].read()
    request = Request(open_image, (File(digest(data), data),))
    parts, files = pack(request)
    assert files == {digest(data): data}
    assert size(parts) < 1_000
    arrived = unpack(parts, files)
    assert arrived.key == request.key
    assert arrived.args[0].data == data


def test_the_bytes_of_a_picture_are_sent_once_and_a_result_once_to_all_who_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[tuple[Any, ...]] = []
    told: list[tuple[tuple[Any, ...], list[memoryview]]] = []
    say, receive = Channel.say, Wire.receive

    def listen(wire: Wire) -> Any:
        message = receive(wire)
        told.append(message)
        return message

    def speak(channel: Channel, words: tuple[Any, ...], parts: Any = ()) -> None:
        said.append(words)
        say(channel, words, parts)

    monkeypatch.setattr(Channel, "say", speak)
    monkeypatch.setattr(Wire, "receive", listen)
    data = PHOTOS[0].read()
    engine = ProcessEngine({}, Loop)
    photo = Request(copy_photo, (Request(open_image, (File(digest(data), data),)),))
    engine.submit(Request(hold, ("the worker",)))
    asked = [engine.submit(photo) for _ in range(20)]
    until(lambda: engine.status().joined == 19)
    GO.set()
    assert len({id(future.result(60).value) for future in asked}) == 1
    engine.submit(Request(_length, (File(digest(data), data),))).result(60)
    assert [words[0] for words in said].count("file") == 1
    assert [words[0] for words in said].count("submit") == 22
    assert sum(size(parts) > 100_000 for head, parts in told if isinstance(head[0], list)) == 1
    engine.forget(digest(data))
    engine.submit(Request(_length, (File(digest(data), data),), version="again")).result(60)
    assert [words[0] for words in said].count("file") == 2
    engine.close()


def _length(data: bytes) -> int:
    return len(data)


def test_a_child_keeps_files_within_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitviz.engine.process.channel.FILES", 25)
    engine = ProcessEngine({}, Loop)
    for round_ in range(2):
        for name in "abc":
            data = name.encode() * 10
            request = Request(_length, (File(digest(data), data),), version=str(round_))
            assert engine.submit(request).result(60).value == 10
    engine.close()


@pytest.mark.parametrize(
    "error",
    [
        DeviceError("2 are more than 1; take one"),
        DeviceMemoryError("no room"),
        WeightsError("no such file"),
        ImageError("no picture"),
        KeyError("name"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_keeps_its_type_and_its_words_and_brings_its_traceback(error: Exception) -> None:
    engine = ProcessEngine({}, Loop)
    with pytest.raises(type(error)) as raised:
        engine.submit(Request(_raise, (type(error).__name__, *error.args))).result(60)
    assert type(raised.value) is type(error)
    assert raised.value.args == error.args
    assert ("in _raise" in raised.value.__notes__[0]) is not isinstance(error, DeviceError), "which holds no model"
    engine.close()


def _raise(kind: str, *args: Any) -> None:
    kinds: dict[str, type[Exception]] = {it.__name__: it for it in (DeviceError, DeviceMemoryError, WeightsError)}
    raise (kinds | {"ImageError": ImageError, "KeyError": KeyError})[kind](*args)


class StubbornError(Exception):
    """Its pickle does not open."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def _raise_stubborn() -> None:
    raise StubbornError("this", "that")


def test_an_error_that_cannot_travel_arrives_by_its_name_and_words() -> None:
    engine = ProcessEngine({}, Loop)
    with pytest.raises(RuntimeError, match="StubbornError: this and that"):
        engine.submit(Request(_raise_stubborn)).result(60)
    engine.close()


def test_no_model_and_no_trace_leaves_the_engine() -> None:
    engine = ProcessEngine({}, Loop)
    model = Request(weights.load, ("demo",), (("device", "cpu"),))
    data = PHOTOS[0].read()
    forward = Request(run_forward, (model, Request(open_image, (File(digest(data), data),)), False))
    inside: list[Request[Any]] = [model, forward, Request(_tensor)]
    for request in inside:
        with pytest.raises(DeviceError, match=r"this result cannot leave the engine: a \w+ stays where it was made"):
            engine.submit(request).result(60)
    answer = engine.submit(Request(measure, (forward, classes.answer, 0), keeps_alive=(forward,))).result(60)
    assert answer.value.logits.shape == (16,)
    engine.close()


def _tensor() -> torch.Tensor:
    return torch.zeros(3)


def test_what_cannot_be_sent_is_said() -> None:
    engine = ProcessEngine({}, Loop)
    with pytest.raises(TypeError, match="has no name of its own"):
        engine.submit(Request(note, (lambda: 1,)))
    with pytest.raises(
        DeviceError, match=r"note cannot be asked of the engine: .*; ask with plain values and functions"
    ):
        engine.submit(Request(note, (Lock(),)))
    with pytest.raises(DeviceError, match=r"note was asked with [\d,]+ bytes and the limit is 1,000,000; give it less"):
        engine.submit(Request(note, ("x" * 2_000_000,)))
    with pytest.raises(ValueError, match="still here"):
        engine.submit(Request(fail, ("still here",))).result(60)
    engine.close()


def test_a_result_that_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitviz.engine.process.values.MOST_ANSWERED", 1_000)
    engine = ProcessEngine({}, Loop)
    with pytest.raises(DeviceError, match=r"this result has 5,.* bytes and the limit is 1,000; ask for less"):
        engine.submit(Request(zeros, (5_000,))).result(60)
    assert engine.submit(Request(zeros, (50,))).result(60).nbytes == 50
    engine.close()


def test_requests_with_functions_go_by_module_and_name(demo: Forward) -> None:
    parts, _ = pack(Request(measure, (Request(run_forward), attention.attention_weights, 1)))
    assert b"vitviz.measures.attention" in parts[0]
    assert pickle.loads(parts[0]).args[1] is attention.attention_weights
    assert isinstance(demo.trace, Trace)


def test_a_wire_refuses_what_no_message_can_be(tmp_path: Path) -> None:
    path = tmp_path / "said"
    path.write_bytes(COUNT.pack(1) + LENGTH.pack(3_000_000_000))
    with path.open("rb") as said, pytest.raises(ValueError, match="3,000,000,000 bytes and the limit is 2,000,000,000"):
        Wire(said, said).receive()
