"""What single pages let one choose besides model, picture and place: read from the words of an address, by name."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from vitviz.addresses.old import moment_said
from vitviz.addresses.ranges import LARGEST_BUDGET, LEAST_BUDGET, fractions, stops
from vitviz.cards import CARDS
from vitviz.config import LIMITS, PRESETS, ViTConfig
from vitviz.config.sides import middle
from vitviz.counts import total_macs
from vitviz.counts.scaling.growth import FIELDS
from vitviz.counts.scaling.search import COUNTS
from vitviz.demo.scenes import CLASSES, FAMILIES, members
from vitviz.images.photos import BY_TITLE
from vitviz.laboratory.resizing import sizes
from vitviz.machine.price import at_once
from vitviz.pages import ON_BOARD, PAGES
from vitviz.shelf.rows import DATA_SIZE, FIGURE_9, SWITCHES, TABLE_8
from vitviz.takeaway.errors import TakeawayError, quoted

Asked = Mapping[str, str]
Read = Callable[[Asked, ViTConfig], Any]  # raises `TakeawayError` for what there is not
EXCHANGED = re.compile(r"(\d{1,7})x(\d{1,7})|shuffled@(\d{1,6})", re.ASCII)
WHOLE = re.compile(r"\d{1,9}", re.ASCII)
NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)
SCENES = (*FAMILIES, *CLASSES, *BY_TITLE)
OWN_PICTURES = "own pictures"
RUNS = 30  # answers by chance in one draw
PICTURES = 15  # of a class: shots and held out
LENGTHS = {"all parameters": "stages", "queries and keys": "scores", "residual stream": "streams"}
SHOWN = {
    "Positions": list(TABLE_8),
    "Switches": ["learned", *SWITCHES],
    "Learning rates": list(FIGURE_9),
    "Data sizes": list(DATA_SIZE),
}
# Pages that show the model as it is, whatever edits an address holds.
UNEDITED = frozenset(("order", "shift", "resolution", "chance", "norms", "first_values", "five_shots", "gradients"))


def choices_of(page: str, asked: Asked, config: ViTConfig) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What an address chooses on a page, as a notebook calls it, and a sentence for each choice that there is not.

    For that, and for what an address leaves unsaid, stands what is usual on the page. How many of a thing a page shows
    unasked stands here, too: no address says another number.
    """
    found, refused = {}, []
    moment = {"moment": moment_of(page)} if page in ON_BOARD else {}
    for name, read in (moment | dict(CHOICES.get(page, {}))).items():
        try:
            found[name] = read(asked, config)
        except TakeawayError as error:
            refused.append(str(error))
            found[name] = read({}, config)
    return found, tuple(dict.fromkeys(refused))


def one_of(word: str, values: Mapping[str, Any]) -> Read:
    """One of a few words; the first where the address has none."""
    return lambda asked, _: _found(word, asked.get(word) or next(iter(values)), values)


def stop_of(word: str, stops: Iterable[Any], usual: Any) -> Read:
    """One of the values at which a slider stops."""
    return one_of(word, {str(it): it for it in (usual, *stops)})


def number(word: str, least: float, most: float, usual: float) -> Read:
    """A number between two others, whole where the usual one is."""

    def read(asked: Asked, config: ViTConfig) -> Any:
        text = asked.get(word) or str(usual)
        whole = isinstance(usual, int)
        if not (WHOLE if whole else NUMBER).fullmatch(text) or not least <= float(text) <= most:
            raise TakeawayError(f"there is no {word} {quoted(text)}: they are {least:g} to {most:,g}")
        return int(text) if whole else float(text)

    return read


def dial(word: str, usual: float) -> Read:
    """One of the numbers at which the slider of a page stops."""

    def read(asked: Asked, config: ViTConfig) -> Any:
        return stop_of(word, fractions(word, config) or stops(word, config), usual)(asked, config)

    return read


def moment_of(page: str) -> Read:
    """The moment of a page, by its name."""

    def read(asked: Asked, config: ViTConfig) -> str:
        names, text = PAGES[page].moment_names(config), asked.get("moment", "")
        found = moment_said(text, page, names)
        return _found("moment", text, dict.fromkeys(names)) if found is None else found

    return read


def rate(word: str) -> Read:
    """A rate of what is dropped: the model's own as a rule, else a tenth."""

    def read(asked: Asked, config: ViTConfig) -> Any:
        own: float = getattr(config, word.removesuffix("_rate"))
        return dial(word, own or 0.1)(asked, config)

    return read


def _found(word: str, text: str, values: Mapping[str, Any]) -> Any:
    if text not in values:
        raise TakeawayError(f"there is no {word} “{quoted(text)}”; there are {', '.join(values)}")
    return values[text]


def _value(asked: Asked, config: ViTConfig) -> Any:
    """The value of a switch; the first that is not the paper's as a rule."""
    values = {it.in_link: it.value for it in CARDS[SWITCH(asked, config)].choices}
    return _found("value", asked.get("value") or list(values)[1], values)


