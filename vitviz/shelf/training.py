"""How a model of the shelf learns, whatever its switches: one step, and everything that survives an interruption.

Every step takes its randomness from the seed and its own number alone, so training that was interrupted and started
again ends with the same parameters as training that was not.
"""

import time
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from einops import rearrange
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.demo.dataset import Pictures, to_input, to_tensor
from vitviz.demo.evaluation import answers
from vitviz.demo.objectives import PATCH_WEIGHT, SMOOTHING, Batch, objects_per_patch, pick, spread_over_patches
from vitviz.demo.report import accuracies
from vitviz.demo.scenes import LIGHT, OBJECTS
from vitviz.demo.training import BIASES, EMBEDDINGS, rate, start, write
from vitviz.model import ViT
from vitviz.recording import into
from vitviz.shelf.rows import Recipe

SEEN = 0.4  # of the patches, until the model sees whole pictures


class Sibling(nn.Module):
    """A model with the head that names what each patch shows, which only training needs."""

    def __init__(self, config: ViTConfig, seed: int) -> None:
        super().__init__()
        self.model = ViT(config, seed)
        start(self.model)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.patch_head = nn.Linear(config.dim, len(OBJECTS))

    def forward(self, batch: Batch, order: Tensor | None, focus: float) -> tuple[Tensor, dict[str, float]]:
        """The loss of a batch, and its parts by name; of `order` `b n`, where there is one, the first part is seen."""
        model, config = self.model, self.model.config
        seen = None if order is None else order[:, : round(SEEN * config.patches)]
        prefix = len(config.prefix_tokens)
        kept = None if seen is None else torch.cat([every_first(prefix, seen), prefix + seen], dim=1)
        x = pick(model.embed(batch.image), kept)
        spread = x.new_zeros(())
        for layer, block in enumerate(model.blocks):
            values: dict[str, Tensor] = {}

            def watch(name: str, value: Tensor, values: dict[str, Tensor] = values) -> Tensor:
                values[name] = pick_pairs(value, kept) if name == "attn.bias" else value
                return values[name]

            if config.positions_at != "stem":
                x = x + pick(model.positions(layer).expand(len(batch.image), -1, -1), kept)
            x = block(x, watch)
            looks = spread_over_patches(values["attn.q"], values["attn.k"], values.get("attn.bias"), prefix)
            spread = spread + looks / config.depth
        end: dict[str, Tensor] = {}
        logits = model.classify(x, into(end))
        shown = pick(objects_per_patch(batch), seen).flatten(0, 1)
        named = F.cross_entropy(rearrange(self.patch_head(end["norm"][:, prefix:]), "b n o -> (b n) o"), shown)
        answer = F.cross_entropy(logits, batch.label, label_smoothing=SMOOTHING)
        right = (logits.argmax(1) == batch.label).float().mean()
        loss = answer + PATCH_WEIGHT * named + focus * spread
        return loss, {"class": answer.item(), "right": right.item(), "patch": named.item(), "spread": spread.item()}


