"""What a token knows on the board: numbers are Python's, the hand gets them at once, pictures lead to each other."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.board import at, away, drawn, photo, readout, show, still, texts, written
from tests.browser.frame import open_board, open_sidebar, rest, upload
from tests.browser.scenes.left import GRID, asked, on_patch
from tests.browser.watch import answered
from tests.checkpoints import TIMM, save, shaken_state
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.images import open_image
from vitviz.measures.shared_components import (
    known_of_patches,
    patch_states,
    shared_components,
    what_patches_hold,
)
from vitviz.measures.similarity import candidates, cosines, lengths, nearest, patch_vectors, registers
from vitviz.numbers import small
from vitviz.samples import first, of_world, samples
from vitviz.scripts.parcels import TYPES
from vitviz.trace import Trace, record
from vitviz.weights import build, load

STEM = "what_a_token_knows"
MOST = 8  # other pictures
QUERY, LAYER = 52, 3  # of the demo model, from 1
LINE = 12  # pixels of a name
LAPTOP = {"width": 1280, "height": 720}
COLOUR = """([canvas, x, y]) => {
    const [across, down] = [Math.floor(x * canvas.width), Math.floor(y * canvas.height)];
    return [...canvas.getContext("2d").getImageData(across, down, 1, 1).data].slice(0, 3);
}"""

SENTENCE = """(text) => [...globalThis.__painted].some(
    ([canvas, texts]) => canvas.closest?.(".scene") && texts.join(" ").includes(text))"""
# Where the names and the bars of a read-out stand, from the next drawing on.
LISTEN_TO_BARS = """() => {
    globalThis.__bars = [];
    const { fillText, fillRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
        if (["row", "column", "mean colour"].includes(text)) globalThis.__bars.push({ name: text, ends: y });
        return fillText.call(this, text, x, y, ...rest);
    };
    CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
        globalThis.__bars.push({ name: "", starts: y, ends: y + height });
        return fillRect.call(this, x, y, width, height);
    };
}"""
FIRST_NUMBER = "([canvas, number]) => __painted.get(canvas)?.find((it) => /^−?\\d/.test(it)) === number"


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def open_page(page: Page, **query: str | int) -> None:
    show(page, f"/{STEM}?" + "&".join(f"{name}={value}" for name, value in {"sample": "left", **query}.items()))


def trace_of(sample: str) -> Trace:
    loaded = load("demo")
    return record(loaded.model, loaded.preprocess(open_image(samples()[sample].data)))


@pytest.fixture(scope="module")
def trace() -> Trace:
    """The demo model's pass over the picture of a red ball left of a blue one."""
    return trace_of("left")


@pytest.fixture(scope="module")
def others() -> list[str]:
    return [it for it in of_world("demo") if it != "left"][:MOST]


def summary(values: np.ndarray, patch: int) -> str:
    rest = np.delete(values.astype(float), patch)
    return f"cosine with others {small(rest.min())} to {small(rest.max())}, mean {small(rest.mean())}"


def own_model(visit: Callable[..., Page], checkpoint: Path) -> Page:
    """The page of a visitor who has brought a model."""
    page = visit(viewport=LAPTOP)
    open_board(page, f"/{STEM}?model=your+own+file")
    open_sidebar(page)
    with answered(page):
        page.locator("[class*=st-key-checkpoint_] input[type=file]").set_input_files(checkpoint)
    rest(page)
    return page


def own_words(page: Page) -> dict[str, str]:
    """What the address says of such a model."""
    return {name: text for name, (text, *_) in parse_qs(urlsplit(page.url).query).items() if name in ("model", "file")}


def sentence(page: Page, text: str) -> None:
    """Wait until this stands on the scene, in whatever lines."""
    page.wait_for_function(SENTENCE, arg=text)


def on_photo(page: Page) -> str:
    """The letters on the photo, each once: they are written with an edge."""
    return str(photo(page).evaluate("(canvas) => [...new Set(__painted.get(canvas))].join('')"))


def said(page: Page, text: str) -> None:
    expect(page.locator(".photo:not(.second) .readout")).to_contain_text(text)


@pytest.mark.parametrize(("of", "place"), [("state", "after layer 3"), ("k", "k, layer 3"), ("pixels", "pixels")])
def test_cosines_are_those_of_python(page: Page, trace: Trace, of: str, place: str) -> None:
    open_page(page, of=of, layer=LAYER, query=QUERY, key=10)
    values = cosines(trace, of, 0 if of == "pixels" else LAYER - 1, QUERY - 1)
    said(page, f"{place}: {summary(values, QUERY - 1)} · key patch 10: {small(float(values[9]))}")


