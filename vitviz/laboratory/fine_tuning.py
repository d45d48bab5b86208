"""A copy of a model that learns classes from a few pictures each: what it then answers, and how far its parts moved.

As Dosovitskiy et al. 2020 fine-tune, section 3.2 and appendix B.1.1: a head of zeros for the new classes in place of
the old one, gradient descent with momentum, gradients no longer than 1. The learning rate stays the same here; theirs
falls as a cosine does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from vitviz.laboratory.shots import Seen
from vitviz.machine.device import require
from vitviz.machine.price import backward_bytes
from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.machine.wanted import require_wanted, while_wanted
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.gradients import AFTER_THE_BLOCKS, precise

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.model import ViT
    from vitviz.weights import Loaded

HEAD, LAST, ALL = LEARNS = ("head", "last block and head", "everything")
PARTS = ("all", "attention", "MLP", "norms")
MOMENTUM, LONGEST = 0.9, 1.0
Use = tuple[int, int, int]  # of a class: how many parcels of pictures, how many shots, and the first held-out picture
Values = Mapping[str, "torch.Tensor"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """A copy of a model after `step` steps, which took so many `seconds` in all.

    `values` are the parameters that may move, those of block `first` and of all that follows; `first` is -1 where the
    embedding learns, too, and the depth where the head alone does. `pace`: what the last step added of each, before the
    learning rate. `shots` and `held_out`: what enters the first part that learns, of each class one tensor a picture.
    """

    first: int
    step: int
    seconds: float
    values: Values
    pace: Values
    shots: Sequence[Sequence[torch.Tensor]]
    held_out: Sequence[Sequence[torch.Tensor]]


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a copy answers after `step` steps, which took so many `seconds`, and how far it moved.

    `learned` parameters may move. `loss`: the cross-entropy of a shot, on average. `right`: the shares of shots and of
    held-out pictures that are named rightly. `moved`, `part stage`: the Euclidean norm of what was added to the
    parameters of one of `PARTS` over that of these parameters, in the embedding, in each block, and after the last; 0
    where there are none. The new head began at zero and is no part of it.
    """

    step: int
    seconds: float
    learned: int
    loss: float
    right: tuple[float, float]
    moved: Array


@no_grad
def begin(loaded: Loaded, learns: str, uses: Sequence[Use], *parcels: Seen | torch.Tensor) -> Tuning:
    """The copy before its first step. Raises `DeviceMemoryError`.

    `parcels`: the pictures of all classes, one class after the other, `picture c h w`; where the head alone learns,
    what was seen of them.
    """
    config, device = loaded.config.with_(classes=len(uses)), loaded.model.device
    require(2 * backward_bytes(config), "fine-tuning this model", device)
    first = {ALL: -1, LAST: config.depth - 1, HEAD: config.depth}[learns]
    own = _own(loaded, config)
    model, parcels_, shots, held_out = _model(config, own), iter(parcels), [], []
    for count, used, first_held_out in uses:
        pictures = [picture for _ in range(count) for picture in _each(next(parcels_), device)]
        entering = [_entering(model, picture, first) for picture in while_wanted(pictures)]
        shots.append(entering[:used])
        held_out.append(entering[first_held_out:])
    values = {name: it for name, it in own.items() if _learns(name, first, config.depth)}
    return Tuning(first, 0, 0.0, values, {name: torch.zeros_like(it) for name, it in values.items()}, shots, held_out)


def go_on(loaded: Loaded, tuning: Tuning, steps: int, rate: float) -> Tuning:
    """The copy after so many further steps at a learning `rate`, each on one shot of every class.

    The one before stays as it is.
    """
    begun, first, pace = perf_counter(), tuning.first, dict(tuning.pace)
    values = {name: torch.nn.Parameter(it.clone()) for name, it in tuning.values.items()}
    config = loaded.config.with_(classes=len(tuning.shots))
    model = _model(config, _own(loaded, config) | values)
    for step in while_wanted(range(tuning.step, tuning.step + steps)):
        slopes = _slopes(model, first, list(values.values()), [its[step % len(its)] for its in tuning.shots])
        length = float(torch.stack([slope.norm() for slope in slopes]).norm())
        for (name, it), slope in zip(values.items(), slopes, strict=True):
            pace[name] = MOMENTUM * pace[name] + slope * (LONGEST / max(length, LONGEST))
            it.data.sub_(rate * pace[name])
    learned = {name: it.detach() for name, it in values.items()}
    seconds = tuning.seconds + perf_counter() - begun
    return Tuning(first, tuning.step + steps, seconds, learned, pace, tuning.shots, tuning.held_out)


@no_grad
def tried_copy(loaded: Loaded, tuning: Tuning) -> Tuned:
    """What the copy answers, and how far it moved."""
    config = loaded.config.with_(classes=len(tuning.shots))
    own = _own(loaded, config)
    model = _model(config, {**own, **tuning.values})
    losses, right = _answers(model, tuning.first, tuning.shots)
    _, right_held_out = _answers(model, tuning.first, tuning.held_out)
    return Tuned(
        tuning.step,
        tuning.seconds,
        sum(it.numel() for it in tuning.values.values()),
        float(np.mean(losses)),
        (float(np.mean(right)), float(np.mean(right_held_out)) if right_held_out else 0.0),
        _moved(own, tuning.values, config.depth),
    )


