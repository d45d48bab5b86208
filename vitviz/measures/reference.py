"""Means of what heads, attention and MLPs make over a reference set of pictures: what a part is set to, if not to 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from vitviz.machine.pytorch import no_grad

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT

    Means = Mapping[str, Tensor]

AVERAGED = ("attn.z", "attn.out", "mlp.out")


@no_grad
def component_means(model: ViT, batches: Iterable[Tensor]) -> dict[str, Tensor]:
    """The mean of every layer's `attn.z`, `head t dh`, `attn.out` and `mlp.out`, `t d`, by name, over all pictures.

    Token by token: nothing is averaged but pictures, which come in batches, `b c h w`.
    """
    sums: dict[str, Tensor] = {}
    pictures = 0

    def add(name: str, value: Tensor) -> Tensor:
        if name.endswith(AVERAGED) and name.startswith("blocks."):
            total = value.float().sum(dim=0)
            sums[name] = sums[name] + total if name in sums else total
        return value

    for batch in batches:
        model(batch, add)
        pictures += len(batch)
    return {name: total / pictures for name, total in sums.items()}
