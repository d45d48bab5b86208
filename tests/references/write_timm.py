"""Write down what timm's models are called, how large they are, and what small ones with known parameters answer.

Run from the root of the repository, where timm is installed beside the project's own packages (1.0.31 was):
`python -m tests.references.write_timm`. It needs no weights and no network. timm asks for torchvision, but uses it only
to read data sets; where it is not installed, a stand-in takes its place.
"""

import json
import re
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import torch
from torch import Tensor, nn

from tests.references.fill import numbers, picture
from tests.references.others import SENTENCES

FOLDER = Path(__file__).parent
SMALL = {"img_size": 32, "patch_size": 8, "embed_dim": 24, "depth": 2, "num_heads": 3}
CLASSES = 5
# What timm's constructor is told beside a name, and what a card would say of it: nobody published such a model.
VARIANTS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "a table in each block": ("vit_relpos_base_patch16_plus_240", {"rel_pos_type": "bias"}, {}),
    "a table for all blocks": ("vit_srelpos_small_patch16_224", {"rel_pos_type": "bias"}, {}),
    "tables and a mean, normalised": ("vit_relpos_small_patch16_224", {"rel_pos_type": "bias"}, {}),
    "norms by the root mean square": (
        "vit_little_patch16_reg4_gap_256",
        {"norm_layer": "rmsnorm"},
        {"model_args": {"norm_layer": "rmsnorm"}},
    ),
    "a mean beside the class token": (
        "vit_base_patch16_224",
        {"global_pool": "avg", "fc_norm": False},
        {"global_pool": "avg"},
    ),
    "a mean beside the class token, normalised": (
        "vit_base_patch16_224",
        {"global_pool": "avg"},
        {"global_pool": "avg"},
    ),
    "a class token that is normalised alone": ("vit_base_patch16_224", {"fc_norm": True}, {"global_pool": "token"}),
}

SHOWN = ["vit_*", "deit*", "flexivit*", "eva_large*"]
NOT_SHOWN = [
    *("*_map_*", "*rope*", "*dinov3*", "*lingbot*", "*sapiens2*", "*_pe_*", "*radio*", "*intern*", "*_rpn_*"),
    *("*resnet*", "*_r26_*", "*_r50_*", "*_r_s16_*", "*_mci_*", "*_18x2_*", "*_xp_*"),
    *("*_dlittle_*", "*_dwee_*", "*_dpwee_*", "*_pwee_*"),
]


def stand_in_for_torchvision() -> None:
    """Let `import torchvision` succeed and mean nothing, where the real one is not installed."""

    class StandIn:
        def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
            return ModuleSpec(name, self, is_package=True) if name.split(".")[0] == "torchvision" else None  # type: ignore[arg-type]

        def create_module(self, spec: ModuleSpec) -> Any:
            return MagicMock(name=spec.name, __name__=spec.name, __path__=[], __spec__=spec, __version__="0")

        def exec_module(self, module: object) -> None:
            pass

    if find_spec("torchvision") is None:
        sys.meta_path.insert(0, StandIn())


def shapes_of(model: nn.Module) -> dict[str, list[int]]:
    return {name: list(tensor.shape) for name, tensor in model.state_dict().items()}


def one_of_each(shapes: dict[str, list[int]]) -> dict[str, list[int]]:
    """Of names that differ in their numbers alone, the first: one block stands for all."""
    firsts: dict[str, str] = {}
    for name in shapes:
        firsts.setdefault(re.sub(r"\d+", "#", name), name)
    return {name: shapes[name] for name in firsts.values()}


def sizes_of(model: Any) -> dict[str, object]:
    """A model's sizes, by the names of `ViTConfig`.

    What makes relative positions is not among its parameters: an MLP there, tables here.
    """
    block, (rows, columns) = model.blocks[0], model.patch_embed.grid_size
    assert rows == columns
    activation, state = getattr(block.mlp, "act", None), model.state_dict()
    gated = block.mlp.fc1.out_features == 2 * block.mlp.fc2.in_features
    relative = any("rel_pos" in name for name in state)
    special = relative or model.pos_embed.shape[1] > rows * columns
    pools = {"map": "attention", "avg": "mean", "token": "class"}
    return {
        "image_size": rows * model.patch_embed.patch_size[0],  # of 384 pixels and patches of 14, 378 are seen
        "patch_size": model.patch_embed.patch_size[0],
        "dim": model.embed_dim,
        "depth": len(model.blocks),
        "heads": block.attn.num_heads,
        "mlp_dim": block.mlp.fc2.in_features,
        "classes": getattr(model.head, "out_features", 0),
        "distilled": hasattr(model, "dist_token"),
        "registers": 0 if getattr(model, "reg_token", None) is None else model.reg_token.shape[1],
        "prefix_positions": special or model.num_prefix_tokens == 0,
        "patch_bias": model.patch_embed.proj.bias is not None,
        "input_norm": "norm_pre.weight" in state,
        "layer_scale": "blocks.0.ls1.gamma" in state,
        "qkv_bias": "blocks.0.attn.qkv.bias" in state,
        "activation": "swiglu" if gated else ACTIVATIONS[type(activation).__name__],
        "pool": pools[model.global_pool],
        "keep_class_token": "cls_token" in state and model.global_pool != "token",
        "norm_after_pooling": "fc_norm.weight" in state,
        "positions": "relative" if relative else "learned",
        "epsilon": block.norm1.eps,
    }


ACTIVATIONS = {"GELU": "gelu", "GELUTanh": "gelu_tanh", "QuickGELU": "quick_gelu"}


@torch.no_grad()
def answer(model: nn.Module, size: int) -> list[float]:
    """What the model answers with the parameters that its names stand for; computed in double precision."""
    state = {name: torch.from_numpy(numbers(name, shape)) for name, shape in shapes_of(model).items()}
    model.load_state_dict(state)
    out: Tensor = model.eval().double()(torch.from_numpy(picture(size)).double())
    return [float(f"{value:.8g}") for value in out[0].tolist()]


def write(name: str, content: dict[str, object]) -> None:
    """One line for each entry, so that a change can be read."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items())
    (FOLDER / name).write_text(f"{{\n{lines}\n}}\n")


def main() -> None:
    """Write the four files of references."""
    stand_in_for_torchvision()
    import timm

    sizes: dict[str, object] = {}
    answers: dict[str, object] = {}
    for name in timm.list_models(SHOWN, exclude_filters=NOT_SHOWN):
        with torch.device("meta"):
            published = timm.create_model(name)
        counted = [tensor.numel() for key, tensor in published.named_parameters() if "rel_pos" not in key]
        sizes[name] = sizes_of(published) | {"parameters": sum(counted)}
        classes = CLASSES if published.num_classes else 0
        small = timm.create_model(name, **SMALL, num_classes=classes)
        answers[name] = {"shapes": shapes_of(small), "answer": answer(small, SMALL["img_size"])}
    variants: dict[str, object] = {}
    for title, (name, arguments, card) in VARIANTS.items():
        small = timm.create_model(name, **SMALL, num_classes=CLASSES, **arguments)
        variants[title] = {"shapes": shapes_of(small), "answer": answer(small, SMALL["img_size"]), "card": card}
    others: dict[str, object] = {}
    for name in SENTENCES:
        with torch.device("meta"):
            others[name] = one_of_each(shapes_of(timm.create_model(name)))
    write("timm_sizes.json", sizes)
    write("timm_answers.json", answers)
    write("timm_variants.json", variants)
    write("timm_others.json", others)
    print(f"timm {timm.__version__}: {len(sizes)} models shown, {len(others)} others")


if __name__ == "__main__":
    main()