def _own(loaded: Loaded, config: ViTConfig) -> dict[str, torch.Tensor]:
    """The parameters of the model in 32 bits at least, and a head of zeros for the new classes."""
    own = dict(loaded.model.named_parameters())
    return {
        name: torch.zeros(size, device=loaded.model.device) if _of_head(name) else precise(own[name].detach())
        for name, size in _sizes(config).items()
    }


@lru_cache(maxsize=8)
def _sizes(config: ViTConfig) -> Mapping[str, torch.Size]:
    from vitviz.model import ViT

    with torch.device("meta"):
        return {name: it.shape for name, it in ViT(config).named_parameters()}


def _model(config: ViTConfig, values: Values) -> ViT:
    """A model of these very tensors, of which those learn that are `Parameter`s already."""
    from vitviz.model import ViT

    with torch.device("meta"):
        model = ViT(config)
    state = {
        name: it if isinstance(it, torch.nn.Parameter) else torch.nn.Parameter(it, requires_grad=False)
        for name, it in values.items()
    }
    model.load_state_dict(state, assign=True)
    return model


def _each(parcel: Seen | torch.Tensor, device: torch.device) -> Sequence[torch.Tensor]:
    """The pictures of a parcel, `1 c h w` each, or their vectors, `1 d` each: with batch norms each goes by itself."""
    pictures = torch.from_numpy(parcel.vectors) if isinstance(parcel, Seen) else parcel
    return precise(pictures).to(device).split(1)


def _entering(model: ViT, picture: torch.Tensor, first: int) -> torch.Tensor:
    """What enters block `first`; a picture, or what the head reads of it, where that is no block."""
    if first in (-1, model.config.depth):
        return picture
    x = model.embed(picture)
    for i in range(first):
        x = model.blocks[i](model.place(x, i), scoring=model.scorings.get(i))
    return x


def _logits(model: ViT, x: torch.Tensor, first: int) -> torch.Tensor:
    """From what enters block `first` to the logits of the new classes, `1 classes`; one head answers alone."""
    depth = model.config.depth
    x = model.embed(x, _watched) if first == -1 else x
    for i in range(max(0, first), depth):
        x = model.blocks[i](model.place(x, i), _watched, model.scorings.get(i))
    if first < depth:
        x = model.pool(x if model.norm is None else model.norm(x), _watched, model.scorings.get(depth))
    return model.head(x if model.pre_logits is None else model.pre_logits(x))


def _slopes(
    model: ViT, first: int, learned: Sequence[torch.Tensor], batch: Sequence[torch.Tensor]
) -> list[torch.Tensor]:
    """The gradient of the mean cross-entropy of one picture of each class, by parameter."""
    slopes = [torch.zeros_like(it) for it in learned]
    for label, picture in enumerate(batch):
        with torch.enable_grad():
            logits = _logits(model, picture, first)
            loss = F.cross_entropy(logits, torch.tensor([label], device=logits.device)) / len(batch)
            found = torch.autograd.grad(loss, learned, allow_unused=True, materialize_grads=True)
        slopes = [slope + more for slope, more in zip(slopes, found, strict=True)]
    return slopes


def _watched(name: str, value: torch.Tensor) -> torch.Tensor:
    """Ask whether it is still wanted, on the way back, too, where PyTorch goes from value to value by itself."""
    require_wanted()
    if value.requires_grad:
        value.register_hook(lambda _: require_wanted())
    return value


def _answers(model: ViT, first: int, pictures: Sequence[Sequence[torch.Tensor]]) -> tuple[list[float], list[bool]]:
    """Of every picture the cross-entropy of its class, and whether that is the answer."""
    losses, right = [], []
    for label, its in enumerate(pictures):
        for it in while_wanted(its):
            logits = _logits(model, it, first)[0]
            losses.append(-float(logits.log_softmax(dim=0)[label]))
            right.append(int(logits.argmax()) == label)
    return losses, right


def _moved(own: Values, values: Values, depth: int) -> Array:
    added, had = np.zeros((2, len(PARTS), depth + 2))
    for name, it in while_wanted(values.items()):
        if _of_head(name):
            continue
        for part in {PARTS.index("all"), PARTS.index(_part(name))}:
            added[part, _stage(name, depth)] += float((it - own[name]).norm()) ** 2
            had[part, _stage(name, depth)] += float(own[name].norm()) ** 2
    return np.sqrt(np.divide(added, had, out=np.zeros_like(added), where=had > 0)).astype(np.float32)


def _part(name: str) -> str:
    words = name.split(".")
    if "attn" in words or "mlp" in words:
        return "attention" if "attn" in words else "MLP"
    return "norms" if any(word.startswith(("norm", "fc_norm")) for word in words) else "all"


def _stage(name: str, depth: int) -> int:
    first, _, rest = name.partition(".")
    if first == "blocks":
        return 1 + int(rest.partition(".")[0])
    return depth + 1 if first in AFTER_THE_BLOCKS else 0


def _of_head(name: str) -> bool:
    return name.startswith(("head.", "head_dist."))


def _learns(name: str, first: int, depth: int) -> bool:
    """Whether a parameter may move; a second head, that of a distillation token, is not asked."""
    if _of_head(name):
        return name.startswith("head.")
    return first < depth and _stage(name, depth) > first
