"""Numbers that an address may say: how they are written, and from which to which the app takes them.

One reader for links, for a session that goes on, and for the views of a lesson: whatever stands in the address has to
pass here before any control sees it.
"""

import re

from vitviz.config import LIMITS, MOST_KEYS, MOST_PRE_LOGITS, MOST_REGISTERS
from vitviz.config.sides import read, sides_of

# As the app writes them. Python and Streamlit read more: "1e3", "+5", "1_0", "Infinity", "٣".
WHOLE = re.compile(r"\d{1,12}", re.ASCII)
DECIMAL = re.compile(r"\d{1,12}(\.\d{1,17})?", re.ASCII)
SIDES = re.compile(r"[1-9]\d{0,5}(x[1-9]\d{0,5})?", re.ASCII)
KINDS = {WHOLE: "no whole number", DECIMAL: "no number", SIDES: "no number of pixels, nor two"}
LARGEST_SEED = 2**31 - 1
MOST_MOMENTS = 9
MOST_LEARNED = 999_999  # steps of training
LARGEST_BATCH, WIDEST = 256, 15  # pictures; a convolution
LEAST_BUDGET, LARGEST_BUDGET = 0.1, 10_000.0  # millions of parameters, billions of multiply-adds
RANGES: dict[str, tuple[float, float]] = {
    **{name: (1, most) for name, most in LIMITS.items() if name != "channels"},
    "classes": (0, LIMITS["classes"]),
    "head_classes": (0, LIMITS["classes"]),
    "registers": (0, MOST_REGISTERS),
    "top_k": (1, MOST_KEYS),
    "window": (0, LIMITS["image_size"]),
    "pre_logits": (0, MOST_PRE_LOGITS),
    "seed": (0, LARGEST_SEED),
    "moment": (1, MOST_MOMENTS),
    "batch": (1, LARGEST_BATCH),
    "kernel": (1, WIDEST),
    "budget": (LEAST_BUDGET, LARGEST_BUDGET),
}
SIDED = ("image_size", "patch_size")  # a number, or rows and columns: 96 or "96x128"
PLACES = ("layer", "head", "component", "through", "after", "moment")  # `place` reads them with the model
GROWN = ("grown_image_size", "grown_patch_size", "grown_depth", "grown_dim")
# One of a few numbers that stand on the page, which says so itself.
STOPS = (*GROWN, "sequence", "draw", "batch_size", "norm_layer", "drawn_seed", "shot_classes", "shots")
RATES = ("dropout_rate", "drop_path_rate", "penalty")
NUMBERS = (
    dict.fromkeys((*RANGES, *PLACES, *STOPS), WHOLE)
    | dict.fromkeys(SIDED, SIDES)
    | dict.fromkeys(("budget", *RATES), DECIMAL)
)


def refusal(name: str, text: str) -> str:
    """Why the app does not take what an address says of a number, as half a sentence; "" where it does.

    >>> refusal("depth", "1e999")
    'that is no whole number'
    >>> refusal("depth", "2000")
    'there is only depth 1 to 1,024'
    """
    if name not in NUMBERS:
        return ""
    if not NUMBERS[name].fullmatch(text):
        return f"that is {KINDS[NUMBERS[name]]}"
    if name not in RANGES:
        return ""
    least, most = RANGES[name]
    said = sides_of(read(text) or 0) if name in SIDED else (float(text),)
    if all(least <= number <= most for number in said):
        return ""
    apart = ", for rows and columns apart as in 96x128" if name in SIDED else ""
    return f"there is only {name.replace('_', ' ')} {least:,} to {most:,}{apart}"
