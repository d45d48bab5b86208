"""One program in a full room: made-up lines, guesses and codes by the thousand, and a class beside it."""

import asyncio
import time
from itertools import product

from benchmarks.lecture.room import MESSAGE_TIMEOUT_S
from benchmarks.report import Report
from tests.browser.server import Server
from tests.unit.lecture.rooms.told import CHOOSE, step
from tests.unit.ui.server.lecture.hall import Person, follow, lead
from vitviz.lecture.rooms.limits import CROWD, WRONG_AT_ONCE, WRONG_PER_SECOND

CODE = "STRW"
STRANGER, HALL, ELSEWHERE = "203.0.113.7", "198.51.100.20", "192.0.2.{}"
MADE_UP, OTHERS = 2_000, 100
AT_ONCE = 50
TRIED = 10.0  # seconds for which codes are tried
MADE_UP_GUESS, GUESS = 2, 1


async def measure(report: Report, server: Server, people: int) -> None:
    """A stranger first, then a hall behind one address, then people with an address each."""
    report.section(
        f"{MADE_UP:,} made-up lines and guesses of one address, then {people} of a hall and {OTHERS} elsewhere"
    )
    leader = await lead(server.url, CODE)
    await leader.say("move", step(CHOOSE))
    await leader.say("ask", 1)
    strangers = await _guess(server.url, [STRANGER] * MADE_UP, MADE_UP_GUESS)
    held = sum(strangers.values())
    report.at_most("made-up guesses that count", held, CROWD, f"of {MADE_UP:,}", "")
    hall = await _guess(server.url, [HALL] * people, GUESS)
    others = await _guess(server.url, [ELSEWHERE.format(number) for number in range(OTHERS)], GUESS)
    for name, counted in ((f"{people} of a hall behind one address", hall), (f"{OTHERS} elsewhere", others)):
        many = sum(counted.values())
        report.holds(f"{name} are in and counted", many == len(counted), f"{many} of {len(counted)}")
    sums = (await _until_heard(leader, people + OTHERS))["choose"]
    report.note("guesses that the lecturer sees, theirs and made up", sums[GUESS], f"{sums[MADE_UP_GUESS]} made up", "")
    told, tried = await _try_codes(server.url)
    most = WRONG_AT_ONCE + (TRIED + 1) * WRONG_PER_SECOND
    report.at_most(f"wrong codes of which one address hears in {TRIED:g} s", told, most, f"{tried:,} tried", "")
    await leader.say("close", True)
    for person in (*strangers, *hall, *others):
        await person.connection.close()


async def _guess(url: str, addresses: list[str], option: int) -> dict[Person, bool]:
    """People who come from these addresses and guess, and of each whether that counts."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(address: str) -> tuple[Person, bool]:
        async with turns:
            person = await follow(url, CODE, address=address)
            if await person.dropped_or("voted") is None:  # as it comes
                return person, False
            await person.say("vote", option)
            return person, bool(await person.dropped_or("voted"))

    return dict(await asyncio.gather(*map(one, addresses)))


async def _until_heard(leader: Person, many: int) -> dict[str, list[int]]:
    """The sums, as soon as so many of the real guesses are in them."""
    async with asyncio.timeout(MESSAGE_TIMEOUT_S):
        while (sums := await leader.heard("votes"))["choose"][GUESS] < many:
            pass
    found: dict[str, list[int]] = sums
    return found


async def _try_codes(url: str) -> tuple[int, int]:
    """Of how many codes a program was told that there is no such room, and how many it tried."""
    codes = map("".join, product("BCDFGHJKLMNPQRSTVWXZ", repeat=4))
    until, told, tried = time.perf_counter() + TRIED, 0, 0

    async def program() -> None:
        nonlocal told, tried
        while time.perf_counter() < until:
            code, _ = await (await follow(url, next(codes), address=STRANGER)).dropped()
            tried += 1
            told += code == 4404

    await asyncio.gather(*(program() for _ in range(AT_ONCE)))
    return told, tried
