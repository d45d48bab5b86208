"""Bytes changed anywhere in a file, as bad disks and bad people do it."""

import random
from collections.abc import Callable


def change_bytes(file: bytearray, chance: random.Random, other: Callable[[], bytes]) -> None:
    """Somewhere in the file, half of the time near its start; `other` gives a file to splice in."""
    file += bytes(not file)
    at = chance.randrange(len(file) if chance.random() < 0.5 else min(len(file), 80))
    start, length = chance.randrange(len(file)), chance.randrange(1, 100)
    match chance.choice(("set", "flip", "delete", "repeat", "splice", "truncate")):
        case "set":
            file[at] = chance.choice((0, 1, 127, 128, 254, 255))
        case "flip":
            file[at] ^= 1 << chance.randrange(8)
        case "delete":
            del file[at : at + length]
        case "repeat":
            file[at:at] = file[start : start + length] * chance.choice((1, 1, 1000))
        case "splice":
            inserted = other()
            file[start:] = inserted[chance.randrange(len(inserted)) :]
        case "truncate":
            del file[start:]
