"""From the names and shapes in a checkpoint to a configuration and a list of what to read: nothing is read yet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from vitviz.config import ACTIVATION_FUNCTIONS, ConfigError, ViTConfig
from vitviz.config.sides import Size, sides_of
from vitviz.images import Preprocess
from vitviz.numbers import many
from vitviz.shown import quoted
from vitviz.weights.card import Card
from vitviz.weights.errors import WeightsError
from vitviz.weights.families.known import FAMILIES, HUGGING_FACE, TIMM, Resize
from vitviz.weights.families.names import axial_size, norms_at_the_end, relative_size, rotates
from vitviz.weights.families.others import PATCHES, ROTATIONS, find_other
from vitviz.weights.families.sources import Evidence, Reading, Sources
from vitviz.weights.files import Source, unstacked, widened
from vitviz.weights.naming.layouts import PROJECTION
from vitviz.weights.naming.translation import WRAPPER, Recipe, find_layout, translate
from vitviz.weights.positions import Grid, take
from vitviz.weights.sizes import MAX_NAMES, ROOT, Scored, Shape, check, config_from

COLOURS = 3
# How timm spells a layer scale in a class whose blocks may rotate q and k; so do the first files of DeiT-III.
ROTATED = re.compile(r"blocks\.0\.gamma_1")


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A checkpoint understood: its sizes, and how each parameter is made from `source`.

    `grid` is that of the file, `config.grid` the wanted one; `fold` says that the class token's position is to be added
    to the class token; `eight_bits` is how many matrices are in 8 bits; `sources` who told what the tensors do not;
    `notes` what was left out.
    """

    source: Source
    layout: str
    family: str
    config: ViTConfig
    sources: Sources
    recipes: Mapping[str, Recipe]
    grid: Grid
    fold: bool
    resize: Resize
    eight_bits: int
    labels: tuple[str, ...]
    preprocesses: Mapping[str, Preprocess]
    notes: tuple[str, ...]

    @property
    def assumptions(self) -> dict[str, str]:
        """Assumed settings, one sentence each, by the name of the setting."""
        return self.sources.assumptions(self.config)


def understand(
    source: Source,
    card: Card | None = None,
    *,
    name: str = "",
    image_size: Size | None = None,
    grid: Grid | None = None,
    heads: int | None = None,
    activation: str | None = None,
    epsilon: float | None = None,
) -> Blueprint:
    """Find out what a checkpoint is. Raises `WeightsError` where it is no Vision Transformer, or not a whole one.

    `name` is what people call the model, where the file's own name does not say; `image_size` another one than it was
    trained at; `grid` its rows and columns of patches, where they are not a square. `heads`, `activation` and `epsilon`
    count more than whatever the file, its card or its name tell.
    """
    card, stored, source = card or Card(), len(source.shapes), widened(source)
    eight_bits, source = stored - len(source.shapes), unstacked(source)
    found = find_layout(source.shapes)
    if found is None:
        raise WeightsError(_unknown(source))
    layout, wrapper = found
    translation = translate(layout, wrapper, source.shapes)
    recipes, left_out = dict(translation.recipes), dict(translation.left_out)
    if card.pool == "class" and "norm.weight" not in recipes:  # to choose a token and to normalise it changes places
        recipes = {target.replace("fc_norm.", "norm."): recipe for target, recipe in recipes.items()}
    shapes = _shapes(source, recipes)
    tensors = [tensor.removeprefix(wrapper) for tensor in source.shapes if tensor not in left_out]
    words = f"{name} {card.name} {source.title}".lower()
    relative = take(recipes, shapes)
    rotary = axial_size(words) if "pos_embed" not in shapes and "blocks.0.ls1.gamma" in shapes else None
    _refuse_others(source, tensors, shapes, words, bool(relative or rotary))
    scored = Scored("rotary", rotary) if rotary else None
    if relative:
        relative.check(source.title)
        side = max(sides_of(image_size)) if image_size else None
        scored = Scored("relative", relative_size(words) or side, relative.offsets)
    family = _family(layout.family, shapes, words)
    if family == "clip" and _is_projection(source, recipes):
        left_out |= {target: PROJECTION for target in ("head.weight", "head.bias") if recipes.pop(target, None)}
        shapes = {target: shape for target, shape in shapes.items() if target in recipes}
    evidence = Evidence(
        layout,
        FAMILIES[family],
        shapes,
        card,
        name=f"{name} {source.title}",
        split_heads=relative.heads if relative else _split_heads(source, recipes),
        may_rotate=any(ROTATED.fullmatch(tensor) for tensor in tensors),
    )
    reading = evidence.read(heads, activation, epsilon)
    _refuse_activation(reading, card)
    try:
        config, positions = config_from(shapes, grid, reading, scored)
        at = config.image_size if image_size is None else image_size
        resized = config.with_(image_size=at)
    except ConfigError as error:
        raise WeightsError(f"the sizes in {source.title} do not fit together: {error}") from error
    if relative:
        recipes |= relative.tables(config.depth, config.grid, resized.grid)
        shapes |= relative.table_shapes(config.depth, config.grid)
    check(source.title, config, shapes, positions, translation.unknown)
    return Blueprint(
        source=source,
        layout=layout.title,
        family=family,
        config=resized,
        sources=reading.sources,
        recipes=recipes,
        grid=positions.grid,
        fold=positions.fold,
        resize=_resize(layout.title, layout.follows, family, source, bool(config.registers)),
        eight_bits=eight_bits,
        labels=card.labels if len(card.labels) == config.classes else (),
        preprocesses=_preprocesses(family, layout.follows, card, at),
        notes=(
            *(f"Left out: {why}." for why in dict.fromkeys(left_out.values())),
            *(relative.notes if relative else ()),
            *([f"In 8 bits, each row with a scale of its own: {many(eight_bits, 'tensor')}."] if eight_bits else ()),
        ),
    )


