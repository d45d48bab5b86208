"""What cannot be taken away, in one sentence."""

MOST_QUOTED = 40  # letters of what is refused
NEEDS_TICK = "these numbers are those of your picture; tick “with my picture”"


class TakeawayError(ValueError):
    """Why a view cannot be taken away as it was asked for, and the way out."""


def quoted(text: str) -> str:
    """Foreign words, short, and with nothing that a terminal or a page could obey."""
    return "".join(letter for letter in text[:MOST_QUOTED] if letter.isalnum() or letter in " -_.")
