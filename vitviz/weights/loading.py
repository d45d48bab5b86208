"""A model ready to look at: the trained demo, an untrained one of any sizes, or one from a checkpoint."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from vitviz import images
from vitviz.config import PRESETS, ViTConfig
from vitviz.config.sides import Size
from vitviz.counts import total_parameters
from vitviz.images import Preprocess
from vitviz.machine import device as devices
from vitviz.machine.price import require_drawable
from vitviz.machine.wanted import while_wanted
from vitviz.model import ViT
from vitviz.shelf.rows import SHELF, checkpoint
from vitviz.switches.first_values import DRAWN_AT_ONCE
from vitviz.weights.blueprint import Blueprint, understand
from vitviz.weights.card import Card, card_of, read_card
from vitviz.weights.errors import WeightsError
from vitviz.weights.families.sources import Sources
from vitviz.weights.files import Source, as_float, open_held, open_source
from vitviz.weights.labels import class_names
from vitviz.weights.positions import Grid, resize

InMemory = nn.Module | Mapping[str, Any]  # a model that is in memory, or its parameters by name
DEMO_FILE = Path(__file__).parents[1] / "demo" / "data" / "demo.safetensors"
PHOTO_FILE = Path(__file__).parents[1] / "photo" / "photo.safetensors"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to look at. It is shared by everybody: nothing about it may be changed.

    `preprocess` is how its pictures are prepared; where two libraries do it differently, `preprocesses` has both, by
    name. `notes` tell what of a file was left out or assumed, one sentence each; `sources` who said what its tensors do
    not.
    """

    model: ViT
    labels: Sequence[str]
    preprocess: Preprocess
    trained: bool
    preprocesses: Mapping[str, Preprocess] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    sources: Sources | None = None

    @property
    def config(self) -> ViTConfig:
        """The model's sizes."""
        return self.model.config


def load(
    source: str | Path | InMemory,
    *,
    seed: int = 0,
    device: str = "auto",
    precision: str = "fp32",
    name: str = "",
    image_size: Size | None = None,
    grid: Grid | None = None,
    heads: int | None = None,
    activation: str | None = None,
    epsilon: float | None = None,
    preprocess: str = "",
) -> Loaded:
    """Load "demo", "photo" or a sibling, "shelf_relative_0" (trained), build a preset (untrained), or read a file.

    "photo" is DINOv2-S/14 at 224 pixels, or at the `image_size` that is asked for. A preset's parameters are drawn from
    `seed`. A model in memory is copied: a `ViT`, one of timm or Hugging Face, or a state dict with the names of those.

    A checkpoint is a `.safetensors`, `.npz` or `.pth` file with the names of timm, Hugging Face, Google or CLIP, and
    may have its `config.json` beside it. `name` tells whose it is where the file's name does not ("dino", "deit"),
    `image_size` asks for another size than it was trained at, `grid` gives rows and columns of its patches where they
    are no square, `preprocess` the library whose rule is wanted ("timm", "Hugging Face"). `heads`, `activation`
    ("gelu", "gelu_tanh", "quick_gelu") and `epsilon` are told where the file does not say them, or to see what another
    would do.

    Raises `WeightsError` for a source or file that is no Vision Transformer, `DeviceError` where memory is short.
    """
    if isinstance(source, ViT):
        return _copied(source, device, precision)
    if source == "demo":
        return _load_demo(device, precision)
    if isinstance(source, str) and source in SHELF:
        return _load_sibling(source, device, precision)
    if source == "photo":  # a file like others; its positions are those of 518 pixels
        source, image_size = PHOTO_FILE, image_size or PRESETS["photo"].image_size
    if isinstance(source, str) and source in PRESETS:
        return build(PRESETS[source], seed=seed, device=device, precision=precision)
    plan = inspect(
        source,
        name=name,
        image_size=image_size,
        grid=grid,
        heads=heads,
        activation=activation,
        epsilon=epsilon,
    )
    if preprocess and preprocess not in plan.preprocesses:
        raise WeightsError(f"no preprocessing is called {preprocess}; there are {', '.join(plan.preprocesses)}")
    labels = plan.labels or class_names(plan.config.classes)
    rules = dict(plan.preprocesses)
    rule = rules[preprocess or next(iter(rules))]
    loaded = _place(assemble(plan), labels, rule, True, device, precision)
    notes = (*plan.notes, *plan.assumptions.values())
    return replace(loaded, preprocesses=rules, notes=notes, sources=None if source == PHOTO_FILE else plan.sources)


def build(config: ViTConfig, *, seed: int = 0, device: str = "auto", precision: str = "fp32") -> Loaded:
    """An untrained model, its parameters drawn from `seed`.

    Raises `DeviceError` where it has more of them than are drawn here, or where memory is short.
    """
    require_drawable(config)
    _require_room(config, more=2 * DRAWN_AT_ONCE)
    model = ViT(config, seed=seed)
    labels = class_names(config.classes, known=False)
    return _place(model, labels, images.for_size(config.image_size), False, device, precision)


