"""The parameters cut so finely that each of the three conventions counts a part whole or not at all."""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.counts.formula import items, symbols

EXACT, LAYER_TABLE, ENVELOPE = WAYS = ("exact", "layer table", "envelope")


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
    lines = [
        ("patch embedding, matrix", "d·c·ph·pw", WAYS),
        ("patch embedding, bias", "d", (EXACT, LAYER_TABLE)),
        *((f"{name} token", "d", (EXACT,)) for name in config.special_tokens),
        ("position embedding", "t·d", (EXACT, ENVELOPE)),
        ("attention, matrices", "depth·4·d·d", WAYS),
        ("attention, biases", "depth·4·d", (EXACT, LAYER_TABLE)),
        ("MLP, matrices", "depth·2·d·m", WAYS),
        ("MLP, biases", "depth·m + depth·d", (EXACT, LAYER_TABLE)),
        ("layer norms", "depth·4·d + 2·d", (EXACT, LAYER_TABLE)),
        ("head, matrix", f"{heads}classes·d", WAYS),
        ("head, bias", f"{heads}classes", (EXACT, LAYER_TABLE)),
    ]
    counted = items(((name, formula) for name, formula, _ in lines), symbols(config))
    return tuple(
        Part(item.name, item.formula, item.numbers, item.count, ways)
        for item, (*_, ways) in zip(counted, lines, strict=True)
    )
