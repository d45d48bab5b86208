"""From the names and shapes in a checkpoint to a configuration and a list of what to read: nothing is read yet."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from vitviz.config import ConfigError, ViTConfig
from vitviz.images import Preprocess
from vitviz.weights.card import Card
from vitviz.weights.errors import WeightsError, quoted
from vitviz.weights.families.known import FAMILIES, HUGGING_FACE, TIMM, Resize
from vitviz.weights.families.others import find_stranger
from vitviz.weights.files import Source, unstacked
from vitviz.weights.naming.layouts import PROJECTION
from vitviz.weights.naming.translation import Recipe, find_layout, translate
from vitviz.weights.positions import Grid
from vitviz.weights.sizes import NAMED, Shape, check, config_from

USUAL_HEADS = {192: 3, 384: 6, 512: 8, 768: 12, 1024: 16, 1152: 16, 1280: 16, 1408: 16, 1536: 24, 1664: 16}


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A checkpoint understood: its sizes, and how each parameter is made from `source`.

    `grid` is that of the file, `config.grid` the wanted one; `fold` says that the class token's position is to be added
    to the class token; `notes` tell what was left out or assumed.
    """

    source: Source
    layout: str
    family: str
    config: ViTConfig
    recipes: Mapping[str, Recipe]
    grid: Grid
    fold: bool
    resize: Resize
    labels: tuple[str, ...]
    preprocesses: Mapping[str, Preprocess]
    notes: tuple[str, ...]


def understand(
    source: Source,
    card: Card | None = None,
    *,
    name: str = "",
    image_size: int | None = None,
    grid: Grid | None = None,
    heads: int | None = None,
) -> Blueprint:
    """Find out what a checkpoint is. Raises `WeightsError` where it is no Vision Transformer, or not a whole one.

    `name` is what people call the model, where the file's own name does not say; `image_size` another one than it was
    trained at; `grid` its rows and columns of patches, where they are not a square; `heads` where nothing tells them.
    """
    card, source = card or Card(), unstacked(source)
    found = find_layout(source.shapes)
    if found is None:
        raise WeightsError(_unknown(source))
    layout, wrapper = found
    translation = translate(layout, wrapper, source.shapes)
    recipes = dict(translation.recipes)
    shapes = _shapes(source, recipes)
    words = f"{name} {card.name} {source.title}".lower()
    family = _family(layout.family, shapes, words)
    left_out = dict(translation.left_out)
    if family == "clip" and _is_projection(source, recipes):
        left_out |= {target: PROJECTION for target in ("head.weight", "head.bias") if recipes.pop(target, None)}
        shapes = {target: shape for target, shape in shapes.items() if target in recipes}
    house = FAMILIES[family]
    heads, guessed = _heads(source, recipes, shapes, card, heads)
    try:
        config, positions = config_from(
            shapes,
            grid,
            heads=heads,
            activation="quick_gelu" if "quickgelu" in words else card.activation or house.activation[layout.house],
            epsilon=card.epsilon or house.epsilon[layout.house],
        )
        at = image_size or config.image_size
        resized = config.with_(image_size=at)
    except ConfigError as error:
        raise WeightsError(f"the sizes in {source.title} do not fit together: {error}") from error
    check(source.title, config, shapes, positions, translation.unknown)
    notes = [f"Left out: {why}." for why in dict.fromkeys(left_out.values())]
    notes += (
        [f"The file does not tell the number of heads; {heads} of {config.head_dim} are assumed."] if guessed else []
    )
    return Blueprint(
        source=source,
        layout=layout.title,
        family=family,
        config=resized,
        recipes=recipes,
        grid=positions.grid,
        fold=positions.fold,
        resize=_resize(layout.title, layout.house, family, source, bool(config.registers)),
        labels=card.labels if len(card.labels) == config.classes else (),
        preprocesses=_preprocesses(family, layout.house, card, at),
        notes=tuple(notes),
    )


def _shapes(source: Source, recipes: Mapping[str, Recipe]) -> dict[str, Shape]:
    """Shapes of our parameters as this checkpoint would make them, found out on the meta device."""

    def imagine(name: str) -> torch.Tensor:
        return torch.empty(source.shapes[name], device="meta")

    shapes = {}
    for target, recipe in recipes.items():
        try:
            shapes[target] = tuple(recipe.make(imagine, target).shape)
        except (RuntimeError, IndexError) as error:
            told = " and ".join(str(source.shapes[name]) for name in recipe.sources)
            first = quoted(recipe.sources[0])
            raise WeightsError(f"{first} in {source.title} has the shape {quoted(told)}: no {target}") from error
    return shapes


def _unknown(source: Source) -> str:
    names = list(source.shapes)
    what = find_stranger(names)
    if what:
        return f"{source.title} is no Vision Transformer of the kind shown here but {what}"
    shown = ", ".join(map(quoted, names[:NAMED])) or "nothing"
    return (
        f"{source.title} is no Vision Transformer whose names are known here (timm, Hugging Face, Google, CLIP); "
        f"it holds {shown}"
    )


def _family(family: str, shapes: Mapping[str, Shape], words: str) -> str:
    """Whose model it is: by the layout, by what it has, or by its name where only that tells."""
    if family != "vit":
        return family
    scaled, headed = "blocks.0.ls1.gamma" in shapes, "head.weight" in shapes
    if "attn_pool.latent" in shapes:
        return "siglip"
    if "norm_pre.weight" in shapes:
        return "clip"
    if scaled and not headed:
        return "dinov2"
    if scaled or "dist_token" in shapes or "deit" in words:
        return "deit"
    return "dino" if "dino" in words else "vit"


def _is_projection(source: Source, recipes: Mapping[str, Recipe]) -> bool:
    """Whether CLIP's head is no classifier but its projection: without a bias, or with one of zeros."""
    bias = recipes.get("head.bias")
    return bias is None or not bool(bias.make(source.read, "head.bias").any())


def _heads(
    source: Source, recipes: Mapping[str, Recipe], shapes: Mapping[str, Shape], card: Card, wanted: int | None
) -> tuple[int, bool]:
    """How many heads, and whether that is a guess: told, in the shapes (Google), of a usual width, or 64 each."""
    projection = recipes.get("blocks.0.attn.qkv.weight")
    query = source.shapes[projection.sources[0]] if projection else ()
    told = wanted or card.heads or (query[1] if len(query) == 3 else None)
    if told:
        return told, False
    dim = shapes.get("norm.weight", (64,))[0]
    guess = USUAL_HEADS.get(dim, max(1, dim // 64))
    return next(number for number in range(guess, 0, -1) if dim % number == 0), dim not in USUAL_HEADS


def _resize(layout: str, house: str, family: str, source: Source, registers: bool) -> Resize:
    if layout == "Google":
        return "corners"
    if house == HUGGING_FACE:
        return "smooth" if registers else "plain"
    first_dinov2 = family == "dinov2" and "mask_token" in source.shapes
    return "offset" if first_dinov2 and not registers else "smooth"


def _preprocesses(family: str, house: str, card: Card, size: int) -> dict[str, Preprocess]:
    """The official preprocessings, that of the file's own house first."""
    rules = FAMILIES[family].preprocesses(size, {TIMM: card.preprocess} if card.preprocess else {})
    return {house: rules[house]} | rules
