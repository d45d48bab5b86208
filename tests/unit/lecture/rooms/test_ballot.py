"""Whose guesses count when somebody makes browsers up: all of those who are there, and no more than were."""

from vitviz.lecture.rooms.ballot import Ballot, Hall
from vitviz.lecture.rooms.limits import CROWD, FOLLOWERS, VOTES


def come_and_guess(hall: Hall, ballot: Ballot, browser: str, address: str, guess: int = 0) -> None:
    hall.come(browser, address)
    ballot.cast(browser, guess)


def with_guesses(many: int) -> tuple[Hall, Ballot]:
    """A hall of so many with an address each, who are there and have guessed 1."""
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(many):
        come_and_guess(hall, ballot, f"real {number}", f"192.0.2.{number}", 1)
    return hall, ballot


def test_two_thousand_guesses_over_one_line_are_one() -> None:
    hall, ballot = with_guesses(15)
    for number in range(2_000):
        come_and_guess(hall, ballot, f"made up {number}", "198.51.100.1")
        hall.go(f"made up {number}")
    assert sorted(ballot.guesses()) == [0, *[1] * 15]
    assert all(f"real {number}" in ballot for number in range(15))


def test_a_class_whose_phones_fall_asleep_counts_whole() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(200):
        hall.come(str(number), "a hall")
    for number in range(200):
        ballot.cast(str(number), 1)
        hall.go(str(number))
    assert list(ballot.guesses()) == [1] * 200


def test_those_who_are_there_count_before_those_who_have_gone() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(30):
        come_and_guess(hall, ballot, f"early {number}", "a hall")
    for number in range(10):
        hall.go(f"early {number}")
    for number in range(20):
        come_and_guess(hall, ballot, f"late {number}", "a hall", 1)
    assert sorted(ballot.guesses()) == [0] * 20 + [1] * 20, "thirty and ten more were there at once"
    assert [number for number in range(30) if f"early {number}" not in ballot] == list(range(10))
    hall.come("early 3", "a hall")
    ballot.cast("early 3", 2)
    assert list(ballot.guesses())[-1] == 2, "who comes back guesses again"


def test_the_last_guess_of_a_browser_counts_also_of_two_windows() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    come_and_guess(hall, ballot, "one", "a hall", 0)
    come_and_guess(hall, ballot, "one", "a hall", 1)
    assert list(ballot.guesses()) == [1]
    hall.go("one")
    assert "one" in hall
    hall.go("one")
    assert "one" not in hall


def test_no_more_guesses_are_kept_than_agreed_and_none_of_somebody_who_is_there_goes() -> None:
    hall, ballot = with_guesses(100)
    for wave in range(8):
        for number in range(FOLLOWERS - 100):
            come_and_guess(hall, ballot, f"{wave} {number}", f"2001:db8:{wave}:{number}::/64")
        for number in range(FOLLOWERS - 100):
            hall.go(f"{wave} {number}")
    assert len(ballot.guesses()) == VOTES
    assert sum(ballot.guesses()) == 100


def test_a_new_step_forgets_how_many_were_there() -> None:
    hall = Hall()
    for number in range(500):
        hall.come(str(number), "a stranger")
    for number in range(500):
        hall.go(str(number))
    hall.begin()
    ballot = Ballot(hall)
    for number in range(500):
        come_and_guess(hall, ballot, f"again {number}", "a stranger")
        hall.go(f"again {number}")
    assert len(ballot.guesses()) == 1


def test_thirty_phones_of_which_five_at_most_are_awake_count_as_thirty() -> None:
    hall = Hall()
    for first in range(0, 30, 5):
        for number in range(first, first + 5):
            hall.come(str(number), "a hall")
        hall.begin()
        for number in range(first, first + 5):
            hall.go(str(number))
    hall.begin()
    ballot = Ballot(hall)
    for number in range(30):
        come_and_guess(hall, ballot, str(number), "a hall", 1)
        hall.go(str(number))
    for number in range(2_000):
        come_and_guess(hall, ballot, f"made up {number}", "a hall")
        hall.go(f"made up {number}")
    assert sum(ballot.guesses()) == 30
    assert len(ballot.guesses()) <= 31, "one line more is one guess more"


def test_one_line_takes_part_once_a_step_however_often_it_comes() -> None:
    hall = Hall()
    for step in range(20):
        for number in range(100):
            hall.come(f"{step} {number}", "a stranger")
            hall.go(f"{step} {number}")
        hall.come(f"{step}", "a stranger")
        hall.begin()
        hall.go(f"{step}")
    ballot = Ballot(hall)
    for step in range(20):
        for browser in (f"{step}", *(f"{step} {number}" for number in range(100))):
            come_and_guess(hall, ballot, browser, "a stranger")
            hall.go(browser)
    assert len(ballot.guesses()) <= 21


def test_made_up_lines_that_stay_count_as_a_hall_at_most_and_take_nothing_from_those_who_take_part() -> None:
    hall = Hall()
    hall.lead("the lecturer's own")
    for number in range(200):
        hall.come(f"real {number}", "a hall")
    hall.begin()
    ballot = Ballot(hall)
    for address in ("a hall", "a stranger"):
        for number in range(500):
            hall.come(f"{address} {number}", address)
        counted = [ballot.cast(f"{address} {number}", 0) for number in range(500)]
        assert sum(counted) == {"a hall": CROWD - 200, "a stranger": CROWD}[address]
    assert all(ballot.cast(f"real {number}", 1) for number in range(200))
    assert sum(ballot.guesses()) == 200
    hall.begin()
    ballot = Ballot(hall)
    counted = [ballot.cast(f"a stranger {number}", 0) for number in range(500)]
    assert sum(counted) == CROWD, "also where they were there before the question"
    assert sum(ballot.cast(f"real {number}", 1) for number in range(200)) == 200


def test_a_hall_of_any_size_counts_whole_where_the_lecturer_is_in_its_network() -> None:
    hall = Hall()
    hall.lead("a hall")
    for number in range(FOLLOWERS):
        hall.come(str(number), "a hall")
    ballot = Ballot(hall)
    assert all(ballot.cast(str(number), 1) for number in range(FOLLOWERS))


def test_a_guess_that_gives_way_to_others_of_a_crowd_is_of_somebody_who_has_gone() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(CROWD):
        come_and_guess(hall, ballot, str(number), "a hall")
    hall.come("late", "a hall")
    assert not ballot.cast("late", 1)
    hall.go("0")
    assert ballot.cast("late", 1)
    assert "0" not in ballot
    assert ballot.cast("late", 2), "who counts may guess again"
    assert len(ballot.guesses()) == CROWD
