"""A checkpoint in the model's own names: which tensors each parameter is made of, and how.

Parts that are stored apart there and as one here (q, k and v) are joined.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from torch import Tensor

from vitviz.shown import quoted
from vitviz.weights.naming.layouts import LAYOUTS, Layout

JOINED = {
    ".attn.qkv.": (".attn.q.", ".attn.k.", ".attn.v."),
    ".mlp.fc1.": (".mlp.gate.", ".mlp.up."),
}
VECTORS = ("cls_token", "dist_token", "reg_token", "pos_embed", "attn_pool.latent")
WRAPPER = re.compile(r"^(?:(?:module|model|_orig_mod|teacher|backbone|student|encoder_q|img|params|opt|target)[./])+")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one of our parameters is made: from these tensors, one below the other, of which `thirds` are taken."""

    sources: tuple[str, ...]
    layout: Layout
    thirds: tuple[int, int] = (0, 3)

    def make(self, read: Callable[[str], Tensor], target: str) -> Tensor:
        """The parameter `target`; `read` gives a tensor by its name in the file.

        Raises `RuntimeError` or `IndexError` for tensors that cannot be one.
        """
        parts = [_straight(read(name), target) if self.layout.transposed else read(name) for name in self.sources]
        whole = _stacked(parts) if len(parts) > 1 else parts[0]
        if self.thirds != (0, 3):
            first, last = (third * whole.shape[0] // 3 for third in self.thirds)
            whole = whole[first:last].clone()
        return (whole.reshape(1, -1, whole.shape[-1]) if target in VECTORS else whole).contiguous()


@dataclass(frozen=True, slots=True)
class Translation:
    """A checkpoint in our names: recipes by parameter, names left out with the reason, unknown names."""

    recipes: Mapping[str, Recipe]
    left_out: Mapping[str, str]
    unknown: tuple[str, ...]


def find_layout(names: Iterable[str]) -> tuple[Layout, str] | None:
    """The layout that a checkpoint is written in, and what training programs put before its names; None for none.

    Where a teacher and a student stand side by side, as in DINO, the teacher is the model.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        wrapper = WRAPPER.match(name)
        groups.setdefault(wrapper.group() if wrapper else "", []).append(name)
    for before in sorted(groups, key=lambda before: ("teacher" not in before, -len(groups[before]))):
        inside = [name.removeprefix(before) for name in groups[before]]
        for layout in LAYOUTS:
            if layout.knows(inside):
                return layout, before
    return None


def translate(layout: Layout, wrapper: str, names: Iterable[str]) -> Translation:
    """Which of our parameters each tensor of a checkpoint becomes; `wrapper` is what stands before its names."""
    targets: dict[str, list[str]] = {}
    left_out: dict[str, str] = {}
    unknown: list[str] = []
    for name in names:
        inside = name.removeprefix(wrapper)
        target = _target(layout, inside) if name.startswith(wrapper) else None
        reason = next((why for pattern, why in layout.left_out.items() if re.fullmatch(pattern, inside)), None)
        reason = reason or (None if name.startswith(wrapper) else f"stands beside {quoted(wrapper.rstrip('./'))}")
        if target:
            targets.setdefault(target, []).append(name)
        elif reason:
            left_out[name] = reason
        else:
            unknown.append(name)
    unknown += [name for same in targets.values() for name in same[1:]]
    recipes = {target: Recipe((same[0],), layout) for target, same in targets.items()}
    return Translation(_split(_join(recipes)), left_out, tuple(unknown))


def _target(layout: Layout, name: str) -> str | None:
    """Our name for `name`: looked up whole, then as a module with the last word kept."""
    local = re.sub(f"^{layout.prefix}", "", name).replace("/", ".")
    number = re.search(r"(?<=block_)\d{1,4}(?=\.)" if layout.transposed else r"(?<=\.)\d{1,4}(?=\.)", local)
    general = local[: number.start()] + "{i}" + local[number.end() :] if number else local
    module, _, leaf = general.rpartition(".")
    leaf = {"kernel": "weight", "scale": "weight"}.get(leaf, leaf) if layout.transposed else leaf
    found = layout.names.get(general)
    if found is None and leaf in ("weight", "bias") and module in layout.names:
        found = f"{layout.names[module]}.{leaf}"
    return found.replace("{i}", number.group()) if found and number else found


def _join(recipes: dict[str, Recipe]) -> dict[str, Recipe]:
    """Parts that belong together as one recipe, in the place of the first."""
    joined = {}
    for target, recipe in recipes.items():
        whole, parts = next(((w, p) for w, p in JOINED.items() if any(part in target for part in p)), ("", ()))
        part = next((part for part in parts if part in target), "")
        siblings = [target.replace(part, other) for other in parts]
        if not part or not all(sibling in recipes for sibling in siblings):
            joined[target] = recipe
        elif part == parts[0]:
            sources = tuple(recipes[sibling].sources[0] for sibling in siblings)
            joined[target.replace(part, whole)] = Recipe(sources, recipe.layout)
    return joined


def _split(recipes: dict[str, Recipe]) -> dict[str, Recipe]:
    """q, k and v of the attention pooling are one there; here the query stands apart."""
    split = {}
    for target, recipe in recipes.items():
        if target.startswith("attn_pool.qkv."):
            leaf = target.rpartition(".")[2]
            split[f"attn_pool.q.{leaf}"] = Recipe(recipe.sources, recipe.layout, (0, 1))
            split[f"attn_pool.kv.{leaf}"] = Recipe(recipe.sources, recipe.layout, (1, 3))
        else:
            split[target] = recipe
    return split


def _stacked(parts: list[Tensor]) -> Tensor:
    """The parts one below the other; `torch.cat` on the meta device would import a compiler first."""
    if len({part.shape[1:] for part in parts}) > 1:
        raise RuntimeError("parts of different widths cannot stand one below the other")
    rows = [part.shape[0] for part in parts]
    whole = parts[0].new_empty(sum(rows), *parts[0].shape[1:])
    for part, place in zip(parts, whole.split(rows), strict=True):
        place.copy_(part)
    return whole


def _straight(tensor: Tensor, target: str) -> Tensor:
    """Google's arrays as ours: kernels have their outputs last, and heads as an axis of their own."""
    if target == "patch_embed.proj.weight":
        return tensor.permute(3, 2, 0, 1)  # ph pw c d -> d c ph pw
    if ".attn.qkv." in target:
        return tensor.reshape(tensor.shape[0], -1).T if target.endswith("weight") else tensor.reshape(-1)
    if ".attn.proj.weight" in target:
        return tensor.reshape(-1, tensor.shape[-1]).T  # head dh d -> d (head dh)
    return tensor.T if target.endswith("weight") and tensor.ndim == 2 else tensor
