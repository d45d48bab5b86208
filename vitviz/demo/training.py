"""How the demo model learns: the plan, one step, and everything that has to survive an interruption.

Every step takes its randomness from the seed and its own number and from nothing else, so training that was
interrupted and started again ends with the same parameters as training that was not.
"""

import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, distributed, nn

from vitviz.config import PRESETS
from vitviz.demo.dataset import Pictures, draw, to_input, to_tensor
from vitviz.demo.evaluation import evaluate, low_frequency_share, on_target, position_rank_correlation
from vitviz.demo.objectives import Batch, MultiTaskModel
from vitviz.demo.samples import WATCHED
from vitviz.demo.snapshots import encode
from vitviz.model import ViT

EMBEDDINGS, BIASES = "pos_embed", "relative_position"  # what tables of positions are called


@dataclass(frozen=True)
class Plan:
    """How long and on what to learn; in steps, unless said otherwise."""

    seed: int = 0
    steps: int = 1200
    warm_up: int = 60  # the learning rate rises to its full height
    hold: int = 450  # and stays there until here, then falls along a cosine
    whole: int = 1000  # from here on the model sees all patches of half as many pictures
    focus: float = 0.2  # the reward for looking at few patches, reached at the end of `hold`: first find, then focus
    batch: int = 80  # pictures per step
    pictures: int = 32_000  # to learn from
    snapshots: tuple[int, ...] = (0, 6, 16, 34, 69, 166, 315, 500, 700, 950, 1200)
    save_every: int = 50

    def rate(self, step: int) -> float:
        """The learning rate of a step as a share of its full height."""
        return rate(step, self.warm_up, self.hold, self.steps)


def rate(step: int, warm_up: int, hold: int, steps: int) -> float:
    """The learning rate of a step: it rises until `warm_up`, stays until `hold`, then falls along a cosine."""
    if step < hold:
        return min(1, (step + 1) / warm_up)
    return 0.02 + 0.98 * (1 + math.cos(math.pi * (step - hold) / (steps - hold))) / 2


class Training:
    """Everything that changes while the model learns; `save` and `resume` keep all of it.

    Where PyTorch runs in several processes, each learns from its share of every batch and they average the gradients,
    so all of them hold the same model; the first one measures, prints and saves.
    """

    def __init__(self, plan: Plan, pictures: Pictures, validation: Pictures, device: torch.device) -> None:
        self.plan, self.pictures, self.validation, self.device = plan, pictures, validation, device
        together = distributed.is_initialized()
        self.process, self.processes = (distributed.get_rank(), distributed.get_world_size()) if together else (0, 1)
        self.watched = draw([sample.seed for sample in WATCHED])
        model = ViT(PRESETS["demo"], plan.seed)
        start(model)
        self.multitask = MultiTaskModel(model, plan.seed).to(device)
        self.model = self.multitask.model
        self.optimisers = optimisers(self.multitask)
        self.step = 0
        self.history: list[dict[str, float]] = []
        self.snapshots: list[dict[str, Tensor]] = []
        self.milestones: list[dict[str, float]] = []
        self.seconds = 0.0

    def run(self, until: int | None = None, file: Path | None = None) -> None:
        """Learn until a step (the plan's last by default), saving to `file` on the way if there is one."""
        if self.process > 0:
            file = None
        begun, before, first = time.monotonic(), self.seconds, self.step
        until = self.plan.steps if until is None else until
        while self.step < until:
            if self.step in self.plan.snapshots and len(self.snapshots) == self.plan.snapshots.index(self.step):
                self.take_snapshot()
            parts = self.learn()
            self.step += 1
            self.seconds = before + time.monotonic() - begun
            if self.step % 10 == 0 and self.process == 0:
                self.history.append({"step": self.step, **{name: round(value, 4) for name, value in parts.items()}})
                left = (until - self.step) * (self.seconds - before) / (self.step - first)
                losses = "  ".join(f"{name} {value:.3f}" for name, value in parts.items())
                print(f"step {self.step:5,} of {until:,}  {losses}  {left / 60:.1f} minutes left", flush=True)
            if file and self.step % self.plan.save_every == 0:
                self.save(file)
        if self.step == self.plan.steps:
            self.take_snapshot()

    def learn(self) -> dict[str, float]:
        """One step: pictures, loss, gradient, new parameters."""
        rate = self.plan.rate(self.step)
        batch, order = self.draw_batch()
        loss, parts = self.multitask(batch, order, self.plan.focus * min(1, self.step / self.plan.hold))
        for optimiser in self.optimisers:
            optimiser.zero_grad()
        loss.backward()
        if self.processes > 1:
            average_gradients(self.multitask)
        nn.utils.clip_grad_norm_(self.multitask.parameters(), 1.0)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate * group["full_rate"]
            optimiser.step()
        centre_positions(self.multitask)
        return {"loss": loss.item(), **parts}

    def draw_batch(self) -> tuple[Batch, Tensor | None]:
        """The pictures of this step, each a little lighter or darker, and the order in which patches are hidden."""
        whole = self.step >= self.plan.whole
        size = self.plan.batch // 2 if whole else self.plan.batch
        generator = torch.Generator().manual_seed(self.plan.seed * 1_000_003 + self.step)
        index = torch.randint(len(self.pictures), (size,), generator=generator).numpy()
        gain = 0.9 + 0.2 * torch.rand(size, 1, 1, 1, generator=generator)
        offset = 0.1 * torch.randn(size, 3, 1, 1, generator=generator)
        order = torch.rand(size, self.model.config.patches, generator=generator).argsort(1)
        mine = slice(self.process, None, self.processes)
        gain, offset, order = (value[mine].to(self.device) for value in (gain, offset, order))
        batch = Batch(
            to_input(to_tensor(self.pictures.image[index[mine]], self.device)) * gain + offset,
            torch.from_numpy(self.pictures.label[index[mine]]).to(self.device),
            to_tensor(self.pictures.cover[index[mine]], self.device),
        )
        return batch, None if whole else order

    def take_snapshot(self) -> None:
        """Keep the positions, the filters and the class token's attention, and measure on the validation scenes."""
        if self.process > 0:
            return
        position, filters = self.model.pos_embed.detach()[0].cpu(), self.model.patch_embed.proj.weight.detach().cpu()
        evaluation = evaluate(self.model, self.validation)
        self.snapshots.append(
            {
                "steps": torch.tensor(self.step),
                "positions": position.half(),
                "filters": filters.half(),
                "attention": torch.from_numpy(encode(evaluate(self.model, self.watched).attention)),
            }
        )
        milestone = {
            "step": self.step,
            "accuracy": float((evaluation.logits.argmax(1) == self.validation.label).mean()),
            "position_rank_correlation": position_rank_correlation(position.numpy()),
            "attention_on_target": float(on_target(evaluation.attention, self.validation.target).mean()),
            "low_frequency_share": low_frequency_share(filters.numpy()),
        }
        self.milestones.append({name: round(value, 4) for name, value in milestone.items()})
        print("  ".join(f"{name} {value:g}" for name, value in self.milestones[-1].items()), flush=True)

    def save(self, file: Path) -> None:
        state = {name: getattr(self, name) for name in ("step", "seconds", "history", "snapshots", "milestones")}
        state["plan"] = asdict(self.plan)
        state["multitask"] = self.multitask.state_dict()
        state["optimisers"] = [optimiser.state_dict() for optimiser in self.optimisers]
        write(state, file)

    def resume(self, file: Path) -> None:
        state: dict[str, Any] = torch.load(file, map_location=self.device, weights_only=True)
        if state.pop("plan") != asdict(self.plan):
            raise ValueError(f"{file} was saved under another plan than this one; delete it to start from nothing")
        self.multitask.load_state_dict(state.pop("multitask"))
        for optimiser, saved in zip(self.optimisers, state.pop("optimisers"), strict=True):
            optimiser.load_state_dict(saved)
        for name, value in state.items():
            setattr(self, name, value)


