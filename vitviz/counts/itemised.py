"""The parameters cut so finely that each of the three conventions counts a part whole or not at all."""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.counts import parts
from vitviz.counts.formula import items, symbols

EXACT, LAYER_TABLE, ENVELOPE = WAYS = ("exact", "layer table", "envelope")
MODULES = (EXACT, LAYER_TABLE)


@dataclass(frozen=True, slots=True)
class Part:
    """Some parameters of one sort; `counted_by` names the conventions that see them."""

    name: str
    formula: str
    numbers: str
    count: int
    counted_by: tuple[str, ...]


def itemised(config: ViTConfig) -> tuple[Part, ...]:
    """All parameters in parts; those that a convention counts sum to its total in `conventions`."""
    heads = "2·" if config.distilled else ""
    inner = "2·m" if config.activation == "swiglu" else "m"
    pooling = [
        ("pooling query", parts.POOLING_QUERY, (EXACT,)),
        ("attention pooling, matrices", parts.POOLING_MATRICES, WAYS),
        ("attention pooling, biases", parts.POOLING_BIASES, MODULES),
    ]
    lines = [
        ("patch embedding, matrix", "d·c·ph·pw", WAYS),
        *([("patch embedding, bias", "d", MODULES)] if config.patch_bias else []),
        *((name, formula, (EXACT,)) for name, formula in parts.special_tokens(config)),
        ("position embedding", parts.positions(config), (EXACT, ENVELOPE)),
        ("attention, matrices", "depth·4·d·d", WAYS),
        ("attention, biases", "depth·4·d", MODULES),
        ("MLP, matrices", f"depth·{parts.mlp_matrices(config)}·d·m", WAYS),
        ("MLP, biases", f"depth·{inner} + depth·d", MODULES),
        *([("layer scale", "depth·2·d", (EXACT,))] if config.layer_scale else []),
        ("layer norms", parts.norms(config), MODULES),
        *(pooling if config.pool == "attention" else []),
        ("head, matrix", f"{heads}classes·d", WAYS),
        ("head, bias", f"{heads}classes", MODULES),
    ]
    counted = items(((name, formula) for name, formula, _ in lines), symbols(config))
    return tuple(
        Part(item.name, item.formula, item.numbers, item.count, ways)
        for item, (*_, ways) in zip(counted, lines, strict=True)
    )
