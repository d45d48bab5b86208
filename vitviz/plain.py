"""What pages make their numbers of once more, in plain PyTorch and nothing of ours but the names of the parameters.

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


def built(config: ViTConfig) -> Weights:
    nn, d, m = torch.nn, config.dim, config.mlp_dim
    (height, width), (ph, pw) = config.image_sides, config.patch_sides
    with torch.device("meta"):  # shapes alone: nothing is held
        block = {"norm1": nn.LayerNorm(d), "attn.qkv": nn.Linear(d, 3 * d), "attn.proj": nn.Linear(d, d)}
        block |= {"norm2": nn.LayerNorm(d), "mlp.fc1": nn.Linear(d, m), "mlp.fc2": nn.Linear(m, d)}
        model = {f"blocks.{layer}.{name}": it for layer in range(config.depth) for name, it in block.items()}
        model |= {"norm": nn.LayerNorm(d), "head": nn.Linear(d, config.classes)}
        model |= {"patch_embed.proj": nn.Conv2d(config.channels, d, (ph, pw))}
        w = {"cls_token": torch.empty(1, 1, d), "pos_embed": torch.empty(1, 1 + height // ph * (width // pw), d)}
    return w | {f"{name}.{of}": value for name, it in model.items() for of, value in it.state_dict().items()}


def products(config: ViTConfig) -> Tensor:
    t, d, m = config.tokens, config.dim, config.mlp_dim
    q_k_v, scores, output, mlp = 3 * t * d * d, t * t * d, t * d * d, t * d * m
    block = [config.depth * it for it in (q_k_v, scores, scores, output, mlp, mlp)]  # QKᵀ and AV make as many
    return torch.tensor([config.patches * config.patch_values * d, *block, d * config.classes])


def plain_products(config: ViTConfig) -> Tensor:
    *steps, first, second, head = products(config)
    return torch.stack([*steps, first + second, head])  # both layers of the MLPs are one kind


# What the functions of pages call, in the order in which it is read.
EMBEDDED = linear, patches
ATTENDED = linear, norm, embed, block, stream
