"""Where parameters and arithmetic sit: the tables of parts and products, grouped by kind, by step and by column."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from vitviz.config import ViTConfig
from vitviz.counts.anatomy import KINDS, Part, Product
from vitviz.counts.formula import Item, Symbols, item, put_in, symbols, times, total, value
from vitviz.counts.parts import parts, products

It = TypeVar("It", Part, Product)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the forward pass that has parameters: `once` from `formula`, `times` in the model, `count` in all.

    `kind` is the item of `parameter_split` that it belongs to; `where` is "embedding", "block" or "head"; `stage` is
    that of its rows in `parameters`.
    """

    name: str
    kind: str
    where: str
    stage: str
    formula: str
    numbers: str
    once: int
    times: int
    count: int


@lru_cache
def parameter_split(config: ViTConfig) -> tuple[Item, ...]:
    """All parameters by kind, in the order of the forward pass; the counts sum to `total_parameters`."""
    return split(parts(config), config)


def block_split(config: ViTConfig) -> tuple[Item, ...]:
    """The parameters of one block by kind."""
    inside, numbers = [step for step in steps(config) if step.where == "block"], symbols(config)
    return tuple(
        item(kind, total(step.formula for step in inside if step.kind == kind), numbers)
        for kind in sorted({step.kind for step in inside}, key=KINDS.index)
    )


def block_matrices(config: ViTConfig, key: Callable[[Part], str] | None = None) -> tuple[Item, ...]:
    """The matrices of one block, without biases and all else, by kind or by another key."""
    numbers = symbols(config)
    groups = grouped((it for it in parts(config) if it.where == "block" and it.sort == "matrix"), key or _kind)
    return tuple(item(name, total(it.formula(numbers) for it in group), numbers) for name, group in groups.items())


@lru_cache
def mac_split(config: ViTConfig) -> tuple[Item, ...]:
    """All multiply-accumulates by kind, in the order of the forward pass; the counts sum to `total_macs`.

    Only QKᵀ and AV grow with the square of the number of tokens t; all others are linear in it.
    """
    numbers = symbols(config)
    groups = grouped(products(config), lambda product: product.kind)
    return tuple(summed(kind, group, numbers) for kind, group in groups.items())


def fused_macs(config: ViTConfig) -> int:
    """Multiply-accumulates of scores and weighted values where one fused call makes both."""
    fused = {"pool.scores", "pool.z", *(("attn.scores", "attn.z") if config.plain_scores else ())}
    group = [it for it in products(config) if it.makes in fused]
    return summed("fused attention", group, symbols(config)).count if group else 0


def mac_steps(config: ViTConfig) -> dict[str, int]:
    """Multiply-accumulates of each step of the forward pass, over all blocks; they sum to `total_macs`."""
    numbers = symbols(config)
    steps = grouped(products(config), lambda product: product.step)
    return {step: summed(step, group, numbers).count for step, group in steps.items()}


@lru_cache
def steps(config: ViTConfig) -> tuple[Step, ...]:
    """Every step that has parameters, in the order of the forward pass; the counts sum to `total_parameters`."""
    numbers = symbols(config)
    return tuple(_step(group, numbers) for group in grouped(parts(config), lambda part: part.step).values())


def columns(config: ViTConfig) -> tuple[tuple[str, dict[str, int]], ...]:
    """The same parameters cut along the forward pass: embedding, block by block, norm and head; each by kind."""
    places: dict[str, dict[str, int]] = {"embedding": {}, "block": {}, "head": {}}
    for step in steps(config):
        kinds = places[step.where]
        kinds[step.kind] = kinds.get(step.kind, 0) + step.once
    blocks = ((f"block {layer}", places["block"]) for layer in range(1, config.depth + 1))
    return (("embedding", places["embedding"]), *blocks, ("norm and head", places["head"]))


def split(chosen: Sequence[Part], config: ViTConfig, key: Callable[[Part], str] | None = None) -> tuple[Item, ...]:
    """Some parts of the model as items, by kind or by another key, listed in the order of `KINDS`."""
    ordered = sorted(chosen, key=lambda part: KINDS.index(part.kind))
    groups, numbers = grouped(ordered, key or _kind), symbols(config)
    return tuple(summed(name, group, numbers) for name, group in groups.items())


def grouped(its: Iterable[It], key: Callable[[It], str]) -> dict[str, list[It]]:
    """Parts or products by a key, in the order in which the keys come first."""
    groups: dict[str, list[It]] = {}
    for it in its:
        groups.setdefault(key(it), []).append(it)
    return groups


def summed(name: str, its: Sequence[Part] | Sequence[Product], numbers: Symbols) -> Item:
    """All of them as one item: those of a block `depth` times, then those outside the blocks."""
    inside, outside = ([it.formula(numbers) for it in its if (it.where == "block") == block] for block in (True, False))
    block = [times("depth", total(inside))] if inside else []
    return item(name, " + ".join([*block, *([total(outside)] if outside else [])]), numbers)


def _kind(part: Part) -> str:
    return part.kind


def _step(group: Sequence[Part], numbers: Symbols) -> Step:
    first = group[0]
    formula = total(part.formula(numbers) for part in group)
    once = value(formula, numbers)
    count = numbers["depth"] if first.where == "block" else 1
    return Step(
        first.step, first.kind, first.where, first.stage, formula, put_in(formula, numbers), once, count, count * once
    )
