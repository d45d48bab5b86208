"""What the `config.json` beside a checkpoint tells: heads, activation, epsilon, class names, how pictures are read."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vitviz.images import Preprocess
from vitviz.weights.errors import WeightsError, one_line

LONGEST = 5_000_000  # bytes; 21,843 class names take 2 million
LONGEST_NAME = 200  # characters
COLOUR = (0.001, 1000)  # between which a mean and a standard deviation are; those of published models are below 1
ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_tanh": "gelu_tanh",
    "quick_gelu": "quick_gelu",
    "quickgelu": "quick_gelu",
}


@dataclass(frozen=True, slots=True)
class Card:
    """What is known about a checkpoint beside its tensors; None and empty where nothing is said.

    `name` is the model's own name, "vit_tiny_patch16_224" or "dinov2"; `preprocess` has size 1, to be replaced.
    """

    name: str = ""
    heads: int | None = None
    activation: str | None = None
    epsilon: float | None = None
    labels: tuple[str, ...] = field(default=())
    preprocess: Preprocess | None = None


def read_card(checkpoint: Path) -> Card:
    """The card beside a checkpoint, or an empty one. Raises `WeightsError` for what is no JSON object."""
    path = checkpoint.parent / "config.json"
    return parse_card(path.read_bytes()) if path.is_file() else Card()


def parse_card(data: bytes) -> Card:
    """A `config.json` of timm or Hugging Face; what it does not say, or says in another type, stays unknown."""
    if len(data) > LONGEST:
        raise WeightsError(f"config.json has {len(data):,} bytes; that of a model has fewer than {LONGEST:,}")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WeightsError("config.json is no JSON text; take the one that belongs to the checkpoint") from error
    if not isinstance(content, dict):
        raise WeightsError("config.json is no JSON object; take the one that belongs to the checkpoint")
    vision = content.get("vision_config")
    sizes = vision if isinstance(vision, dict) else content
    heads, epsilon = sizes.get("num_attention_heads"), sizes.get("layer_norm_eps")
    return Card(
        name=next(filter(None, (_text(content.get(key)) for key in ("architecture", "model_type"))), ""),
        heads=heads if isinstance(heads, int) and heads > 0 else None,
        activation=ACTIVATIONS.get(_text(sizes.get("hidden_act"))),
        epsilon=float(epsilon) if isinstance(epsilon, int | float) and 0 < epsilon < 1 else None,
        labels=_labels(content),
        preprocess=_preprocess(content.get("pretrained_cfg")),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _labels(content: dict[str, Any]) -> tuple[str, ...]:
    """Class names in order: a list, or a dictionary by number without gaps; stand-ins like LABEL_0 are none."""
    names = content.get("id2label") or content.get("label_names")
    if isinstance(names, dict):
        numbers = [str(number) for number in range(len(names))]
        names = [names[number] for number in numbers] if set(names) == set(numbers) else None
    if not isinstance(names, list) or names == [f"LABEL_{number}" for number in range(len(names))]:
        return ()
    if not all(isinstance(name, str | int | float) for name in names):
        return ()
    return tuple(one_line(str(name))[:LONGEST_NAME] for name in names)


def _preprocess(rule: Any) -> Preprocess | None:
    """timm's `pretrained_cfg`: mean, std, the share that is cropped and how pictures are resized."""
    if not isinstance(rule, dict):
        return None
    mean, std = _colour(rule.get("mean")), _colour(rule.get("std"))
    crop, interpolation = rule.get("crop_pct"), rule.get("interpolation")
    if not mean or not std or not isinstance(crop, int | float) or not 0.1 <= crop <= 1:
        return None
    return Preprocess(
        1,
        float(crop),
        "squash" if rule.get("crop_mode") == "squash" else "shorter side",
        "bilinear" if interpolation == "bilinear" else "bicubic",
        mean,
        std,
    )


def _colour(values: Any) -> tuple[float, float, float] | None:
    if not isinstance(values, list) or len(values) != 3:
        return None
    least, most = COLOUR
    if not all(isinstance(value, int | float) and least <= value <= most for value in values):
        return None
    red, green, blue = (float(value) for value in values)
    return red, green, blue
