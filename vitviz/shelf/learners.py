"""What a model of the shelf learns from: the class of the picture, and what each patch shows."""

import torch
from einops import rearrange
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.demo.objectives import PATCH_WEIGHT, SMOOTHING, Batch, objects_per_patch, pick, spread_over_patches
from vitviz.demo.scenes import OBJECTS
from vitviz.demo.training import start
from vitviz.model import ViT
from vitviz.recording import into
from vitviz.shelf.cnn import CNN
from vitviz.shelf.rows import CNNSizes, Row
from vitviz.switches.scoring import Scoring

VISIBLE_SHARE = 0.4  # of the patches, until the model sees whole pictures


class Learner(nn.Module):
    """A model with the head that names what each patch shows, which only training needs."""

    model: ViT | CNN

    def __init__(self, width: int, seed: int) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.patch_head = nn.Linear(width, len(OBJECTS))

    def loss(
        self, batch: Batch, logits: Tensor, places: Tensor, visible: Tensor | None = None
    ) -> tuple[Tensor, dict[str, float]]:
        """From `logits` `b classes` and what stands at `visible` patches, `b n d`: the loss, and its parts by name."""
        objects = pick(objects_per_patch(batch), visible).flatten(0, 1)
        patch_loss = F.cross_entropy(rearrange(self.patch_head(places), "b n o -> (b n) o"), objects)
        answer = F.cross_entropy(logits, batch.label, label_smoothing=SMOOTHING)
        right = (logits.argmax(1) == batch.label).float().mean()
        parts = {"class": answer.item(), "right": right.item(), "patch": patch_loss.item()}
        return answer + PATCH_WEIGHT * patch_loss, parts


class Sibling(Learner):
    """A Vision Transformer, which sees a part of the patches at first, and is rewarded for looking at few."""

    model: ViT

    def __init__(self, config: ViTConfig, seed: int) -> None:
        super().__init__(config.dim, seed)
        self.model = ViT(config, seed)
        start(self.model)

    def forward(self, batch: Batch, order: Tensor | None, focus: float) -> tuple[Tensor, dict[str, float]]:
        """The loss of a batch, and its parts by name; of `order` `b n`, where there is one, the first part is seen."""
        model, config = self.model, self.model.config
        visible = None if order is None else order[:, : round(VISIBLE_SHARE * config.patches)]
        prefix, scale = len(config.prefix_tokens), Scoring(config.score_scale)
        tokens = None if visible is None else torch.cat([every_first(prefix, visible), prefix + visible], dim=1)
        x = pick(model.embed(batch.image), tokens)
        spread = x.new_zeros(())
        for layer, block in enumerate(model.blocks):
            values: dict[str, Tensor] = {}

            def watch(name: str, value: Tensor, values: dict[str, Tensor] = values) -> Tensor:
                values[name] = pick_pairs(value, tokens) if name == "attn.bias" else value
                return values[name]

            if config.positions_at != "stem":
                x = x + pick(model.positions(layer).expand(len(batch.image), -1, -1), tokens)
            x = block(x, watch)
            looks = spread_over_patches(values["attn.q"], values["attn.k"], values.get("attn.bias"), prefix, scale)
            spread = spread + looks / config.depth
        end: dict[str, Tensor] = {}
        logits = model.classify(x, into(end))
        loss, parts = self.loss(batch, logits, end["norm"][:, prefix:], visible)
        return loss + focus * spread, {**parts, "spread": spread.item()}


class Convolutional(Learner):
    """The CNN, which cannot leave out patches and has no attention to be rewarded for."""

    model: CNN

    def __init__(self, sizes: CNNSizes, seed: int) -> None:
        super().__init__(sizes.width, seed)
        self.model = CNN(sizes, seed)

    def forward(self, batch: Batch, order: Tensor | None, focus: float) -> tuple[Tensor, dict[str, float]]:
        """The loss of a batch, and its parts by name."""
        features = self.model.features(batch.image)
        return self.loss(batch, self.model.classify(features), rearrange(features, "b d gh gw -> b (gh gw) d"))


def learner(row: Row, seed: int) -> Learner:
    """The model of a row before its first step."""
    if isinstance(row.sizes, CNNSizes):
        return Convolutional(row.sizes, seed)
    sibling = Sibling(row.sizes, seed)
    if not row.norms:
        for block in sibling.model.blocks:
            block.norm1, block.norm2 = nn.Identity(), nn.Identity()
    return sibling


def every_first(number: int, like: Tensor) -> Tensor:
    """The first tokens, for each picture: `b number`, as counted in `like` `b k`."""
    return torch.arange(number, device=like.device).expand(len(like), -1)


def pick_pairs(bias: Tensor, index: Tensor | None) -> Tensor:
    """`head q k` at `b t` -> `b head t t`; all of it where the index is None."""
    if index is None:
        return bias
    return rearrange(bias[:, index[:, :, None], index[:, None, :]], "head b q k -> b head q k")
