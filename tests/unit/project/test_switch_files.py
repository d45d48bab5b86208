"""What a switch of the architecture costs in files: five suffice for a new one, and stems are written in as few."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

# A norm of what the heads give, before they are projected: in each file a place, and what is written there.
NEW_SWITCH = {
    "vitviz/config/config.py": {
        "    norm_after_pooling: bool = False\n": "    norm_after_pooling: bool = False\n    z_norm: bool = False\n",
    },
    "vitviz/model.py": {
        "        self.proj = nn.Linear(width, config.dim)\n": (
            "        self.proj = nn.Linear(width, config.dim)\n"
            "        self.z_norm = nn.LayerNorm(width, config.epsilon) if config.z_norm else None\n"
        ),
        '        return self.proj(rearrange(z, "b head t dh -> b t (head dh)"))\n': (
            '        joined = rearrange(z, "b head t dh -> b t (head dh)")\n'
            '        return self.proj(joined if self.z_norm is None else record("normed", self.z_norm(joined)))\n'
        ),
    },
    "vitviz/activations.py": {
        '    ActivationName("blocks.{i}.attn.unscaled"': (
            '    ActivationName("blocks.{i}.attn.normed", "b t (head dh)", ATTENTION, when="z_norm"),\n'
            '    ActivationName("blocks.{i}.attn.unscaled"'
        ),
    },
    "vitviz/counts/parts.py": {
        '    *linear("blocks.{i}.attn.proj"': (
            '    *norm("blocks.{i}.attn.z_norm", "norm before the projection", "attn.normed", "z_norm", "(head dh)"),\n'
            '    *linear("blocks.{i}.attn.proj"'
        ),
    },
    "vitviz/cards/attention.py": {
        "CARDS = (": (
            'Z_NORM = Card("z_norm", "Norm of the heads", "attention", "heads", (\n'
            '    Choice(False, "None.", "z", (("Attention.forward", "joined ="),), VIT),\n'
            '    Choice(True, "One.", r"\\\\new{z}", (("Attention.forward", "self.z_norm(joined)"),), VIT),\n'
            "))\nCARDS = (Z_NORM, "
        ),
    },
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


def sources() -> list[Path]:
    return [
        path for folder in ("vitviz", "pages") for path in (ROOT / folder).rglob("*.*") if path.suffix in (".py", ".js")
    ]


def naming(pattern: str) -> set[str]:
    """The source files in which a pattern is found."""
    return {str(path.relative_to(ROOT)) for path in sources() if re.search(pattern, path.read_text())}


def test_five_files_make_a_switch(tmp_path: Path) -> None:
    assert len(NEW_SWITCH) == 5
    for path in (ROOT / "vitviz").rglob("*.py"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    for name, changes in NEW_SWITCH.items():
        text = (tmp_path / name).read_text()
        for place, written in changes.items():
            assert text.count(place) == 1, (name, place)
            text = text.replace(place, written)
        (tmp_path / name).write_text(text)
    run = subprocess.run([sys.executable, "-c", ALL_FOLLOWS], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stdout == "all follows\n", run.stderr


def test_the_worked_example_is_in_those_five_and_where_it_is_drawn() -> None:
    """Patch norms: field, model, activations, parts and card; their page and its scene draw more of them."""
    drawn = {path for path in naming(r"patch_norm(?!=)") if path.startswith(("pages/", "vitviz/ui/"))}
    assert all("tokens/patch_embedding" in path for path in drawn), drawn
    assert naming(r"patch_norm(?!=)") - drawn - {"vitviz/cards/names.py"} == {
        "vitviz/config/config.py",
        "vitviz/model.py",
        "vitviz/activations.py",
        "vitviz/counts/parts.py",
        "vitviz/cards/patches.py",
    }


def test_a_kind_of_stem_is_its_convolutions_its_modules_and_its_card() -> None:
    """Beside them only how other code calls it, and whose names files have."""
    others = {path for path in naming(r'"r50"|R50') if path.startswith("vitviz/weights/")} | {"vitviz/cards/names.py"}
    assert naming(r'"r50"|R50') - others == {
        "vitviz/config/config.py",
        "vitviz/config/stems.py",
        "vitviz/switches/stems.py",
        "vitviz/cards/patches.py",
    }
