"""Where the totals sit: parameters and arithmetic by kind of work, over all blocks together."""

from vitviz.config import ViTConfig
from vitviz.counts import parts
from vitviz.counts.formula import Item, items, symbols

POOLING_MACS = "2·d·d + 2·t·d·d + 2·head·t·dh + 2·d·m"


def parameter_split(config: ViTConfig) -> tuple[Item, ...]:
    """All parameters by kind, in the order of the forward; the counts sum to `total_parameters`."""
    head = "2·classes·d + 2·classes" if config.distilled else "classes·d + classes"
    gated = config.activation == "swiglu"
    pooling = [
        ("pooling query", parts.POOLING_QUERY),
        ("attention pooling", f"{parts.POOLING_MATRICES} + {parts.POOLING_BIASES}"),
    ]
    lines = [
        ("patch embedding", parts.patch_embedding(config)),
        *parts.special_tokens(config),
        ("position embedding", parts.positions(config)),
        ("attention", "depth·4·d·d + depth·4·d"),
        ("MLP", "depth·3·d·m + depth·2·m + depth·d" if gated else "depth·2·d·m + depth·m + depth·d"),
        *([("layer scale", "depth·2·d")] if config.layer_scale else []),
        ("layer norms", parts.norms(config)),
        *(pooling if config.pool == "attention" else []),
        ("head", head),
    ]
    return items(lines, symbols(config))


def mac_split(config: ViTConfig) -> tuple[Item, ...]:
    """All multiply-accumulates by kind, in the order of the forward; the counts sum to `total_macs`.

    Only QKᵀ and AV grow with the square of the number of tokens t; all others are linear in it.
    """
    lines = [
        ("patch embedding", "n·c·ph·pw·d"),
        ("q k v projections", "depth·3·t·d·d"),
        ("QKᵀ", "depth·head·t·t·dh"),
        ("AV", "depth·head·t·t·dh"),
        ("output projection", "depth·t·d·d"),
        ("MLP", f"depth·{parts.mlp_matrices(config)}·t·d·m"),
        *([("attention pooling", POOLING_MACS)] if config.pool == "attention" else []),
        ("head", "2·d·classes" if config.distilled else "d·classes"),
    ]
    return items(lines, symbols(config))
