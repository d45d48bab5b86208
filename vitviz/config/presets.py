"""Published sizes under the names people type."""

from vitviz.config.config import ViTConfig

PRESETS: dict[str, ViTConfig] = {
    "demo": ViTConfig(image_size=96, patch_size=8, dim=128, depth=6, heads=4, mlp_dim=512, classes=16),
    "photo": ViTConfig(patch_size=14, dim=384, heads=6, mlp_dim=1536, classes=0, layer_scale=True),
    "vit_tiny_patch16_224": ViTConfig(dim=192, heads=3, mlp_dim=768),
    "vit_small_patch16_224": ViTConfig(dim=384, heads=6, mlp_dim=1536),
    "vit_base_patch16_224": ViTConfig(),
    "vit_base_patch32_224": ViTConfig(patch_size=32),
    "vit_large_patch16_224": ViTConfig(dim=1024, depth=24, heads=16, mlp_dim=4096),
    "vit_large_patch32_224": ViTConfig(patch_size=32, dim=1024, depth=24, heads=16, mlp_dim=4096),
    "vit_huge_patch14_224": ViTConfig(patch_size=14, dim=1280, depth=32, heads=16, mlp_dim=5120),
    "deit_base_distilled_patch16_224": ViTConfig(distilled=True),
}

TRAINED = ("demo", "photo")  # of these the parameters ship; those of others are drawn from a seed
OWN = "build-your-own"  # the name of a model whose sizes a link says, field by field
OWN_START = PRESETS["vit_tiny_patch16_224"].with_(depth=4)  # what such a link leaves unsaid
