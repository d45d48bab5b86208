"""Why published totals of one model differ: three ways to count, and what each leaves out.

Exact counts every learnable number. The layer table counts modules (torchsummary), the envelope the matrices only, as
in a count on the back of one. The paper's table 1 rounds to millions (https://arxiv.org/abs/2010.11929).
"""

from dataclasses import dataclass

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import parts
from vitviz.counts.formula import Item, items, put_in, symbols, value
from vitviz.counts.splits import parameter_split

# depth, dim, heads, mlp_dim -> parameters as the paper's table 1 rounds them
PAPER_FIGURES = {
    (12, 768, 12, 3072): 86_000_000,
    (24, 1024, 16, 4096): 307_000_000,
    (32, 1280, 16, 5120): 632_000_000,
}

BARE_TENSORS = (
    "class token",
    "distillation token",
    "register tokens",
    "position embedding",
    "layer scale",
    "pooling query",
)


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to count a model: the items of `counted` sum to `total`; with those of `missing` they sum to all."""

    name: str
    rule: str
    total: int
    counted: tuple[Item, ...]
    missing: tuple[Item, ...]


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


def conventions(config: ViTConfig) -> tuple[Convention, Convention, Convention]:
    """The same model counted in three ways: "exact", "layer table", "envelope"."""
    numbers = symbols(config)
    everything = parameter_split(config)
    bare_tensors = tuple(item for item in everything if item.name in BARE_TENSORS)
    modules = tuple(item for item in everything if item not in bare_tensors)
    matrices = items(_envelope(config), numbers)
    return (
        _convention("exact", "every learnable number", everything, ()),
        _convention("layer table", "modules only: tensors that belong to no layer are not seen", modules, bare_tensors),
        _convention(
            "envelope",
            "matrices and position embedding only: no biases, no layer norms, no special tokens",
            matrices,
            items(_beside_the_envelope(config), numbers),
        ),
    )


def paper_figure(config: ViTConfig) -> int | None:
    """The paper's rounded number of parameters for a model of this depth and width, whatever its patches and head."""
    return PAPER_FIGURES.get((config.depth, config.dim, config.heads, config.mlp_dim))


def article_slips() -> tuple[Slip, ...]:
    """Where the counting article's figures for ViT-B/16 do not follow from its formulas."""
    config = PRESETS["vit_base_patch16_224"]
    numbers = symbols(config)
    (_, embedding), (_, encoder), _ = _envelope(config)
    return (
        Slip(
            "patch and position embedding",
            embedding,
            "256·3·768 + 256·768",
            786_432,
            put_in(embedding, numbers),
            value(embedding, numbers),
            "it takes n + 1 = 256 tokens; an image of 224 pixels in patches of 16 has n + 1 = 197",
        ),
        Slip(
            "encoder",
            encoder,
            "12·7,077,888",
            84_943_656,
            put_in(encoder, numbers),
            value(encoder, numbers),
            "two digits changed places in print",
        ),
    )


def _convention(name: str, rule: str, counted: tuple[Item, ...], missing: tuple[Item, ...]) -> Convention:
    return Convention(name, rule, sum(item.count for item in counted), counted, missing)


def _envelope(config: ViTConfig) -> list[tuple[str, str]]:
    return [
        ("patch and position embedding", f"c·ph·pw·d + {parts.positions(config)}"),
        ("encoder", f"depth·head·d·3·dh + depth·d·d + depth·{parts.mlp_matrices(config)}·d·m"),
        *([("attention pooling", parts.POOLING_MATRICES)] if config.pool == "attention" else []),
        ("head", "2·d·classes" if config.distilled else "d·classes"),
    ]


def _beside_the_envelope(config: ViTConfig) -> list[tuple[str, str]]:
    pooling = [("pooling query", parts.POOLING_QUERY), ("biases of the pooling", parts.POOLING_BIASES)]
    return [
        *parts.special_tokens(config),
        *([("bias of the patch embedding", "d")] if config.patch_bias else []),
        ("biases of attention", "depth·4·d"),
        ("biases of the MLP", "depth·2·m + depth·d" if config.activation == "swiglu" else "depth·m + depth·d"),
        *([("layer scale", "depth·2·d")] if config.layer_scale else []),
        ("layer norms", parts.norms(config)),
        *(pooling if config.pool == "attention" else []),
        ("bias of the head", "2·classes" if config.distilled else "classes"),
    ]