def test_what_is_pointed_at_is_answered_from_numbers_that_lie_here(page: Page, trace: Trace) -> None:
    open_page(page, layer=LAYER)
    expect(photo(page)).to_have_accessible_name(re.compile(r"\. patch 66 is chosen\.$"))  # nobody has chosen another
    open_page(page, layer=LAYER, query=QUERY, key=10)
    said(page, "after layer 3: cosine with others 0")
    expect(photo(page)).to_have_accessible_name(re.compile(rf"\. patch {QUERY} is chosen\.$"))
    messages = page.evaluate("window.__traffic.messages")
    page.locator(".photo canvas").hover(position=on_patch(page, 100))
    said(page, "patch 101, row 9, column 5")
    mean = float(np.delete(cosines(trace, "state", LAYER - 1, 100), 100).mean())
    found = float(readout(page).split("mean ")[1].split(" ")[0].replace("−", "-"))
    assert abs(found - mean) < 1e-3
    away(page)
    said(page, f"patch {QUERY}, ")
    assert page.evaluate("window.__traffic.messages") == messages  # Python was not asked


def test_the_layer_is_slid_from_pixels_on_and_space_plays_to_the_last(page: Page) -> None:
    open_page(page, of="pixels", query=QUERY)
    slider = page.locator(".slide input[aria-label=layer]")
    for text in ("token", "1 of 6", "2 of 6"):
        page.keyboard.press("l")
        expect(slider).to_have_attribute("aria-valuetext", f"layer {text}")
    page.keyboard.press("Shift+L")
    expect(slider).to_have_attribute("aria-valuetext", "layer 1 of 6")
    page.wait_for_function("() => !/of=|layer=/.test(location.search)")  # the usual place
    page.keyboard.press(" ")
    expect(slider).to_have_attribute("aria-valuetext", "layer 6 of 6")
    page.wait_for_function("() => location.search.includes('layer=6')")
    expect(page.locator(".play")).to_have_text("▶")  # at the end it stands


def test_a_tile_previews_its_place_and_keeps_it_by_a_click(page: Page) -> None:
    open_page(page, query=QUERY)
    written(page, "layer 6")
    scene = page.locator(".scene canvas:visible")
    at(page, scene, 0.02, 0.05)
    said(page, "pixels: ")
    away(page)
    said(page, "after layer 1: ")
    at(page, scene, 0.02, 0.05, click=True)
    page.wait_for_function("() => location.search.includes('of=pixels')")
    page.get_by_role("button", name="v", exact=True).click()
    said(page, "v, layer 1: ")
    assert "pixels" not in texts(page)


def test_the_nearest_patch_of_another_picture_is_pythons_and_a_click_goes_to_it(
    page: Page, trace: Trace, others: list[str]
) -> None:
    open_page(page, moment="elsewhere", layer=LAYER, query=QUERY)
    vectors = [patch_vectors(trace_of(it), "state", LAYER - 1) for it in others]
    found = nearest(QUERY - 1, patch_vectors(trace, "state", LAYER - 1), *vectors)
    for value in found.cosines:
        written(page, small(float(value)))
    best = int(found.cosines.argmax())
    title = samples().titles[others[best]]
    said(page, f"nearest in {title}, patch {found.patches[best] + 1}: {small(float(found.cosines[best]))}")
    scene = page.locator(".scene canvas:visible")
    at(page, scene, 0.03, 0.05)
    said(page, f"{samples().titles[others[0]]}, patch ")
    named = readout(page).split("patch ")[2].split(":")[0]
    at(page, scene, 0.03, 0.05, click=True)
    expect(page.locator(".strip .choose")).to_contain_text(samples().titles[others[0]])
    said(page, f"patch {named}, ")
    said_of_it = None if others[0] == first().id else others[0]  # an address leaves out the usual picture
    assert asked(page, "sample") == said_of_it
    assert asked(page, "query") == named


