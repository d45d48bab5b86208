"""Where the totals sit: parameters and arithmetic by kind of work, over all blocks together."""

from vitviz.config import ViTConfig
from vitviz.counts.formula import Item, items, symbols


def parameter_split(config: ViTConfig) -> tuple[Item, ...]:
    """All parameters by kind, in the order of the forward; the counts sum to `total_parameters`."""
    head = "2·classes·d + 2·classes" if config.distilled else "classes·d + classes"
    tokens = [(f"{name} token", "d") for name in config.special_tokens]
    lines = [
        ("patch embedding", "d·c·ph·pw + d"),
        *tokens,
        ("position embedding", "t·d"),
        ("attention", "depth·4·d·d + depth·4·d"),
        ("MLP", "depth·2·d·m + depth·m + depth·d"),
        ("layer norms", "depth·4·d + 2·d"),
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
        ("MLP", "depth·2·t·d·m"),
        ("head", "2·d·classes" if config.distilled else "d·classes"),
    ]
    return items(lines, symbols(config))
