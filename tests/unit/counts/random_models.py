"""Models that chance decides: any legal mixture of switches."""

import random
from collections.abc import Iterator
from typing import Any

from vitviz.config import (
    ACTIVATION_FUNCTIONS,
    ADDED,
    ATTENTIONS,
    NORM_ORDERS,
    NORMS,
    POOLS,
    POSITIONS,
    POSITIONS_AT,
    PRESETS,
    STEMS,
    ViTConfig,
    divisors,
)
from vitviz.config.sides import Sides


def random_configs(count: int, seed: int) -> Iterator[ViTConfig]:
    draw = random.Random(seed)
    for _ in range(count):
        switches: dict[str, Any] = family(draw) if draw.random() < 0.7 else {"distilled": draw.random() < 0.3}
        dim = draw.randint(1, 64)
        patches, sides = patches_of(draw, switches)
        yield ViTConfig(
            image_size=sides,
            patch_size=patches,
            channels=draw.randint(1, 4),
            dim=dim,
            depth=draw.randint(1, 3),
            heads=draw.choice(divisors(dim)),
            mlp_dim=draw.randint(1, 128),
            classes=draw.choice([0, 1, draw.randint(2, 50)]),
            **switches,
        )


def patches_of(draw: random.Random, switches: dict[str, Any]) -> tuple[Sides, Sides]:
    """Sides of patches and pictures, every other time different ones; some with a stem that has such patches."""
    if switches and not switches.get("patch_norm") and draw.random() < 0.3:
        switches["stem"] = draw.choice(STEMS[1:])
        steps = [2, 4, 8, 16] if switches["stem"] == "conv" else [16, 32]
    else:
        steps = [*range(1, 17)]
    patch = draw.choice(steps), draw.choice(steps)
    grid = draw.randint(1, 6), draw.randint(1, 6)
    if draw.random() < 0.5:
        patch, grid = (patch[0], patch[0]), (grid[0], grid[0])
    return patch, (grid[0] * patch[0], grid[1] * patch[1])


def family(draw: random.Random) -> dict[str, Any]:
    """What later families change, in any legal mixture."""
    pool = draw.choice(POOLS)
    return {
        "pool": pool,
        "keep_class_token": pool != "class" and draw.random() < 0.3,
        "norm_after_pooling": pool == "mean" and draw.random() < 0.4,
        "distilled": (distilled := pool == "class" and draw.random() < 0.3),
        "pre_logits": 0 if distilled else draw.choice([0, 0, draw.randint(1, 40)]),
        "activation": draw.choice(ACTIVATION_FUNCTIONS if pool != "attention" else ACTIVATION_FUNCTIONS[:-1]),
        "registers": draw.choice([0, 0, 1, 4]),
        "prefix_positions": draw.random() < 0.6,
        "attention": (attention := draw.choice(ATTENTIONS)),
        "score_scale": draw.choice([None, 1.0]) if attention != "linear" else None,
        "top_k": draw.randint(1, 9),
        "window": draw.randint(0, 4),
        "qk_norm": draw.random() < 0.3,
        "norm_order": draw.choice(NORM_ORDERS),
        "norm": draw.choice(NORMS if pool != "mean" else NORMS[:2]),
        "patch_norm": draw.random() < 0.4,
        "patch_bias": draw.random() < 0.6,
        "qkv_bias": draw.random() < 0.6,
        "input_norm": draw.random() < 0.4,
        "layer_scale": draw.random() < 0.4,
        "dropout": draw.choice([0.0, 0.1]),
        "drop_path": draw.choice([0.0, 0.1]),
        "positions": (positions := draw.choice(POSITIONS if attention != "linear" else ADDED)),
        "head_dim": 4 * draw.randint(1, 4) if positions == "rotary" else draw.choice([None, None, draw.randint(1, 16)]),
        "positions_at": draw.choice(POSITIONS_AT if positions in ADDED else POSITIONS_AT[:1]),
    }


CONFIGS = [*random_configs(150, seed=5), *PRESETS.values()]
