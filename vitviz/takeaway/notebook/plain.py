"""The numbers of a view once more, in plain PyTorch and nothing of ours but the names of the parameters.

A notebook holds the source of these functions, so each stays short and free of the rest of the library. `w` are a
model's parameters by name, `image` is `1 c h w`; layers, heads, queries and patches count from 0. They know the model
of the paper: see `is_plain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz.config import ViTConfig
from vitviz.machine.pytorch import F, torch

if TYPE_CHECKING:
    from collections.abc import Mapping

    Tensor = torch.Tensor
    Weights = Mapping[str, Tensor]

FREE = (
    *("image_size", "patch_size", "channels", "dim", "depth", "heads", "mlp_dim", "classes", "epsilon"),
    *("initial", "dropout", "drop_path"),
)


def is_plain(config: ViTConfig) -> bool:
    """Whether a model is that of the paper, whatever its sizes, and has a head."""
    return config.classes > 0 and config == ViTConfig(**{name: getattr(config, name) for name in FREE})


def linear(w: Weights, name: str, x: Tensor) -> Tensor:
    return F.linear(x, w[f"{name}.weight"].flatten(1), w[f"{name}.bias"])


def norm(w: Weights, name: str, x: Tensor, config: ViTConfig) -> Tensor:
    return F.layer_norm(x, (config.dim,), w[f"{name}.weight"], w[f"{name}.bias"], config.epsilon)


def patches(image: Tensor, config: ViTConfig) -> Tensor:
    return F.unfold(image, config.patch_sides, stride=config.patch_sides)[0].T  # n (c ph pw)


def embed(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    read = F.unfold(image, config.patch_sides, stride=config.patch_sides)[0].T  # n (c ph pw)
    return torch.cat([w["cls_token"][0], linear(w, "patch_embed.proj", read)]) + w["pos_embed"][0]  # t d


def block(w: Weights, x: Tensor, config: ViTConfig, layer: int) -> tuple[Tensor, Tensor, Tensor]:
    name = f"blocks.{layer}"
    qkv = linear(w, f"{name}.attn.qkv", norm(w, f"{name}.norm1", x, config))
    q, k, v = qkv.view(len(x), 3, config.heads, -1).permute(1, 2, 0, 3)  # head t dh each
    scores = q @ k.mT / config.head_dim**0.5  # head q k
    z = (scores.softmax(dim=-1) @ v).transpose(0, 1).flatten(1)  # t (head dh)
    middle = x + linear(w, f"{name}.attn.proj", z)
    hidden = F.gelu(linear(w, f"{name}.mlp.fc1", norm(w, f"{name}.norm2", middle, config)))
    return scores, middle, middle + linear(w, f"{name}.mlp.fc2", hidden)


def stream(w: Weights, image: Tensor, config: ViTConfig, layer: int) -> Tensor:
    x = embed(w, image, config)
    for each in range(layer):
        x = block(w, x, config, each)[-1]
    return x  # t d, what enters the layer


def one_patch(image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return patches(image, config)[patch]


def patch_token(w: Weights, image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return linear(w, "patch_embed.proj", patches(image, config)[patch])


def position_map(w: Weights, config: ViTConfig, patch: int) -> Tensor:
    positions = w["pos_embed"][0, 1:]  # n d, without that of the class token
    return F.cosine_similarity(positions[patch], positions).view(config.grid)


def scores_and_weights(w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int, query: int) -> Tensor:
    scores = block(w, stream(w, image, config, layer), config, layer)[0][head, query]
    return torch.stack([scores, scores.softmax(dim=-1)])


def looks_at(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    scores, *_ = block(w, stream(w, image, config, layer), config, layer)
    return scores.softmax(dim=-1)[:, query]


def is_looked_at(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    scores, *_ = block(w, stream(w, image, config, layer), config, layer)
    return scores.softmax(dim=-1)[:, :, query]


def rollouts(w: Weights, image: Tensor, config: ViTConfig, query: int) -> Tensor:
    x, rolled, rows = embed(w, image, config), torch.eye(config.tokens), []
    for layer in range(config.depth):
        scores, _, x = block(w, x, config, layer)
        mean = scores.softmax(dim=-1).mean(dim=0)
        rolled = (mean + torch.eye(config.tokens)) / 2 @ rolled
        rows.append(rolled[query])
    return torch.stack(rows)


def around(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    x = stream(w, image, config, layer)
    _, middle, leaving = block(w, x, config, layer)
    return torch.stack([x, middle - x, middle, leaving - middle, leaving])[:, query]


def lens(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    tokens = [stream(w, image, config, after)[0] for after in range(config.depth + 1)]
    return linear(w, "head", norm(w, "norm", torch.stack(tokens), config)).softmax(dim=-1)


def answer(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return linear(w, "head", norm(w, "norm", stream(w, image, config, config.depth)[0], config)).softmax(dim=-1)


def counted(w: Weights) -> Tensor:
    return torch.tensor([w[name].numel() for name in sorted(w)])


# What the functions of a chapter call, in the order in which it is read.
EMBEDDED = linear, patches
ATTENDED = linear, norm, embed, block, stream
