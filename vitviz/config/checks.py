"""What one value of a configuration may be, and the sentence for one that it may not."""

from math import floor, log10

from vitviz.config.sides import Sides

MOST_DIGITS = 18  # of a number in a sentence
MOST_DROPPED = 0.9
MOST_SCALED = 100.0


class ConfigError(ValueError):
    """A combination of sizes that no Vision Transformer can have, said in one sentence with a way out."""


def check_range(name: str, value: object, low: int, high: int) -> None:
    """Raise `ConfigError` unless `value` is a whole number from `low` to `high`."""
    label = name.replace("_", " ")
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{label} must be a whole number from {low} to {high:,}, not {value!r}")
    if not low <= value <= high:
        raise ConfigError(
            f"{label} {_in_digits(value)} is outside {low} to {high:,}; "
            f"the nearest legal value is {min(max(value, low), high):,}"
        )


def check_sides(name: str, value: object, most: int) -> Sides:
    """Both sides of a size; raise `ConfigError` unless each is a whole number up to `most`."""
    pair = tuple(value) if isinstance(value, tuple | list) else (value, value)
    if len(pair) != 2:
        raise ConfigError(f"{name.replace('_', ' ')} must be a whole number, or rows and columns, not {value!r}")
    for side in pair:
        check_range(name, side, 1, most)
    return pair[0], pair[1]


def check_patches(image: Sides, patch: Sides) -> None:
    """Raise `ConfigError` unless the picture falls into whole patches each way."""
    square = image[0] == image[1] and patch[0] == patch[1]
    for word, whole, part in zip(("height", "width"), image, patch, strict=True):
        if whole % part:
            size = "size" if square else word
            raise ConfigError(
                f"image {size} {whole} is not divisible by patch {size} {part}; "
                f"{whole} divides by {nearest(divisors(whole), part)}"
            )


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise `ConfigError` unless `value` is one of `choices`."""
    if value not in choices:
        raise ConfigError(f"{name} {value!r} is none of {', '.join(choices)}")


def check_rate(name: str, value: float) -> None:
    """Raise `ConfigError` unless `value` is a share that may be dropped, in thousandths."""
    label = name.replace("_", " ")
    if not 0 <= value <= MOST_DROPPED:
        legal = MOST_DROPPED if value > 0 else 0
        raise ConfigError(f"{label} {value} is outside 0 to {MOST_DROPPED}; the nearest legal value is {legal}")
    if value != round(value, 3):
        raise ConfigError(f"{label} {value} is finer than thousandths; the nearest legal value is {round(value, 3)}")


def check_scale(value: float | None) -> None:
    """Raise `ConfigError` unless scores may be multiplied by this."""
    if value is not None and not 0 < value <= MOST_SCALED:
        raise ConfigError(f"score scale {value} is outside 0 to {MOST_SCALED}; 1 leaves q·k as it is")


def check_epsilon(value: float) -> None:
    """Raise `ConfigError` unless norms may add this to the variance."""
    if not 0 < value < 1:
        raise ConfigError(f"epsilon {value} is outside 0 to 1; layer norms usually take 1e-6")


def whole_heads(dim: int, heads: int) -> int:
    """The numbers of one head; raise `ConfigError` unless `heads` share `dim` evenly."""
    if dim % heads:
        raise ConfigError(
            f"dim {dim} is not divisible by {heads} heads; {dim} divides by {nearest(divisors(dim), heads)}"
        )
    return dim // heads


def check_pairs(head_dim: int) -> None:
    """Raise `ConfigError` unless rotations by row and by column have whole pairs of components each."""
    if head_dim % 4:
        below = head_dim // 4 * 4
        raise ConfigError(
            "rotary positions turn pairs of components, half of them by the row and half by the column, and head dim "
            f"{head_dim} is no multiple of 4; choose {f'{below} or {below + 4}' if below else '4'}"
        )


def divisors(number: int) -> list[int]:
    """All divisors of `number`, ascending."""
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    return small + [number // d for d in reversed(small) if d * d != number]


def nearest(allowed: list[int], value: int) -> str:
    """The largest allowed value below `value` and the smallest above, as words."""
    below = [d for d in allowed if d < value][-1:]
    above = [d for d in allowed if d > value][:1]
    return " or ".join(str(d) for d in below + above)


def _in_digits(number: int) -> str:
    """Every digit, or how large it is: a file or a link may hold thousands of digits."""
    if abs(number) < 10**MOST_DIGITS:
        return f"{number:,}"
    return f"{'-' if number < 0 else ''}10^{floor(log10(abs(number)))}"
