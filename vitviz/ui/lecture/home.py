"""Take the lecture home: the file of a lesson, made by the engine; the browser puts its own guesses in and saves it."""

from secrets import token_hex
from typing import TYPE_CHECKING

import streamlit as st

from vitviz import results
from vitviz.addresses.words import HOME
from vitviz.lecture import Lesson, ViewError
from vitviz.lecture.views import View
from vitviz.numbers import bytes_
from vitviz.pages import PAGES
from vitviz.results import requests
from vitviz.scripts.bundle import script_of
from vitviz.selection import Selection
from vitviz.takeaway.errors import TakeawayError
from vitviz.ui.components import Code, component
from vitviz.ui.fallback import Failure, sentence
from vitviz.ui.lecture import own, telling
from vitviz.ui.lecture.looking import columns, selected
from vitviz.ui.links import escaped, quoted
from vitviz.ui.server.client import ask
from vitviz.ui.takeaway import file_requests
from vitviz.ui.takeaway.views import repeatable

if TYPE_CHECKING:
    from vitviz.takeaway.file import File

ARRIVED = "arrived to take home"  # in the session: the lesson that its first address asks for
TAKE, HELP = "Take the lecture home", "All steps with your guesses, as one file that works offline"
SCRIPT = "doors/takeaway/saving.js"

_save = component("vitviz.home", lambda: Code(script_of(SCRIPT)))


def button(lesson: Lesson) -> bool:
    """The button beside a lesson; whether it was pressed just now."""
    return st.button(TAKE, key=f"home-{lesson.name}", type="tertiary", help=HELP)


def arrive() -> None:
    """Note what a visitor's first address asks for: a link may offer a lesson, and starts nothing."""
    st.session_state.setdefault(ARRIVED, st.query_params.get(HOME))


def give_if_requested(selection: Selection) -> None:
    """Give the lesson that a step within the app asks for, once; offer that of a link; or say that it is not here."""
    name = st.query_params.get(HOME)
    if name is None:
        return
    if lesson := own.find(name):
        with st.container(border=True, key="home-asked", gap="small"):
            st.markdown(f"**{TAKE}: {escaped(lesson.title)}**")
            if name != st.session_state[ARRIVED] or st.button(TAKE, key="home-take", help=HELP):
                del st.query_params[HOME]
                st.session_state[ARRIVED] = None
                give(lesson, selection)
        return
    del st.query_params[HOME]
    st.error(
        f"There is no lesson “{quoted(name)}” here. A lecturer's own lesson is a file of theirs: with that file, "
        "uploaded below, you can take it home."
    )


def give(lesson: Lesson, selection: Selection) -> None:
    """Have the file made and saved by the browser, or say in a sentence why there is none."""
    try:
        file = _file(lesson, selection)
    except TakeawayError as error:
        st.error(f"{escaped(str(error))}.")
    except Failure as error:
        st.error(f"{sentence(error)}.")
    else:
        st.caption(f"Your browser saves {file.name}, {bytes_(len(file.data))}: it opens without a network, too.")
        answer = {"word": token_hex(8), "url": file_requests.served(file), "name": file.name, "lesson": lesson.name}
        _save(key="home", data=[answer])


def _file(lesson: Lesson, on_screen: Selection) -> "File":
    from vitviz.engine import Request
    from vitviz.takeaway.lesson.making import NONE, Known, make
    from vitviz.takeaway.lesson.step_numbers import explored_layers

    explored_layers(lesson)
    passes: dict[str, Selection] = {}
    facts = []
    progress = st.empty()

    def place(selection: Selection | None) -> int:
        if selection is None:
            return NONE
        passes.setdefault(selection.key, selection)
        return list(passes).index(selection.key)

    looks = [[_look(view, on_screen) for view in columns(step.view)] for step in lesson.steps]
    results.begin(*{it.key: it for both in looks for it, _ in both if it}.values())
    for number, (step, both) in enumerate(zip(lesson.steps, looks, strict=True), 1):
        progress.progress((number - 1) / len(lesson.steps), f"Step {number} of {len(lesson.steps)}")
        (selection, why), (second, lacks) = ([_run(it) if it else (None, no) for it, no in both] + [(None, "")])[:2]
        answer = telling.answer(step, on_screen) if selection and step.question else telling.NONE
        facts.append(Known(place(selection), answer["truth"], why or lacks or answer["why"], place(second)))
    pairs = [(requests.load_request(it.model), requests.forward_request(it)) for it in passes.values()]
    request = Request(make, (lesson, tuple(facts), *(one for pair in pairs for one in pair)), takes_long=True)
    try:
        with progress.container():
            return ask(request, "Writing the file").value
    finally:
        progress.empty()


def _look(view: View, selection: Selection) -> tuple[Selection | None, str]:
    """What a step is of; None where it shows no forward pass, or why there can be none."""
    if not PAGES[view.page].forward:
        return None, ""
    try:
        return repeatable(selected(view, selection)), ""
    except ViewError:
        return None, f"its name alone does not tell which model “{view.model}” is"


def _run(selection: Selection) -> tuple[Selection | None, str]:
    """The same when the engine has run it; None, and why, where it cannot."""
    try:
        results.forward_info(selection)
    except Failure as error:
        sentence(error)  # one of another kind is raised again
        return None, str(error)  # the file escapes it as HTML
    return selection, ""
