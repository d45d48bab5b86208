"""The form of every page: title and count line, a sentence, controls, picture, formula, and the code that ran."""

import base64
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from vitviz import palette, results
from vitviz.addresses.words import DRAWERS
from vitviz.cards import CARDS
from vitviz.cards.card import STAGES, Card, Choice
from vitviz.choices import HERE_ALONE
from vitviz.config import ViTConfig
from vitviz.numbers import exact, many, small
from vitviz.page import Page
from vitviz.pages import CARDS_PAGE, PAGES
from vitviz.selection import Selection
from vitviz.ui.code import source_of
from vitviz.ui.navigation import streamlit_page
from vitviz.ui.sidebar.own_model import SWITCHES, in_link, value_of, written
from vitviz.ui.takeaway import pictures
from vitviz.ui.takeaway.figure import of_the_page
from vitviz.ui.takeaway.views import of_numbers
from vitviz.ui.widgets import count_line, figure
from vitviz.ui.widgets.live.choice import NOTHING, Takes

if TYPE_CHECKING:
    from vitviz.figures.figure import Figure

ON_OFF = {"true": "on", "false": "off"}
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")  # LaTeX would take the comma for the end of a list
LARGEST_MATRIX = 1500  # tokens; its weights are 9 MB on the way to the browser


@cache
def icon() -> str:
    """The picture on the browser's tab, as a data URI: for a file Streamlit would read it in every run."""
    picture = (Path(__file__).parent / "styles" / "icon.png").read_bytes()
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def head(entry: Page, selection: Selection, layer: int, key: str) -> None:
    """Title, count line of the stage, if it has one, and what the page says first; and which edits it leaves aside."""
    config = selection.config
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        st.title(entry.title, anchor=False, width="content")
        if entry.stage:
            count_line.draw(config, entry.stage, layer, key)
    if entry.unedited and selection.edits:
        st.caption(f"{many(len(selection.edits.each), 'edit')} left aside: this page shows the model as it is.")
    if entry.says:
        sentence(entry.text_of(entry.says, config))


def foot(entry: Page, config: ViTConfig) -> None:
    """What a page without pictures can be taken away as."""
    of_the_page(entry.stem, entry.title, of_numbers(entry.stem, config))


def link(stem: str, label: str, **choices: str) -> None:
    """A link to another page, by its address, with what is chosen there; the rest of the address stays as it is."""
    there = streamlit_page(PAGES[stem])
    st.page_link(there, label=label, query_params=_elsewhere() | choices if choices else None)


def address(stem: str, **choices: str) -> str:
    """The address of another page, with what is chosen there; the rest stays as it is."""
    return f"{PAGES[stem].address or './'}?{urlencode(_elsewhere() | choices)}"


def _elsewhere() -> dict[str, str]:
    """What this address says that holds on other pages too."""
    return {name: it for name, it in st.query_params.to_dict().items() if name not in HERE_ALONE}


def cards_here(entry: Page, config: ViTConfig) -> None:
    """Under the formula of a page: what its switches change in this model, and a link to the card of each."""
    cards = [card for card in CARDS.values() if card.field in entry.cards]
    if cards and drawer("formula"):
        choices = [(card, card.choice(getattr(config, card.field))) for card in cards]
        having = [(card, choice) for card, choice in choices if choice is not card.usual]
        if having:
            st.caption(f"{'Each by' if len(having) > 1 else 'By'} itself, in the paper's model:")
        for card, choice in having:
            formula(equation(f"{card.title}: {in_words(choice)}", card, choice))
            st.caption(choice.says)
        st.caption("Switches that change a line of it, each with its card:")
        with st.container(horizontal=True, gap="small"):
            for card in cards:
                link(CARDS_PAGE.stem, card.title, switch=card.field, value=written(card.choices[1].value))


def card_links(*configs: ViTConfig) -> None:
    """A link to the card of each switch that models have beside the paper's."""
    fields = [field for field in SWITCHES if any(value_of(it, field.name) != field.usual for it in configs)]
    if fields:
        with st.container(horizontal=True, gap="small"):
            for field in fields:
                values = (in_link(it) for config in configs if (it := value_of(config, field.name)) != field.usual)
                link(CARDS_PAGE.stem, f"Card: {field.label}", switch=field.name, value=next(values))


def drawer(name: str = "") -> bool:
    """Whether the drawer `name` ("formula", "code", "details") of the page is open, or any."""
    opened = st.query_params.get("open", "")
    return opened == name if name else opened in DRAWERS


def sentence(text: str) -> None:
    """Part 1: what to look at. Roles in braces, as in "the {query} asks", get their colour."""
    st.markdown(with_roles(text), unsafe_allow_html=True)


