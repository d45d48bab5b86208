"""Other kinds of models, known by the names of their tensors."""

import re
from collections.abc import Iterable

# names that give a checkpoint of another kind away
STRANGERS = {
    r".*\brope\b.*|.*storage_tokens.*|.*periods": "a ViT whose positions are rotations, as in DINOv3",
    r"layer\d\.\d+\.conv\d.*|conv1\.weight|fc\.weight": "a ResNet, a network of convolutions",
    r"(layers|stages)\.\d+\.(blocks|downsample).*": "a network that merges patches on the way, as Swin or ConvNeXt",
    r"(transformer\.)?h\.\d+\..*|.*word_embeddings.*|.*embed_tokens.*": "a language model",
    r"model\.diffusion_model\..*|down_blocks\..*": "a diffusion model",
}


def find_stranger(names: Iterable[str]) -> str:
    """What a checkpoint of unknown names may be, in words; empty where nobody knows."""
    names = list(names)
    return next((what for known, what in STRANGERS.items() if any(re.fullmatch(known, name) for name in names)), "")
