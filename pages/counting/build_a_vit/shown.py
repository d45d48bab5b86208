"""What stands on *Build a ViT*."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, log2

import streamlit as st

from vitviz import counts
from vitviz.cards.card import STAGES
from vitviz.cards.change import items
from vitviz.cards.names import lucidrains, stage_of, timm
from vitviz.config import FIELDS as CONFIG_FIELDS
from vitviz.config import ConfigError, ViTConfig, divisors
from vitviz.config.sides import read, sides_of, spelled
from vitviz.figures.counting import counts as charts
from vitviz.figures.figure import Handle, Stop
from vitviz.numbers import exact, percent, short, small
from vitviz.pages import CARDS_PAGE
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.sidebar.own_inputs import adopt, base_config, offer, say_what_is_on
from vitviz.ui.sidebar.own_model import (
    FIELDS,
    SIZES,
    SWITCHES,
    Values,
    fields_of,
    in_link,
    moved,
    value_of,
    values_of,
)
from vitviz.ui.widgets import model_field, tiles
from vitviz.ui.widgets.live.slider import slider_of
from vitviz.ui.widgets.table import table

ROOM = 1.3  # times the model, at least, in the picture: an edge can be pulled outwards
ONLY_MAPS = "Only the number of attention maps changes."
FURTHEST = 4  # times a size, where its edge can be pulled to


def show(selection: Selection) -> None:
    config = selection.config
    switches(config)
    left, right = st.columns([1, 3])
    with left.container(gap=None):
        controls(config)
    with right:
        area(config)
    last = before(config)
    for name, figures_of in {
        "Sizes": tiles.sizes,
        "Parameters": tiles.parameters,
        "Multiply-accumulates of one picture": tiles.macs,
        "Memory in 16 bit": tiles.memory,
    }.items():
        tiles.tiles(name, figures_of(config), figures_of(last))
    page.folded_code("The same model in other code: every argument, ours and theirs", lambda: names(config))
    questions(config)
    block = counts.count_line(config, "block").here
    before_blocks, after_blocks = (counts.count_line(config, stage) for stage in ("position_embedding", "head"))
    total = counts.total_parameters(config)
    page.formula(
        r"\Phi = \text{embedding} + \text{depth} \cdot \text{block} + \text{norm and head}",
        rf"{exact(total)} = {exact(before_blocks.so_far)} + {config.depth} \cdot {exact(block)} + "
        rf"{exact(after_blocks.here)}",
    )
    page.source(counts.total_parameters, counts.total_macs)


def controls(config: ViTConfig) -> None:
    """A slider for each size of the model on screen, which stops only at sizes that fit the others.

    The model becomes build-your-own when one is moved.
    """
    values = values_of(config)
    offer(config)
    for field in SIZES:
        stops, value = field.choices(values), values[field.name]
        if isinstance(value, str):  # a picture or patch that is no square
            slider_of(field.label, [str(it) for it in stops], value, _key(field.name), _taker(field.name))
        else:
            slider_of(field.label, [int(it) for it in stops], int(value), _key(field.name), _taker(field.name))
    say_what_is_on(config)
    page.card_links(config)


def switches(config: ViTConfig) -> None:
    """The switches by stage of the model."""
    values = values_of(config)
    if st.session_state.get("built") != config.key or _key("registers") not in st.session_state:
        st.session_state.update({"built": config.key, **{_key(it.name): values[it.name] for it in SWITCHES}})
    with st.container(horizontal=True, gap="small"):
        for stage in STAGES:
            _of_stage(stage, values)


def _of_stage(stage: str, values: Values) -> None:
    fields = [field for field in SWITCHES if stage_of(field.name) == stage]
    with st.popover(stage.capitalize()):
        for field in fields:
            if field.whole:
                model_field.slider(field, values, _key(field.name), _take_switch)
            else:
                model_field.switch(field, values, _key(field.name), _take_switch)
        page.link(CARDS_PAGE.stem, "Their cards: equation, code, cost", switch=fields[0].name)


def area(config: ViTConfig) -> None:
    """All parameters as one picture, whose edges are dim and depth: to be dragged."""
    columns, total = counts.columns(config), counts.total_parameters(config)
    largest = max(counts.parameter_split(config), key=lambda item: item.count)
    page.chart(
        charts.mosaic(columns, config.dim, _frame(config), _edges(config)),
        "The parameters to scale",
        f"All {exact(total)} parameters in the order of the forward pass, every area to scale: {largest.name} "
        f"{percent(largest.count / total)}.",
        "build",
        hand="Drag the upper edge for dim, the right edge of the blocks for depth.",
        takes={_key(name): _taker(name) for name in ("dim", "depth")},
    )


def names(config: ViTConfig) -> None:
    """Every argument under the names of other code, and the calls that make this model there."""
    codes = lucidrains(config), timm(config)
    fields = sorted(CONFIG_FIELDS, key=lambda name: [*STAGES].index(stage_of(name)))
    table(
        "The arguments in other code",
        ["here", "stage", "this model", *(code.title for code in codes)],
        [
            [it, stage_of(it), in_link(value_of(config, it)), *(", ".join(code.names.get(it, ())) for code in codes)]
            for it in fields
        ],
        words=(0, 1, 2, 3, 4),
    )
    for code, column in zip(codes, st.columns(2), strict=True):
        with column:
            st.code(code.text, language="python")
            differing = ", ".join(f"{name} {in_link(it)}" for name, it in code.otherwise.items())  # type: ignore[arg-type]
            count = f"{exact(code.parameters)} parameters. " if code.parameters is not None else ""
            st.caption(
                f"{code.title}, {len(code.arguments)} arguments: {count}{code.note} "
                + (f"What they cannot say it has otherwise: {differing}." if differing else "")
                + ("The same model." if not differing and not code.note else "")
            )


def before(config: ViTConfig) -> ViTConfig:
    """The model before the last change; the model itself when nothing has changed yet."""
    last, now = st.session_state.get("build_steps", (config, config))
    if config != now:
        last, now = now, config
    st.session_state["build_steps"] = last, now
    return last


def questions(config: ViTConfig) -> None:
    """The questions, each with its answer folded away: ask the hall first."""
    for question, answer in QUESTIONS.items():
        with st.expander(question.format(short(counts.total_parameters(config)))):
            try:
                st.markdown(answer(config))
            except ConfigError as error:
                st.markdown(f"That model cannot be built: {error}.")


def _frame(config: ViTConfig) -> tuple[float, float]:
    """Width and height of the picture; they double when the model has filled them, and stay as they are till then."""
    width = counts.total_parameters(config) / config.dim
    return _doubled(width), _doubled(config.dim)


def _doubled(size: float) -> float:
    return 2.0 ** (ceil(2 * log2(ROOM * size)) / 2)


@lru_cache(maxsize=64)  # counts some ninety models
def _edges(config: ViTConfig) -> tuple[Handle, ...]:
    """The upper edge, dim, and the right edge of the blocks, depth; each stops at sizes that fit the others."""
    values = values_of(config)
    outside, block = (sum(kinds.values()) for _, kinds in counts.columns(config)[:2])
    dim = config.dim
    end = (outside + config.depth * block) / dim
    dims, depths = (
        [int(stop) for stop in FIELDS[name].choices(values) if int(stop) <= FURTHEST * values[name]]  # type: ignore[operator]
        for name in ("dim", "depth")
    )
    return (
        Handle(
            _key("dim"),
            "Upper edge of the picture",
            tuple(Stop(str(it), end / 2, it, _words(config.with_(dim=it))) for it in dims),
            dims.index(dim),
            "top edge",
        ),
        Handle(
            _key("depth"),
            "Right edge of the blocks",
            tuple(
                Stop(str(it), (outside + it * block) / dim, dim / 2, _words(config.with_(depth=it))) for it in depths
            ),
            depths.index(config.depth),
            "right edge",
        ),
    )


def _words(config: ViTConfig) -> str:
    return (
        f"dim {exact(config.dim)}, depth {exact(config.depth)}: {exact(counts.total_parameters(config))} parameters, "
        f"{short(counts.total_macs(config))}MAC"
    )


def _key(field: str) -> str:
    return f"slide_{field}"


def _taker(name: str) -> Callable[[str], None]:
    def take(text: str) -> None:
        size, field = read(text), FIELDS[name]
        if size is not None and all(side in field.values for side in sides_of(size)):
            _take(name, in_link(size) if isinstance(size, tuple) else size)

    return take


def _take_switch(name: str) -> None:
    _take(name, st.session_state[_key(name)])


def _take(name: str, value: int | float | str) -> None:
    """Make the model with what was moved that of the sidebar, and so of every page."""
    config = base_config()
    adopt(config.with_(**fields_of(moved(values_of(config), name, value))))


def _more_heads(config: ViTConfig) -> str:
    """More heads, the same everything."""
    others = [number for number in divisors(config.dim) if number != config.heads]
    if not others:
        return "A dim of 1 has room for one head only."
    other = config.with_(heads=min(others, key=lambda number: abs(number - 2 * config.heads)))
    now, then = counts.total_parameters(config), counts.total_parameters(other)
    verdict = (
        "No, not one." if now == then else "Yes." if (then > now) is (other.heads > config.heads) else "No, fewer."
    )
    parts = "; ".join(f"{it.name} {exact(it.without)} → {exact(it.having)}" for it in items(config, other))
    width = (
        f"The heads share dim {exact(config.dim)}: each gets {exact(other.head_dim)} components instead of "
        f"{exact(config.head_dim)}."
        if config.usual_head_dim
        else f"Each head keeps its {exact(config.head_dim)} components, whatever dim is."
    )
    changed = f"What changes beside the number of attention maps: {parts}." if parts else ONLY_MAPS
    return (
        f"**{verdict}** With {other.heads} heads instead of {config.heads} there are {exact(then)} parameters, and "
        f"there were {exact(now)}. {width} {changed}"
    )


def _halved_patch(config: ViTConfig) -> str:
    """Patches of half the side."""
    ph, pw = config.patch_sides
    if ph % 2 or pw % 2:
        return f"A patch of {spelled(config.patch_size)} pixels cannot be halved."
    return "**Four times the patches.** " + _comparison(config, config.with_(patch_size=(ph // 2, pw // 2)))


def _doubled_image(config: ViTConfig) -> str:
    """A picture of twice the side."""
    h, w = config.image_sides
    return "**Four times the patches as well.** " + _comparison(config, config.with_(image_size=(2 * h, 2 * w)))


def _largest(config: ViTConfig) -> str:
    """The largest kinds of parameters."""
    total = counts.total_parameters(config)
    largest = sorted(counts.parameter_split(config), key=lambda item: item.count, reverse=True)[:3]
    return "; ".join(
        f"**{item.name}** {exact(item.count)} ({percent(item.count / total)}): {item.formula} = {item.numbers}"
        for item in largest
    )


def _deep_or_wide(config: ViTConfig) -> str:
    """Twice the depth against twice the dim."""
    deep = config.with_(depth=2 * config.depth)
    wide = counts.resized(config, "dim", 2 * config.dim)
    return f"**Twice as deep.** {_comparison(config, deep)}\n\n**Twice as wide.** {_comparison(config, wide)}"


def _comparison(now: ViTConfig, then: ViTConfig) -> str:
    """What changes between two models, in numbers and as a factor."""
    figures = [
        ("Tokens", now.tokens, then.tokens, exact),
        ("attention weights", counts.attention_weights(now), counts.attention_weights(then), exact),
        ("parameters", counts.total_parameters(now), counts.total_parameters(then), exact),
        ("multiply-accumulates", counts.total_macs(now), counts.total_macs(then), short),
    ]
    changes = [
        f"{name} {say(was)} → {say(goes)} (× {small(goes / was)})" if was != goes else f"{name} unchanged"
        for name, was, goes, say in figures
    ]
    return f"{'; '.join(changes)}."


QUESTIONS: dict[str, Callable[[ViTConfig], str]] = {
    "Do more heads mean more parameters?": _more_heads,
    "What does halving the patch cost?": _halved_patch,
    "What does a picture of twice the side cost?": _doubled_image,
    "Where do {} sit?": _largest,
    "Twice as deep, or twice as wide?": _deep_or_wide,
}
