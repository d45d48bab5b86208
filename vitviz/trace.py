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
from vitviz.edits import NO_EDITS, Edits
from vitviz.edits.applied import Applied, OtherTraces, stream_name
from vitviz.edits.edits import EMBEDDING
from vitviz.model import Block, ViT, attention
from vitviz.recording import Record, ignore, into, prefixed
from vitviz.switches.positions import rotations
from vitviz.switches.scoring import LINEAR, Scoring


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

    A trace is never changed after it is made, so any number of readers may share it. That of an edited forward pass
    shows the edits wherever it is looked into; `plain` is the trace that it began with, where there was one.
    """

    def __init__(
        self, model: ViT, values: Mapping[str, Tensor], applied: Applied | None = None, plain: "Trace | None" = None
    ) -> None:
        super().__init__(model.config, values)
        self.model = model
        self.plain = plain
        self._applied = applied

    @property
    def config(self) -> ViTConfig:
        """The sizes of the model that was run."""
        return self.model.config

    def block(self, layer: int) -> Block:
        """The model's block number `layer`."""
        return cast(Block, self.model.blocks[layer])

    def of(self, index: int) -> "Trace":
        """The trace of one image of the batch."""
        return Trace(self.model, {it.name: it.tensor[index : index + 1].clone() for it in self.values()})

    @property
    def nbytes(self) -> int:
        """Bytes that the trace holds, beside the model and the plain trace."""
        shared = {id(activation.tensor) for activation in self.plain.values()} if self.plain else set()
        return sum(it.tensor.nbytes for it in self.values() if id(it.tensor) not in shared)

    def residual_stream(self, layer: int) -> Tensor:
        """The residual stream that enters block `layer`; `layer = depth` is what leaves the last one: `b t d`."""
        depth = self.config.depth
        if not 0 <= layer <= depth:
            raise IndexError(f"layer {layer} is outside 0 to {depth} of a model with {depth} blocks")
        return self[stream_name(layer)].tensor

    @torch.no_grad()
    def entering(self, layer: int) -> Tensor:
        """What block `layer` reads, `b t d`: the residual stream, and positions where they are added at every layer."""
        return self.model.place(self.residual_stream(layer), layer, self._again(f"blocks.{layer}.", ignore))

    @torch.no_grad()
    def bias(self, layer: int) -> Tensor | None:
        """What relative positions add to the attention scores of block `layer`: `head q k`."""
        relative = self.block(layer).attn.rel_pos
        return None if relative is None else self.change(f"blocks.{layer}.attn.bias", relative())

    @torch.no_grad()
    def angles(self, layer: int) -> Tensor | None:
        """What rotary positions turn q and k of block `layer` by: `t pairs`."""
        if self.config.positions != "rotary":
            return None
        return self.change(f"blocks.{layer}.attn.angles", rotations(self.config, self.model.device, self.model.dtype))

    @property
    def edits(self) -> Edits:
        """What was changed in this forward pass."""
        return self._applied.edits if self._applied else NO_EDITS

    @property
    def scorings(self) -> Mapping[int, Scoring]:
        """The scorings of layers whose attention is not fused; that of attention pooling under the depth."""
        return self._applied.scorings if self._applied else self.model.scorings

    def change(self, name: str, value: Tensor) -> Tensor:
        """What this forward pass makes of a value: what it is, but for edits."""
        return self._applied(name, value) if self._applied else value

    def passed_on(self, layer: int) -> tuple[float, ...]:
        """What the attention of each head of block `layer` is multiplied with before it enters the residual stream."""
        return self._applied.passed_on(layer) if self._applied else (1.0,) * self.config.heads

    @property
    def repainted(self) -> bool:
        """Whether the picture is not the one that was given."""
        return self._applied is not None and self._applied.repaints

    @torch.no_grad()
    def logits_of(self, image: Tensor) -> Tensor:
        """What the model answers to other pictures under the same edits, `b c h w -> b classes`, pixels as they are."""
        positions = self._applied.positions if self._applied else None
        x = self.model.embed(image, prefixed("embed", self.change), positions)
        return self.model.go_on(x, 0, self.change, self.scorings)

    @torch.no_grad()
    def embedding(self) -> Activations:
        """Inside the embedding: patches, patch_tokens, resid_post."""
        values: dict[str, Tensor] = {}
        positions = self._applied.positions if self._applied else None
        self.model.embed(self["image"].tensor, self._again("embed.", into(values)), positions)
        return Activations(self.config, values, prefix="embed.")

    @torch.no_grad()
    def inside(self, layer: int) -> Activations:
        """Inside block `layer`: norm1, attn.q ... mlp.out, resid_post.

        Scores and weights are written out beside the fused attention, which never shows them.
        """
        values: dict[str, Tensor] = {}
        scoring, prefix = self.scorings.get(layer), f"blocks.{layer}."
        seen = scoring is not None and scoring is not LINEAR
        keep = into(values) if seen else _writing_out("attn", values, scoring)
        again = self._again(prefix, keep)
        self.block(layer)(self.model.place(self.residual_stream(layer), layer, again), again, scoring)
        return Activations(self.config, values, prefix=prefix)

    @torch.no_grad()
    def readout(self, layer: int | None = None) -> Activations:
        """The final norm and head on the stream that leaves the last block, or that enters block `layer`.

        Where attention pooling reads the stream, its stages stand between the two.
        """
        values: dict[str, Tensor] = {}
        depth = self.config.depth
        scoring = self.scorings.get(depth)
        keep = into(values) if scoring else _writing_out("pool", values)
        self.model.classify(self.residual_stream(depth if layer is None else layer), keep, scoring)
        return Activations(self.config, values)

    def last_tokens(self) -> Tensor:
        """What the answer is read off, `b t d`: normalised, but where the last norm stands behind the pooling."""
        return self.readout()["norm"].tensor if self.model.norm else self.residual_stream(self.config.depth)

    def _again(self, prefix: str, keep: Record) -> Record:
        """`keep` for a stage that is run again, after the edits; attention weights are kept before dropout."""

        def record(name: str, value: Tensor) -> Tensor:
            if name == "attn.weights":
                return self.change(prefix + name, keep(name, value))
            return keep(name, self.change(prefix + name, value))

        return record


