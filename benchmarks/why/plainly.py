"""Maps of the demo model and their trial once more, from its parameters alone: nothing of `vitviz.measures` is in here.

A map is `n`; a picture is `1 c h w`, normalised as the model reads it. The class is the one that the model names.
"""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from vitviz.model import ViT

COUNTS = (0, 1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 144)  # patches that are gone


def areas(model: ViT, image: Tensor) -> dict[str, float]:
    """Under the probability of the answer as patches turn grey in the order of each map, most wanted first."""
    with torch.no_grad():
        answer = int(model(image).argmax())
    return {name: area(model, image, its, answer) for name, its in maps(model, image, answer).items()}


def area(model: ViT, image: Tensor, values: Tensor, answer: int) -> float:
    """The area under straight lines from point to point, over the share of patches that are gone."""
    order = sorted(range(len(values)), key=lambda patch: -float(values[patch]))
    seen = []
    for count in COUNTS:
        picture = image.clone()
        for patch in order[:count]:
            hide(model, picture, patch)
        seen.append(picture)
    with torch.no_grad():
        curve = model(torch.cat(seen)).softmax(dim=1)[:, answer].numpy()
    return float(np.trapezoid(curve, np.array(COUNTS) / COUNTS[-1]))


def hide(model: ViT, picture: Tensor, patch: int) -> None:
    """Paint a patch of the picture in the grey that is the mean of all training pictures."""
    (high, wide), across = model.config.patch_sides, model.config.grid[1]
    top, left = high * (patch // across), wide * (patch % across)
    picture[:, :, top : top + high, left : left + wide] = 0


def maps(model: ViT, image: Tensor, answer: int) -> dict[str, Tensor]:
    """Six maps and chance, by name."""
    config, w = model.config, {name: it.detach() for name, it in model.state_dict().items()}
    leaf = image.clone().requires_grad_()
    x, weights, handed = model.embed(leaf), [], torch.zeros(config.tokens, config.dim)
    for layer in range(config.depth):
        at = f"blocks.{layer}"
        normed = F.layer_norm(x, (config.dim,), w[f"{at}.norm1.weight"], w[f"{at}.norm1.bias"], config.epsilon)
        qkv = F.linear(normed, w[f"{at}.attn.qkv.weight"], w[f"{at}.attn.qkv.bias"])[0]
        q, k, v = (it.view(-1, config.heads, config.head_dim).transpose(0, 1) for it in qkv.chunk(3, dim=1))
        a = (q @ k.transpose(1, 2) / config.head_dim**0.5).softmax(dim=2)  # head q k
        weights.append(a)
        of_each = (a[:, 0, :, None] * v).detach().transpose(0, 1).flatten(1)  # k (head dh), for the class token
        handed += of_each @ w[f"{at}.attn.proj.weight"].T
        z = (a @ v).transpose(0, 1).flatten(1)
        x = x + F.linear(z, w[f"{at}.attn.proj.weight"], w[f"{at}.attn.proj.bias"])
        normed = F.layer_norm(x, (config.dim,), w[f"{at}.norm2.weight"], w[f"{at}.norm2.bias"], config.epsilon)
        hidden = F.gelu(F.linear(normed, w[f"{at}.mlp.fc1.weight"], w[f"{at}.mlp.fc1.bias"]))
        x = x + F.linear(hidden, w[f"{at}.mlp.fc2.weight"], w[f"{at}.mlp.fc2.bias"])
    last = F.layer_norm(x[0, 0], (config.dim,), w["norm.weight"], w["norm.bias"], config.epsilon)
    logit = F.linear(last, w["head.weight"], w["head.bias"])[answer]
    by_pixel, *by_weight = torch.autograd.grad(logit, [leaf, *weights])
    reads = w["head.weight"][answer] * w["norm.weight"]
    reads = (reads - reads.mean()) / (x[0, 0].detach().var(correction=0) + config.epsilon).sqrt()
    rolled = relevance = torch.eye(config.tokens)
    for a, slope in zip((it.detach() for it in weights), by_weight, strict=True):
        rolled = (a.mean(dim=0) + torch.eye(config.tokens)) / 2 @ rolled
        relevance = relevance + (a * slope).clamp_min(0).mean(dim=0) @ relevance
    return {
        "sum": (handed @ reads)[1:],
        "attention": weights[-1].detach()[:, 0, 1:].mean(dim=0),
        "rollout": rolled[0, 1:],
        "gradient_attention": relevance[0, 1:],
        "gradient_input": summed(model, (image * by_pixel)[0]),
        "occlusion": lost(model, image, answer),
        "chance": torch.from_numpy(np.random.default_rng(0).permutation(config.patches) + 1),
    }


def summed(model: ViT, pixels: Tensor) -> Tensor:
    """Numbers of pixels, `c h w`, added up over each patch."""
    return F.avg_pool2d(pixels.sum(dim=0)[None, None], model.config.patch_sides, divisor_override=1).flatten()


def lost(model: ViT, image: Tensor, answer: int) -> Tensor:
    """What the logit loses when one patch alone is grey."""
    seen = [image]
    for patch in range(model.config.patches):
        seen.append(image.clone())
        hide(model, seen[-1], patch)
    with torch.no_grad():
        whole, *hidden = model(torch.cat(seen))[:, answer]
    return whole - torch.stack(hidden)
