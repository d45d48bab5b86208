"""What a Vision Transformer is, before any number of it exists: sizes, checked, with the names people type.

Field names follow Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words" (https://arxiv.org/abs/2010.11929), table 1.
"""

from dataclasses import asdict, dataclass, fields, replace

LIMITS = {
    "image_size": 4096,
    "patch_size": 1024,
    "channels": 16,
    "dim": 65_536,
    "depth": 1_024,
    "heads": 1_024,
    "mlp_dim": 262_144,
    "classes": 1_000_000,
}


class ConfigError(ValueError):
    """A combination of sizes that no Vision Transformer can have, said in one sentence with a way out."""


@dataclass(frozen=True, slots=True)
class ViTConfig:
    """The sizes of one Vision Transformer; immutable and valid from the moment it exists.

    Pixels for `image_size` and `patch_size`, numbers per token for `dim` and `mlp_dim`. `classes=0` means no head.
    `distilled` adds DeiT's distillation token and second head (https://arxiv.org/abs/2012.12877).

    Raises `ConfigError` with both numbers and the nearest legal values.
    """

    image_size: int = 224
    patch_size: int = 16
    channels: int = 3
    dim: int = 768
    depth: int = 12
    heads: int = 12
    mlp_dim: int = 3072
    classes: int = 1000
    distilled: bool = False

    def __post_init__(self) -> None:
        for name, limit in LIMITS.items():
            _check_range(name, getattr(self, name), 0 if name == "classes" else 1, limit)
        if self.image_size % self.patch_size:
            raise ConfigError(
                f"image size {self.image_size} is not divisible by patch size {self.patch_size}; "
                f"{self.image_size} divides by {_nearest(divisors(self.image_size), self.patch_size)}"
            )
        if self.dim % self.heads:
            raise ConfigError(
                f"dim {self.dim} is not divisible by {self.heads} heads; "
                f"{self.dim} divides by {_nearest(divisors(self.dim), self.heads)}"
            )

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the patch grid: gh, gw."""
        side = self.image_size // self.patch_size
        return side, side

    @property
    def patches(self) -> int:
        """n: patches in the grid."""
        rows, columns = self.grid
        return rows * columns

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """Names of the tokens that stand before the patch tokens, in order."""
        return ("class", "distillation") if self.distilled else ("class",)

    @property
    def tokens(self) -> int:
        """t: all tokens of the sequence."""
        return len(self.special_tokens) + self.patches

    @property
    def head_dim(self) -> int:
        """dh: numbers per head in q, k and v."""
        return self.dim // self.heads

    @property
    def patch_values(self) -> int:
        """Numbers in one flattened patch: channels · ph · pw."""
        return self.channels * self.patch_size**2

    @property
    def key(self) -> str:
        """A string that is equal for equal configurations only; the model's part of every cache key."""
        return ",".join(f"{name}={value}" for name, value in asdict(self).items())

    def with_(self, **changes: int | bool) -> "ViTConfig":
        """This configuration with some fields changed; raises `ConfigError` like the constructor."""
        return replace(self, **changes)  # type: ignore[arg-type]


def divisors(number: int) -> list[int]:
    """All divisors of `number`, ascending."""
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    return small + [number // d for d in reversed(small) if d * d != number]


def _check_range(name: str, value: object, low: int, high: int) -> None:
    label = name.replace("_", " ")
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{label} must be a whole number from {low} to {high:,}, not {value!r}")
    if not low <= value <= high:
        raise ConfigError(
            f"{label} {value:,} is outside {low} to {high:,}; the nearest legal value is {min(max(value, low), high):,}"
        )


def _nearest(allowed: list[int], wanted: int) -> str:
    """The largest allowed value below `wanted` and the smallest above, as words."""
    below = [d for d in allowed if d < wanted][-1:]
    above = [d for d in allowed if d > wanted][:1]
    return " or ".join(str(d) for d in below + above)


FIELDS = tuple(field.name for field in fields(ViTConfig))

PRESETS: dict[str, ViTConfig] = {
    "demo": ViTConfig(image_size=96, patch_size=8, dim=128, depth=6, heads=4, mlp_dim=512, classes=16),
    "vit_tiny_patch16_224": ViTConfig(dim=192, heads=3, mlp_dim=768),
    "vit_small_patch16_224": ViTConfig(dim=384, heads=6, mlp_dim=1536),
    "vit_base_patch16_224": ViTConfig(),
    "vit_base_patch32_224": ViTConfig(patch_size=32),
    "vit_large_patch16_224": ViTConfig(dim=1024, depth=24, heads=16, mlp_dim=4096),
    "vit_large_patch32_224": ViTConfig(patch_size=32, dim=1024, depth=24, heads=16, mlp_dim=4096),
    "vit_huge_patch14_224": ViTConfig(patch_size=14, dim=1280, depth=32, heads=16, mlp_dim=5120),
    "deit_base_distilled_patch16_224": ViTConfig(distilled=True),
}
