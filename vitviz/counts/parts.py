"""The parts whose formulas differ between families; whatever counts them takes them from here."""

from vitviz.config import ViTConfig

NORM = "2·d"
LAYER_SCALE = "d"
POOLING_QUERY = "d"
POOLING_MATRICES = "4·d·d + 2·d·m"
POOLING_BIASES = "4·d + m + d"


def patch_embedding(config: ViTConfig) -> str:
    """The projection of a patch, with or without a bias."""
    return "d·c·ph·pw + d" if config.patch_bias else "d·c·ph·pw"


def special_tokens(config: ViTConfig) -> list[tuple[str, str]]:
    """The learned vectors that stand before the patch tokens: name and formula."""
    return [
        *([("class token", "d")] if config.pool == "class" else []),
        *([("distillation token", "d")] if config.distilled else []),
        *([("register tokens", "registers·d")] if config.registers else []),
    ]


def positions(config: ViTConfig) -> str:
    """The position embedding: of all tokens, or of the patch tokens alone."""
    return "t·d" if config.special_positions else "n·d"


def mlp_first(config: ViTConfig) -> str:
    """The first layer of the MLP; a gated MLP has two side by side."""
    return "2·m·d + 2·m" if config.activation == "swiglu" else "m·d + m"


def mlp_matrices(config: ViTConfig) -> int:
    """Matrices of m·d numbers in one MLP."""
    return 3 if config.activation == "swiglu" else 2


def norms(config: ViTConfig) -> str:
    """All layer norms: two in each block, the final one, and those that some families add."""
    return f"depth·4·d + {2 * (1 + config.input_norm + (config.pool == 'attention'))}·d"


def heads(config: ViTConfig) -> list[str]:
    """Names of the read-outs."""
    if not config.classes:
        return []
    return ["head", "distillation head"] if config.distilled else ["head"]