def _refuse_others(source: Source, names: list[str], shapes: Mapping[str, Shape], words: str, placed: bool) -> None:
    """Refuse another family by its name, with what it does differently: its tensors tell, or its name.

    One whose positions are `placed` in its scores lacks those that are added, and nothing else.
    """
    if other := find_other(names, {**shapes, "pos_embed": ()} if placed else shapes):
        raise WeightsError(other.refusal(source.title))
    if norms_at_the_end(words):
        raise WeightsError(
            f"{source.title} is by its name a ViT with norms at the end of attention and MLP (rpn, as in Swin V2), "
            "which is not shown here: what they make is added, where here they come before both or after the sums"
        )
    if rotates(words) and not placed:
        raise WeightsError(
            f"{source.title} is by its name a ViT with rotary positions (rope), which is not shown here: {ROTATIONS}, "
            "and rotations leave no tensor"
        )
    patches = shapes.get(ROOT, shapes.get(PATCHES, ()))
    if len(patches) == 4 and patches[1] != COLOURS:
        raise WeightsError(
            f"{source.title} reads other pictures than here: their channels are {patches[1]:,} and not {COLOURS}, "
            "as in grey pictures, sounds or what satellites see"
        )


def _refuse_activation(reading: Reading, card: Card) -> None:
    """Refuse a card whose activation nobody here knows, rather than take another for it."""
    if reading.activation not in ACTIVATION_FUNCTIONS and reading.sources.activation == "card":
        raise WeightsError(
            f"config.json asks for the activation {quoted(card.activation)}; shown here are "
            f"{', '.join(ACTIVATION_FUNCTIONS)}, and another one would give other numbers"
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
            shape = " and ".join(str(source.shapes[name]) for name in recipe.sources)
            first = quoted(recipe.sources[0])
            raise WeightsError(f"{first} in {source.title} has the shape {quoted(shape)}: no {target}") from error
    return shapes


def _unknown(source: Source) -> str:
    names = [WRAPPER.sub("", name) for name in source.shapes]
    if other := find_other(names, {}):
        return other.refusal(source.title)
    shown = ", ".join(map(quoted, list(source.shapes)[:MAX_NAMES])) or "nothing"
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
    if (scaled and "cls_token" in shapes) or "dist_token" in shapes or "deit" in words:
        return "deit"
    return "dino" if "dino" in words else "vit"


def _is_projection(source: Source, recipes: Mapping[str, Recipe]) -> bool:
    """Whether CLIP's head is no classifier but its projection: without a bias, or with one of zeros."""
    bias = recipes.get("head.bias")
    return bias is None or not bool(bias.make(source.read, "head.bias").any())


def _split_heads(source: Source, recipes: Mapping[str, Recipe]) -> int | None:
    """How many heads, where a file stores each of them apart, as Google's do, `d head dh`, or has a norm for one."""
    projection = recipes.get("blocks.0.attn.qkv.weight")
    if (norm := recipes.get("blocks.0.attn.q_norm.weight")) and projection:
        head_dim, rows = source.shapes[norm.sources[0]], source.shapes[projection.sources[0]]
        return rows[0] // (3 * head_dim[0]) if len(head_dim) == 1 and len(projection.sources) == 1 else None
    query = source.shapes[projection.sources[0]] if projection else ()
    return query[1] if len(query) == 3 else None


def _resize(layout: str, follows: str, family: str, source: Source, registers: bool) -> Resize:
    if layout == "Google":
        return "corners"
    if follows == HUGGING_FACE:
        return "smooth" if registers else "plain"
    first_dinov2 = family == "dinov2" and "mask_token" in source.shapes
    return "offset" if first_dinov2 and not registers else "smooth"


def _preprocesses(family: str, follows: str, card: Card, size: Size) -> dict[str, Preprocess]:
    """The official preprocessings, those that the file follows first."""
    rules = FAMILIES[family].preprocesses(size, {TIMM: card.preprocess} if card.preprocess else {})
    return {follows: rules[follows]} | rules
