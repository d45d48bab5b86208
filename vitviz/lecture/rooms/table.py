"""The sums of all that was asked in a room as CSV, for the lecturer: a line for each answer that could be given."""

import base64
import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from vitviz.lecture.rooms.room import Poll
from vitviz.lecture.rooms.shapes import BINS, Json

HEAD = ("step", "question", "round", "voted", "right", "answer", "votes", "true answer")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would compute a cell that begins with one of them


def written(polls: Sequence[Poll]) -> str:
    """The table as text."""
    text = StringIO()
    table = csv.writer(text)
    table.writerow(HEAD)
    for it in polls:
        truth = "" if it.truth is None else it.truth["text"]
        for number, sums in enumerate(it.rounds, 1):
            right = "" if sums["right"] is None else sums["right"]
            for answer, votes in _answers(it.question, sums):
                line = (it.step, it.question["asks"], number, sums["voted"], right, answer, votes, truth)
                table.writerow([_harmless(cell) for cell in line])
    return text.getvalue()


def _answers(question: Json, sums: Json) -> Iterator[tuple[str, int]]:
    kind = question["kind"]
    if kind == "choose":
        yield from zip(question["options"], sums[kind], strict=True)
    elif kind == "number":
        low, high = question["low"], question["high"]
        edges = [low * (high / low) ** (edge / BINS) for edge in range(BINS + 1)]
        for place, votes in enumerate(sums[kind]):
            yield f"{edges[place]:.3g} to {edges[place + 1]:.3g} {question['unit']}".strip(), votes
    else:
        counted = base64.b64decode(sums[kind])
        yield from ((f"patch {place + 1}", votes) for place, votes in enumerate(counted) if votes)


def _harmless(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
