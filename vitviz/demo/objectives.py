"""What the demo model is trained on: the class of the picture, what each patch shows, and the pixels of hidden patches.

The last two objectives have heads of their own, which are used in training only and then thrown away. Beside them there
is a small reward for looking at few patches; at which ones, nothing tells the model.
"""

import math
from typing import NamedTuple

import torch
from einops import rearrange, repeat
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.demo.dataset import PATCH
from vitviz.demo.scenes import BLUE, OBJECTS
from vitviz.model import MLP, ViT, attention_scores
from vitviz.recording import into
from vitviz.switches.scoring import Scoring

SMOOTHING = 0.05
PATCH_WEIGHT, HIDDEN_WEIGHT = 0.5, 1.5
HIDDEN = 48  # patches per picture whose pixels are predicted
FEW = 4  # patches to look at; looking at fewer earns nothing


class Batch(NamedTuple):
    """Pictures to learn from: `image` as input `b c y x`, `label` `b`, `cover` `b part n` as counted pixels."""

    image: Tensor
    label: Tensor
    cover: Tensor


class MultiTaskModel(nn.Module):
    """A model with the two heads that only training needs, and the loss of all its objectives."""

    def __init__(self, model: ViT, seed: int = 0) -> None:
        super().__init__()
        self.model = model
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.patch_head = nn.Linear(model.config.dim, len(OBJECTS))
            self.decoder = MaskedPatchDecoder(model)

    def forward(self, batch: Batch, order: Tensor | None, focus: float = 0) -> tuple[Tensor, dict[str, float]]:
        """The loss of a batch, and its parts by name.

        `order` `b n` is a random order of the patches: the first 40 % are seen, the last are predicted. None shows all.
        `focus` is the weight of the reward for looking at few patches.
        """
        model = self.model
        prefix = len(model.config.prefix_tokens)
        first, patch_tokens = model.embed(batch.image).split([prefix, model.config.patches], dim=1)
        visible = order[:, : round(0.4 * order.shape[1])] if order is not None else None
        x = torch.cat([first, pick(patch_tokens, visible)], dim=1)
        spread = torch.zeros((), device=x.device)
        for block in model.blocks:
            values: dict[str, Tensor] = {}
            x = block(x, into(values))
            looks = spread_over_patches(values["attn.q"], values["attn.k"], prefix=prefix)
            spread = spread + looks / len(model.blocks)
        end: dict[str, Tensor] = {}
        logits, x = model.classify(x, into(end)), end["norm"]

        loss = F.cross_entropy(logits, batch.label, label_smoothing=SMOOTHING)
        parts = {"class": loss.item(), "right": (logits.argmax(1) == batch.label).float().mean().item()}
        loss, parts["spread"] = loss + focus * spread, spread.item()

        objects = pick(objects_per_patch(batch), visible).flatten(0, 1)
        patch_loss = F.cross_entropy(rearrange(self.patch_head(x[:, prefix:]), "b n o -> (b n) o"), objects)
        loss, parts["patch"] = loss + PATCH_WEIGHT * patch_loss, patch_loss.item()
        if order is not None:
            hidden = order[:, -HIDDEN:]
            queries = pick(model.pos_embed[:, prefix:].expand(len(batch.image), -1, -1), hidden)
            hidden_loss = F.mse_loss(self.decoder(queries, x), pick(flat_patches(batch.image), hidden))
            loss, parts["hidden"] = loss + HIDDEN_WEIGHT * hidden_loss, hidden_loss.item()
        return loss, parts


class MaskedPatchDecoder(nn.Module):
    """Predicts the pixels of hidden patches from their position embedding and the tokens of what was seen."""

    def __init__(self, model: ViT) -> None:
        super().__init__()
        config = model.config
        self.mask_token = nn.Parameter(torch.zeros(config.dim))
        self.norm = nn.LayerNorm(config.dim)
        self.attn = nn.MultiheadAttention(config.dim, config.heads, batch_first=True)
        self.mlp_norm = nn.LayerNorm(config.dim)
        self.mlp = MLP(config)
        self.pixels = nn.Linear(config.dim, config.patch_values)

    def forward(self, queries: Tensor, x: Tensor) -> Tensor:
        """Position embeddings `b q d` and tokens `b t d` to pixels `b q (c ph pw)`."""
        hidden = queries + self.mask_token
        hidden = hidden + self.attn(self.norm(hidden), x, x, need_weights=False)[0]
        hidden = hidden + self.mlp(self.mlp_norm(hidden))
        return self.pixels(hidden)


def spread_over_patches(
    q: Tensor, k: Tensor, bias: Tensor | None = None, prefix: int = 1, scoring: Scoring | None = None
) -> Tensor:
    """How much wider than over `FEW` patches tokens spread their attention, in nats: `b head t dh` -> one number.

    The mean over patches counts as much as that over the `prefix` tokens. What those get is left aside, or the class
    token would become the one place where everybody looks.
    """
    scores = attention_scores(q, k[:, :, prefix:], scoring, None if bias is None else bias[..., prefix:])
    normaliser = scores.logsumexp(-1)
    entropy = normaliser - ((scores - normaliser[..., None]).exp() * scores).sum(-1)
    wider = F.relu(entropy - math.log(FEW))
    patches = wider[:, :, prefix:].mean()
    return (wider[:, :, :prefix].mean() + patches) / 2 if prefix else patches


def pick(values: Tensor, index: Tensor | None) -> Tensor:
    """`b n d` at `b k` -> `b k d`; all of them where the index is None."""
    return values if index is None else values.gather(1, repeat(index, "b k -> b k d", d=values.shape[2]))


def flat_patches(image: Tensor) -> Tensor:
    """`b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)`"""
    return rearrange(image, "b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)", ph=PATCH, pw=PATCH)


def objects_per_patch(batch: Batch) -> Tensor:
    """How much of each patch shows each of `OBJECTS`, as shares: `b n o`. A first part is thing `label`, or red."""
    first, blue = (batch.cover.float() / PATCH**2).unbind(1)
    shares = first.new_zeros(*first.shape, len(OBJECTS))
    index = (batch.label + 1).clamp(max=BLUE - 1)
    shares.scatter_(2, repeat(index, "b -> b n 1", n=first.shape[1]), first[..., None])
    shares[..., BLUE] = blue
    shares[..., 0] = 1 - first - blue
    return shares
