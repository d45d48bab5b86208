"""What the name of a published model tells that its tensors do not: heads, activation, and whether it rotates."""

import re

# size in the name and width of a token -> heads; of two models of one width, the more usual one first
HEADS = {
    ("tiny", 192): 3,
    ("wee", 256): 4,
    ("xsmall", 256): 4,
    ("little", 320): 5,
    ("small", 384): 6,
    ("medium", 512): 8,
    ("mediumd", 512): 8,
    ("betwixt", 640): 10,
    ("base", 768): 12,
    ("base", 896): 14,  # vit_base_patch16_plus_240
    ("so150m2", 832): 13,
    ("so150m", 896): 14,
    ("large", 1024): 16,
    ("so400m", 1152): 16,
    ("huge", 1280): 16,
    ("giant", 1408): 16,
    ("giant", 1536): 24,  # DINOv2
    ("giantopt", 1536): 16,  # SigLIP 2
    ("gigantic", 1664): 16,
}
SIXTEEN = re.compile(r"vit_base_patch16_gap_224")  # timm has I-JEPA's base model with other heads than the rest
LETTERS = {"ti": "tiny", "s": "small", "b": "base", "l": "large", "h": "huge", "g": "giant"}

WORDS = "|".join(sorted({size for size, _ in HEADS}, key=len, reverse=True))
# "vit_base_patch16_224", "google/vit-base-patch16-224", "dinov2-with-registers-base", "dino_deitsmall16"
SIZE = re.compile(
    rf"(?<![a-z])(?:vit|deit3?|flexivit|dinov2|siglip2?|eva)[_-]?(?:with[_-]registers[_-]|s?relpos_)?({WORDS})(?![a-z])"
)
LETTER = re.compile(r"(?<![a-z])vit[_-]?(ti|s|b|l|h|g)[_/-]?\d")  # "dinov2_vits14", "ViT-B/16"

QUICK = re.compile(r"quick_?gelu")
TANH = re.compile(
    r"base_patch32_siglip|large_patch16_siglip(?:_gap)?_512|so400m_patch16_siglip|giantopt_patch16_siglip"
)
NORMS_AT_THE_END = re.compile(r"vit_(?:relpos_)?[a-z]+_patch\d+(?:_plus)?_rpn_")
ROTATES = re.compile(r"patch\d+_rope|rope_(?:ape|mixed)")


# "vit_base_patch16_rope_224": RoPE-Axial of Heo et al. 2024; the picture's side
AXIAL = re.compile(r"vit_(?:small|base|large)_patch16_rope_(\d{3})(?!\d)")


def axial_size(name: str) -> int | None:
    """The picture's side that a model was made for whose only positions are the rotations known here."""
    found = AXIAL.search(name.lower())
    return int(found.group(1)) if found else None


# "vit_relpos_base_patch16_clsgap_224"
RELATIVE = re.compile(r"vit_s?relpos_[a-z]+_patch\d+(?:_[a-z]+)*_(\d{3})(?!\d)")


def relative_size(name: str) -> int | None:
    """The picture's side that a model was made for whose relative positions a small MLP makes."""
    found = RELATIVE.search(name.lower())
    return int(found.group(1)) if found else None


def norms_at_the_end(name: str) -> bool:
    """Whether the norms of a model of that name stand at the end of attention and MLP, which leaves no trace."""
    return bool(NORMS_AT_THE_END.search(name.lower()))


def size_named(name: str) -> str:
    """The size in the name of a published model, as timm spells it: "base"; empty where there is none."""
    if word := SIZE.search(name.lower()):
        return word.group(1)
    letter = LETTER.search(name.lower())
    return LETTERS[letter.group(1)] if letter else ""


def heads_named(name: str, dim: int) -> int | None:
    """The heads of the published model of that name, if its tokens are as wide as these."""
    return 16 if SIXTEEN.search(name.lower()) and dim % 16 == 0 else HEADS.get((size_named(name), dim))


def activation_named(name: str) -> str | None:
    """The activation where a name says another than its family's: timm's models of OpenAI, and some of SigLIP's."""
    if QUICK.search(name.lower()):
        return "quick_gelu"
    return "gelu_tanh" if TANH.search(name.lower()) else None


def rotates(name: str) -> bool:
    """Whether a model of that name turns q and k by rotations, which leave no tensor."""
    return bool(ROTATES.search(name.lower()))
