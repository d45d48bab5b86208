"""Published models that may be used freely: where each lies, under which licence, and how it is read.

A `revision` is the commit that is taken; where none is noted, the first download takes the newest and notes it.
"""

from dataclasses import dataclass

from vitviz.config import PRESETS, ConfigError, ViTConfig
from vitviz.config.sides import read, written

TINY, SMALL, BASE, LARGE = (PRESETS[f"vit_{size}_patch16_224"] for size in ("tiny", "small", "base", "large"))
REGISTERS = {"registers": 4, "prefix_positions": False}


@dataclass(frozen=True, slots=True)
class Pretrained:
    """One published model, as people call it. `megabytes` are those of its file; `config` its sizes as it is shown."""

    title: str
    repository: str
    licence: str
    megabytes: int
    config: ViTConfig
    about: str
    revision: str | None = None

    @property
    def knows(self) -> str:
        """What it knows, after its name."""
        return f"knows {self.config.classes:,} classes" if self.config.classes else "learned from photographs"


PRETRAINED = {
    "vit_tiny_patch16_224.augreg_in21k_ft_in1k": Pretrained(
        "ViT-Tiny/16",
        "timm/vit_tiny_patch16_224.augreg_in21k_ft_in1k",
        "Apache-2.0",
        23,
        TINY,
        "ImageNet classes; the smallest, and quick without a GPU",
    ),
    "vit_small_patch16_224.augreg_in21k_ft_in1k": Pretrained(
        "ViT-Small/16", "timm/vit_small_patch16_224.augreg_in21k_ft_in1k", "Apache-2.0", 88, SMALL, "ImageNet classes"
    ),
    "vit_base_patch16_224.augreg2_in21k_ft_in1k": Pretrained(
        "ViT-Base/16",
        "timm/vit_base_patch16_224.augreg2_in21k_ft_in1k",
        "Apache-2.0",
        346,
        BASE,
        "ImageNet classes; trained best of the three",
        "063c6c38a5d8510b2e57df480445e94b231dad2c",
    ),
    "vit_large_patch16_224.augreg_in21k_ft_in1k": Pretrained(
        "ViT-Large/16",
        "timm/vit_large_patch16_224.augreg_in21k_ft_in1k",
        "Apache-2.0",
        1217,
        LARGE,
        "ImageNet classes; wants a GPU",
    ),
    "google/vit-base-patch16-224": Pretrained(
        "ViT-Base/16 of the paper",
        "google/vit-base-patch16-224",
        "Apache-2.0",
        346,
        BASE.with_(epsilon=1e-12),
        "ImageNet classes; the model of the paper",
        "3f49326eb077187dfe1c2a2bb15fbd74e6ab91e3",
    ),
    "deit_tiny_patch16_224.fb_in1k": Pretrained(
        "DeiT-Tiny/16",
        "timm/deit_tiny_patch16_224.fb_in1k",
        "Apache-2.0",
        23,
        TINY,
        "ImageNet classes; trained on ImageNet-1k alone",
    ),
    "deit_base_distilled_patch16_224.fb_in1k": Pretrained(
        "DeiT-Base/16, distilled",
        "timm/deit_base_distilled_patch16_224.fb_in1k",
        "Apache-2.0",
        349,
        PRESETS["deit_base_distilled_patch16_224"],
        "ImageNet classes; a distillation token beside the class token",
    ),
    "vit_small_patch16_224.dino": Pretrained(
        "DINO ViT-S/16",
        "timm/vit_small_patch16_224.dino",
        "Apache-2.0",
        87,
        SMALL.with_(classes=0),
        "no classes; its class token looks at objects",
    ),
    "dinov2_small": Pretrained(
        "DINOv2-S/14",
        "facebook/dinov2-small",
        "Apache-2.0",
        88,
        SMALL.with_(patch_size=14, classes=0, layer_scale=True),
        "no classes; features that need no training",
        "ed25f3a31f01632728cabb09d1542f84ab7b0056",
    ),
    "dinov2_base": Pretrained(
        "DINOv2-B/14",
        "facebook/dinov2-base",
        "Apache-2.0",
        346,
        BASE.with_(patch_size=14, classes=0, layer_scale=True),
        "no classes; features that need no training",
        "f9e44c814b77203eaa57a6bdbbd535f21ede1415",
    ),
    "vit_small_patch14_reg4_dinov2.lvd142m": Pretrained(
        "DINOv2-S/14 with registers",
        "timm/vit_small_patch14_reg4_dinov2.lvd142m",
        "Apache-2.0",
        88,
        SMALL.with_(patch_size=14, classes=0, layer_scale=True, **REGISTERS),
        "no classes; with four register tokens",
    ),
    "siglip_base_patch16_224": Pretrained(
        "SigLIP-Base/16",
        "google/siglip-base-patch16-224",
        "Apache-2.0",
        813,
        BASE.with_(pool="attention", activation="gelu_tanh", classes=0),
        "no classes and no class token; attention pooling. The file holds a text model as well",
        "7fd15f0689c79d79e38b1c2e2e2370a7bf2761ed",
    ),
}

# Models that learned from photographs: sizes as each is shown where no other size of pictures is asked for.
SIZES = {"photo": PRESETS["photo"], **{name: it.config for name, it in PRETRAINED.items()}}
KNOW_PHOTOGRAPHS = tuple(SIZES)


def at_size(name: str, size: str) -> ViTConfig:
    """The sizes of such a model on pictures of another size, as an address says it ("448"), its positions interpolated.

    Raises `ConfigError` where its patches do not fill such a picture.
    """
    usual = SIZES[name]
    if size in ("", written(usual.image_size)):
        return usual
    if (side := read(size)) is None:
        raise ConfigError(f"“{size[:20]}” is no size of a picture; write the pixels of a side, as in 448")
    return usual.with_(image_size=side)
