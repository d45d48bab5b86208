"""What a learnable tensor and a matrix product are: names and axes, from which shape, formula and count follow."""

from dataclasses import dataclass
from functools import lru_cache

from vitviz.activations import ACTIVATIONS, local
from vitviz.config import ViTConfig
from vitviz.config.stems import Convolution, convolutions
from vitviz.counts.formula import Symbols, matrix_product, product

EXACT, LAYER_TABLE, ENVELOPE = WAYS = ("exact", "layer table", "back-of-the-envelope")

# kinds of parameters, in the order in which they are listed
KINDS = (
    "stem",
    "patch embedding",
    "class token",
    "distillation token",
    "register tokens",
    "position embedding",
    "attention",
    "MLP",
    "layer scale",
    "layer norms",
    "pooling query",
    "attention pooling",
    "pre-logits",
    "head",
)

# first word of a name inside its block -> the stage it belongs to, where the two differ
STAGES = {
    "embed": "patch_embedding",
    "patch_embed": "patch_embedding",
    "cls_token": "class_token",
    "dist_token": "distillation_token",
    "reg_token": "register_tokens",
    "pos_embed": "position_embedding",
    "pos_embed_row": "position_embedding",
    "pos_embed_column": "position_embedding",
    "norm_pre": "input_norm",
    "attn": "attention",
    "ls1": "layer_scale1",
    "ls2": "layer_scale2",
    "pool": "attention_pooling",
    "attn_pool": "attention_pooling",
    "head_dist": "head",
    "logits": "head",
}

ALWAYS_LAYER_NORMS = (  # whatever the others are
    "blocks.{i}.attn.q_norm",
    "blocks.{i}.attn.k_norm",
    "patch_embed.norm_in",
    "patch_embed.norm_out",
    "attn_pool.norm",
)
GENERAL = {local(it.name): it.name for it in ACTIVATIONS}  # `attn.q` -> `blocks.{i}.attn.q`
STEM, NORMS = "stem", "norms of the stem"


@dataclass(frozen=True, slots=True)
class Part:
    """A learnable tensor: its name in the state dict, and its axes, from which shape, formula and count follow.

    `step` is what it does in the forward pass, `kind` one of `KINDS`; `makes` the activation that it helps to make, the
    first of some that the model has; `written` the formula where axes cannot say it.
    """

    tensor: str
    axes: str
    step: str
    kind: str
    makes: str
    when: str = ""
    written: str = ""

    @property
    def stage(self) -> str:
        """The stage of the forward pass: `blocks.{i}.attention`."""
        return _stage(self.tensor)

    @property
    def where(self) -> str:
        """The place in the forward pass: "embedding", "block" or "head"."""
        if self.tensor.startswith("blocks."):
            return "block"
        return "embedding" if self.makes.startswith("embed.") else "head"

    @property
    def module(self) -> str:
        """The layer that the tensor is weight or bias of; nothing for a bare tensor."""
        module, _, leaf = self.tensor.rpartition(".")
        return module if leaf in ("weight", "bias") else ""

    @property
    def sort(self) -> str:
        """What it is to its layer: "matrix", "bias", or nothing for vectors that stand for themselves."""
        if not self.module or "norm" in self.module.rpartition(".")[2]:
            return ""
        return "bias" if self.tensor.endswith(".bias") else "matrix"

    @property
    def counted_by(self) -> tuple[str, ...]:
        """Which of the three `WAYS` to count see it: all, those that see layers, those that see matrices alone."""
        layer_table = [LAYER_TABLE] if self.module else []
        envelope = [ENVELOPE] if self.sort == "matrix" or self.kind == "position embedding" else []
        return (EXACT, *layer_table, *envelope)

    def formula(self, numbers: Symbols) -> str:
        """Its parameters in symbols."""
        return self.written or product(self.axes, numbers)


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product: the activation it makes, the first of some that the model has, and its einsum pattern.

    Multiply-accumulates are the product of all axes in the pattern. `step` is what it does in the forward pass.
    """

    makes: str
    pattern: str
    step: str
    when: str = ""

    @property
    def stage(self) -> str:
        """The stage of the forward pass: `blocks.{i}.attention`."""
        return _stage(whole(self.makes.split()[0]))

    @property
    def where(self) -> str:
        """The place in the forward pass: "embedding", "block" or "head"."""
        name = whole(self.makes.split()[0])
        return "block" if name.startswith("blocks.") else "embedding" if name.startswith("embed.") else "head"

    @property
    def kind(self) -> str:
        """The sort of work: the step without its place in it."""
        return self.step.partition(",")[0]

    @property
    def compares_tokens(self) -> bool:
        """Whether tokens meet tokens, every query token every key token: its work grows with their square."""
        return {"q", "k"} <= set(self.pattern.split())

    def formula(self, numbers: Symbols) -> str:
        """Its multiply-accumulates for one image in symbols."""
        return matrix_product(self.pattern, numbers)


def norm(module: str, step: str, makes: str, when: str = "", axes: str = "d") -> tuple[Part, ...]:
    """A norm: a scale, and a shift but for the root mean square."""
    shift = when if module in ALWAYS_LAYER_NORMS else f"{when} norm!=rms"
    return tuple(
        Part(f"{module}.{leaf}", axes, step, "layer norms", makes, on)
        for leaf, on in (("weight", when), ("bias", shift))
    )


def linear(
    module: str, out: str, read: str, step: str, kind: str, makes: str, when: str = "", bias: str = ""
) -> tuple[Part, ...]:
    """A linear layer: a matrix, and a bias where its condition holds too."""
    return (
        Part(f"{module}.weight", f"{out} {read}", step, kind, makes, when),
        Part(f"{module}.bias", out, step, kind, makes, f"{when} {bias}"),
    )


def whole(name: str) -> str:
    """The name of an activation with its block: `attn.q` -> `blocks.{i}.attn.q`."""
    return GENERAL.get(name, name)


def _stage(name: str) -> str:
    word = local(name).partition(".")[0]
    return ("blocks.{i}." if name.startswith("blocks.") else "") + STAGES.get(word, word)


@lru_cache
def stem_parts(config: ViTConfig) -> tuple[Part, ...]:
    """The learnable tensors of the stem; sizes stand as numbers, because they are no sizes of the transformer."""
    return tuple(part for it in convolutions(config) for part in _parts(it))


@lru_cache
def stem_products(config: ViTConfig) -> tuple[Product, ...]:
    """The convolutions as matrix products: of every place, what a filter sees, with all filters."""
    return tuple(map(_product, convolutions(config)))


def _parts(it: Convolution) -> tuple[Part, ...]:
    makes = f"embed.stem.{it.map}"
    return (
        Part(f"{it.module}.weight", f"{it.out} {it.read} {it.kernel[0]} {it.kernel[1]}", it.step, STEM, makes),
        Part(f"{it.norm}.weight", f"{it.out}", NORMS, STEM, makes),
        Part(f"{it.norm}.bias", f"{it.out}", NORMS, STEM, makes),
    )


def _product(it: Convolution) -> Product:
    seen, places = f"({it.read} {it.kernel[0]} {it.kernel[1]})", f"({it.size[0]} {it.size[1]})"
    return Product(f"embed.stem.{it.map}", f"{places} {seen}, ({it.out}) {seen} -> {places} {it.out}", it.step)
