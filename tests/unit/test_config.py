"""A configuration is valid from the moment it exists, and says what would be."""

import dataclasses
from typing import Any

import pytest

from vitviz.config import LIMITS, PRESETS, ConfigError, ViTConfig, divisors


def test_presets_carry_the_names_that_people_type() -> None:
    assert list(PRESETS) == [
        "demo",
        "photo",
        "vit_tiny_patch16_224",
        "vit_small_patch16_224",
        "vit_base_patch16_224",
        "vit_base_patch32_224",
        "vit_large_patch16_224",
        "vit_large_patch32_224",
        "vit_huge_patch14_224",
        "deit_base_distilled_patch16_224",
    ]


def test_derived_sizes_of_the_paper() -> None:
    base = PRESETS["vit_base_patch16_224"]
    assert (base.grid, base.patches, base.tokens, base.head_dim, base.patch_values) == ((14, 14), 196, 197, 64, 768)
    assert PRESETS["deit_base_distilled_patch16_224"].tokens == 198
    assert PRESETS["vit_huge_patch14_224"].head_dim == 80


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"patch_size": 15}, "image size 224 is not divisible by patch size 15; 224 divides by 14 or 16"),
        ({"heads": 7}, "dim 768 is not divisible by 7 heads; 768 divides by 6 or 8"),
        ({"patch_size": 300}, "image size 224 is not divisible by patch size 300; 224 divides by 224"),
        ({"depth": 0}, "depth 0 is outside 1 to 1,024; the nearest legal value is 1"),
        ({"dim": 10**9}, "dim 1,000,000,000 is outside 1 to 65,536; the nearest legal value is 65,536"),
        ({"heads": -3}, "heads -3 is outside 1 to 1,024; the nearest legal value is 1"),
        ({"mlp_dim": 1.5}, "mlp dim must be a whole number from 1 to 262,144, not 1.5"),
        ({"classes": True}, "classes must be a whole number from 0 to 1,000,000, not True"),
    ],
)
def test_what_cannot_be_is_said_with_both_numbers_and_the_way_out(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        ViTConfig(**changes)
    assert str(error.value) == sentence


def test_the_way_out_is_a_way_out() -> None:
    for patch_size in range(1, 224):
        try:
            ViTConfig(patch_size=patch_size)
        except ConfigError as error:
            for way in str(error).rpartition("divides by ")[2].split(" or "):
                ViTConfig(patch_size=int(way))


def test_a_configuration_cannot_be_changed_and_its_key_tells_every_field() -> None:
    config = ViTConfig()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.dim = 12  # type: ignore[misc]
    keys = {config.key, config.with_(distilled=True).key}
    keys |= {config.with_(**{name: 2 * getattr(config, name)}).key for name in LIMITS}
    assert len(keys) == 2 + len(LIMITS)


def test_divisors_are_all_of_them() -> None:
    assert divisors(224) == [d for d in range(1, 225) if 224 % d == 0]
    assert divisors(49) == [1, 7, 49]
