"""What serves many replicas and needs none: where a request belongs, and the numbers of several engines as one's."""

from collections import Counter
from typing import Any

from tests.engine_calls import DEMO, forward_of
from vitviz.engine import Request
from vitviz.engine.ray.place import device_of, parts_of, place_of, preference
from vitviz.engine.ray.summary import summary
from vitviz.engine.status import Member, Status
from vitviz.forward import build_model, describe_forward, describe_model, describe_photo, measure
from vitviz.measures import classes

OTHER = Request(build_model, ("config",), (("seed", 1), ("device", "auto")))


def test_all_that_is_asked_of_a_forward_pass_has_one_place() -> None:
    passed = forward_of(b"one")
    asked: list[Request[Any]] = [Request(measure, (passed, classes.answer, layer)) for layer in range(3)]
    asked.append(Request(describe_forward, (passed,)))
    assert {place_of(request) for request in asked} == {place_of(passed)}


def test_a_place_tells_model_and_picture() -> None:
    one, two, other = place_of(forward_of(b"one")), place_of(forward_of(b"two")), place_of(forward_of(b"one", OTHER))
    assert parts_of(one)[0] == parts_of(two)[0] == DEMO.key
    assert parts_of(one)[1] == parts_of(other)[1] != parts_of(two)[1]
    assert parts_of(other)[0] == OTHER.key


def test_what_is_asked_of_a_picture_or_a_model_alone_has_a_place() -> None:
    passed = forward_of(b"one")
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
    assert device_of(Request(measure, (forward_of(b"one"), classes.answer, 1))) == "cpu"
    assert device_of(forward_of(b"one", OTHER)) == "auto"
    assert device_of(Request(describe_photo, (b"",))) == "auto"


def status(name: str, since: float, answered: int, joined: int) -> Status:
    member = Member(name, "CPU", 5, since)
    return Status(1, (name,), 2, 300, 1000, {"note": 3}, answered=answered, joined=joined, members=(member,))


def test_numbers_are_added_up_and_every_replica_is_a_member() -> None:
    both = summary([status("b", 2.0, 4, 1), status("a", 1.0, 7, 0)], joined=2, died=1)
    assert (both.waiting, both.results, both.result_bytes, both.budget, both.joined) == (2, 4, 600, 2000, 3)
    assert both.computed == {"note": 6}
    assert [member.name for member in both.members] == ["a", "b"]
    assert (both.answered, both.replaced, both.kind) == (7, 1, "in 2 replicas on Ray")
    assert both.running == ("b", "a")


def test_before_a_replica_answers_there_is_nothing_to_divide_by_zero() -> None:
    nothing = summary([], joined=0, died=0)
    assert (nothing.members, nothing.kind) == ((), "in replicas on Ray")
    assert nothing.result_bytes / nothing.budget == 0
