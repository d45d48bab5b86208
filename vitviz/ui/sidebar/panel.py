"""The two choices behind everything on screen, picture and model, and what the model costs before it exists."""

from dataclasses import replace

import streamlit as st

from vitviz import counts, numbers, results
from vitviz.addresses.ranges import LARGEST_SEED
from vitviz.config import OWN, PRESETS, TRAINED, ConfigError, ViTConfig
from vitviz.images import ImageError
from vitviz.pretrained import PRETRAINED, SIZES
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, ModelChoice, Picture, Selection
from vitviz.shelf.rows import SHELF
from vitviz.ui import fallback, suited
from vitviz.ui.links import check_choice, escaped, say_again
from vitviz.ui.server.client import engine
from vitviz.ui.sidebar import checkpoints, cropping, own_inputs, refusals, uploads
from vitviz.ui.sidebar.models import linked, picture_size, published
from vitviz.ui.sidebar.models.chosen import keep_chosen, put_on_screen, suit
from vitviz.ui.sidebar.models.listed import CHOICES, label, listed
from vitviz.ui.suited import match


def draw(forward: bool) -> Selection:
    """Draw the sidebar and say what was chosen; what cannot be used is explained, and the last good choice stays.

    A page without a forward pass is not asked for a precision: only the device knows which there are.
    """
    refusals.begin()
    st.session_state.pop(published.MISSING, None)
    with st.sidebar:
        picture = _picture()
        if name := suited.suited(picture):
            suit(name)
        choice = _model(forward)
        _offer_other(Selection(choice, picture))
        if forward and not choice.config.classes:
            published.offer(published.WITH_CLASSES, "with-classes")  # the board's buttons press it
        _live_count(choice.config)
    return Selection(choice, picture, cropping.crop_of(picture))


def _picture() -> Picture:
    st.subheader("Picture", anchor=False)
    if linked := uploads.linked():
        st.session_state["picture_shown"], st.session_state["source"] = linked, "Upload"
    elif uploads.left():
        st.session_state["source"] = "Samples"
    source = st.segmented_control(
        "Where the picture comes from",
        ["Samples", "Upload", "Camera"],
        default="Samples",
        required=True,
        key="source",
        on_change=suited.picked,
        persist_state="session",
        label_visibility="collapsed",
    )
    with st.container(key="picture-source"):
        chosen = _sample() if source == "Samples" else _own_picture(source)
    if chosen:
        st.session_state["picture_shown"] = chosen
    picture: Picture = st.session_state.setdefault("picture_shown", next(iter(samples().values())))
    uploads.look_at(picture)
    if sentence := uploads.why_gone(picture):
        refusals.on_the_page("picture", sentence)
    for note in picture.notes:
        st.caption(note)
    return picture


def _sample() -> Picture:
    usual = next(iter(samples()))
    check_choice("sample", samples(), "the samples of the list")
    say_again("sample", usual)
    id = st.pills(
        "Sample",
        list(samples()),
        default=usual,
        required=True,
        key="sample",
        on_change=suited.picked,
        bind="query-params",
        label_visibility="collapsed",
    )
    return samples()[id]


def _own_picture(source: str) -> Picture | None:
    if source == "Upload":
        # Any type: the file's own first bytes say what it is, and what becomes of it.
        file = st.file_uploader("Upload a picture, up to 20 MB", key="upload", max_upload_size=20)
    else:
        file = st.camera_input("Take a picture", key="camera")
    if file is None:
        on_screen: Picture = st.session_state["picture_shown"]
        st.caption(f"You see {escaped(on_screen.title)}; another picture takes its place when it has arrived.")
        return None
    st.session_state[uploads.ARRIVED] = file.file_id
    new = st.session_state.get("brought", ("", None, ""))[0] != file.file_id
    if new:
        try:
            st.session_state["brought"] = file.file_id, *_opened(file.getvalue())
        except RuntimeError as error:
            refusals.refuse("picture", fallback.sentence(error))
            return None
    _, picture, why_not = st.session_state["brought"]
    if why_not:
        refusals.refuse("picture", why_not.removesuffix("."))
    else:
        uploads.keep(picture)
        if new:
            suited.picked()
    return picture


