"""The numbers of several engines as those of one."""

from vitviz.engine.ray.summary import summary
from vitviz.engine.status import Member, Status


def status(name: str, since: float, answered: int, joined: int) -> Status:
    member = Member(name, "CPU", 5, since)
    return Status(1, (name,), 2, 300, 1000, {"note": 3}, answered=answered, joined=joined, members=(member,))


def test_numbers_are_added_up_and_every_replica_is_a_member() -> None:
    both = summary([status("b", 2.0, 4, 1), status("a", 1.0, 7, 0)], joined=2, died=1)
    assert (both.waiting, both.kept, both.held, both.budget, both.joined) == (2, 4, 600, 2000, 3)
    assert both.computed == {"note": 6}
    assert [member.name for member in both.members] == ["a", "b"]
    assert (both.answered, both.replaced, both.kind) == (7, 1, "in 2 replicas on Ray")
    assert both.running == ("b", "a")


def test_before_a_replica_answers_there_is_nothing_to_divide_by_zero() -> None:
    nothing = summary([], joined=0, died=0)
    assert (nothing.members, nothing.kind) == ((), "in replicas on Ray")
    assert nothing.held / nothing.budget == 0
