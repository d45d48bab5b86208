"""build-your-own: what can be chosen of a model, as data, and how one choice leaves the others in place.

A new field of `ViTConfig` is one line of `SIZES` or `NAMED_SWITCHES`; one that is on or off needs none. From it come
the control in the sidebar and the one on Build a ViT, the parameter of a link, and the words that say what a model has
beside the paper's.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd

from vitviz.addresses import ranges
from vitviz.addresses.ranges import AUTO, NUMBERS, RATES, SIDED
from vitviz.cards import CARDS
from vitviz.config import (
    ACTIVATION_FUNCTIONS,
    ATTENTIONS,
    INITIAL,
    NORM_ORDERS,
    NORMS,
    OWN_START,
    POOLS,
    POSITIONS,
    POSITIONS_AT,
    STEMS,
    ConfigError,
    ViTConfig,
)
from vitviz.config import FIELDS as CONFIG_FIELDS
from vitviz.config import sides as pixels
from vitviz.config.config import IMPOSSIBLE
from vitviz.config.sides import Sides, read, sides_of, size_of

Value = int | float | str
Values = Mapping[str, Value]
Fits = Callable[[Values, Value], bool]

ON_OFF = (False, True)
EPSILONS = (1e-12, 1e-8, 1e-6, 1e-5)
DATA_SETS = (0, 1, 2, 5, 10, 16, 20, 50, 100, 200, 365, 500, 1000, 5000, 10_000, 18_291, 21_843)  # the last: JFT, 21k
STEM_PATCH, PAIRED = 16, 64
GIVE_WAY = 4  # switches at most, to let another be chosen
EXCLUDE = {"head_dim", *re.findall(r"\w+", " ".join(conditions for conditions, _ in IMPOSSIBLE))}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of `ViTConfig`; `name` is its key in the session and its parameter in a link, too.

    It has one of `values`, in order, and one that `fits` the other fields, which `rule` says in words. Whole numbers
    get a number input and a slider, which stops at `stops` where not at all values; those of `SIDED` a text input, for
    their sides may differ; False and True a checkbox, all others a select box.
    """

    name: str
    label: str
    values: Sequence[Value]
    stops: Sequence[Value] = ()
    rule: str = ""
    fits: Fits = lambda others, value: True

    @property
    def usual(self) -> Value:
        """What a model has of it where a link says nothing."""
        return value_of(OWN_START, self.name)

    @property
    def whole(self) -> bool:
        """Whether it is a whole number."""
        return type(self.usual) is int

    @property
    def sided(self) -> bool:
        """Whether its sides may differ."""
        return self.name in SIDED

    def choices(self, values: Values) -> list[Value]:
        """Where its slider stops or what its select box offers, for these values of all fields, its own among them."""
        stops, own = self.stops or self.values, values[self.name]
        if isinstance(own, str) and self.sided:
            rows, columns = sides(own)
            unit = gcd(rows, columns)
            shaped = [in_link((stop * rows // unit, stop * columns // unit)) for stop in range(1, 4 * unit + 1)]
            return [stop for stop in shaped if stop == own or self.fits(values, stop)]
        if self.whole:
            return sorted({*(stop for stop in stops if self.fits(values, stop)), own})
        return list(dict.fromkeys([*stops, values[self.name]]))


def _multiple_of(name: str) -> tuple[str, Fits]:
    return f"a multiple of {_label(name)}", lambda others, value: _divides(others[name], value)


def _divisor_of(name: str) -> tuple[str, Fits]:
    return f"a divisor of {_label(name)}", lambda others, value: _divides(value, others[name])


def _divides(part: Value, whole: Value) -> bool:
    return all(b % a == 0 for a, b in zip(sides(part), sides(whole), strict=True))


def sides(value: Value) -> Sides:
    """Rows and columns of a size, 96 or "96x128"."""
    return sides_of(value if isinstance(value, int) else read(str(value)) or 1)


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


SIZES = (
    Field("image_size", "Image size", NUMBERS["image_size"].there, range(8, 1025, 2), *_multiple_of("patch_size")),
    Field("patch_size", "Patch size", NUMBERS["patch_size"].there, range(1, 1025), *_divisor_of("image_size")),
    Field("dim", "Dim", NUMBERS["dim"].there, range(8, 2049, 8), *_multiple_of("heads")),
    Field("depth", "Depth", NUMBERS["depth"].there, range(1, 49)),
    Field("heads", "Heads", NUMBERS["heads"].there, range(1, 65), *_divisor_of("dim")),
    Field("mlp_dim", "MLP size", NUMBERS["mlp_dim"].there, range(64, 8193, 64)),
    Field("classes", "Classes", NUMBERS["classes"].there, DATA_SETS),
)
NAMED_SWITCHES = (
    Field("stem", "Stem", STEMS),
    Field("distilled", "Distillation token", ON_OFF),
    Field("registers", "Register tokens", NUMBERS["registers"].there, range(17)),
    Field("positions", "Positions", POSITIONS),
    Field("positions_at", "Positions added at", POSITIONS_AT),
    Field("prefix_positions", "Positions for prefix tokens", ON_OFF),
    Field("patch_bias", "Bias of the patch embedding", ON_OFF),
    Field("input_norm", "Layer norm before block 1", ON_OFF),
    Field("attention", "Attention", ATTENTIONS),
    Field("top_k", "Keys that top-k keeps", NUMBERS["top_k"].there, range(1, 65)),
    Field("window", "Radius of the window", NUMBERS["window"].there, range(17)),
    Field("head_dim", "Head width", (AUTO, *NUMBERS["head_dim"].there), (AUTO, 8, 16, 32, 48, 64, 80, 96, 128)),
    Field("score_scale", "Scale of scores", (AUTO, *NUMBERS["score_scale"].there)),
    Field("qkv_bias", "Bias of queries, keys and values", ON_OFF),
    Field("norm_order", "Order of norms", NORM_ORDERS),
    Field("norm", "Norm", NORMS),
    Field("layer_scale", "Layer scale", ON_OFF),
    Field("activation", "Activation", ACTIVATION_FUNCTIONS),
    Field("pool", "Pooling", POOLS),
    Field("pre_logits", "Pre-logits", NUMBERS["pre_logits"].there, (0, *range(64, 1025, 64))),
    Field("dropout", "Dropout in training", RATES),
    Field("drop_path", "Drop path in training", RATES),
    Field("initial", "Initialisation", INITIAL),
    Field("epsilon", "Epsilon of layer norms", EPSILONS),
)
SWITCHES = (
    *NAMED_SWITCHES,
    *(
        Field(name, _label(name), ON_OFF)
        for name in CONFIG_FIELDS
        if isinstance(getattr(OWN_START, name), bool) and name not in {field.name for field in NAMED_SWITCHES}
    ),
)
FIELDS = {field.name: field for field in (*SIZES, *SWITCHES)}


def value_of(config: ViTConfig, name: str) -> Value:
    """What was chosen of one field; `AUTO` for a width of heads that follows from dim and heads."""
    if name == "head_dim" and config.usual_head_dim:
        return AUTO
    value = getattr(config, name)
    if isinstance(value, tuple):
        return in_link(value)
    return AUTO if value is None else value


def values_of(config: ViTConfig) -> dict[str, Value]:
    """All that can be chosen, as this model has it."""
    return {name: value_of(config, name) for name in FIELDS}


def config_of(values: Values) -> ViTConfig:
    """The model with these values; raises `ConfigError`."""
    return ViTConfig(**fields_of(values))  # type: ignore[arg-type]


def fields_of(values: Values) -> dict[str, Value | Sides | None]:
    """The same as fields of `ViTConfig`, where what follows from others is None."""
    return {name: None if it == AUTO else size_of(sides(it)) if name in SIDED else it for name, it in values.items()}


def beside_the_paper(config: ViTConfig) -> list[str]:
    """What a model has that the paper's do not, in words; empty for the paper's own."""
    return [_in_words(field, it) for field in SWITCHES if (it := value_of(config, field.name)) != field.usual]


def in_link(value: Value | Sides) -> str:
    """A value as a link writes it: true, 4, 96x128, swiglu, 1e-6."""
    if isinstance(value, tuple):
        return pixels.written(size_of(value))
    if isinstance(value, bool):
        return str(value).lower()
    return ranges.in_link(value) if isinstance(value, float) else str(value)


def written(value: object) -> str:
    """A value of a field of `ViTConfig` as a link writes it; None, what follows from others, is auto."""
    return AUTO if value is None else in_link(value)  # type: ignore[arg-type]


def moved(values: Values, name: str, value: Value) -> dict[str, Value]:
    """`values` with one of them moved, to what is asked for or as near as it fits.

    A size goes to the nearest value that fits the other sizes, in the direction of the move. Switches that exclude the
    new value of another give way: as few as possible go back to what is usual.
    """
    field = FIELDS[name]
    if field.sided:
        value = _nearest_size(field, values, value)
    elif field.whole:
        value = _nearest(field, values, int(value))
    changed = {**values, name: value}
    others = [it for it in SWITCHES if it.name in EXCLUDE - {name} and values[it.name] != it.usual]
    for needs in ({}, _needed_by(name, changed)):
        for how_many in range(min(len(others), GIVE_WAY) + 1):
            for given_way in combinations(others, how_many):
                candidate = changed | needs | {it.name: it.usual for it in given_way}
                if _is_a_model(candidate):
                    return candidate
    return changed


def _needed_by(name: str, values: Values) -> dict[str, Value]:
    """What fits any value of a switch: patches that every stem can have and a picture of them; pairs to be turned.

    Of other switches, what their card says that the value cannot be without.
    """
    if name == "positions":
        return {"head_dim": PAIRED}
    if name != "stem":
        needs = CARDS[name].choice(values[name]).needs if name in CARDS else {}
        return {needed: it for needed, it in needs.items() if isinstance(it, int | float | str)}
    rows, columns = (max(1, round(side / STEM_PATCH)) * STEM_PATCH for side in sides(values["image_size"]))
    return {"patch_size": STEM_PATCH, "image_size": rows if rows == columns else in_link((rows, columns))}


def _nearest_size(field: Field, values: Values, value: Value) -> Value:
    """A size whose sides are the nearest to those asked for that fit, each on its side of what there is."""
    (rows, columns), other = sides(value), "patch_size" if field.name == "image_size" else "image_size"
    nearest = []
    for axis, side in enumerate((rows, columns)):
        along = {field.name: sides(values[field.name])[axis], other: sides(values[other])[axis]}
        nearest.append(int(_nearest(field, along, min(max(side, int(field.values[0])), int(field.values[-1])))))
    return nearest[0] if nearest[0] == nearest[1] else in_link((nearest[0], nearest[1]))


def _nearest(field: Field, values: Values, value: int) -> Value:
    """The value nearest to `value` that fits the others, on its side of the value that there is."""
    if field.fits(values, value):
        return value
    last = int(values[field.name])
    side = range(last + 1, int(field.values[-1]) + 1) if value > last else range(int(field.values[0]), last)
    outward = (near for distance in range(len(side) + 1) for near in (value - distance, value + distance))
    return next((it for it in outward if it in side and field.fits(values, it)), last)


def _is_a_model(values: Values) -> bool:
    try:
        config_of(values)
    except ConfigError:
        return False
    return True


def _in_words(field: Field, value: Value) -> str:
    label = field.label[0].lower() + field.label[1:]
    if isinstance(value, bool):
        return label if value else f"no {label}"
    return f"{value} {label}" if field.whole else f"{label}: {in_link(value)}"