def test_colours_are_coordinates_in_one_basis_of_all_pictures(page: Page, trace: Trace, others: list[str]) -> None:
    open_page(page, moment="colours", layer=LAYER, query=QUERY)
    found = shared_components(patch_states(trace), *(patch_states(trace_of(it)) for it in others))
    numbers = ", ".join(small(float(it)) for it in found.coordinates[LAYER, 0, QUERY - 1])
    said(page, f"after layer {LAYER}: {numbers} on components 1, 2, 3")
    caption = page.locator(".scene .caption")
    shares = ", ".join(
        f"{name} {small(100 * float(it))} %"
        for name, it in zip(("red", "green", "blue"), found.share[LAYER], strict=True)
    )
    expect(caption).to_contain_text(f"{shares} of the variance of all pictures here")
    still(page)
    canvas = page.locator(".photo canvas").element_handle()
    for patch in (0, 77, 143):
        place = [(patch % GRID + 0.5) / GRID, (patch // GRID + 0.5) / GRID]
        shares_ = found.coordinates[LAYER, 0, patch] / found.reach[LAYER]
        expected = np.round(127.5 + 127.5 * np.clip(shares_, -1, 1))
        assert np.abs(np.array(page.evaluate(COLOUR, [canvas, *place])) - expected).max() <= 1
    at(page, page.locator(".scene canvas:visible"), 0.34, 0.02, click=True)  # the first patch of another picture
    expect(page.locator(".strip .choose")).to_contain_text(samples().titles[others[0]])
    said(page, "patch 1, row 1, column 1 ")
    assert asked(page, "moment") == "colours"


def test_the_foreground_is_what_lies_above_a_threshold_on_one_component(
    page: Page, trace: Trace, others: list[str]
) -> None:
    open_page(page, moment="colours", layer=6)
    slider = page.get_by_role("slider", name="foreground above")
    expect(slider).to_be_hidden()
    page.get_by_role("button", name="component 1").click()
    expect(slider).to_have_attribute("aria-valuetext", "foreground above off")
    slider.fill("15")
    expect(slider).to_have_attribute("aria-valuetext", "foreground above −30 %")
    slider.fill("21")  # in the middle
    page.wait_for_function("() => /principal=1/.test(location.search) && /threshold=0/.test(location.search)")
    expect(slider).to_have_attribute("aria-valuetext", "foreground above 0 %")
    found = shared_components(patch_states(trace), *(patch_states(trace_of(it)) for it in others))
    foreground = found.coordinates[6, 0, :, 0] > 0
    still(page)
    canvas = page.locator(".photo canvas").element_handle()
    light = [
        sum(page.evaluate(COLOUR, [canvas, (it % GRID + 0.5) / GRID, (it // GRID + 0.5) / GRID]))
        for it in range(GRID**2)
    ]
    page.keyboard.down("p")
    drawn(page)
    bare = [
        sum(page.evaluate(COLOUR, [canvas, (it % GRID + 0.5) / GRID, (it // GRID + 0.5) / GRID]))
        for it in range(GRID**2)
    ]
    page.keyboard.up("p")
    dark = np.array(light) < 0.6 * np.array(bare)
    assert (dark == ~foreground).sum() >= GRID**2 - 1  # but for the one under its frame


def test_lengths_are_those_of_python(page: Page, trace: Trace) -> None:
    open_page(page, moment="length", layer=LAYER, query=QUERY)
    found = lengths(trace)
    before, after = (float(it[LAYER, QUERY]) for it in (found.before, found.after))
    ordinary = np.delete(found.before[LAYER, 1:], [it - 1 for it in found.outliers])
    said(page, f"after layer {LAYER}: length {small(before)}, {small(after)} after the last norm; position read out")
    median = small(float(np.median(ordinary)))
    expect(page.locator(".scene .caption:visible")).to_contain_text(f"median patch {median} in")
    scene = page.locator(".scene canvas:visible")
    at(page, scene, 48 / 760, 0.5)
    said(page, "token: length ")
    page.get_by_role("button", name="play").click()
    said(page, "after layer 4: ")
    page.locator(".play").click()  # or it would play on
    expect(page.locator(".play")).to_have_text("▶")
    page.locator(".scene .caption button:visible").focus()
    note, room = page.locator(".scene .caption [role=tooltip]:visible").bounding_box(), scene.bounding_box()
    assert note
    assert room
    assert note["x"] + note["width"] <= room["x"] + room["width"] + 1  # what stands out of the scene is cut


def test_a_patch_whose_position_is_moved_says_that_it_stands_elsewhere(
    page: Page, trace: Trace, others: list[str]
) -> None:
    open_page(page, moment="length", layer=LAYER, query=QUERY, edits=f"o{QUERY}=6")
    config = trace.config
    moved = record(trace.model, trace["image"].tensor, edits=Edits.parse(f"o{QUERY}=6", config))
    taught = [known_of_patches(trace_of(it)) for it in others]
    plain, found = (
        what_patches_hold((), known_of_patches(it), *taught).places[LAYER, QUERY - 1] for it in (trace, moved)
    )
    row, column = (small(float(it) + 1) for it in found)
    length = small(float(lengths(moved).before[LAYER, QUERY]))
    said(page, f"length {length}, ")
    said(page, f"position read out: row {row}, column {column}")
    assert found[1] - plain[1] > 4  # columns
    assert abs(found[0] - plain[0]) < 1


def test_who_guesses_first_is_told_what_is_so(page: Page) -> None:
    open_page(page, query=QUERY)
    page.get_by_role("button", name="guess first").click()
    page.wait_for_function("() => location.search.includes('covered=yes')")
    said(page, "Guess first.")
    assert "layer" not in texts(page)
    found = candidates(trace_of("left"), QUERY - 1)
    guess = page.locator(".guess")
    expect(guess.get_by_role("button")).to_have_count(2 * len(found.patches) + 1)
    first, last = (guess.get_by_role("group", name=f"after layer {layer}", exact=True) for layer in (1, 6))
    first.get_by_role("button", name="A").click()
    right = int(found.cosines[1].argmax())
    row, column = divmod(int(found.patches[right]), GRID)  # on the photo the question that is open is answered
    at(page, photo(page), (column + 0.5) / GRID, (row + 0.5) / GRID, click=True)
    expect(last.get_by_role("button", name="ABCD"[right])).to_have_attribute("aria-pressed", "true")
    guess.get_by_role("button", name="Show").click()

    def named(layer: int, letter: int) -> str:
        return f"{'ABCD'[letter]}, patch {found.patches[letter] + 1} ({small(float(found.cosines[layer, letter]))})"

    best = int(found.cosines[0].argmax())
    told = "as you said" if best == 0 else f"you said {named(0, 0)}"
    expect(guess).to_contain_text(f"After layer 1 it is {named(0, best)}, {told}.")
    expect(guess).to_contain_text(f"After layer 6 it is {named(1, right)}, as you said.")
    written(page, "layer 6")
    assert on_photo(page) == "ABCD"[: len(found.patches)]  # what is named is still to be found
    page.keyboard.press("ArrowRight")  # of another patch nothing was guessed
    expect(guess).to_be_hidden()
    drawn(page)
    assert on_photo(page) == ""


def test_the_picture_of_the_second_column_and_ones_own_come_before_samples(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit(viewport=LAPTOP)
    open_page(page, moment="elsewhere", layer=LAYER, query=QUERY, **{"b.model": "demo", "b.image": "above"})
    here, above, fish = (patch_vectors(trace_of(it), "state", LAYER - 1) for it in ("left", "above", "fish"))
    canvas = page.locator(".scene canvas:visible").first
    number = small(float(nearest(QUERY - 1, here, above).cosines[0]))
    page.wait_for_function(FIRST_NUMBER, arg=[canvas.element_handle(), number])
    file = tmp_path / "mine.png"
    file.write_bytes(samples()["fish"].data)
    open_page(page, moment="elsewhere", sample="")
    upload(page, file)
    open_page(page, moment="elsewhere", layer=LAYER, query=QUERY)
    number = small(float(nearest(QUERY - 1, here, fish).cosines[0]))
    page.wait_for_function(FIRST_NUMBER, arg=[canvas.element_handle(), number])
    titles = texts(page).split("\n")
    assert titles.index("your picture") < titles.index(samples().titles["cat"])


def without_numbers(route: Route) -> None:
    """An answer whose fractions are no numbers."""
    answer = route.fetch()
    body = bytearray(answer.body())
    if answer.status == 200 and not answer.headers["content-type"].startswith("application/json"):
        start = 4 + int.from_bytes(body[:4], "little")
        for its in json.loads(body[4:start])["arrays"]:
            if its["type"] in ("f2", "f4"):
                many = its["length"] // int(its["type"][1])
                body[start : start + its["length"]] = np.full(many, np.nan, TYPES[its["type"]]).tobytes()
            start += its["length"]
    route.fulfill(response=answer, body=bytes(body))


def test_what_is_no_number_is_said_in_a_sentence(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)
    page.route("**/numbers/**", without_numbers)
    for moment, text in (
        ("alike", "Not all of these are numbers (NaN), so nothing can be compared."),
        ("elsewhere", "Not all of these are numbers (NaN), so nothing can be compared."),
        ("colours", "Not all of these are numbers (NaN), so there are no components."),
        ("length", "no number (NaN)"),
    ):
        page.evaluate("() => globalThis.__painted?.clear()")  # of what the moment before said
        open_page(page, moment=moment, layer=LAYER, query=QUERY)
        sentence(page, text)


def test_what_is_the_same_for_all_patches_is_said_in_a_sentence(visit: Callable[..., Page], tmp_path: Path) -> None:
    state = shaken_state(TIMM.with_(dim=64, heads=2, depth=2))
    state["patch_embed.proj.weight"] *= 0
    state["pos_embed"] *= 0
    page = own_model(visit, save(state, tmp_path / "mine.safetensors"))
    open_page(page, layer=2, **own_words(page))
    expect(page.locator(".scene .caption")).to_contain_text("Here all others are equally near.")
    for moment, text in (
        ("elsewhere", "none of them is the nearest."),
        ("colours", "All patches have one state here"),
    ):
        open_page(page, moment=moment, layer=2, **own_words(page))
        sentence(page, text)


def test_one_patch_has_no_other_to_be_like_and_no_guess(page: Page) -> None:
    sizes = {"image_size": 32, "patch_size": 32, "dim": 24, "depth": 2, "heads": 3, "mlp_dim": 48, "classes": 3}
    for moment in ("alike", "elsewhere"):
        open_page(page, model="build-your-own", moment=moment, covered="yes", **sizes)
        sentence(page, "The model has one patch")
        expect(page.get_by_role("button", name="guess first")).to_be_hidden()


def test_registers_are_told_where_a_model_has_them(page: Page) -> None:
    caption = page.locator(".scene .caption:visible")
    sizes: dict[str, Any] = {
        "image_size": 32,
        "patch_size": 8,
        "dim": 24,
        "depth": 2,
        "heads": 3,
        "mlp_dim": 48,
        "classes": 3,
    }
    config = ViTConfig(**sizes, registers=2)
    loaded = build(config)
    trace = record(loaded.model, loaded.preprocess(open_image(samples()["left"].data)))
    open_page(page, model="build-your-own", moment="length", layer=2, registers=2, **sizes)
    long, given = lengths(trace).before[2], registers(trace)
    ratio = small(float(long[1:3].mean() / np.median(long[3:])))
    expect(caption).to_contain_text(f"2 registers, {ratio} times as long as the median patch here")
    shares = [small(100 * float(it)) for it in (given.attention[1], given.even)]
    expect(caption).to_contain_text(
        f"{shares[0]} % of their attention in layer 2, {shares[1]} % if all tokens got as much."
    )
    open_page(page, moment="length")
    expect(caption).to_contain_text("median patch")
    expect(caption).not_to_contain_text("register")


def test_two_models_are_compared_patch_by_patch(page: Page, trace: Trace) -> None:
    open_page(page, layer=LAYER, query=QUERY, key=10, **{"b.model": "demo", "b.image": "right"})
    here, there = (cosines(it, "state", LAYER - 1, QUERY - 1) for it in (trace, trace_of("right")))
    words = page.locator(".difference [aria-live]")
    a, b = small(float(here[9])), small(float(there[9]))
    expect(words).to_contain_text(
        f"patch 10, cosine with the chosen patch, A after layer 3, B after layer 3: A {a}, B {b}"
    )
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(words).to_contain_text("principal components of its own")


def test_a_phone_has_room_for_every_moment(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page)
    page.locator(".photo canvas").tap(position=on_patch(page, 13))
    said(page, "patch 14, row 2, column 2")
    for moment in ("elsewhere", "colours", "length"):
        page.keyboard.press("PageDown")
        page.wait_for_function("(moment) => __vitviz_drawn.moment === moment", arg=moment)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box = page.locator(".scene").bounding_box()
        assert box
        assert box["height"] >= 500
    written(page, "mean colour")
    page.evaluate(LISTEN_TO_BARS)
    page.keyboard.press("l")
    page.wait_for_function("() => __bars.some(({ name }) => name === 'mean colour')")
    drawing = page.evaluate("__bars")
    names = [which for which, it in enumerate(drawing) if it["name"]][-3:]
    assert [drawing[which]["name"] for which in names] == ["row", "column", "mean colour"]
    for which, after in pairwise(names):  # each has its bar, above the next name
        bar = drawing[which + 1]
        assert drawing[which]["ends"] < bar["starts"] < bar["ends"] < drawing[after]["ends"] - LINE
