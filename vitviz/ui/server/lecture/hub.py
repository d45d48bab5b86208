"""The rooms of this process, and the connections of all who are in one: whoever moves it, all others hear at once."""

import asyncio
import json
from collections.abc import Callable, Collection
from typing import Any

from vitviz.lecture.rooms.limits import ADDRESSES, FOLLOWERS, PAUSE, ROOMS, UNLED
from vitviz.lecture.rooms.messages import Hello
from vitviz.lecture.rooms.places import FullError, Origin, Places
from vitviz.lecture.rooms.room import Room
from vitviz.lecture.rooms.table import written
from vitviz.lecture.rooms.tries import Tries
from vitviz.ui.server.lecture.connection import Connection, frame
from vitviz.ui.server.lecture.holding import Holding
from vitviz.ui.server.lecture.secret import grant, is_secret
from vitviz.ui.server.turns import under_way
from vitviz.ui.sidebar import own_folder
from vitviz.ui.sidebar.own_pictures import OwnPictures, owner

NO_RIGHT, NO_ROOM, DOUBLE, TOO_MANY = 4403, 4404, 4409, 4429
OVER = 1000
COUNTING = 0.2  # seconds between two counts of votes that the lecturer is told
LOOK = 1.0  # seconds between two looks at how many pages are under way


class RefusedError(Exception):
    """Somebody may not come in: the code and the sentence to close with, and after how many seconds."""

    def __init__(self, code: int, sentence: str, after: float = 0.0) -> None:
        super().__init__(sentence)
        self.code = code
        self.after = after


def take_place(places: Places[Connection], connection: Connection, most: int, where: str) -> Connection | None:
    """Give a connection one of `most` places in a room or a server; the one closed for it. Raises `RefusedError`.

    Where it was closed for another window of the same browser, it hears so, and does not come back by itself: else both
    would go on to take each other's place.
    """
    try:
        out = places.come(connection, connection.origin, most)
    except FullError as full:
        raise RefusedError(TOO_MANY, f"the {where} is full: {full}") from None
    if out and places.has(out.origin):
        out.close(DOUBLE, f"the {where} is full, and another window of this browser has your place")
    elif out:
        out.close(TOO_MANY, f"the {where} is full, and your network has other places in it")
    return out


class Gathering:
    """A room with the connections of those who are in it; to be used in the server's event loop."""

    def __init__(self, room: Room, end: Callable[[], None]) -> None:
        self.room = room
        self._end = end
        self._leads: dict[Connection, int] = {}  # with how many moves it has said
        self._screens: set[Connection] = set()  # of who leads: all windows but the lecturer's own
        self._follows: dict[Connection, str] = {}  # with the browser's number
        self._places: Places[Connection] = Places()
        self._networks: set[str] = set()  # where somebody has been in this room
        self._counting: asyncio.TimerHandle | None = None
        self._unled: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._under_way: int | None = None  # as who leads was told last
        self._state: tuple[int, bytes] = (0, b"")  # of the serial that it is for

    def come(self, connection: Connection, hello: Hello) -> None:
        """Let a browser in, and tell it what is on screen. Raises `RefusedError`."""
        if hello.leads:
            if hello.owner != self.room.owner:
                raise RefusedError(NO_RIGHT, "another browser leads this room")
            self._leads[connection] = 0
            if hello.id != hello.owner:
                self._screens.add(connection)
            self.room.hall.lead(connection.origin.address)
            if self._unled:
                self._unled.cancel()
            connection.tell("state", self._state_to_lead(connection))
            self._tell_counts()
            self._under_way = None
            self._look()
        else:
            if out := take_place(self._places, connection, FOLLOWERS, "room"):
                self.leave(out)
            self._follows[connection] = hello.id
            self.room.hall.come(hello.id, connection.origin.address)
            connection.tell("state", self._state_to_follow())
            if (counts := self.room.counts(hello.id)) is not None:
                connection.tell("voted", VOTED[counts])
            self._count_soon()
        if len(self._networks) < ADDRESSES:
            self._networks.add(connection.origin.address)

    def leave(self, connection: Connection) -> None:
        """A browser has gone."""
        if browser := self._follows.pop(connection, None):
            self._places.leave(connection)
            self.room.hall.go(browser)
            self._count_soon()
        if connection in self._leads:
            del self._leads[connection]
            self._screens.discard(connection)
            self._count_soon()
            if not self._leads and not self.room.over:
                self._unled = asyncio.get_running_loop().call_later(UNLED, self.end)

    def lead(self, connection: Connection, word: str, value: Any) -> None:
        """What a window of the lecturer says. Raises `MessageError`."""
        if self.room.over:  # it was on its way when the room was closed
            return
        if word == "pointer":
            self._tell(word, value, [*self._follows, *(self._leads.keys() - {connection})])
            return
        if word == "table":
            connection.tell(word, _framed(word, written(self.room.table())))
            return
        shared = self.room.state["shared"]
        self._leads[connection] += word == "move"
        changed = self.room.lead(word, value)
        if word == "share" and changed:
            _forget_picture(shared)
        if self.room.over:
            self.end()
        elif changed and word == "view":
            self._tell(word, self.room.view(), self._follows)
            self._tell(word, value, self._leads.keys() - {connection})
        elif changed:
            self._tell_state()
            if word == "ask":
                self._count_soon()  # nobody yet, of so many
        elif word == "move":  # its browser waits until it has been heard
            connection.tell("state", self._state_to_lead(connection))

    def vote(self, connection: Connection, value: Any) -> None:
        """A guess of a browser that follows. Raises `MessageError`."""
        if connection in self._follows:
            connection.tell("voted", VOTED[self.room.vote(self._follows[connection], value)])
            self._count_soon()

    def end(self) -> None:
        """Tell all that the room is over, and forget it."""
        self.room.over = True
        _forget_picture(self.room.state["shared"])
        for timer in (self._counting, self._unled, self._looking):
            if timer:
                timer.cancel()
        for connection in (*self._leads, *self._follows):
            connection.tell("over", ENDED)
            connection.close(OVER, "the lecture is over")
        self._leads.clear()
        self._screens.clear()
        self._follows.clear()
        self._end()

    @property
    def following(self) -> int:
        """Browsers that follow; two windows of one count once."""
        return len(set(self._follows.values()))

    def knows(self, origin: Origin) -> bool:
        """Whether somebody from that address has been in this room: its code is nothing new there."""
        return origin.address in self._networks

    def _tell_state(self) -> None:
        to_follow = self._state_to_follow()
        for connection in self._follows:
            connection.tell("state", to_follow)
        for connection in self._leads:
            connection.tell("state", self._state_to_lead(connection))

    def _state_to_follow(self) -> bytes:
        serial = self.room.state["serial"]
        if self._state[0] != serial:
            self._state = serial, _framed("state", self.room.message(self.following))
        return self._state[1]

    def _state_to_lead(self, connection: Connection) -> bytes:
        state = self.room.message(self.following, leads=True)
        return _framed("state", {**state, "grant": grant(), "heard": self._leads[connection]})

    def _count_soon(self) -> None:
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNTING, self._tell_counts)

    def _tell_counts(self) -> None:
        if self._counting:
            self._counting.cancel()
            self._counting = None
        self._tell("following", self.following, self._leads)
        self._tell("screens", len(self._screens), self._leads)
        if sums := self.room.sums():
            self._tell("votes", sums, self._leads)

    def _look(self) -> None:
        """Tell who leads how many pages are under way, as long as somebody leads and whenever that has changed."""
        if self._looking:
            self._looking.cancel()
        if (now := under_way()) != self._under_way:
            self._tell("waiting", now, self._leads)
        self._under_way = now
        self._looking = asyncio.get_running_loop().call_later(LOOK, self._look) if self._leads else None

    def _tell(self, word: str, value: Any, connections: Collection[Connection]) -> None:
        framed = _framed(word, value)
        for connection in connections:
            connection.tell(word, framed)


