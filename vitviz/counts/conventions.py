"""Why published totals of one model differ: three ways to count, what each leaves out, and two slips in print.

Exact counts every learnable number. The layer table counts modules (torchsummary), the envelope the matrices only, as
in a count on the back of one: that of "Understanding the Vision Transformer and counting its parameters" (Analytics
Vidhya, on Medium), here called the counting article. The paper's table 1 rounds to millions (https://arxiv.org/abs/2010.11929).
"""

from dataclasses import dataclass
from functools import lru_cache

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts.anatomy import ENVELOPE, EXACT, LAYER_TABLE, Part
from vitviz.counts.formula import Item, put_in, symbols, value
from vitviz.counts.groups import grouped, split
from vitviz.counts.parts import parts

RULES = {
    EXACT: "every learnable number",
    LAYER_TABLE: "modules only: tensors that belong to no layer are not seen",
    ENVELOPE: "matrices and position embedding only: no biases, no layer norms, no prefix tokens",
}

# kinds that the envelope counts together
ENVELOPE_NAMES = {
    "patch embedding": "patch and position embedding",
    "position embedding": "patch and position embedding",
    "attention": "encoder",
    "MLP": "encoder",
}

# depth, dim, heads, mlp_dim -> parameters as the paper's table 1 rounds them
PAPER_FIGURES = {
    (12, 768, 12, 3072): 86_000_000,
    (24, 1024, 16, 4096): 307_000_000,
    (32, 1280, 16, 5120): 632_000_000,
}


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to count a model: the items of `counted` sum to `total`; with those of `missing` they sum to all."""

    name: str
    rule: str
    total: int
    counted: tuple[Item, ...]
    missing: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class CountedItem:
    """Some parameters of one sort; `counted_by` names the conventions that see them."""

    name: str
    formula: str
    numbers: str
    count: int
    counted_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A place where the counting article prints one number and its own formula gives another, `count`."""

    name: str
    formula: str
    printed_numbers: str
    printed: int
    numbers: str
    count: int
    reason: str


@lru_cache
def itemised(config: ViTConfig) -> tuple[CountedItem, ...]:
    """All parameters cut so finely that each convention counts an item whole or not at all."""
    sorts = grouped(parts(config), _sort)
    return tuple(
        CountedItem(
            _plural(it.name, len(sorts[it.name])), it.formula, it.numbers, it.count, sorts[it.name][0].counted_by
        )
        for it in split(parts(config), config, _sort)
    )


def conventions(config: ViTConfig) -> tuple[Convention, Convention, Convention]:
    """The same model counted in three ways: "exact", "layer table", "back-of-the-envelope"."""
    exact, layer_table, envelope = (_convention(way, config) for way in RULES)
    return exact, layer_table, envelope


def paper_figure(config: ViTConfig) -> int | None:
    """The paper's rounded number of parameters for a model of this depth and width, whatever its patches and head."""
    return PAPER_FIGURES.get((config.depth, config.dim, config.heads, config.mlp_dim))


def article_slips() -> tuple[Slip, Slip]:
    """Where the counting article's figures for ViT-B/16 do not follow from its formulas."""
    return (
        _slip(
            "patch and position embedding",
            "c·ph·pw·d + t·d",
            "256·3·768 + 256·768",
            786_432,
            "it takes n + 1 = 256 tokens; an image of 224 pixels in patches of 16 has n + 1 = 197",
        ),
        _slip(
            "encoder",
            "depth·head·d·3·dh + depth·d·d + depth·2·d·m",
            "12·7,077,888",
            84_943_656,
            "two digits changed places in print",
        ),
    )


def _convention(way: str, config: ViTConfig) -> Convention:
    names = ENVELOPE_NAMES if way == ENVELOPE else {}
    seen = [part for part in parts(config) if way in part.counted_by]
    counted = split(seen, config, lambda part: names.get(part.kind, part.kind))
    missing = tuple(
        Item(it.name, it.formula, it.numbers, it.count) for it in itemised(config) if way not in it.counted_by
    )
    return Convention(way, RULES[way], sum(it.count for it in counted), counted, missing)


def _sort(part: Part) -> str:
    """`attention, matrix`: kind, and what the parts are to their layers."""
    return f"{part.kind}, {part.sort}" if part.sort else part.kind


def _plural(name: str, tensors: int) -> str:
    return name if tensors == 1 else name.replace("matrix", "matrices").replace("bias", "biases")


def _slip(name: str, formula: str, printed_numbers: str, printed: int, reason: str) -> Slip:
    numbers = symbols(PRESETS["vit_base_patch16_224"])
    return Slip(name, formula, printed_numbers, printed, put_in(formula, numbers), value(formula, numbers), reason)
