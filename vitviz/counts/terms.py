"""The formulas behind a ledger line: what the stage itself takes, and everything that stands before it."""

from vitviz.config import ViTConfig
from vitviz.counts.formula import Item, items, symbols
from vitviz.counts.steps import block_lines, embedding_lines, head_lines
from vitviz.counts.totals import block_parameters

MEANINGS = {
    "b": "batch",
    "c": "channels",
    "h": "image height",
    "w": "image width",
    "ph": "patch height",
    "pw": "patch width",
    "n": "patches",
    "t": "tokens",
    "d": "dim",
    "m": "MLP width",
    "depth": "blocks",
    "block": "parameters of one block",
    "classes": "in the head",
    "registers": "register tokens",
}
Lines = list[tuple[str, str]]


def ledger_terms(config: ViTConfig, stage: str, layer: int = 0) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Items before the stage, and items of the stage; those of the stage sum to the ledger's `here`, all to `so_far`.

    Stages and layers are those of `ledger`.
    """
    numbers = symbols(config) | {"block": block_parameters(config)}
    before, here = _lines(config, stage, layer)
    return items(before, numbers), items(here, numbers)


def _lines(config: ViTConfig, stage: str, layer: int) -> tuple[Lines, Lines]:
    embedding, block, head = (
        [(name, formula) for name, _, formula in lines(config)] for lines in (embedding_lines, block_lines, head_lines)
    )
    patch_embedding, tokens = embedding[:1], embedding[1:]
    attention = [(name, formula) for name, kind, formula in block_lines(config) if kind == "attention"]
    blocks_before = "1 block before" if layer == 1 else f"{layer} blocks before"
    before_block = [*embedding, *([(blocks_before, f"{layer}·block")] if layer else [])]
    all_blocks = [("all blocks", "depth·block")]
    return {
        "model": ([], [*embedding, *all_blocks, *head]),
        "patches": ([], []),
        "patch_embedding": ([], patch_embedding),
        "position_embedding": (patch_embedding, tokens),
        "attention": ([*before_block, block[0]], attention),
        "block": (before_block, block),
        "blocks": (embedding, all_blocks),
        "head": ([*embedding, *all_blocks], head),
    }[stage]
