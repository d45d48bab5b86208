"""A lesson as a value: steps, each with what is said, what is on screen, and what is asked."""

from dataclasses import dataclass
from typing import get_args

from vitviz.lecture.views import View
from vitviz.messages import Kind

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Question:
    """What a class guesses before it is shown; the answer is computed from the model that is looked at.

    `kind`: "choose" one of the options, a "number" between `low` and `high` on a log scale, click a "patch" or a "pair"
    of them. `answer` names one of `answers.QUANTITIES`; each of the `options` is a text, and the value of that quantity
    for which it stands.
    """

    kind: Kind
    asks: str
    answer: str
    options: tuple[tuple[str, str], ...] = ()
    low: float = 0.0
    high: float = 0.0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the sentence of the lecturer, the view on screen, and what nobody else sees: minutes and notes.

    `explains` is said when the answer is shown. Roles in braces, `{query}`, get their colour, as on the board. An
    `optional` step is left out where time is short, and is not in the plan.
    """

    says: str
    view: View
    minutes: float = 1.0
    notes: str = ""
    question: Question | None = None
    explains: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps under a title; `name` is what an address calls it, `about` a sentence for the list of lessons."""

    name: str
    title: str
    steps: tuple[Step, ...]
    about: str = ""

    @property
    def minutes(self) -> float:
        """Planned time: that of all steps but the optional ones."""
        return sum(step.minutes for step in self.steps if not step.optional)

    @property
    def takes(self) -> str:
        """The planned time in words, and what the optional steps would add: "41 minutes and 11 optional"."""
        more = sum(step.minutes for step in self.steps) - self.minutes
        return f"{self.minutes:g} minutes{f' and {more:g} optional' if more else ''}"

    @property
    def questions(self) -> int:
        """Steps that ask."""
        return sum(step.question is not None for step in self.steps)