def inspect(
    source: str | Path | InMemory,
    card: Card | None = None,
    *,
    name: str = "",
    image_size: Size | None = None,
    grid: Grid | None = None,
    heads: int | None = None,
    activation: str | None = None,
    epsilon: float | None = None,
) -> Blueprint:
    """What a checkpoint is, from its names and shapes alone; no parameter is read. Raises `WeightsError`."""
    opened, its_card = _opened(source)
    return understand(
        opened,
        card or its_card,
        name=name,
        image_size=image_size,
        grid=grid,
        heads=heads,
        activation=activation,
        epsilon=epsilon,
    )


def infer_config(state: Mapping[str, Tensor]) -> ViTConfig:
    """The sizes of a checkpoint in memory. Heads leave no trace in most shapes: 64 numbers per head are assumed.

    Raises `WeightsError` for what is no Vision Transformer, or not a whole one.
    """
    return understand(open_held(state)).config


def assemble(plan: Blueprint) -> ViT:
    """The model of a blueprint, read one parameter at a time: each becomes the model's own, and none is held twice.

    Raises `WeightsError` where a parameter holds other than finite numbers, `DeviceError` where memory is short.
    """
    resized = plan.grid != plan.config.grid
    _require_room(plan.config, more=plan.config.patches * plan.config.dim if resized else 0)
    with torch.device("meta"):
        model = ViT(plan.config)

    def read(name: str) -> Tensor:
        return as_float(plan.source.read(name), name)

    state = {name: recipe.make(read, name) for name, recipe in while_wanted(plan.recipes.items())}
    if plan.fold:
        state["cls_token"] = state["cls_token"] + state["pos_embed"][:, :1]
        state["pos_embed"] = state["pos_embed"][:, 1:].contiguous()
    if resized and "pos_embed" in state:
        prefix = state["pos_embed"].shape[1] - plan.grid[0] * plan.grid[1]
        before, patches = state["pos_embed"].split([prefix, plan.grid[0] * plan.grid[1]], dim=1)
        state["pos_embed"] = torch.cat([before, resize(patches, plan.grid, plan.config.grid, plan.resize)], dim=1)
    model.load_state_dict(
        {name: nn.Parameter(tensor, requires_grad=False) for name, tensor in state.items()}, assign=True
    )
    return model


def _opened(source: str | Path | InMemory) -> tuple[Source, Card]:
    """A checkpoint and its card. Raises `WeightsError` where there is none."""
    if isinstance(source, nn.Module | Mapping):
        return open_held(source), card_of(source) if isinstance(source, nn.Module) else Card()
    if not isinstance(source, str | Path):
        raise WeightsError(
            f"a {type(source).__name__} cannot be loaded; give a name such as demo, a checkpoint's file, a model "
            "(nn.Module) or its state_dict()"
        )
    path = Path(source)
    if path.is_dir():
        raise WeightsError(f"{path.name} is a folder; give the checkpoint's file in it")
    if not path.is_file():
        raise WeightsError(f"{path.name} is neither a file nor a preset; presets are {', '.join(PRESETS)}")
    return open_source(path), read_card(path)


def _copied(model: ViT, device: str, precision: str) -> Loaded:
    """One of ours as it is, its parameters copied. Raises `WeightsError` where one of them is no number."""
    source = open_held(model)
    for name, _ in model.named_parameters():
        as_float(source.read(name), name)
    _require_room(model.config)
    labels, rule = class_names(model.config.classes), images.for_size(model.config.image_size)
    return _place(deepcopy(model), labels, rule, True, device, precision)


def _load_demo(device: str, precision: str) -> Loaded:
    from vitviz.demo.scenes import CLASSES

    plan = inspect(DEMO_FILE, Card(heads=PRESETS["demo"].heads))
    return _place(assemble(plan), CLASSES, images.DEMO, True, device, precision)


def _load_sibling(name: str, device: str, precision: str) -> Loaded:
    from vitviz.demo.scenes import CLASSES

    row, _, seed = name.removeprefix("shelf_").rpartition("_")
    with torch.device("meta"):
        model = ViT(SHELF[name])
    state = load_file(checkpoint(row, seed=int(seed)))
    parameters = {key: nn.Parameter(value.float(), requires_grad=False) for key, value in state.items()}
    model.load_state_dict(parameters, assign=True)
    return _place(model, CLASSES, images.DEMO, True, device, precision)


def _place(
    model: ViT, labels: Sequence[str], preprocess: Preprocess, trained: bool, device: str, precision: str
) -> Loaded:
    target = devices.pick(device)
    if target.type != "cpu":
        devices.require(sum(p.nbytes for p in model.parameters()), "this model", target)
    model.to(target, devices.dtype(precision)).eval().requires_grad_(False)
    return Loaded(model, labels, preprocess, trained)


def _require_room(config: ViTConfig, more: int = 0) -> None:
    """Raise `DeviceMemoryError` where the parameters, and as many numbers `more` them, do not fit."""
    devices.require(4 * (total_parameters(config) + more), "this model", torch.device("cpu"))