def _forget_picture(name: str | None) -> None:
    """What the lecturer shared goes with the room."""
    if name:
        OwnPictures(own_folder.part("pictures")).remove(*owner("", name))


def _framed(word: str, value: Any) -> bytes:
    return frame(json.dumps({word: value}, ensure_ascii=False, separators=(",", ":")))


VOTED, ENDED = {counts: _framed("voted", counts) for counts in (True, False)}, _framed("over", True)


class Hub:
    """All rooms of this process, by their codes."""

    def __init__(self) -> None:
        self.rooms: dict[str, Gathering] = {}
        self._holding = Holding()
        self._tries = Tries()

    def has_another(self, code: str) -> bool:
        """Whether another server has this room."""
        return code not in self.rooms and self._holding.has_another(code)

    def come(self, code: str, connection: Connection, hello: Hello) -> Gathering:
        """The room that a browser is in from now on; who leads, makes it where there is none. Raises `RefusedError`."""
        if hello.leads and not is_secret(hello.secret):
            raise RefusedError(NO_RIGHT, "this is not the lecturer's secret")
        if not hello.leads:
            self._try(code, connection.origin)
        elif code not in self.rooms:
            if len(self.rooms) >= ROOMS:
                raise RefusedError(TOO_MANY, f"{ROOMS} rooms are open, and no more can be")
            if not self._holding.take(code):
                raise RefusedError(NO_ROOM, "another server has just opened this room")
            room = Room(hello.owner, dict(hello.state)) if hello.state else Room(hello.owner)
            self.rooms[code] = Gathering(room, lambda: self._forget(code))
        gathering = self.rooms[code]
        gathering.come(connection, hello)
        return gathering

    def _try(self, code: str, origin: Origin) -> None:
        """Let somebody who follows know whether there is such a room, and not many of them. Raises `RefusedError`."""
        gathering = self.rooms.get(code)
        if gathering and gathering.knows(origin):
            return
        is_new = not self._tries.has(origin.address, code)
        if not self._tries.take(origin.address, code, asyncio.get_running_loop().time()):
            raise RefusedError(TOO_MANY, "too many wrong letters came from your network; wait a minute", PAUSE)
        if gathering is None:
            raise RefusedError(NO_ROOM, "there is no such room, or not yet", PAUSE if is_new else 0.0)

    def _forget(self, code: str) -> None:
        del self.rooms[code]
        self._holding.release(code)
