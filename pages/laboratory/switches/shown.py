"""What stands on *Switches*."""

from collections.abc import Mapping
from functools import lru_cache

import streamlit as st

from vitviz.cards import CARDS, change
from vitviz.cards.card import STAGES, Card, Choice
from vitviz.cards.change import Figure, compared, items, on_shelf, siblings, totals
from vitviz.config import OWN, ConfigError, ViTConfig
from vitviz.numbers import bytes_, exact, short
from vitviz.pages import FIRST, PAGES
from vitviz.selection import Selection, titled
from vitviz.shelf.measured import HEADS, PUBLISHED, cells
from vitviz.shelf.rows import ROWS
from vitviz.ui import controls, page
from vitviz.ui.code import marked_code
from vitviz.ui.navigation import streamlit_page
from vitviz.ui.sidebar.models.chosen import put_on_screen
from vitviz.ui.sidebar.own_model import FIELDS, in_link, values_of, written
from vitviz.ui.takeaway import pictures
from vitviz.ui.widgets.live.choice import latest, move
from vitviz.ui.widgets.table import table

from .page import SWITCH, VALUE


def show(selection: Selection) -> None:
    choose(selection)
    page.source(change.compared, change.totals)


def choose(selection: Selection) -> None:
    """The list of switches, and beside it the card of the one that the address asks for."""
    card = CARDS[controls.held(SWITCH, selection.config)]
    left, right = st.columns([3, 10], gap="medium")
    by_stage = {stage: [field for field, it in CARDS.items() if it.stage == stage] for stage in STAGES}
    with left.container(key="switches", gap=None):
        _list(card, by_stage)
    with left.container(key="switches-folded"):  # a phone has it in place of the list
        _folded(card, by_stage)
    with right.container(key="switch-card"):
        _card(selection, card)
    with st.expander(f"All {exact(sum(len(it.choices) for it in CARDS.values()))} values of {len(CARDS)} switches"):
        _family(selection.config)


def _list(card: Card, by_stage: Mapping[str, list[str]]) -> None:
    for stage, fields in by_stage.items():
        key = f"switches of {stage}"
        st.session_state[key] = card.field if card.field in fields else None
        st.pills(
            stage.capitalize(),
            fields,
            format_func=lambda field: CARDS[field].title,
            key=key,
            on_change=_choose,
            args=[key],
        )


def _folded(card: Card, by_stage: Mapping[str, list[str]]) -> None:
    fields = [field for fields in by_stage.values() for field in fields]
    st.session_state["switch folded"] = card.field
    st.selectbox(
        f"Switch, one of {len(fields)}",
        fields,
        format_func=lambda field: f"{CARDS[field].stage.capitalize()}: {CARDS[field].title}",
        key="switch folded",
        on_change=_choose,
        args=["switch folded"],
    )


def _choose(key: str) -> None:
    """Take the switch that was clicked, with its first value beside the paper's."""
    if field := st.session_state[key]:
        _take(field, written(CARDS[field].choices[1].value))


def _take(field: str, value: str) -> None:
    move("switch", field)
    move("value", value)


def _choice(card: Card) -> Choice:
    """The value that the address asks for; it stays in the address while another page is open."""
    values = {written(it.value): it for it in card.choices}
    key = f"value of {card.field}"
    latest_value = latest("value")
    if latest_value not in values:
        controls.check(VALUE, list(values))
        latest_value = written(card.choices[1].value)
    st.session_state.update({key: latest_value, "value": latest_value})
    _say(card.field, latest_value)
    st.segmented_control(
        card.title,
        list(values),
        format_func=lambda value: page.ON_OFF.get(value, value),
        required=True,
        key=key,
        on_change=_choose_value,
        args=[card.field, key],
        label_visibility="collapsed",
    )
    return values[latest_value]


def _choose_value(field: str, key: str) -> None:
    _take(field, st.session_state[key])


def _say(field: str, value: str) -> None:
    """Write what was chosen by hand into the address, in each run whose own address has yet to say it."""
    words = {"switch": field, "value": value}
    if any(f"{name} moved" in st.session_state and st.query_params.get(name) != it for name, it in words.items()):
        st.query_params.update(words)


def _card(selection: Selection, card: Card) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(card.title, anchor=False, width="content")
        choice = _choice(card)
        pair = _pair(selection.config, card, choice)
        if not isinstance(pair, str):
            _use(selection, card, choice, pair[1])
    st.markdown(f"{choice.says} [{choice.paper.words}]({choice.paper.address})")
    here, usual = (page.equation(page.in_words(it), card, it) for it in (choice, card.usual))
    page.formula(usual, "" if choice is card.usual else here)
    left, right = st.columns([7, 6])
    with left:
        if isinstance(pair, str):
            st.warning(f"The model on screen cannot have it: {pair}.")
        else:
            _counts(selection.config, *pair)
    with right:
        marked_code(choice.code)
    _measured(card, choice)


