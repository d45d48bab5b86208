"""The trace of a forward pass: what it leaves behind, and how to look inside any stage of it afterwards.

The forward pass is the plain one with fused attention. It keeps, by reference, the image, the residual stream at each
block's edge (4 · (depth + 1) · t · dim bytes) and the logits. Everything inside a stage is made when somebody looks, by
running that one stage again from its recorded input: the same kernels see the same shapes, so the numbers are the same
to the last bit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from vitviz.activations import activation_names, general
from vitviz.config import ViTConfig
from vitviz.model import Block, ViT, attention
from vitviz.recording import Record, ignore, into, prefixed


@dataclass(frozen=True, slots=True)
class Activation:
    """One named value of a forward pass; read-only by agreement. `axes` names the tensor's axes in einops words."""

    name: str
    axes: str
    tensor: Tensor


class Activations(Mapping[str, Activation]):
    """Activations in the order they were computed, by name; unknown names raise a `KeyError` that lists the known."""

    def __init__(self, config: ViTConfig, values: Mapping[str, Tensor], prefix: str = "") -> None:
        known = activation_names(config)
        self._values = {
            name: Activation(prefix + name, known[general(prefix + name)].axes, tensor)
            for name, tensor in values.items()
        }

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order they were computed."""
        return tuple(self._values)

    def __getitem__(self, name: str) -> Activation:
        if name not in self._values:
            raise KeyError(f"no activation {name!r} here; there are {', '.join(self._values)}")
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Trace(Activations):
    """What the forward pass of one image through one model left behind, and methods that zoom in. Layers count from 0.

    A trace is never changed after it is made, so any number of readers may share it.
    """

    def __init__(self, model: ViT, values: Mapping[str, Tensor]) -> None:
        super().__init__(model.config, values)
        self.model = model

    @property
    def config(self) -> ViTConfig:
        """The sizes of the model that was run."""
        return self.model.config

    def block(self, layer: int) -> Block:
        """The model's block number `layer`."""
        return cast(Block, self.model.blocks[layer])

    @property
    def nbytes(self) -> int:
        """Bytes that the trace holds, beside the model."""
        return sum(activation.tensor.nbytes for activation in self.values())

    def residual_stream(self, layer: int) -> Tensor:
        """The residual stream that enters block `layer`; `layer = depth` is what leaves the last one: `b t d`."""
        depth = self.config.depth
        if not 0 <= layer <= depth:
            raise IndexError(f"layer {layer} is outside 0 to {depth} of a model with {depth} blocks")
        return self["embed.resid_post" if layer == 0 else f"blocks.{layer - 1}.resid_post"].tensor

    @torch.no_grad()
    def embedding(self) -> Activations:
        """Inside the embedding: patches, patch_tokens, resid_post."""
        values: dict[str, Tensor] = {}
        self.model.embed(self["image"].tensor, into(values))
        return Activations(self.config, values, prefix="embed.")

    @torch.no_grad()
    def inside(self, layer: int) -> Activations:
        """Inside block `layer`: norm1, attn.q ... mlp.out, resid_post.

        Scores and weights are written out beside the fused attention, which never shows them.
        """
        values: dict[str, Tensor] = {}
        self.block(layer)(self.residual_stream(layer), _writing_out("attn", values))
        return Activations(self.config, values, prefix=f"blocks.{layer}.")

    @torch.no_grad()
    def readout(self, layer: int | None = None) -> Activations:
        """The final norm and head on the stream that leaves the last block, or that enters block `layer`.

        Where attention pooling reads the stream, its stages stand between the two.
        """
        values: dict[str, Tensor] = {}
        stream = self.residual_stream(self.config.depth if layer is None else layer)
        self.model.classify(stream, _writing_out("pool", values))
        return Activations(self.config, values)


@torch.no_grad()
def record(model: ViT, image: Tensor, watch: Record = ignore) -> Trace:
    """Run `model` on `image` (`b c h w`) and keep the trace.

    `watch` is handed every value in passing; the forward pass goes on with what it returns.
    """
    values = {"image": image}

    def keep(name: str, value: Tensor) -> Tensor:
        value = watch(name, value)
        if name.endswith("resid_post") or name == "logits":
            values[name] = value
        return value

    model(image, keep)
    return Trace(model, values)


def _writing_out(stage: str, values: dict[str, Tensor]) -> Record:
    """A record into `values` that writes out scores and weights of a stage as soon as its q, k and v are there."""
    keep = into(values)

    def record(name: str, value: Tensor) -> Tensor:
        keep(name, value)
        if name == f"{stage}.v":
            attention(values[f"{stage}.q"], values[f"{stage}.k"], value, prefixed(stage, keep))
        return value

    return record
