"""Edits as a person would say them."""

from vitviz.config import ViTConfig
from vitviz.edits.edit import Edit, written

REFERENCE_SCENES = 64  # over which means are taken, four of each class
WAYS = {
    "masked": "hidden: masked as keys",
    "removed": "hidden: removed as tokens",
    "grey": "painted grey",
    "blur": "painted with their mean colour",
    "paste": "pasted from the second picture",
}
DIVISORS = {"sqrt": "divided by √dₕ", "dh": "divided by dₕ", "none": "not divided"}
SWAPPED = {"pixels": "Pixels", "positions": "Positions"}


def in_words(edit: Edit, config: ViTConfig) -> str:
    """What an edit does, in words: "Head 1 of layer 3 off"."""
    where = "in all layers" if edit.layer is None else f"in layer {edit.layer + 1}"
    layer = f"layer {(edit.layer or 0) + 1}"
    seed = f"(seed {edit.seed})"
    match edit.kind:
        case "head":
            return f"{_run(edit, 'Head', 'Heads')} of {layer} {_done(edit)}"
        case "attention" | "mlp":
            return f"{'MLP' if edit.kind == 'mlp' else 'Attention'} of {layer} {_done(edit)}"
        case "block":
            return f"L{layer[1:]} {_done(edit)}"
        case "temperature":
            return f"Temperature {written(edit.number)} {where}"
        case "scale":
            return f"Scores {where} {DIVISORS[edit.word]}"
        case "top_k":
            largest = "largest score" if edit.number == 1 else f"{written(edit.number)} largest scores"
            return f"Only the {largest} of a row {where}"
        case "window":
            return f"Patches see no further than {written(edit.number)} patches {where}"
        case "causal":
            return f"{'Causal' if edit.word == 'causal' else 'No causal'} mask {where}"
        case "patch":
            return f"{_run(edit, 'Patch', 'Patches')} {WAYS[edit.word]}"
        case "pixels" | "positions" if edit.first is not None:
            return f"{SWAPPED[edit.kind]} of patches {edit.first + 1} and {written(edit.number + 1)} swapped"
        case "pixels" | "positions":
            return f"{SWAPPED[edit.kind]} of all patches {'off' if edit.word == 'off' else f'shuffled {seed}'}"
        case "dropout":
            return f"Dropout {written(edit.number)} (seed {edit.seed}; attention maps show the weights before it)"
        case "drop_path":
            return f"Drop path {written(edit.number)} {seed}"
    return f"{_tokens(edit, config)} of the second picture put in before {layer}"


def _done(edit: Edit) -> str:
    if edit.word:
        over = "token by token" if edit.word == "mean" else "over all tokens"
        return f"at the mean of {REFERENCE_SCENES} scenes, {over}"
    return f"times {written(edit.number)}" if edit.number else "off"


def _tokens(edit: Edit, config: ViTConfig) -> str:
    if not edit.prefix:
        return _run(edit, "Patch", "Patches")
    return ", ".join(f"[{config.prefix_tokens[place]}]" for place in edit.places)


def _run(edit: Edit, one: str, many: str) -> str:
    places = edit.places
    return f"{many} {places[0] + 1} to {places[-1] + 1}" if len(places) > 1 else f"{one} {places[0] + 1}"