@torch.no_grad()
def record_embedding(model: ViT, image: Tensor) -> Trace:
    """Run `model` on `image` (`b c h w`) up to its first block: a trace of the image and of what enters that block.

    It can be asked for its `embedding` and for what `entering` block 0; a `KeyError` says that all else is not here.
    """
    return Trace(model, {"image": image, stream_name(0): model.embed(image)})


@torch.no_grad()
def record(
    model: ViT,
    image: Tensor,
    watch: Record = ignore,
    *,
    edits: Edits = NO_EDITS,
    plain: Trace | None = None,
    donor: Trace | None = None,
    means: Mapping[str, Tensor] | None = None,
) -> Trace:
    """Run `model` on `image` (`b c h w`) and keep the trace.

    `watch` is handed every value in passing; the forward pass goes on with what it returns. `edits` change values
    before that. With the `plain` trace of the same image, only what comes after the first edit is run, and watched.
    `donor` is the plain trace of a second picture, and `means` are what `component_means` returned, for edits that put
    in either. Raises `EditsError` where one is missing.
    """
    applied = Applied(edits, model, _other_traces(donor, means)) if edits else None
    first = applied.first if applied and plain else EMBEDDING
    values = {"image": image if first != EMBEDDING or not applied else applied.picture(image)}

    def keep(name: str, value: Tensor) -> Tensor:
        value = watch(name, applied(name, value) if applied else value)
        if name.endswith("resid_post") or name == "logits":
            values[name] = value
        return value

    if applied is None:
        model(image, keep)
    elif plain is None or first == EMBEDDING:
        x = model.embed(values["image"], prefixed("embed", keep), applied.positions)
        model.go_on(x, 0, keep, applied.scorings)
    else:
        values |= {name: plain[name].tensor for name in map(stream_name, range(first))}
        entering = stream_name(first)
        model.go_on(keep(entering, plain[entering].tensor), first, keep, applied.scorings)
    return Trace(model, values, applied, plain if applied else None)


def _other_traces(donor: Trace | None, means: Mapping[str, Tensor] | None) -> OtherTraces:
    if donor is None:
        return OtherTraces(means=means)
    streams = tuple(donor.residual_stream(layer) for layer in range(donor.config.depth))
    return OtherTraces(donor["image"].tensor, streams, means)


def _writing_out(stage: str, values: dict[str, Tensor], scoring: Scoring | None = None) -> Record:
    """A record into `values` that writes out scores and weights of a stage as soon as its q, k and v are there."""
    keep = into(values)

    def record(name: str, value: Tensor) -> Tensor:
        keep(name, value)
        if name == f"{stage}.v":
            q, k, bias = values[f"{stage}.q"], values[f"{stage}.k"], values.get(f"{stage}.bias")
            attention(q, k, value, prefixed(stage, keep), scoring, bias)
        return value

    return record
