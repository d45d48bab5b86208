"""One room: what is on screen, which question is open, who has guessed what. A state machine without a clock or a line.

    none --ask--> open --lock--> locked --reveal--> revealed        a move ends all of it
                   ^--- ask the second round ---/

A room is moved by its lecturer's windows, of which there may be several: what comes too late, as a second lock or the
answer of a step that was left, changes nothing and is no mistake.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from vitviz.lecture.rooms import shapes
from vitviz.lecture.rooms.ballot import Ballot, Hall
from vitviz.lecture.rooms.shapes import Json
from vitviz.lecture.rooms.votes import sums

DIGEST = re.compile("[0-9a-f]{64}")  # what an address calls a picture that somebody brought
EMPTY: Json = {
    "lesson": "",  # its name: titles may be equal
    "title": "",
    "step": 1,
    "of": 1,
    "says": "",
    "explains": "",
    "view": "",
    "question": None,
    "serial": 0,
    "phase": "none",
    "round": 1,
    "blank": False,
    "code": False,  # whether every screen shows how to come in
    "result": None,
    "shared": None,
}


@dataclass
class Poll:
    """A question that was asked in this room, and the sums of its rounds."""

    step: int
    question: Json
    rounds: list[Json]
    truth: Json | None


@dataclass
class Room:
    """The room of `owner`, a random number in the lecturer's browser; begun anew, it has the state that was kept."""

    owner: str
    state: Json = field(default_factory=lambda: dict(EMPTY))
    over: bool = False
    polls: list[Poll] = field(default_factory=list)
    hall: Hall = field(default_factory=Hall)
    _votes: dict[int, Ballot] = field(default_factory=dict)  # by round

    def __post_init__(self) -> None:
        """Go on behind the state that was kept, so that nobody takes what comes for older."""
        self._changed()
        if self.state["phase"] in ("open", "locked"):
            self._votes = {number: Ballot(self.hall) for number in range(1, self.state["round"] + 1)}

    def message(self, following: int, leads: bool = False) -> Json:
        """The state as browsers get it; the explanation comes with the reveal, who leads holds it before."""
        explains = self.state["explains"]
        explanation = explains if self.state["phase"] == "revealed" else ""
        state = {**self.state, "explains": explanation, "following": following}
        return {**state, "withheld": explains} if leads else {**state, "view": self.view()}

    def view(self) -> str:
        """What is on screen, as those who follow may see it: no picture of the lecturer's, but one that is shared."""
        page, mark, words = self.state["view"].partition("?")
        parts = []
        for word in words.split("&"):
            name, _, value = word.partition("=")
            if not DIGEST.fullmatch(value):
                parts.append(word)
            elif name == "picture" and self.state["shared"]:
                parts.append(f"{name}={self.state['shared']}")
        return page + mark + "&".join(parts)

    def lead(self, word: str, value: Any) -> bool:
        """Do what the lecturer says; whether that changed the state. Raises `MessageError`."""
        before = self.state["serial"]
        getattr(self, f"_{word}")(value)
        return bool(self.state["serial"] != before)

    def vote(self, browser: str, value: Any) -> bool:
        """Count the guess of a browser in the hall, its last one; whether it counts. Raises `MessageError`."""
        if self.state["phase"] != "open" or browser not in self.hall:
            return False
        return self._votes[self.state["round"]].cast(browser, shapes.vote(value, self.state["question"]))

    def counts(self, browser: str) -> bool | None:
        """Whether a guess of a browser counts in the present round; None where nothing is asked."""
        votes = self._votes.get(self.state["round"])
        return None if votes is None else browser in votes

    def sums(self) -> Json | None:
        """The sums of the present round; None where nothing is asked."""
        votes = self._votes.get(self.state["round"])
        if votes is None:
            return None
        truth = (self.state["result"] or {}).get("truth")
        return sums(self.state["question"], votes.guesses(), truth)

    def table(self) -> list[Poll]:
        """All that was asked so far."""
        return [*self.polls, *self._present()]

    def _move(self, step: Json) -> None:
        self.polls += self._present()
        self._votes = {}
        self.hall.begin()
        self._change(**step, phase="none", round=1, blank=False, code=False, result=None)

    def _view(self, place: str) -> None:
        self._change(view=place)

    def _blank(self, blank: bool) -> None:
        self._change(blank=blank)

    def _code(self, code: bool) -> None:
        self._change(code=code)

    def _ask(self, number: int) -> None:
        state = self.state
        now_open = state["phase"] == "open" and state["round"] == number
        if state["question"] is None or now_open or (number == 2 and 1 not in self._votes):
            return
        if number == 1:
            self._votes = {}
            self.hall.begin()
        self.hall.take_part()
        self._votes[number] = Ballot(self.hall)
        self._change(phase="open", round=number, result=None)

    def _lock(self, lock: bool) -> None:
        if lock and self.state["phase"] == "open":
            self._change(phase="locked")

    def _reveal(self, answer: Json) -> None:
        if answer["step"] != self.state["step"] or self.state["phase"] not in ("open", "locked"):
            return
        truth = shapes.truth(answer["truth"], self.state["question"])
        self._change(phase="revealed", result={"rounds": self._rounds(truth), "truth": truth})

    def _share(self, token: str | None) -> None:
        self._change(shared=token)

    def _close(self, close: bool) -> None:
        self.over = self.over or close

    def _rounds(self, truth: Json | None) -> list[Json]:
        question = self.state["question"]
        return [sums(question, votes.guesses(), truth) for _, votes in sorted(self._votes.items())]

    def _present(self) -> list[Poll]:
        """The present question, where somebody has answered it."""
        result = self.state["result"] or {"rounds": self._rounds(None), "truth": None}
        if not any(it["voted"] for it in result["rounds"]):
            return []
        return [Poll(self.state["step"], self.state["question"], result["rounds"], result["truth"])]

    def _change(self, **new: Any) -> None:
        if any(self.state[name] != value for name, value in new.items()):
            self.state.update(new)
            self._changed()

    def _changed(self) -> None:
        self.state["serial"] += 1
