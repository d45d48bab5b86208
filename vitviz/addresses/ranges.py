"""Numbers that an address may say: how they are written, and from which to which the app takes them.

One reader for links, for a session that goes on, and for the views of a lesson: whatever stands in the address has to
pass here before any control sees it. What a page lets one choose among a few is declared here as well, and its control
and whatever is taken away stop at the same.
"""

import re
from collections.abc import Sequence

from vitviz.addresses.place import numbers
from vitviz.config import LIMITS, MOST_KEYS, MOST_PRE_LOGITS, MOST_REGISTERS, ViTConfig
from vitviz.config.sides import read, sides_of

# As the app writes them. Python and Streamlit read more: "1e3", "+5", "1_0", "Infinity", "٣".
WHOLE = re.compile(r"\d{1,12}", re.ASCII)
DECIMAL = re.compile(r"\d{1,12}(\.\d{1,17})?", re.ASCII)
SMALL = re.compile(r"\d(\.\d{1,17})?(e-\d{1,3})?", re.ASCII)
SIDES = re.compile(r"[1-9]\d{0,5}(x[1-9]\d{0,5})?", re.ASCII)
KINDS = {WHOLE: "no whole number", DECIMAL: "no number", SMALL: "no number", SIDES: "no number of pixels, nor two"}
SIGNED = re.compile(r"[+-]?\d+", re.ASCII)  # a whole number, whoever wrote it
AUTO = "auto"  # what follows from other sizes
LARGEST_SEED = 2**31 - 1
MOST_LEARNED = 999_999  # steps of training
LARGEST_BATCH, WIDEST, WIDEST_HEAD = 256, 15, 512  # pictures; a convolution; a head that is chosen by itself
LEAST_BUDGET, LARGEST_BUDGET = 0.1, 10_000.0  # millions of parameters, billions of multiply-adds
DOUBLINGS = 15  # a sequence is drawn from 1 token to 2 to this power
RANGES: dict[str, tuple[float, float]] = {
    **{name: (1, most) for name, most in LIMITS.items() if name != "channels"},
    "classes": (0, LIMITS["classes"]),
    "head_classes": (0, LIMITS["classes"]),
    "registers": (0, MOST_REGISTERS),
    "top_k": (1, MOST_KEYS),
    "window": (0, LIMITS["image_size"]),
    "file_size": (1, LIMITS["image_size"]),
    "pre_logits": (0, MOST_PRE_LOGITS),
    "head_dim": (1, WIDEST_HEAD),
    "epsilon": (1e-300, 0.99),
    "dropout": (0.0, 0.99),
    "drop_path": (0.0, 0.99),
    "seed": (0, LARGEST_SEED),
    "layer": (1, LIMITS["depth"]),
    "head": (1, LIMITS["heads"]),
    "component": (1, LIMITS["dim"]),
    "through": (1, LIMITS["depth"]),
    "after": (0, LIMITS["depth"]),
    "answer": (1, LIMITS["classes"]),
    "norm_layer": (1, LIMITS["depth"]),
    "learned": (0, MOST_LEARNED),
    "training": (0, MOST_LEARNED),
    "batch": (1, LARGEST_BATCH),
    "kernel": (1, WIDEST),
    "sequence": (1, MOST_KEYS + MOST_REGISTERS + 2),
    "draw": (1, 10),
    "drawn_seed": (0, 9),
    "shots": (1, 5),
    "shot_classes": (2, 4),
    "dropout_rate": (0.0, 0.99),
    "drop_path_rate": (0.0, 0.99),
    "budget": (LEAST_BUDGET, LARGEST_BUDGET),
    **{f"grown_{name}": (1, LIMITS[name]) for name in ("image_size", "patch_size", "depth", "dim")},
}
RATES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
FEW_WHOLES = {"batch_size": (2, 4, 8, 16)}  # where there are a few, whatever the model
FEW = {
    "penalty": (0.01, 0.1, 1.0, 10.0, 100.0),
    "tuning_rate": (0.001, 0.01, 0.1, 1.0),
    "score_scale": (1.0, 0.5, 0.25, 0.125, 0.1, 0.05),
}
SIDED = ("image_size", "file_size", "patch_size")  # a number, or rows and columns: 96 or "96x128"
FOLLOWS = ("head_dim", "score_scale")  # from other sizes where nobody chooses
NUMBERS = (
    dict.fromkeys((*RANGES, *FEW_WHOLES), WHOLE)
    | dict.fromkeys(SIDED, SIDES)
    | dict.fromkeys(("budget", "penalty", "score_scale", "tuning_rate"), DECIMAL)
    | dict.fromkeys(("epsilon", "dropout", "drop_path", "dropout_rate", "drop_path_rate"), SMALL)
)


