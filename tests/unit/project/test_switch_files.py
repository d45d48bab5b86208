"""What a new switch of the architecture costs: field, model, activation, part and card; all else follows from them."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]

CARD = """Z_NORM = Card("z_norm", "Norm of the heads", "attention", (
    Choice(False, "None.", "z", (("Attention.forward", "self.proj("),), VIT),
    Choice(True, "One.", r"\\new{z}", (("Attention.forward", "self.z_norm("),), VIT),
))
"""


def named(tree: ast.AST, kind: type[ast.AST], name: str) -> Any:
    """The class or function of that name, or what is assigned to it."""
    for node in ast.walk(tree):
        names = [getattr(node, "name", "")]
        if isinstance(node, ast.Assign):
            names = [it.id for it in node.targets if isinstance(it, ast.Name)]
        if isinstance(node, kind) and name in names:
            return node
    raise LookupError(name)


def call(tree: ast.AST, called: str, first: str = "") -> ast.Call:
    """The call of that function, with that text as its first argument where one is asked for."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) != called:
            continue
        if first in ("", *(it.value for it in node.args[:1] if isinstance(it, ast.Constant))):
            return node
    raise LookupError(f"{called}({first!r})")


def changed(source: str, old: Any, new: Callable[[str], str]) -> str:
    """The source with a part of it written anew."""
    lines = source.encode().splitlines(keepends=True)
    starts = [sum(map(len, lines[:at])) for at in range(len(lines))]
    start = starts[old.lineno - 1] + old.col_offset
    end = starts[old.end_lineno - 1] + old.end_col_offset
    text = source.encode()
    return (text[:start] + new(text[start:end].decode()).encode() + text[end:]).decode()


def field(source: str) -> str:
    """A field after the last of the configuration."""
    fields = [it for it in named(ast.parse(source), ast.ClassDef, "ViTConfig").body if isinstance(it, ast.AnnAssign)]
    return changed(source, fields[-1], lambda text: f"{text}\n    z_norm: bool = False")


def modules(source: str) -> str:
    """A norm of what the heads give, before they are projected."""
    attention = named(ast.parse(source), ast.ClassDef, "Attention")
    made = "self.z_norm = nn.LayerNorm(config.heads * config.head_dim, config.epsilon) if config.z_norm else None"
    start = named(attention, ast.FunctionDef, "__init__").body[-1]
    source = changed(source, start, lambda text: f"{text}\n        {made}")
    attention = named(ast.parse(source), ast.ClassDef, "Attention")
    joined = call(named(attention, ast.FunctionDef, "forward"), "self.proj").args[0]
    normed = 'it if self.z_norm is None else record("normed", self.z_norm(it))'
    return changed(source, joined, lambda text: f"(lambda it: {normed})({text})")


def activation(source: str) -> str:
    """The name under which it is recorded, after that of what it normalises."""
    z = call(ast.parse(source), "ActivationName", "blocks.{i}.attn.z")
    name = 'ActivationName("blocks.{i}.attn.normed", "b t (head dh)", ATTENTION, when="z_norm")'
    return changed(source, z, lambda text: f"{text},\n    {name}")


def part(source: str) -> str:
    """Its parameters, before those of the projection."""
    proj = call(ast.parse(source), "linear", "blocks.{i}.attn.proj")
    norm = 'norm("blocks.{i}.attn.z_norm", "norm before the projection", "attn.normed", "z_norm", "(head dh)")'
    return changed(source, proj, lambda text: f"{norm},\n    *{text}")


def card(source: str) -> str:
    """Its card, the first of its chapter."""
    cards = named(ast.parse(source), ast.Assign, "CARDS")
    value = ast.unparse(cards.value)
    return changed(source, cards, lambda _: f"{CARD}CARDS = (Z_NORM, *{value})")


NEW_SWITCH = {
    "config/config.py": field,
    "model.py": modules,
    "activations.py": activation,
    "counts/parts.py": part,
    "cards/attention.py": card,
}
ALL_FOLLOWS = """
import torch
from vitviz.cards import CARDS
from vitviz.cards.change import compared, totals
from vitviz.config import ViTConfig
from vitviz.counts import layer_table, parameters, total_parameters
from vitviz.counts.tensors import tensors
from vitviz.model import ViT
from vitviz.trace import record
from vitviz.ui.sidebar.own_model import FIELDS, beside_the_paper, config_of, values_of
from vitviz.weights import infer_config

off = ViTConfig(image_size=16, patch_size=8, dim=64, depth=2, heads=1, mlp_dim=12, classes=3)
on = off.with_(z_norm=True)
model, image = ViT(on), torch.randn(1, 3, 16, 16, generator=torch.Generator().manual_seed(0))
built = sum(it.numel() for it in model.parameters())
assert total_parameters(on) == sum(row.count for row in parameters(on)) == built == total_parameters(off) + 2 * 2 * 64
assert [(row.module, row.shape) for row in layer_table(on) if row.module == "blocks.1.attn.z_norm"] == [
    ("blocks.1.attn.z_norm", (-1, 5, 64))
]
inside = record(model, image).inside(1)
assert torch.equal(inside["attn.normed"].tensor, model.blocks[1].attn.z_norm(inside["attn.z"].tensor[:, 0]))
assert "attn.normed" in {row.name.removeprefix("blocks.1.") for row in tensors(on)}
assert infer_config(model.state_dict()) == on
assert FIELDS["z_norm"].label == "Z norm" and config_of(values_of(on)) == on
assert beside_the_paper(on)[-1] == "z norm"
assert "z_norm=True" in on.key
card = CARDS["z_norm"]
assert totals(*compared(off, card, card.choice(True)))[0].change == 256
print("all follows")
"""


def test_all_follows_from_field_model_activation_part_and_card(tmp_path: Path) -> None:
    for path in (ROOT / "vitviz").rglob("*.py"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    for name, written in NEW_SWITCH.items():
        path = tmp_path / "vitviz" / name
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
    run = subprocess.run([sys.executable, "-c", ALL_FOLLOWS], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stdout == "all follows\n", run.stderr
