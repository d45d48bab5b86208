"""Parts and products of a stem of convolutions: one of each for every convolution, and its norm."""

from functools import lru_cache

from vitviz.config import ViTConfig
from vitviz.config.stems import Convolution, convolutions
from vitviz.counts.anatomy.part import Part, Product

STEM, NORMS = "stem", "norms of the stem"


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