def picture(
    selection: Selection,
    drawn: "Figure",
    caption: str,
    *,
    heading: str = "",
    title: str = "",
    alt: str = "",
    key: str | None = None,
) -> None:
    """Part 3: a figure with its caption and what it can be taken away as; untrained parameters are labelled in it.

    A few words say what it is: its `heading`, the title in the figure, or else `title`, by which files are named.
    """
    untrained = not results.trained(selection)
    drawing(drawn, caption, heading=heading, title=title, untrained=untrained, alt=alt, key=key)


def drawing(
    drawn: "Figure",
    caption: str,
    *,
    heading: str = "",
    title: str = "",
    untrained: bool = False,
    own: bool = False,
    alt: str = "",
    key: str | None = None,
) -> None:
    """Part 3 where no model stands behind it, or another than the one on screen: a figure under its heading.

    In Details it has Plotly's hover and zoom; elsewhere it answers the hand at once, and the page loads no Plotly.
    One with the visitor's `own` pictures beside that on screen says so.
    """
    if heading:
        st.markdown(f"**{heading}**")
    pictures.of_figure(drawn, title or heading or drawn.title, caption, untrained=untrained, own=own)
    text, label = palette.without_roles(alt or caption), "untrained parameters" if untrained else ""
    if drawer("details"):
        figure.draw(drawn, text, key, label)
    else:
        from vitviz.ui.widgets.live import chart as live  # many pages have none

        live.chart(drawn, text, key or title or heading or drawn.title, label=label)
    st.caption(with_roles(caption), unsafe_allow_html=True)


def chart(
    drawn: "Figure",
    title: str,
    caption: str,
    key: str,
    *,
    hand: str = "",
    takes: Takes = NOTHING,
    keeps: Mapping[str, str] = NOTHING,
) -> None:
    """Part 3 as a chart that answers the hand, with its caption; what the `hand` can do is said on screen alone."""
    from vitviz.ui.widgets.live import chart as live  # many pages have none

    pictures.of_figure(drawn, title, caption)
    text = f"{hand} {caption}".lstrip()
    live.chart(drawn, text, key, takes=takes, keeps=keeps)
    st.caption(with_roles(text), unsafe_allow_html=True)


def check(holds: bool, claim: str) -> None:
    """A claim about what was measured on this very picture and model: a green tick where it holds, else a red cross."""
    if holds:
        st.success(claim, icon=":material/check:")
    else:
        st.error(claim, icon=":material/close:")


def formula(latex: str, with_numbers: str = "") -> None:
    """Part 4: the formula, and the same with this model's numbers put in; both in LaTeX, numbers as on screen."""
    for line in filter(None, (latex, with_numbers)):
        st.latex(THOUSANDS.sub("{,}", line))


def in_words(choice: Choice) -> str:
    """The value of a choice as people read it."""
    value = written(choice.value)
    return ON_OFF.get(value, value)


def equation(name: str, card: Card, choice: Choice) -> str:
    """The equation of a card with that value, in LaTeX behind a `name`: what is new in the colour of its stage."""
    colour = (palette.ROLES | palette.STAGES)[STAGES[card.stage]]
    named = name.replace("_", r"\_")
    return rf"\text{{{named}}}\quad " + choice.equation.replace(r"\new{", rf"\textcolor{{{colour}}}{{")


def addend(number: float) -> str:
    """A number that follows a sign or a dot in a formula: in brackets where it is negative."""
    return f"({small(number)})" if number < 0 else small(number)


def source(*functions: Callable[..., Any] | str) -> None:
    """Part 5: the source of the functions that made the picture, read from the file that ran."""
    text = "\n\n".join(map(source_of, functions))
    folded_code("The code that ran", lambda: st.code(text, language="python", wrap_lines=True))


@st.fragment
def folded_code(label: str, draw: Callable[[], object]) -> None:
    """Code that is drawn once it is unfolded: for any, hidden or not, a browser reads 1.6 MB and colours every word."""
    place = st.expander(label, drawer("code"), key=f"folded {label}", on_change="rerun")
    if place.open:
        with place:
            draw()


def with_roles(text: str) -> str:
    """A text as HTML, its roles in braces underlined in their colours."""
    word = '<span class="role" style="border-color:{}">{}</span>'.format
    return palette.ROLE.sub(lambda role: word(palette.ROLE_WORDS[role[1]], role[1]), text)


def matrix_fits(tokens: int, what: str) -> bool:
    """Whether a page can draw all tokens against all tokens; where not, it says so."""
    if tokens > LARGEST_MATRIX:
        st.caption(
            f"{exact(tokens)} × {exact(tokens)} {what} are more than a page can draw; "
            f"the matrix is shown up to {exact(LARGEST_MATRIX)} tokens."
        )
    return tokens <= LARGEST_MATRIX