@torch.no_grad()
def start(model: ViT) -> None:
    """Change the first parameters so that structure shows early: positions and filters small, that the first noise does
    not outlive what is learned; queries and keys large, that heads tell tokens apart before they have learned to."""
    model.patch_embed.proj.weight.mul_(0.01 / model.patch_embed.proj.weight.std())
    for name, parameter in model.named_parameters():
        if EMBEDDINGS in name or BIASES in name:
            parameter.mul_(0.002 / parameter.std())
        elif name.endswith("attn.qkv.weight"):
            parameter[: 2 * model.config.dim].mul_(3)


def write(state: dict[str, Any], file: Path) -> None:
    """Save `state` for `torch.load`, in place of what was there as soon as it is whole."""
    unfinished = file.with_suffix(".part")
    torch.save(state, unfinished)
    unfinished.replace(file)


def average_gradients(multitask: MultiTaskModel) -> None:
    """Replace each gradient by its mean over all processes, in one message."""
    gradients = [parameter.grad for parameter in multitask.parameters() if parameter.grad is not None]
    message = torch.cat([gradient.flatten() for gradient in gradients]) / distributed.get_world_size()
    distributed.all_reduce(message)
    for gradient, mean in zip(gradients, message.split([gradient.numel() for gradient in gradients]), strict=True):
        gradient.copy_(mean.view_as(gradient))


@torch.no_grad()
def centre_positions(multitask: MultiTaskModel) -> None:
    """Move what all patches' position embeddings have in common into the bias of the patch embedding.

    Both are added to every patch token, so the model stays the same function; what is left of a position is what
    tells it from other positions.
    """
    patches = multitask.model.pos_embed[:, 1:]
    common = patches.mean(dim=(0, 1))
    patches -= common
    multitask.get_parameter("model.patch_embed.proj.bias").add_(common)
    multitask.decoder.mask_token.add_(common)


def groups(multitask: MultiTaskModel) -> dict[str, list[dict[str, Any]]]:
    """What learns alike, by the optimiser that moves it: Muon the matrices of the blocks, AdamW everything else."""
    matrices = [parameter for parameter in multitask.model.blocks.parameters() if parameter.ndim == 2]
    position, filters = multitask.model.pos_embed, multitask.model.patch_embed.proj.weight
    special = {id(parameter) for parameter in (*matrices, position, filters)}
    rest = [parameter for parameter in multitask.parameters() if id(parameter) not in special]
    return {
        "Muon": [{"params": matrices, "lr": 3e-3, "weight_decay": 0.05, "momentum": 0.95}],
        "AdamW": [
            {"params": rest, "lr": 2e-3, "weight_decay": 0.0, "betas": (0.9, 0.98)},
            {"params": [filters], "lr": 2e-3, "weight_decay": 0.05, "betas": (0.9, 0.98)},
            {"params": [position], "lr": 2e-3, "weight_decay": 0.1, "betas": (0.95, 0.98)},
        ],
    }


def optimisers(multitask: MultiTaskModel) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
    """Muon and AdamW, each with its `groups`, whose learning rates are kept as their full height."""
    of = groups(multitask)
    muon = torch.optim.Muon(of["Muon"], adjust_lr_fn="match_rms_adamw")
    adam = torch.optim.AdamW(of["AdamW"])
    for group in (*muon.param_groups, *adam.param_groups):
        group["full_rate"] = group["lr"]
    return muon, adam