def fractions(name: str, config: ViTConfig) -> Sequence[float]:
    """The few numbers with a fraction that a page has, with this model on screen; none where it has no such few."""
    if name in ("dropout_rate", "drop_path_rate"):
        return sorted({*RATES, getattr(config, name.removesuffix("_rate"))})
    return FEW.get(name, ())


def stops(name: str, config: ViTConfig) -> Sequence[int]:
    """The whole numbers at which the control on a page stops, with this model on screen."""
    if name in FEW_WHOLES:
        return FEW_WHOLES[name]
    if name == "sequence":
        return sorted({*(2**power for power in range(DOUBLINGS + 1)), config.tokens})
    least, most = _within(name, config)
    return range(int(least), int(most) + 1)


def refusal(name: str, text: str, config: ViTConfig | None = None) -> str:
    """Why the app does not take what an address says of a number, as half a sentence; "" where it does.

    Of a model that is known only what it has is taken.

    >>> refusal("depth", "1e999")
    'that is no whole number; there is only depth 1 to 1,024'
    >>> refusal("depth", "-2000")
    'there is only depth 1 to 1,024'
    """
    if name not in NUMBERS or _taken(name, text, config):
        return ""
    kind = NUMBERS[name]
    no_number = "" if kind.fullmatch(text) or SIGNED.fullmatch(text) else f"that is {KINDS[kind]}; "
    return f"{no_number}there is only {there_is(name, config)}"


def there_is(name: str, config: ViTConfig | None = None) -> str:
    """What there is of a number, in words: "head 1 to 4"."""
    what = name.replace("_", " ")
    auto = f"{AUTO}, " if name in FOLLOWS else ""
    if few := _few(name, config):
        return f"{what} {auto}{', '.join(map(str, few))}"
    least, most = _within(name, config)
    apart = ", for rows and columns apart as in 96x128" if name in SIDED else ""
    return f"{what} {auto}{_written(least)} to {_written(most)}{apart}"


def in_link(number: float) -> str:
    """A number with a fraction as a link writes it: 0.1, 1e-6."""
    return repr(number).replace("e-0", "e-")


def _taken(name: str, text: str, config: ViTConfig | None) -> bool:
    if name in FOLLOWS and text == AUTO:
        return True
    if not (kind := NUMBERS[name]).fullmatch(text) or (kind is SMALL and in_link(float(text)) != text):
        return False
    if few := _few(name, config):
        return text in map(str, few)
    least, most = _within(name, config)
    said = sides_of(read(text) or 0) if name in SIDED else (float(text),)
    return all(least <= number <= most for number in said)


def _few(name: str, config: ViTConfig | None) -> Sequence[float]:
    """The numbers of which one is taken; none where all from one to another are."""
    if config and name == "sequence":
        return stops(name, config)
    return FEW_WHOLES.get(name) or (fractions(name, config) if config else FEW.get(name, ()))


def _within(name: str, config: ViTConfig | None) -> tuple[float, float]:
    if config is None:
        return RANGES[name]
    of_a_model = {**numbers(config), "norm_layer": (1, config.depth), "answer": (1, config.classes)}
    return of_a_model.get(name, RANGES[name])


def _written(number: float) -> str:
    return f"{number:,}" if number == 0 or number >= 1e-3 else f"{number:g}"
