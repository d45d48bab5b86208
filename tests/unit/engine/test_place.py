"""Which replica a request belongs to: all who ask agree, and what shares a trace stays together."""

from collections import Counter
from typing import Any

from vitviz.engine import File, Request
from vitviz.engine.ray.place import device_of, parts_of, place_of, preference
from vitviz.forward import (
    Forward,
    build_model,
    describe_forward,
    describe_model,
    describe_photo,
    load_model,
    measure,
    run_forward,
)
from vitviz.images import digest, open_image
from vitviz.measures import classes

DEMO = Request(load_model, ("demo",), (("device", "cpu"),))
OTHER = Request(build_model, ("config",), (("seed", 1), ("device", "auto")))


def seen(data: bytes, model: Request[Any] = DEMO) -> Request[Forward]:
    return Request(run_forward, (model, Request(open_image, (File(digest(data), data),)), True, None))


def test_all_that_is_asked_of_a_forward_pass_has_one_place() -> None:
    passed = seen(b"one")
    asked: list[Request[Any]] = [Request(measure, (passed, classes.answer, layer)) for layer in range(3)]
    asked.append(Request(describe_forward, (passed,)))
    assert {place_of(request) for request in asked} == {place_of(passed)}


def test_a_place_tells_model_and_picture() -> None:
    one, two, other = place_of(seen(b"one")), place_of(seen(b"two")), place_of(seen(b"one", OTHER))
    assert parts_of(one)[0] == parts_of(two)[0] == DEMO.key
    assert parts_of(one)[1] == parts_of(other)[1] != parts_of(two)[1]
    assert parts_of(other)[0] == OTHER.key


def test_what_is_asked_of_a_picture_or_a_model_alone_has_a_place() -> None:
    passed = seen(b"one")
    assert parts_of(place_of(Request(describe_photo, (passed.args[1],)))) == ("", parts_of(place_of(passed))[1])
    assert parts_of(place_of(Request(describe_model, (DEMO,))))[0] == DEMO.key


def test_one_replica_more_takes_its_share_of_pictures_and_moves_no_other() -> None:
    pictures = [f"picture {place}" for place in range(3000)]

    def holders(replicas: str) -> dict[str, str]:
        return {picture: max(replicas, key=lambda replica: preference(picture, replica)) for picture in pictures}

    three, four = holders("abc"), holders("abcd")
    moved = [picture for picture in pictures if three[picture] != four[picture]]
    assert {four[picture] for picture in moved} == {"d"}
    assert all(650 < many < 850 for many in Counter(four.values()).values())


def test_the_device_is_the_one_that_its_model_was_asked_for() -> None:
    assert device_of(Request(measure, (seen(b"one"), classes.answer, 1))) == "cpu"
    assert device_of(seen(b"one", OTHER)) == "auto"
    assert device_of(Request(describe_photo, (b"",))) == "auto"
