"""Sizes that are one number or two: the sides of a picture and of its patches, rows before columns, as tensors have."""

import re

Sides = tuple[int, int]  # rows and columns
Size = int | Sides  # a number where both sides are equal
TEXT = re.compile(r"(\d{1,9})(?:[x×](\d{1,9}))?", re.ASCII)


def sides_of(size: Size) -> Sides:
    """Both sides: 96 -> (96, 96)."""
    return (size, size) if isinstance(size, int) else size


def tall(sides: Sides) -> float:
    """How many times as high as wide."""
    return sides[0] / sides[1]


def size_of(sides: Sides) -> Size:
    """The other way round: (96, 96) -> 96."""
    return sides[0] if sides[0] == sides[1] else sides


def written(size: Size) -> str:
    """As links and cache keys have it: "96", "96x128"."""
    return "x".join(map(str, size)) if isinstance(size, tuple) else str(size)


def read(text: str) -> Size | None:
    """The size that a text says, None for other texts."""
    found = TEXT.fullmatch(text)
    return size_of((int(found[1]), int(found[2] or found[1]))) if found else None


def spelled(size: Size, between: str = " × ") -> str:
    """Both sides as people read them: "96 × 128"."""
    return between.join(f"{side:,}" for side in sides_of(size))


def middle(grid: tuple[int, int]) -> int:
    """The patch that is shown where none is chosen, from 0: in the middle, or just above it and to its left."""
    rows, columns = grid
    return (rows - 1) // 2 * columns + (columns - 1) // 2
