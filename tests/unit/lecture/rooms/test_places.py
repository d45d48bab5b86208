"""Places: a stranger's made-up lines shut nobody out, and a hall behind one address is hurt by nobody."""

import pytest

from vitviz.lecture.rooms.limits import FOLLOWERS
from vitviz.lecture.rooms.places import FullError, Origin, Places

HALL, STRANGER = "10.0.0.1", "10.0.0.2"


def crowd(
    places: Places[str], address: str, many: int, browser: str = "", most: int = FOLLOWERS
) -> tuple[int, list[str]]:
    """How many lines came in, each of a browser of its own unless one is named, and those that went for them."""
    inside, out = 0, []
    for number in range(many):
        name = browser or str(number)
        try:
            gone = places.come(f"{address} {name} {number}", Origin(address, name), most)
        except FullError:
            continue
        inside += 1
        out += [gone] if gone else []
    return inside, out


def test_of_two_thousand_lines_of_one_address_none_keeps_anybody_out() -> None:
    places: Places[str] = Places()
    assert crowd(places, STRANGER, 2_000) == (FOLLOWERS, [])
    elsewhere = [crowd(places, f"192.0.2.{number}", 1) for number in range(100)]
    assert all(inside == 1 and out[0].startswith(STRANGER) for inside, out in elsewhere)
    inside, out = crowd(places, HALL, 200)
    assert inside == 200
    assert all(line.startswith(STRANGER) for line in out)


@pytest.mark.parametrize("strangers", [2, 3, 4])
def test_a_hall_of_two_hundred_comes_in_though_several_addresses_have_filled_the_room(strangers: int) -> None:
    places: Places[str] = Places()
    for number in range(strangers):
        crowd(places, f"198.51.100.{number}", 2_000)
    assert len(places) == FOLLOWERS
    inside, out = crowd(places, HALL, 200)
    assert (inside, len(out), len(places)) == (200, 200, FOLLOWERS)
    assert all(line.startswith("198.51.100.") for line in out)
    for number in range(strangers):
        again = crowd(places, f"198.51.100.{number}", 2_000)[1]
        assert not [line for line in again if line.startswith(HALL)], "nobody of the hall goes for them"
    assert [crowd(places, f"192.0.2.{number}", 1)[0] for number in range(100)] == [1] * 100


def test_who_came_last_goes_first() -> None:
    places: Places[str] = Places()
    crowd(places, STRANGER, 3, browser="x", most=6)
    crowd(places, "10.0.0.3", 3, most=6)
    assert places.come("one", Origin(HALL), 6) == "10.0.0.3 2 2"
    assert len(places) == 6


def test_within_an_address_a_browser_with_many_lines_gives_way() -> None:
    places: Places[str] = Places()
    assert crowd(places, HALL, 900, browser="one program")[0] == 900
    inside, out = crowd(places, HALL, 200)
    assert inside == 200
    assert out == [f"{HALL} one program {number}" for number in range(100)]


@pytest.mark.parametrize("people", [200, 260])
def test_a_hall_whose_wi_fi_drops_again_and_again_stays_in_on_its_newest_lines(people: int) -> None:
    places: Places[str] = Places()
    out = []
    for time in range(8):
        for person in range(people):
            gone = places.come(f"{person} {time}", Origin(HALL, f"browser {person}"), FOLLOWERS)
            out += [gone] if gone else []
    assert len(places) == FOLLOWERS
    assert not {f"{person} 7" for person in range(people)} & set(out)
    assert crowd(places, "192.0.2.1", 1)[0] == 1, "and dead lines keep out nobody elsewhere"


def test_more_than_half_of_a_room_comes_in_behind_one_address_while_there_is_room() -> None:
    places: Places[str] = Places()
    assert crowd(places, HALL, 900) == (900, [])
    assert [crowd(places, f"192.0.2.{number}", 1)[0] for number in range(200)] == [1] * 200


def test_a_hall_that_is_in_stays_in_however_many_addresses_come_with_a_line_each() -> None:
    places: Places[str] = Places()
    assert crowd(places, HALL, 200) == (200, [])
    came = [crowd(places, f"2001:db8:{number:x}::/48", 1) for number in range(2_000)]
    assert came == [(1, [])] * (FOLLOWERS - 200) + [(0, [])] * 1_200
    came = [crowd(places, f"2001:db8:{number:x}::/48", 9) for number in range(2_000)]
    assert not [line for _, out in came for line in out if line.startswith(HALL)]


def test_addresses_with_some_lines_each_cost_a_hall_no_more_than_to_an_even_share() -> None:
    places: Places[str] = Places()
    crowd(places, HALL, 400)
    out = [line for number in range(4) for line in crowd(places, f"198.51.100.{number}", 2_000)[1]]
    assert 400 - sum(line.startswith(HALL) for line in out) >= FOLLOWERS // 6


def test_where_all_have_one_line_nobody_goes_for_anybody() -> None:
    places: Places[str] = Places()
    for number in range(6):
        assert places.come(str(number), Origin(f"10.9.0.{number}"), 6) is None
    with pytest.raises(FullError, match="of 6 places your network has 0, and no more are to be had"):
        places.come("one more", Origin(HALL), 6)
    places.leave("3")
    places.leave("3")
    assert places.come("one more", Origin(HALL), 6) is None
