"""What a family of models does that its tensors do not tell: pictures, layer norms, activation, resized positions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from vitviz.config.sides import Size
from vitviz.images import Preprocess
from vitviz.images.preprocess import RGB

Resize = Literal["smooth", "plain", "offset", "corners"]

IMAGENET_MEAN: RGB = (0.485, 0.456, 0.406)
IMAGENET_STD: RGB = (0.229, 0.224, 0.225)
CLIP_MEAN: RGB = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD: RGB = (0.26862954, 0.26130258, 0.27577711)

TIMM, HUGGING_FACE = "timm", "Hugging Face"


@dataclass(frozen=True, slots=True)
class Family:
    """One line of models. `epsilon` and `activation` by who wrote the file; two libraries prepare pictures differently.

    `preprocess` is what each library does at any size, written for a size of 1.
    """

    epsilon: Mapping[str, float]
    activation: Mapping[str, str]
    preprocess: Mapping[str, Preprocess]

    def preprocesses(self, size: Size, rules: Mapping[str, Preprocess]) -> dict[str, Preprocess]:
        """The official ways to prepare a picture of `size` pixels a side; what the file itself told goes first."""
        return {library: replace(rules.get(library, rule), size=size) for library, rule in self.preprocess.items()}


GELU = {TIMM: "gelu", HUGGING_FACE: "gelu"}


def _imagenet(crop_fraction: float) -> Preprocess:
    return Preprocess(1, crop_fraction, mean=IMAGENET_MEAN, std=IMAGENET_STD)


# Hugging Face trains nothing itself: its epsilon of 1e-12 for ViT is BERT's, and the parameters learned with 1e-6.
FAMILIES = {
    "vit": Family(
        {TIMM: 1e-6, HUGGING_FACE: 1e-12},
        GELU,
        {TIMM: Preprocess(1), HUGGING_FACE: Preprocess(1, 1.0, "squash", "bilinear")},
    ),
    "deit": Family({TIMM: 1e-6, HUGGING_FACE: 1e-12}, GELU, {TIMM: _imagenet(0.9), HUGGING_FACE: _imagenet(224 / 256)}),
    "dino": Family({TIMM: 1e-6, HUGGING_FACE: 1e-12}, GELU, {TIMM: _imagenet(0.9), HUGGING_FACE: _imagenet(224 / 256)}),
    "dinov2": Family(
        {TIMM: 1e-6, HUGGING_FACE: 1e-6}, GELU, {TIMM: _imagenet(1.0), HUGGING_FACE: _imagenet(224 / 256)}
    ),
    "clip": Family(
        {TIMM: 1e-5, HUGGING_FACE: 1e-5},
        {TIMM: "gelu", HUGGING_FACE: "quick_gelu"},
        {
            TIMM: Preprocess(1, 0.9, mean=CLIP_MEAN, std=CLIP_STD),
            HUGGING_FACE: Preprocess(1, 1.0, mean=CLIP_MEAN, std=CLIP_STD),
        },
    ),
    "siglip": Family(
        {TIMM: 1e-6, HUGGING_FACE: 1e-6},
        {TIMM: "gelu", HUGGING_FACE: "gelu_tanh"},
        {TIMM: Preprocess(1, 0.9), HUGGING_FACE: Preprocess(1, 1.0, "squash")},
    ),
}
