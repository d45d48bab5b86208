"""Where parameters come from: the trained demo model, an untrained preset, or a safetensors file with timm's names."""

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from vitviz import device as devices
from vitviz import images
from vitviz.config import PRESETS, ConfigError, ViTConfig
from vitviz.images import Preprocess
from vitviz.model import ViT

DEMO_FILE = Path(__file__).parents[1] / "demo" / "data" / "demo.safetensors"


class WeightsError(ValueError):
    """A checkpoint that cannot be used, said in one sentence with a way out."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to look at. It is shared by everybody: nothing about it may be changed."""

    model: ViT
    labels: tuple[str, ...]
    preprocess: Preprocess
    trained: bool

    @property
    def config(self) -> ViTConfig:
        """The model's sizes."""
        return self.model.config


def load(source: str | Path, *, seed: int = 0, device: str = "auto", precision: str = "fp32") -> Loaded:
    """Load "demo" (trained), build a preset by name (untrained, from `seed`), or read a `.safetensors` file.

    Raises `WeightsError` for a source or file that is no Vision Transformer, `DeviceError` where memory is short.
    """
    if source == "demo":
        return _load_demo(device, precision)
    if source in PRESETS:
        return build(PRESETS[str(source)], seed=seed, device=device, precision=precision)
    path = Path(source)
    if not path.is_file():
        raise WeightsError(f"{source} is neither a file nor a preset; presets are {', '.join(PRESETS)}")
    state = _read(path)
    config = infer_config(state)
    return _place(
        _assign(config, state), _numbered(config), images.for_size(config.image_size), True, device, precision
    )


def build(config: ViTConfig, *, seed: int = 0, device: str = "auto", precision: str = "fp32") -> Loaded:
    """An untrained model of any legal sizes, its parameters drawn from `seed`."""
    with torch.device("meta"):
        needed = 4 * sum(parameter.numel() for parameter in ViT(config).parameters())
    devices.require(needed, "this model", torch.device("cpu"))
    model = ViT(config, seed=seed)
    return _place(model, _numbered(config), images.for_size(config.image_size), False, device, precision)


def infer_config(state: dict[str, Tensor]) -> ViTConfig:
    """The sizes of a checkpoint with timm's names. Heads leave no trace in the shapes: 64 numbers per head are assumed.

    Raises `WeightsError` naming the first tensor that is missing.
    """
    for name in ("cls_token", "pos_embed", "patch_embed.proj.weight", "blocks.0.mlp.fc1.weight", "norm.weight"):
        if name not in state:
            raise WeightsError(f"this is no Vision Transformer with timm's names: {name} is missing")
    dim, channels, patch_size, _ = state["patch_embed.proj.weight"].shape
    distilled = "dist_token" in state
    side = round((state["pos_embed"].shape[1] - 1 - distilled) ** 0.5)
    try:
        return ViTConfig(
            image_size=side * patch_size,
            patch_size=patch_size,
            channels=channels,
            dim=dim,
            depth=1 + max(int(name.split(".")[1]) for name in state if name.startswith("blocks.")),
            heads=max(1, dim // 64),
            mlp_dim=state["blocks.0.mlp.fc1.weight"].shape[0],
            classes=state["head.weight"].shape[0] if "head.weight" in state else 0,
            distilled=distilled,
        )
    except ConfigError as error:
        raise WeightsError(f"the checkpoint's sizes do not fit together: {error}") from error


def _load_demo(device: str, precision: str) -> Loaded:
    from vitviz.demo.scenes import CLASSES

    return _place(_assign(PRESETS["demo"], _read(DEMO_FILE)), CLASSES, images.DEMO, True, device, precision)


def _read(path: Path) -> dict[str, Tensor]:
    try:
        return {name: tensor.float() for name, tensor in load_file(path).items()}
    except SafetensorError as error:
        raise WeightsError(f"{path.name} is not a whole safetensors file; save it again or download it anew") from error


def _assign(config: ViTConfig, state: dict[str, Tensor]) -> ViT:
    """A model whose parameters are the tensors of `state` themselves: nothing is drawn, nothing copied."""
    with torch.device("meta"):
        model = ViT(config)
    try:
        model.load_state_dict(state, assign=True)
    except RuntimeError as error:
        raise WeightsError(
            f"the checkpoint does not fit its own sizes: {str(error).splitlines()[-1].strip()}"
        ) from error
    return model


def _place(
    model: ViT, labels: tuple[str, ...], preprocess: Preprocess, trained: bool, device: str, precision: str
) -> Loaded:
    target = devices.pick(device)
    if target.type != "cpu":
        devices.require(sum(p.nbytes for p in model.parameters()), "this model", target)
    model.to(target, devices.PRECISIONS[precision]).eval().requires_grad_(False)
    return Loaded(model, labels, preprocess, trained)


def _numbered(config: ViTConfig) -> tuple[str, ...]:
    return tuple(f"class {index}" for index in range(config.classes))


__all__ = ["Loaded", "WeightsError", "build", "infer_config", "load"]
