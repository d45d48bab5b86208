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

    from vitviz.measures.arrays import Array

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


def plain_pixels(image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return patches(image, config)[patch]


def plain_token(w: Weights, image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return linear(w, "patch_embed.proj", patches(image, config)[patch])


def plain_points(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    tokens = linear(w, "patch_embed.proj", patches(image, config)).double()
    centred = tokens - tokens.mean(dim=0)
    across = torch.linalg.svd(centred, full_matrices=False).Vh[: max(1, min(2, len(tokens) - 1, config.dim))]
    largest = across.gather(1, across.abs().argmax(dim=1, keepdim=True))
    return centred @ (across * largest.sign()).T  # the largest entry of each direction is positive


def plain_positions(w: Weights, config: ViTConfig, patch: int) -> Tensor:
    positions = w["pos_embed"][0, 1:]  # n d, without that of the class token
    return F.cosine_similarity(positions[patch], positions).view(config.grid)


def plain_scores(w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int, query: int) -> Tensor:
    scores = block(w, stream(w, image, config, layer), config, layer)[0][head, query]
    return torch.stack([scores, scores.softmax(dim=-1)])


def plain_divided(
    w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int, query: int, divide: str
) -> Tensor:
    scores = block(w, stream(w, image, config, layer), config, layer)[0][head, query]
    scores = scores * config.head_dim**0.5 / {"one": 1, "all": config.head_dim}[divide]
    return torch.stack([scores, scores.softmax(dim=-1)])


def plain_matrix(w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int) -> Tensor:
    return block(w, stream(w, image, config, layer), config, layer)[0][head].softmax(dim=-1)


def plain_mean_matrix(w: Weights, image: Tensor, config: ViTConfig, layer: int) -> Tensor:
    return block(w, stream(w, image, config, layer), config, layer)[0].softmax(dim=-1).mean(dim=0)


def plain_row(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    scores, *_ = block(w, stream(w, image, config, layer), config, layer)
    return scores.softmax(dim=-1)[:, query]


def plain_column(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    scores, *_ = block(w, stream(w, image, config, layer), config, layer)
    return scores.softmax(dim=-1)[:, :, query]


def plain_rollout(w: Weights, image: Tensor, config: ViTConfig, query: int) -> Tensor:
    x, rolled, rows = embed(w, image, config), torch.eye(config.tokens), []
    for layer in range(config.depth):
        scores, _, x = block(w, x, config, layer)
        mean = scores.softmax(dim=-1).mean(dim=0)
        rolled = (mean + torch.eye(config.tokens)) / 2 @ rolled
        rows.append(rolled[query])
    return torch.stack(rows)


def plain_rollout_of_edited(w: Weights, image: Tensor, config: ViTConfig, query: int, passed_on: Array) -> Tensor:
    x, rolled, rows = embed(w, image, config), torch.eye(config.tokens), []
    for layer, shares in enumerate(torch.tensor(passed_on)):
        scores, _, x = block(w, x, config, layer)
        mean = (shares.view(-1, 1, 1) * scores.softmax(dim=-1)).mean(dim=0)
        rolled = (mean + torch.eye(config.tokens)) / (1 + shares.mean()) @ rolled
        rows.append(rolled[query])
    return torch.stack(rows)


def plain_around(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    x = stream(w, image, config, layer)
    _, middle, leaving = block(w, x, config, layer)
    return torch.stack([x, middle - x, middle, leaving - middle, leaving])[:, query]


def plain_lens(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    tokens = [stream(w, image, config, after)[0] for after in range(config.depth + 1)]
    return linear(w, "head", norm(w, "norm", torch.stack(tokens), config)).softmax(dim=-1)


def plain_answer(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return linear(w, "head", norm(w, "norm", stream(w, image, config, config.depth)[0], config)).softmax(dim=-1)


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


def plain_parameters(config: ViTConfig) -> Tensor:
    w = built(config)
    return torch.tensor([w[name].numel() for name in sorted(w)])


def logits(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    x = embed(w, image, config)
    for layer in range(config.depth):
        x = block(w, x, config, layer)[-1]
    return linear(w, "head", norm(w, "norm", x[0], config))


def plain_before_and_after(unedited_w: Weights, w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return torch.stack([logits(it, image, config) for it in (unedited_w, w)])


def plain_heads_off(unedited_w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    w, on = unedited_w, 1 - torch.eye(config.heads).repeat_interleave(config.head_dim, dim=1)
    now, label = logits(w, image, config).max(dim=0)
    names = [f"blocks.{layer}.attn.proj.weight" for layer in range(config.depth)]  # a head off: its columns are 0
    return torch.tensor([[logits({**w, it: w[it] * row}, image, config)[label] - now for row in on] for it in names])


def plain_moved(w: Weights, image: Tensor, config: ViTConfig, order: Tensor) -> Tensor:
    positions, x = w["pos_embed"][0], embed(w, image, config)
    y = torch.cat([x[:1], (x - positions)[1:][order] + positions[1:]])  # other patches, the same positions
    for layer in range(config.depth):
        x, y = (block(w, it, config, layer)[-1] for it in (x, y))
    x, y = (norm(w, "norm", it, config)[1:] for it in (x, y))
    return torch.stack([(y - it).abs().amax(dim=-1).view(config.grid) for it in (x, x[order])])


def plain_first_maps(drawn: list[Weights], image: Tensor, config: ViTConfig) -> Tensor:
    maps = [block(w, embed(w, image, config), config, 0)[0].softmax(dim=-1)[:, 0, 1:] for w in drawn]
    return torch.stack(maps)  # start head n


def plain_read_out(taught: Array, tests: Array, scenes: list[str], shots: int, penalty: float) -> Tensor:
    x, asked = torch.tensor(taught).double(), torch.tensor(tests).double()
    y = 2 * torch.eye(len(scenes)).repeat_interleave(shots, dim=0).double() - 1
    less = x - x.mean(dim=0)
    weights = torch.linalg.solve(less.T @ less + penalty * torch.eye(x.shape[1]), less.T @ (y - y.mean(dim=0)))
    return (asked - x.mean(dim=0)) @ weights + y.mean(dim=0)


def plain_three_counts(config: ViTConfig, classes: int) -> Tensor:
    w = built(config.with_(classes=classes))
    whole = {name: value.numel() for name, value in w.items()}
    layers = [count for name, count in whole.items() if name.endswith(("weight", "bias"))]
    envelope = [count for name, count in whole.items() if w[name].ndim > 1 and name != "cls_token"]
    return torch.tensor([sum(whole.values()), sum(layers), sum(envelope)])


def products(config: ViTConfig) -> Tensor:
    t, d, m = config.tokens, config.dim, config.mlp_dim
    q_k_v, scores, output, mlp = 3 * t * d * d, t * t * d, t * d * d, t * d * m
    block = [config.depth * it for it in (q_k_v, scores, scores, output, mlp, mlp)]  # QKᵀ and AV make as many
    return torch.tensor([config.patches * config.patch_values * d, *block, d * config.classes])


def plain_products(config: ViTConfig) -> Tensor:
    *steps, first, second, head = products(config)
    return torch.stack([*steps, first + second, head])  # both layers of the MLPs are one kind


def plain_counts(config: ViTConfig) -> Tensor:
    kinds = dict.fromkeys(("patch_embed", "cls_token", "pos_embed", "attn", "mlp", "norm", "head"), 0)
    for name, value in built(config).items():
        kinds[next(kind for kind in kinds if kind in name)] += value.numel()
    return torch.cat([torch.tensor(list(kinds.values())), plain_products(config)])


# What the functions of a chapter call, in the order in which it is read.
EMBEDDED = linear, patches
ATTENDED = linear, norm, embed, block, stream