class Training:
    """Everything that changes while a model learns; `save` and `resume` keep all of it."""

    def __init__(
        self, config: ViTConfig, seed: int, recipe: Recipe, pictures: Pictures, tests: Pictures, device: torch.device
    ) -> None:
        self.config, self.seed, self.recipe = config, seed, recipe
        self.pictures, self.tests, self.device = pictures, tests, device
        self.sibling = Sibling(config, seed).to(device)
        self.optimisers = optimisers(self.sibling, recipe)
        self.step = 0
        self.seconds = self.cpu_seconds = 0.0
        self.history: list[dict[str, float]] = []
        self.tested: list[dict[str, float]] = []

    def run(self, file: Path | None = None, until: int | None = None) -> None:
        """Learn until a step (the recipe's last by default), saving to `file` on the way if there is one."""
        recipe, until = self.recipe, self.recipe.steps if until is None else until
        while self.step < until:
            begun, cpu_begun = time.monotonic(), time.process_time()
            parts = self.learn()
            self.step += 1
            self.seconds += time.monotonic() - begun
            self.cpu_seconds += time.process_time() - cpu_begun
            if self.step % 10 == 0:
                self.history.append({"step": self.step, **{name: round(value, 4) for name, value in parts.items()}})
                told = "  ".join(f"{name} {value:.3f}" for name, value in parts.items())
                print(f"step {self.step:4} of {recipe.steps}  {told}  {self.cpu_seconds:.0f} CPU seconds", flush=True)
            if self.step % recipe.test_every == 0 or self.step == recipe.steps:
                self.test()
            if file and (self.step % recipe.save_every == 0 or self.step == until):
                self.save(file)

    def learn(self) -> dict[str, float]:
        """One step: pictures, loss, gradient, new parameters."""
        recipe, step = self.recipe, self.step
        loss, parts = self.sibling(*self.draw_batch(), recipe.focus * min(1, step / recipe.hold))
        for optimiser in self.optimisers:
            optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.sibling.parameters(), 1.0)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate(step, recipe.warm_up, recipe.hold, recipe.steps) * group["full_rate"]
            optimiser.step()
        return {"loss": loss.item(), **parts}

    def draw_batch(self) -> tuple[Batch, Tensor | None]:
        """The pictures of this step, each a little lighter or darker, and the order in which patches are hidden."""
        recipe, step = self.recipe, self.step
        whole = step >= recipe.whole
        size = recipe.batch // 2 if whole else recipe.batch
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + step)
        index = torch.randint(len(self.pictures), (size,), generator=generator).numpy()
        gain = 0.9 + 0.2 * torch.rand(size, 1, 1, 1, generator=generator)
        offset = 0.1 * torch.randn(size, 3, 1, 1, generator=generator)
        order = torch.rand(size, self.config.patches, generator=generator).argsort(1).to(self.device)
        strength = 0.5 + torch.rand(size, generator=generator)
        strength *= torch.rand(size, generator=generator) >= dark_share(recipe, step)
        image = self.pictures.image[index] + LIGHT * strength.numpy()[:, None, None, None]
        lit = to_tensor(np.clip(image, 0, 255).astype(np.uint8), self.device)
        batch = Batch(
            to_input(lit) * gain.to(self.device) + offset.to(self.device),
            torch.from_numpy(self.pictures.label[index]).to(self.device),
            to_tensor(self.pictures.cover[index], self.device),
        )
        return batch, None if whole else order

    def test(self) -> None:
        """Accuracy on the unseen scenes, all, things and relations apart."""
        found = accuracies("accuracy", answers(self.sibling.model, self.tests), self.tests)
        self.tested.append({"step": self.step, **{name: round(float(value), 4) for name, value in found.items()}})
        print("  ".join(f"{name} {value:g}" for name, value in self.tested[-1].items()), flush=True)

    def save(self, file: Path) -> None:
        state = {name: getattr(self, name) for name in ("step", "seconds", "cpu_seconds", "history", "tested")}
        state |= {
            "switches": switches(self.config),
            "recipe": asdict(self.recipe),
            "sibling": self.sibling.state_dict(),
        }
        state["optimisers"] = [optimiser.state_dict() for optimiser in self.optimisers]
        write(state, file)

    def resume(self, file: Path) -> None:
        state: dict[str, Any] = torch.load(file, map_location=self.device, weights_only=True)
        if (state.pop("switches"), state.pop("recipe")) != (switches(self.config), asdict(self.recipe)):
            raise ValueError(f"{file} was saved by another model or recipe; delete it to start from nothing")
        self.sibling.load_state_dict(state.pop("sibling"))
        for optimiser, kept in zip(self.optimisers, state.pop("optimisers"), strict=True):
            optimiser.load_state_dict(kept)
        for name, value in state.items():
            setattr(self, name, value)


def switches(config: ViTConfig) -> dict[str, Any]:
    """What of a model is not usual: equal for equal models, also where fields have come since."""
    return {it.name: value for it in fields(config) if (value := getattr(config, it.name)) != it.default}


def dark_share(recipe: Recipe, step: int) -> float:
    """Which share of the pictures comes without the faint light: none until dusk, all from the night on."""
    return min(1, max(0, (step - recipe.dusk) / (recipe.night - recipe.dusk)))


def optimisers(sibling: Sibling, recipe: Recipe) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
    """Muon for the matrices of the blocks, AdamW for everything else."""
    kinds = ("matrices", "rest", "filters", "embeddings", "biases")
    groups: dict[str, list[nn.Parameter]] = {kind: [] for kind in kinds}
    for name, parameter in sibling.named_parameters():
        groups[_kind(name, parameter)].append(parameter)
    muon = torch.optim.Muon(
        [{"params": groups["matrices"], "full_rate": recipe.matrix_rate}],
        lr=recipe.matrix_rate, weight_decay=0.05, momentum=0.95, adjust_lr_fn="match_rms_adamw",
    )  # fmt: skip
    settings: dict[str, dict[str, Any]] = {
        "rest": {"weight_decay": 0.0, "full_rate": recipe.rate},
        "filters": {"weight_decay": 0.05, "full_rate": recipe.rate},
        "embeddings": {"weight_decay": 0.1, "betas": (0.95, 0.98), "full_rate": recipe.rate},
        "biases": {"weight_decay": 0.0, "full_rate": recipe.bias_rate},
    }
    adam = torch.optim.AdamW(
        [{"params": groups[kind], **its_own} for kind, its_own in settings.items() if groups[kind]],
        lr=recipe.rate, betas=(0.9, 0.98),
    )  # fmt: skip
    return muon, adam


def _kind(name: str, parameter: nn.Parameter) -> str:
    """Which group of parameters one belongs to."""
    if EMBEDDINGS in name:
        return "embeddings"
    if BIASES in name:
        return "biases"
    if name.endswith("patch_embed.proj.weight"):
        return "filters"
    return "matrices" if ".blocks." in name and parameter.ndim == 2 else "rest"


def every_first(number: int, like: Tensor) -> Tensor:
    """The first tokens, for each picture: `b number`, as counted in `like` `b k`."""
    return torch.arange(number, device=like.device).expand(len(like), -1)


def pick_pairs(bias: Tensor, index: Tensor | None) -> Tensor:
    """`head q k` at `b t` -> `b head t t`; all of it where the index is None."""
    if index is None:
        return bias
    return rearrange(bias[:, index[:, :, None], index[:, None, :]], "head b q k -> b head q k")
