"""One message a minute of each kind, and how many there were between."""

import logging

import pytest

from vitviz.ui.server.gate.log import OnceAMinute


class Printed(logging.Handler):
    """What comes through, as it would be printed."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class Clock:
    now = 1000.0


@pytest.fixture
def printed() -> Printed:
    return Printed()


@pytest.fixture
def log(printed: Printed) -> logging.Logger:
    logger = logging.Logger("a part")
    logger.addFilter(OnceAMinute(lambda: Clock.now))
    logger.addHandler(printed)
    return logger


def complain(log: logging.Logger, who: object) -> None:
    log.warning("Refused: %s", who)


def stumble(log: logging.Logger, how: object) -> None:
    try:
        if how == "by a word":
            int("word")
        [][0]
    except (ValueError, IndexError):
        log.exception("It fell")


def test_a_kind_is_printed_once_a_minute_with_the_number_held_back(log: logging.Logger, printed: Printed) -> None:
    for number in range(1000):
        complain(log, f"stranger {number}")
    assert printed.lines == ["Refused: stranger 0"]
    Clock.now += 59
    complain(log, "another")
    Clock.now += 2
    complain(log, "100 %")
    assert printed.lines[1:] == ["Refused: 100 % (and 1,000 more like it before)"]
    Clock.now += 61
    complain(log, "the last")
    assert printed.lines[2:] == ["Refused: the last"]


def test_other_messages_and_other_errors_are_other_kinds(log: logging.Logger, printed: Printed) -> None:
    for _ in range(10):
        complain(log, "one")
        log.warning("something else")
        stumble(log, "by a word")
        stumble(log, "otherwise")
    assert len(printed.lines) == 4
    assert ["ValueError" in line for line in printed.lines] == [False, False, True, False]
    assert "IndexError" in printed.lines[3]
