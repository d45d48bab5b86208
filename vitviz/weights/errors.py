"""What goes wrong with checkpoints, and how a sentence about it quotes a file."""

QUOTED = 100  # letters; the longest name of a parameter, in Google's files, has 68


class WeightsError(ValueError):
    """A checkpoint that cannot be used, said in one sentence with a way out."""


def quoted(words: object) -> str:
    """A name, shape or number of a file as part of a sentence: in one line, and a long one without its middle."""
    try:
        text = str(words)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of thousands of digits"
    return one_line(text if len(text) <= QUOTED else f"{text[: QUOTED // 2]}…{text[-QUOTED // 2 :]}")


def one_line(text: str) -> str:
    """The text with single spaces for line breaks and whatever else cannot be printed."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