def _opened(data: bytes) -> tuple[Picture | None, str]:
    """The uploaded picture, or why it cannot be shown."""
    picture = Picture("own", "your picture", "The picture that was uploaded.", data)
    try:
        return replace(picture, notes=results.photo(picture).notes), ""
    except ImageError as error:
        return None, str(error)


def _model(forward: bool) -> ModelChoice:
    st.subheader("Model", anchor=False)
    own_inputs.take_over()
    check_choice("model", CHOICES, "the models of the list")
    keep_chosen(CHOICES[0])
    with st.container(key="model-of-link"):  # not seen: into a link Streamlit writes what a list shows, here titles
        name = st.selectbox("Model of the link", CHOICES, key="model", bind="query-params")
    st.session_state["model_shown"] = name
    if name != checkpoints.FILE:
        linked.say()
    st.selectbox(
        "Model",
        listed(),
        format_func=label,
        key="model_shown",
        on_change=_choose_model,
        label_visibility="collapsed",
        help="demo and its small siblings were trained on drawn scenes. Models that know photographs are here, or are "
        "fetched once. Untrained ones have random parameters: there to count, and to see what training changes.",
    )
    try:
        choice = _settings(name, forward)
    except ConfigError as error:
        refusals.refuse("model", str(error))
        choice = None
    if choice and (choice.checkpoint or name not in PRETRAINED):  # of the others only the sizes are here, to count with
        st.session_state["choice_shown"] = choice
    return choice or st.session_state.get("choice_shown", FIRST_MODEL)


def _choose_model() -> None:
    if (name := st.session_state["model_shown"]) in CHOICES:  # and no heading
        put_on_screen(name)


def _settings(name: str, forward: bool) -> ModelChoice | None:
    config = picture_size.choose(name) if name in SIZES else None
    if name in PRETRAINED or name == checkpoints.FILE:
        choice = published.choose(name, config, forward) if config else checkpoints.own_file()
        return choice and replace(choice, precision=_precision(forward))
    config = config or (own_inputs.inputs() if name == OWN else {**PRESETS, **SHELF}[name])
    seed = 0
    if name not in TRAINED and name not in SHELF:
        seed = st.number_input("Seed of the random parameters", 0, LARGEST_SEED, key="seed", bind="query-params")
    return ModelChoice(name, config, seed, precision=_precision(forward))


def _precision(forward: bool) -> str:
    if not forward:
        return st.session_state.get("precision", "fp32")
    precisions = engine().device().precisions
    check_choice("precision", precisions, f"the precisions of this device ({', '.join(precisions)})")
    if len(precisions) == 1:
        st.query_params.pop("precision", None)
        return precisions[0]
    return st.segmented_control(
        "Precision",
        precisions,
        default="fp32",
        required=True,
        key="precision",
        bind="query-params",
        help="fp32 is exact; bf16 and fp16 are approximate and faster where the device does them well.",
    )


def _offer_other(selection: Selection) -> None:
    """A button for the other model that ships; the board's presses it."""
    if found := match(selection):
        label, other = f"{found['label'][0].upper()}{found['label'][1:]}", found["other"]
        st.button(label, key="other-model", help=found["why"], on_click=put_on_screen, args=[other], width="stretch")


def _live_count(config: ViTConfig) -> None:
    parameters, macs = counts.total_parameters(config), counts.total_macs(config)
    with st.container(horizontal=True):
        st.metric("Parameters", numbers.short(parameters), help=f"Exactly {numbers.exact(parameters)}")
        st.metric("Multiply-adds", numbers.short(macs), help=f"Exactly {numbers.exact(macs)} for one picture")
