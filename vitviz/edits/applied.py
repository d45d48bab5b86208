"""What edits do to one forward pass: the `record` that makes them, and what enters the model beside it.

Nothing here is stored on the model; a value of this kind travels with one request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial, reduce
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from vitviz.edits import pixels
from vitviz.edits.dropout import dropped_out, path
from vitviz.edits.edit import Edit, EditsError
from vitviz.edits.edits import EMBEDDING, Edits
from vitviz.switches.scoring import USUAL, Scoring, earlier, near, never_blind

if TYPE_CHECKING:
    from vitviz.model import ViT

Change = Callable[[Tensor], Tensor]
SITES = ("attn.weights", "attn.out", "mlp.active", "mlp.out")  # of dropout in a block
BRANCHES = ("attn", "mlp")  # of a block, which drop path takes as a whole


@dataclass(frozen=True, slots=True)
class OtherTraces:
    """What edits may refer to, beside the model and its picture.

    `donor_image` `b c h w` and `donor_streams`, what enters each layer, `b t d`, are those of the second picture;
    `means` over the reference set are those of each layer's `attn.z`, `head t dh`, `attn.out` and `mlp.out`, `t d`, by
    name.
    """

    donor_image: Tensor | None = None
    donor_streams: tuple[Tensor, ...] = ()
    means: Mapping[str, Tensor] | None = None


class Applied:
    """`edits` on `model`: called as a `record`, it returns each value as the edits change it.

    `first` is the first block that has to run again, -1 for the embedding; `positions`, `1 t d`, are those that enter
    it; `scorings` those of single layers. Raises `EditsError` where what is needed beside the model is missing.
    """

    def __init__(self, edits: Edits, model: ViT, others: OtherTraces) -> None:
        self.edits = edits
        self.first = EMBEDDING if edits.first is None else edits.first
        self._config = model.config
        self._like = model.positions().detach()
        self._others = others
        if edits.needs_donor and others.donor_image is None:
            raise EditsError(f"“{edits}” needs a second picture, and there is none; choose one")
        if edits.needs_means and others.means is None:
            raise EditsError(f"“{edits}” needs means over a reference set, and there are none; scale by 0 instead")
        at_stem = model.config.positions_at == "stem" and any(edits.of("positions", "shift"))
        self.positions = self._moved(self._like, -2) if at_stem else None
        self._own = model.scorings.get(0)
        self.scorings = self._scorings()
        self._changes: dict[str, list[Change]] = {}
        for name, change in self._all_changes():
            self._changes.setdefault(name, []).append(change)

    def __call__(self, name: str, value: Tensor) -> Tensor:
        for change in self._changes.get(name, ()):
            value = change(value)
        return value

    def picture(self, image: Tensor) -> Tensor:
        """The picture as the edits paint, shuffle and swap its patches: `b c h w`."""
        return pixels.edited(image, self.edits, self._config.grid, self._others.donor_image)

    def passed_on(self, layer: int) -> tuple[float, ...]:
        """What the attention of each head of a layer is multiplied with before it enters the stream.

        1 as a rule, 0 where the head, or what it is in, is off, drops out or is at its mean: no token is in that.
        """
        factors = [1.0] * self._config.heads
        for edit in self.edits.of("head", "attention", "block"):
            if edit.layer == layer:
                for head in edit.places or range(self._config.heads):
                    factors[head] *= 0 if edit.word else edit.number
        for edit in self.edits.of("drop_path"):
            factors = [it * path(edit.number, edit.seed, layer, self._config.depth, 0) for it in factors]
        return tuple(factors)

    @property
    def repaints(self) -> bool:
        """Whether `picture` changes anything."""
        return pixels.changes(self.edits)

    def _moved(self, positions: Tensor, *axes: int) -> Tensor:
        """Positions as the edits leave them to the patches; `axes` are those of tokens."""
        prefix, patches = len(self._config.prefix_tokens), self._config.patches
        for axis in axes:
            before, learned = positions.split([prefix, patches], dim=axis)
            places = torch.arange(patches)
            for edit in sorted(self.edits.of("positions"), key=lambda it: it.is_swap):
                if edit.word == "off":
                    learned = torch.zeros_like(learned)
                else:
                    places = places[pixels.new_order(edit, patches)]
            ours = learned.index_select(axis, places.to(learned.device))
            for edit in self.edits.of("shift"):
                moved = torch.tensor(edit.places)
                further = self._further(learned, axis, places[moved], edit.number)
                ours = ours.index_copy(axis, moved.to(ours.device), further)
            positions = torch.cat([before, ours], dim=axis)
        return positions

    def _further(self, learned: Tensor, axis: int, places: Tensor, shift: float) -> Tensor:
        """The positions `shift` columns to the right of `places`, on the line through the two nearest columns."""
        columns = self._config.grid[1]
        column = places % columns
        first = (column + shift).floor().long().clamp(max=max(0, columns - 2))
        share = (column + shift - first).to(learned).view(-1, *[1] * (-axis - 1))
        left = places - column + first
        near, far = (learned.index_select(axis, it.to(learned.device)) for it in (left, left + min(1, columns - 1)))
        return near + share * (far - near)

    def _scorings(self) -> dict[int, Scoring]:
        """The scoring of each layer that has one, and that of attention pooling under the depth."""
        seen = self._seen()
        mask = cache(partial(self._mask, seen))  # as a rule the same in all layers
        found = {layer: self._scoring(layer, mask) for layer in range(self._config.depth)}
        if self._config.pool == "attention" and seen is not None:
            found[self._config.depth] = Scoring(mask=seen)
        return {layer: scoring for layer, scoring in found.items() if scoring is not None}

    def _scoring(self, layer: int, mask: Callable[[int | None, bool], Tensor | None]) -> Scoring | None:
        temperature, divided, most, window, causal = (
            self.edits.setting(kind, layer) for kind in ("temperature", "scale", "top_k", "window", "causal")
        )
        ordered = causal is not None and causal.word == "causal"
        own = self._own or USUAL
        written_out = temperature or divided or most or window or ordered or any(self.edits.of("dropout"))
        if not written_out and not self.edits.hidden:
            return self._own
        scale, dh = own.scale, self._config.head_dim
        if temperature or divided:
            usual = dh**0.5 if scale is None else 1 / scale
            by = {"sqrt": dh**0.5, "dh": float(dh), "none": 1.0}[divided.word] if divided else usual
            scale = 1 / (by * (temperature.number if temperature else 1))
        sees = mask(int(window.number) if window else None, ordered)
        return replace(own, scale=scale, mask=sees, top_k=int(most.number) if most else own.top_k)

    def _mask(self, seen: Tensor | None, radius: int | None, ordered: bool) -> Tensor | None:
        """What is seen of the keys that are not hidden, in a window of `radius` or the model's own: `q k`."""
        own = (self._own or USUAL).mask if radius is None else near(self._config, radius, self._like.device)
        before = earlier(self._config.tokens, self._like.device) if ordered else None
        masks = [mask for mask in (seen, own, before) if mask is not None]
        return never_blind(reduce(torch.logical_and, masks)) if masks else None

    def _seen(self) -> Tensor | None:
        """The keys that are not hidden: `1 k`."""
        hidden = self.edits.hidden
        if not hidden:
            return None
        seen = torch.ones(1, self._config.tokens, dtype=torch.bool, device=self._like.device)
        seen[:, self._tokens(hidden)] = False
        return seen

    def _all_changes(self) -> Iterable[tuple[str, Change]]:
        """Which value each edit changes, in the order in which they do."""
        edits, config = self.edits, self._config
        if any(edits.of("positions", "shift")):
            for layer in range(config.depth):
                yield f"blocks.{layer}.positions", lambda added: self._moved(added, -2)
                yield f"blocks.{layer}.attn.angles", lambda angles: self._moved(angles, -2)
                yield f"blocks.{layer}.attn.bias", lambda bias: self._moved(bias, -2, -1)
        for edit in edits.of("dropout"):
            placed = "embed.tokens" if config.input_norm else "embed.resid_post"
            sites = [placed, *(f"blocks.{layer}.{site}" for layer in range(config.depth) for site in SITES)]
            for number, name in enumerate(sites):
                at = name.replace(".out", ".unscaled") if config.layer_scale else name
                yield at, partial(dropped_out, rate=edit.number, seed=edit.seed, site=number)
        for edit in edits.of("drop_path"):
            for layer in range(config.depth):
                for branch, part in enumerate(BRANCHES):
                    factor = path(edit.number, edit.seed, layer, config.depth, branch)
                    yield f"blocks.{layer}.{part}.out", partial(torch.mul, other=factor)
        for edit in edits.of("head"):
            yield f"blocks.{edit.layer}.attn.z", self._of_heads(edit)
        for edit in edits.of("attention", "mlp"):
            name = f"blocks.{edit.layer}.{'attn' if edit.kind == 'attention' else 'mlp'}.out"
            yield name, self._scaled_or_mean(edit, name)
        for edit in edits.of("block"):
            for part in BRANCHES:
                yield f"blocks.{edit.layer}.{part}.out", partial(torch.mul, other=edit.number)
        removed = [patch for edit in edits.of("patch") if edit.word == "removed" for patch in edit.places]
        if removed:
            for name in map(stream_name, range(config.depth + 1)):
                yield name, partial(torch.index_fill, dim=1, index=self._tokens(removed), value=0)
        for edit in edits.of("donor"):
            tokens = torch.tensor(edit.places) if edit.prefix else self._tokens(edit.places)
            tokens = tokens.to(self._like.device)
            layer = edit.layer or 0
            rows = self._others.donor_streams[layer][:1, tokens].clone()
            yield stream_name(layer), partial(_put_in, tokens=tokens, rows=rows)

    def _of_heads(self, edit: Edit) -> Change:
        heads = torch.tensor(edit.places, device=self._like.device)
        if edit.word:
            mean = self._mean(edit, f"blocks.{edit.layer}.attn.z")[heads]
            return lambda z: z.index_copy(1, heads, mean.expand_as(z[:, heads]))
        factor = self._like.new_ones(self._config.heads, 1, 1)
        factor[heads] = edit.number
        return partial(torch.mul, other=factor)

    def _scaled_or_mean(self, edit: Edit, name: str) -> Change:
        if edit.word:
            mean = self._mean(edit, name)
            return lambda out: mean.expand_as(out)
        return partial(torch.mul, other=edit.number)

    def _mean(self, edit: Edit, name: str) -> Tensor:
        """Over the reference set, token by token, or over its tokens as well: `... t d` or `... 1 d`."""
        assert self._others.means is not None
        mean = self._others.means[name].to(self._like)
        return mean.mean(dim=-2, keepdim=True) if edit.word == "mean.all" else mean

    def _tokens(self, patches: Iterable[int]) -> Tensor:
        """Where patches stand in the sequence."""
        return torch.tensor(list(patches), device=self._like.device) + len(self._config.prefix_tokens)


def stream_name(layer: int) -> str:
    """The name of the residual stream that enters block `layer`; `layer = depth` is what leaves the last one."""
    return "embed.resid_post" if layer == 0 else f"blocks.{layer - 1}.resid_post"


def _put_in(stream: Tensor, tokens: Tensor, rows: Tensor) -> Tensor:
    return stream.index_copy(1, tokens, rows.expand(len(stream), -1, -1))