def _swap(asked: Asked, config: ViTConfig) -> str:
    """Two patches, or all of them, that change places, as an edit."""
    text = asked.get("swap") or f"1x{middle(config.grid) + 1}"
    found = EXCHANGED.fullmatch(text)
    if not found:
        raise TakeawayError(f"there is no swap “{quoted(text)}”; write 1x{config.patches}, or shuffled@3")
    if found[3]:
        return f"i=shuffled@{int(found[3])}"
    first, second = int(found[1]), int(found[2])
    if not (1 <= first <= config.patches and 1 <= second <= config.patches):
        raise TakeawayError(f"there is no swap {text}: patches are 1 to {config.patches}")
    return f"i{first}={second}" if first != second else ""


def _sizes(asked: Asked, config: ViTConfig) -> list[Any]:
    """The picture sizes that a page runs unasked, by their number of patches."""
    wanted = sizes(config)
    passes = sum(map(total_macs, wanted)) / len(wanted) / total_macs(config)
    several = wanted[: at_once(config, passes, len(wanted))]
    return [it.image_size for it in sorted(several, key=lambda it: it.patches)]


def _draw(asked: Asked, config: ViTConfig) -> int:
    """The first seed of a draw."""
    return 1 + RUNS * (dial("draw", 1)(asked, config) - 1)


def _layer(asked: Asked, config: ViTConfig) -> int:
    return one_of("norm_layer", {str(layer + 1): layer for layer in range(config.depth)})(asked, config)


def _beside(asked: Asked, config: ViTConfig) -> int:
    """How many other pictures stand in each batch."""
    size, share = dial("batch_size", 8)(asked, config), max(1, _layer(asked, config)) / config.depth
    return at_once(config, share, 2 * (size - 1)) // 2 or 1


def _furthest(asked: Asked, config: ViTConfig) -> int:
    from vitviz.measures.laboratory.shift import MOST

    return max(2, at_once(config, 1, MOST + 1)) - 1


def _starts(asked: Asked, config: ViTConfig) -> list[str]:
    from vitviz.measures.laboratory.first_values import STARTS

    return list(STARTS[: at_once(config, 5, len(STARTS))])


def _scenes(asked: Asked, config: ViTConfig) -> list[str]:
    """What each class has scenes of; in place of those that a class before has as well, the first that none has."""
    names: list[str] = []
    for place in range(SHOT_CLASSES(asked, config)):
        word = f"shots_of_{place + 1}"
        if asked.get(word) == OWN_PICTURES:
            raise TakeawayError("pictures that somebody brought for a class are in no link; choose scenes for it")
        name = stop_of(word, SCENES, SCENES[place])(asked, config)
        gone = {label for taken in names for label in members(taken)}
        names.append(next(it for it in (name, *SCENES) if gone.isdisjoint(members(it))))
    return names


def _pictures(asked: Asked, config: ViTConfig) -> int:
    """How many pictures of each class are looked at; a third of them teaches."""
    return max(2, at_once(config, SHOT_CLASSES(asked, config), PICTURES))


def _shots(asked: Asked, config: ViTConfig) -> int:
    return min(dial("shots", 2)(asked, config), max(1, _pictures(asked, config) // 3))


def _classes(asked: Asked, config: ViTConfig) -> int:
    return number("head_classes", 0, LIMITS["classes"], config.classes)(asked, config)


SWITCH = one_of("switch", {field: field for field in ("norm_order", *CARDS)})
SHOT_CLASSES = dial("shot_classes", 2)
CHOICES: Mapping[str, Mapping[str, Read]] = {
    "tensor_shapes": {
        "kind": one_of("tensors", {"All in order": "", "Activations": "activation", "Parameters": "parameter"})
    },
    "query_key_value": {
        "divide": one_of("divide", {word: word for word in ("root", "one", "all")}),
    },
    "heads": {"mean": one_of("mean", {"0": False, "1": True})},
    "intervene": {
        "taken": one_of("taken", {"off": "off", "mean": "mean"}),
    },
    "switches": {"switch": SWITCH, "value": _value},
    "siblings": {"rows": one_of("differs", SHOWN)},
    "order": {"swap": _swap},
    "shift": {"most": _furthest},
    "resolution": {"sizes": _sizes},
    "chance": {
        "dropout": rate("dropout_rate"),
        "drop_path": rate("drop_path_rate"),
        "first": _draw,
        "runs": lambda asked, config: at_once(config, 1, RUNS),
    },
    "norms": {"beside": _beside, "layer": _layer, "night": one_of("night", {"false": False, "true": True})},
    "first_values": {
        "starts": _starts,
        "seed": dial("drawn_seed", 0),
    },
    "five_shots": {
        "scenes": _scenes,
        "pictures": _pictures,
        "shots": _shots,
        "penalty": dial("penalty", 1.0),
    },
    "gradients": {
        "of": one_of("gradient_of", LENGTHS),
        "initial": stop_of("untrained_begins", ("trunc_normal", "normal"), "trunc_normal"),
        "curves": lambda asked, config: at_once(config, 3, 6),
    },
    "three_counts": {"classes": _classes},
    "layer_table": {"classes": _classes},
    "growth": {"field": one_of("grow", {field.replace("_", " ").capitalize(): field for field in FIELDS})},
    "memory": {"batch": dial("batch", 32)},
    "side_by_side": {"other": one_of("beside", {name: name for name in ("vit_huge_patch14_224", *PRESETS)})},
    "find_the_model": {
        "unit": one_of("budget_of", {unit: unit for unit in COUNTS}),
        "budget": number("budget", LEAST_BUDGET, LARGEST_BUDGET, 50.0),
    },
}
