"""What `config.json` beside a checkpoint, or a model in memory, tells: heads, activation, epsilon, class names ..."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vitviz.images import Preprocess
from vitviz.shown import one_line
from vitviz.weights.errors import WeightsError

LONGEST = 5_000_000  # bytes; 21,843 class names take 2 million
LONGEST_NAME = 200  # characters
MOST_COLOUR = 1000  # of a mean and a standard deviation; those of published models are at most 1
LEAST_STD = 0.001
USUAL_CROP = 0.875  # timm's, where its own file leaves it out
LEAST_CROP = 0.5  # of a picture's side; published models' are 0.8 and more, and the less, the larger it is resized
ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    **dict.fromkeys(
        ("gelu_new", "gelu_fast", "gelu_accurate", "gelu_pytorch_tanh", "gelu_tanh", "gelutanh"), "gelu_tanh"
    ),
    **dict.fromkeys(("quick_gelu", "quickgelu"), "quick_gelu"),
    "relu": "relu",
}
TOWERS = ("vision_config", "backbone_config")  # where larger models of Hugging Face tell the sizes of their ViT
POOLS = {"token": "class", "map": "attention", "avg": "mean"}  # as timm calls them
# What a card of Hugging Face means by leaving these out: heads, activation and epsilon, by the type of model.
UNSAID: dict[str, tuple[int, str, float]] = {
    **dict.fromkeys(("vit", "deit", "vit_mae"), (12, "gelu", 1e-12)),
    **dict.fromkeys(("vit_msn", "dinov2", "dinov2_with_registers"), (12, "gelu", 1e-6)),
    **dict.fromkeys(("clip", "clip_vision_model"), (12, "quick_gelu", 1e-5)),
    **dict.fromkeys(("siglip", "siglip_vision_model"), (12, "gelu_tanh", 1e-6)),
}
FIRST = ".blocks.0"  # as timm and those who write like it call the first block


@dataclass(frozen=True, slots=True)
class Card:
    """What is known about a checkpoint beside its tensors; None and empty where nothing is said.

    `name` is the model's own name, "vit_tiny_patch16_224" or "dinov2"; `activation` is one of ours or, where it is none
    of them, the word that stands there; `pool` tells where the answer is read: off the "class" token, by "attention" or
    off the "mean"; `norm` is "rms" where those are its norms. `preprocess` has size 1, to be replaced.
    """

    name: str = ""
    heads: int | None = None
    activation: str | None = None
    epsilon: float | None = None
    pool: str | None = None
    norm: str | None = None
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
    built = content.get("model_args")
    sizes = next((it for tower in TOWERS if isinstance(it := content.get(tower), dict)), content)
    built = built if isinstance(built, dict) else {}  # what timm's constructor was given besides the name
    kind = _text(sizes.get("model_type")) or _text(content.get("model_type"))
    heads, activation, epsilon = UNSAID.get(kind, (None, None, None))
    return Card(
        name=one_line((_text(content.get("architecture")) or _text(content.get("model_type")))[:LONGEST_NAME]),
        heads=_heads(sizes.get("num_attention_heads")) or _heads(built.get("num_heads")) or heads,
        activation=_activation(sizes.get("hidden_act")) or _activation(built.get("act_layer")) or activation,
        epsilon=_epsilon(sizes.get("layer_norm_eps")) or epsilon,
        pool=POOLS.get(_text(content.get("global_pool"))),
        norm="rms" if "rms" in _text(built.get("norm_layer")).lower() else None,
        labels=_labels(content),
        preprocess=_preprocess(content.get("pretrained_cfg")),
    )


def card_of(model: Any) -> Card:
    """What a model says of itself that its parameters do not: as Hugging Face's config, or as timm's modules."""
    to_dict = getattr(getattr(model, "config", None), "to_dict", None)
    return parse_card(json.dumps(to_dict() if callable(to_dict) else _built(model), default=str).encode())


def _built(model: Any) -> dict[str, Any]:
    """The same as timm writes it into a `config.json`, as far as a model and its first block tell."""
    inside = next((name for name, _ in model.named_modules() if f".{name}".endswith(FIRST)), None)
    if inside is None:
        return {}
    block, model = model.get_submodule(inside), model.get_submodule(f".{inside}".removesuffix(FIRST).lstrip("."))
    act, norm = _part(block, "mlp.act"), _part(block, "norm1")
    cfg = getattr(model, "pretrained_cfg", None)
    cfg = cfg if isinstance(cfg, Mapping) else {}
    approximate = getattr(act, "approximate", "") == "tanh"
    return {
        "architecture": cfg.get("architecture"),
        "global_pool": getattr(model, "global_pool", None),
        "layer_norm_eps": getattr(norm, "eps", None),
        "pretrained_cfg": cfg,
        "model_args": {
            "num_heads": _part(block, "attn.num_heads"),
            "act_layer": "gelu_tanh" if approximate else type(act).__name__ if act else None,
            "norm_layer": type(norm).__name__,
        },
    }


def _part(module: Any, path: str) -> Any:
    """A part of a module by its names, None where one of them is not there."""
    for name in path.split("."):
        module = getattr(module, name, None)
    return module


def _heads(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None


def _activation(value: Any) -> str | None:
    word = one_line(_text(value)).lower()
    return ACTIVATIONS.get(word, word) or None


def _epsilon(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 < value < 1 else None


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
    mean, std = _colour(rule.get("mean"), least=0), _colour(rule.get("std"), LEAST_STD)
    crop, interpolation = rule.get("crop_pct", USUAL_CROP), rule.get("interpolation")
    if not mean or not std or not isinstance(crop, int | float) or not LEAST_CROP <= crop <= 1:
        return None
    return Preprocess(
        1,
        float(crop),
        "squash" if rule.get("crop_mode") == "squash" else "shorter side",
        "bilinear" if interpolation == "bilinear" else "bicubic",
        mean,
        std,
    )


def _colour(values: Any, least: float) -> tuple[float, float, float] | None:
    if not isinstance(values, list) or len(values) != 3:
        return None
    if not all(isinstance(value, int | float) and least <= value <= MOST_COLOUR for value in values):
        return None
    red, green, blue = (float(value) for value in values)
    return red, green, blue
