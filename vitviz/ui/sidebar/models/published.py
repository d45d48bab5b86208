"""Published models: what each knows, the offer to fetch it, how far that is, and the model once it is here."""

import streamlit as st

from vitviz import numbers
from vitviz.config import ViTConfig
from vitviz.pretrained import PRETRAINED
from vitviz.selection import ModelChoice, titled
from vitviz.ui.links import escaped
from vitviz.ui.private import get_script_run_ctx
from vitviz.ui.sidebar import checkpoints, refusals
from vitviz.ui.sidebar.models.chosen import put_on_screen
from vitviz.weights import hub

WITH_CLASSES = "vit_tiny_patch16_224.augreg_in21k_ft_in1k"  # the smallest that knows some of photographs
LOOK = 0.5  # seconds between two looks at a download
MISSING = "model to fetch"  # in the session: the published model that was chosen and is not here
MINUTE = 60.0


def choose(name: str, config: ViTConfig, forward: bool) -> ModelChoice | None:
    """A published model of such sizes; a page with a forward pass needs its file, others only those."""
    model = PRETRAINED[name]
    st.caption(f"{name}: {model.about}. {model.licence}, {model.megabytes:,} MB.")
    if not forward:
        return ModelChoice(name, config)
    path = hub.local(name)
    if path is None:
        st.session_state[MISSING] = name
        if not _running(name):
            _fetch_button(name, "fetch")
        return None
    choice = checkpoints.choice_of(name, path, config.image_size)
    if choice and (another := hub.another(name, choice.config)):
        refusals.refuse("model", escaped(another))
        choice = None
    if choice is None:
        again = f"Delete it and fetch {model.megabytes:,} MB again"
        st.button(again, key="again", on_click=_fetch_again, args=[name], width="stretch")
    return choice


def offer(name: str, key: str) -> None:
    """A button that shows a published model, and fetches it first where it is not here: what it knows, size, licence.

    While it is fetched the page says how far that is (`draw_coming`), and this says so. `key` is the button's.
    """
    if hub.local(name):
        st.button(offer_text(name), key=key, on_click=put_on_screen, args=[name])
    elif _running(name):
        st.caption(f"{PRETRAINED[name].title} is on its way.")
    else:
        _fetch_button(name, key)


def offer_text(name: str) -> str:
    """What the button of an offer says: what the model knows, and size and licence where it is to be fetched.

    Nothing while it is on its way.
    """
    model = PRETRAINED[name]
    if hub.local(name):
        return f"Show it with {model.title}, which {model.knows}"
    if _running(name):
        return ""
    size = f"the rest of {model.megabytes:,} MB" if hub.begun(name) else f"{model.megabytes:,} MB"
    return f"{model.title} {model.knows}: fetch it, {size}, {model.licence}"


def draw_coming(name_on_screen: str) -> None:
    """Above the board: how far the chosen model is, or why it is not here, while another one is `name_on_screen`."""
    name = st.session_state.get(MISSING)
    if name is None:
        return
    stays = f"You still see **{escaped(titled(name_on_screen))}**."
    if _running(name):
        _progress(name, name_on_screen, stays)
        return
    download = hub.latest(name)
    with st.container(horizontal=True, vertical_alignment="center"):
        if download and not download.stopped and (error := download.path.exception()):
            st.error(f"{escaped(str(error)).removesuffix('.')}. {stays}")
        else:
            st.markdown(f"{escaped(PRETRAINED[name].title)} is not here yet. {stays}", width="content")
        _fetch_button(name, "fetch-here")
        _stay_button(name_on_screen)


@st.fragment(run_every=LOOK)
def _progress(name: str, name_on_screen: str, stays: str) -> None:
    """How far a download is; the page goes on with the last model meanwhile, and is run again at the end."""
    if not _running(name):
        st.rerun()
    download = hub.latest(name)
    assert download
    share = min(download.done / download.total, 1.0) if download.total else 0.0
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(share, f"Fetching {escaped(PRETRAINED[name].title)}: {_how_far(download)}. {stays}")
        if _who() in download.waiting:
            label = "Stop waiting; others go on" if len(download.waiting) > 1 else "Cancel"
            st.button(label, key="cancel", on_click=hub.cancel, args=[name, _who()])
        elif _stay_button(name_on_screen):
            st.rerun()


def _how_far(download: hub.Download) -> str:
    if not download.total:
        return "asking for it"
    sizes = f"{numbers.bytes_(download.done)} of {numbers.bytes_(download.total)}"
    if (seconds := download.seconds_left) is None:
        return sizes
    minutes = f"{numbers.exact(round(seconds / MINUTE))} min"
    return f"{sizes}, about {minutes if seconds > 2 * MINUTE else f'{round(seconds)} s'} left"


def _fetch_button(name: str, key: str) -> None:
    st.button(offer_text(name), key=key, on_click=_fetch, args=[name])


def _stay_button(name_on_screen: str) -> bool:
    return st.button(f"Stay with {titled(name_on_screen)}", key="stay", on_click=put_on_screen, args=[name_on_screen])


def _fetch(name: str) -> None:
    hub.start(name, _who())
    put_on_screen(name)


def _fetch_again(name: str) -> None:
    hub.discard(name)
    _fetch(name)


def _running(name: str) -> bool:
    """Whether the model is being fetched, by whomever."""
    download = hub.latest(name)
    return download is not None and not download.path.done() and not download.stopped


def _who() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""