def _pair(config: ViTConfig, card: Card, choice: Choice) -> tuple[ViTConfig, ViTConfig] | str:
    """The model without and with the value, or why there can be none."""
    try:
        return compared(config, card, choice)
    except ConfigError as error:
        return str(error)


def _use(selection: Selection, card: Card, choice: Choice, having: ViTConfig) -> None:
    """The way to a page on which the change is seen, and back to the model of before."""
    there = streamlit_page(next((page for page in PAGES.values() if card.field in page.cards), FIRST))
    here = {"switch": card.field, "value": written(choice.value)}
    if having == selection.config:
        st.page_link(there, label=f"See it on {there.title}", query_params=_address() | here)
    elif card.field not in FIELDS:
        page.link("patch_embedding", "One channel, and this picture in grey: Patch embedding, Details", open="details")
    else:
        words = {name: in_link(it) for name, it in values_of(having).items() if it != FIELDS[name].usual}
        st.page_link(
            there,
            label=f"Use it in this model: {there.title}",
            query_params={**_address(), "model": OWN, **words, **here},
        )
    if selection.model.name != OWN:
        st.session_state["before_switch"] = selection.model.name
    elif before := st.session_state.get("before_switch"):
        st.button(f"Back to {titled(before)}", on_click=put_on_screen, args=[before])


def _address() -> dict[str, str]:
    return {name: it for name, it in st.query_params.to_dict().items() if name not in FIELDS}


def _counts(on_screen: ViTConfig, without: ViTConfig, having: ViTConfig) -> None:
    figures = totals(without, having)
    pictures.of_tables("What the switch costs")
    heads = ("on screen", "with it") if without == on_screen else ("without it", "on screen, with it")
    table(
        "What the switch costs",
        ["", *heads, "change"],
        [[it.name, _count(it, it.without), _count(it, it.having), _change(it)] for it in figures],
    )
    kinds = [
        f"{it.name} {_change(it)}"
        + (f" (now {it.formula} = {exact(it.having)})" if it.having and not it.formula.isdecimal() else "")
        for it in items(without, having)
    ]
    st.caption(
        "Exact, multiply-accumulates (MACs) for a batch of 1; counted from sizes alone, nothing is built. "
        f"Parameters: {'; '.join(kinds) or 'as many as before'}."
    )


def _count(figure: Figure, count: int) -> str:
    return bytes_(count) if figure.bytes else exact(count)


def _change(figure: Figure) -> str:
    if not figure.change:
        return "none"
    return f"{'+' if figure.change > 0 else '−'} {_count(figure, abs(figure.change))}"


def _measured(card: Card, choice: Choice) -> None:
    found = siblings(card, choice)
    if not found:
        st.caption("Not measured here: no small sibling has been trained with it.")
        return
    table(
        "What was measured here",
        ["sibling", *HEADS],
        [[ROWS[it.row].title, *cells(it, PUBLISHED)] for it in found],
    )
    st.caption(
        f"Measured here: small siblings of the demo, {short(found[0].parameters)} parameters, on unseen scenes without "
        "light; mean, and least to most over the seeds; chance on relations is 0.25. The paper's: table 8, ImageNet "
        "5-shot, ViT-B/16."
    )
    with st.container(horizontal=True):
        if row := on_shelf(found[-1].row):
            st.button(f"Put “{titled(row)}” on screen", on_click=put_on_screen, args=[row])
        page.link("siblings", "All siblings, and how they were trained")


def _family(config: ViTConfig) -> None:
    """Every value of every switch against the model on screen."""
    table(
        "All switches",
        ["switch", "value", "parameters", "multiply-accumulates", "paper"],
        _rows(config),
        words=(0, 1, 4),
    )


@lru_cache(maxsize=64)  # some ninety models are counted for it
def _rows(config: ViTConfig) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (card.title, page.in_words(choice), *_changes(config, card, choice), choice.paper.words)
        for card in CARDS.values()
        for choice in card.choices
    )


def _changes(config: ViTConfig, card: Card, choice: Choice) -> tuple[str, str]:
    if card.has(config, choice):
        return "on screen", "on screen"
    try:
        parameters, macs, *_ = totals(config, card.changed(config, choice))
    except ConfigError:
        return "cannot be", "cannot be"
    return _change(parameters), _change(macs)
