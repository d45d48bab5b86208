"""Broken cards: the `config.json` beside a checkpoint."""

import json
import random
from typing import Any

from benchmarks.fuzz.damage import change_bytes
from benchmarks.fuzz.stored import SMALL

NAMES = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu"]
TIMM = {
    "architecture": "vit_tiny_patch16_224",
    "num_classes": SMALL.classes,
    "label_names": NAMES,
    "pretrained_cfg": {
        "mean": [0.4, 0.5, 0.6],
        "std": [0.1, 0.2, 0.3],
        "crop_pct": 0.95,
        "interpolation": "bilinear",
        "crop_mode": "center",
    },
}
HUGGING_FACE = {
    "model_type": "vit",
    "num_attention_heads": 3,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
    "id2label": {str(number): name for number, name in enumerate(NAMES)},
}
TOWER = {"model_type": "clip", "vision_config": {"num_attention_heads": 3, "hidden_act": "quick_gelu"}}
NUMBERS: tuple[Any, ...] = (0, 1, -1, 2, 3, 4, 5, 6, 12, 1024, 1025, 2**63, 10**400, 10**4000, 0.5, 1e-30, 1e30)
NUMBERS += (float("nan"), float("inf"), float("-inf"), True, False, None)
WORDS = (
    "",
    "relu",
    "gelu_new",
    "swiglu",
    "a\n\n# b",
    "\ud800",
    "\0",
    "x" * 100_000,
    "deit",
    "dino",
    "quickgelu",
    "rope",
)


def card(chance: random.Random) -> bytes:
    """A card of timm or Hugging Face with a few values, or a few bytes, changed."""
    content: Any = json.loads(json.dumps(chance.choice((TIMM, HUGGING_FACE, TOWER))))
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        _change(content, chance)
    data = bytearray(json.dumps(content).encode())
    for _ in range(chance.choice((0, 0, 0, 0, 0, 0, 0, 0, 1, 2))):
        change_bytes(data, chance, lambda: json.dumps(TIMM).encode())
    return bytes(data)


def _change(content: Any, chance: random.Random) -> None:
    """Another value somewhere in the card."""
    while True:
        key = chance.choice(list(content) if isinstance(content, dict) else range(len(content)))
        inner = content[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.2:
            content[key] = _value(chance)
            return
        content = inner


def _value(chance: random.Random) -> object:
    match chance.choice(("number", "number", "word", "names", "deep", "colour", "empty")):
        case "number":
            return chance.choice(NUMBERS)
        case "word":
            return chance.choice(WORDS)
        case "names":
            names: list[Any] = [chance.choice((*WORDS, *NUMBERS, [], {})) for _ in range(SMALL.classes)]
            return names if chance.random() < 0.5 else dict(enumerate(names))
        case "deep":
            nested: object = []
            for _ in range(chance.choice((10, 300, 900))):
                nested = [nested]
            return nested
        case "colour":
            return [chance.choice(NUMBERS) for _ in range(3)]
    return chance.choice(({}, []))
