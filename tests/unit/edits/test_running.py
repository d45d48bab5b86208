"""What the engine runs for edits: values that leave it, keys that tell everything apart, sentences where it cannot."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.engines import MakeEngine
from vitviz import results
from vitviz.config import PRESETS
from vitviz.demo.samples import BY_ID
from vitviz.demo.scenes import CLASSES, render
from vitviz.edits import Edits, EditsError
from vitviz.edits.running import Hits, draw_scenes, reference_means, run_edited, scene_hits
from vitviz.forward import run_forward
from vitviz.machine import price
from vitviz.machine.device import DeviceError
from vitviz.measures.interventions import compared_answers, moved_share
from vitviz.measures.quantised import dequantise
from vitviz.results import requests
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, ModelChoice, Selection
from vitviz.trace import record
from vitviz.ui import pieces
from vitviz.weights import Loaded, build, load

Logits = NDArray[np.float32]
DEMO = PRESETS["demo"]
LEFT, RIGHT = (CLASSES.index(f"red ball {side} of blue ball") for side in ("left", "right"))


@pytest.fixture(scope="module")
def demo() -> Loaded:
    return load("demo", device="cpu")


@pytest.fixture(scope="module")
def selection() -> Selection:
    return Selection(FIRST_MODEL, samples()["left"])


def edited(selection: Selection, text: str, donor: str = "right") -> Selection:
    return replace(selection, edits=Edits.parse(text, selection.config), donor=samples()[donor])


@pytest.mark.parametrize("with_maps", [True, False])
@pytest.mark.parametrize("text", ["h3.1*0 t5=2", "p40-45=grey", "r4.all"])
def test_an_edited_pass_is_told_by_what_its_trace_says(text: str, with_maps: bool, demo: Loaded) -> None:
    plain, other = (run_forward(demo, BY_ID[name].scene.image, with_maps) for name in ("left", "right"))
    done = run_edited(plain, demo, text, other, None) if "r4" in text else run_edited(plain, demo, text, None, None)
    edits = Edits.parse(text, DEMO)
    expected = record(demo.model, plain.trace["image"].tensor, edits=edits, plain=plain.trace, donor=other.trace)
    assert torch.equal(done.trace["logits"].tensor, expected["logits"].tensor)
    assert np.array_equal(done.info.logits, expected["logits"].tensor[0].numpy())
    assert len(done.info.maps) == (6 if with_maps else 0)
    first = edits.first
    assert first is not None
    for layer, coded in enumerate(done.info.maps):
        assert (coded is plain.info.maps[layer]) == (layer < first)
        assert dequantise(coded)[:, 7] == pytest.approx(
            expected.inside(layer)["attn.weights"].tensor[0, :, 7].numpy(), abs=0.01
        )
    painted = "grey" in text
    assert (done.info.crop is plain.info.crop) == (not painted)
    if painted:
        grey = np.zeros((12, 12), bool)
        grey[3, 3:9] = True
        cells = np.kron(grey, np.ones((8, 8))).astype(bool)
        assert (done.info.crop[cells] == 128).all()
        assert np.array_equal(done.info.crop[~cells], plain.info.crop[~cells])


def test_requests_with_other_edits_have_other_keys(selection: Selection) -> None:
    texts = ["", "h3.1*0", "h3.1*0.5", "h3.2*0", "p1", "p1=grey", "r3.1", "d=0.1", "d=0.1@1"]
    chosen = [edited(selection, text) for text in texts] + [edited(selection, "r3.1", donor="cat")]
    for of in (lambda it: it.key, lambda it: it.digest, lambda it: requests.info_request(it).key):
        assert len({of(it) for it in chosen}) == len(chosen)
    assert edited(selection, "").key == selection.key
    assert edited(selection, "h3.1*0", donor="cat").key == edited(selection, "h3.1*0").key
    assert requests.info_request(edited(selection, "")).key == requests.info_request(selection).key
    assert edited(selection, "p1").plain.key == selection.key


def test_people_with_different_edits_get_their_own_answers(selection: Selection, make_engine: MakeEngine) -> None:
    engine = make_engine()
    texts = ["", "h3.1*0", "b2*0", "p40-45", "r4.all", ""]
    futures = [
        engine.submit(requests.info_request(edited(selection, text)), person=str(number))
        for number, text in enumerate(texts)
    ]
    answers = [future.result(60).value.logits for future in futures]
    assert np.array_equal(answers[0], answers[-1])
    assert len({answer.tobytes() for answer in answers}) == len(texts) - 1
    donor = engine.submit(requests.info_request(Selection(FIRST_MODEL, samples()["right"]))).result(60).value.logits
    assert np.array_equal(answers[4], donor)
    assert engine.status().computed["run_forward"] == 2
    assert engine.status().computed["run_edited"] == 4


def test_the_ghost_is_asked_for_with_the_edits(selection: Selection, make_engine: MakeEngine) -> None:
    engine, asked = make_engine(), edited(selection, "b3*0")
    request = results.measurement(asked, compared_answers)
    found = engine.submit(request).result(60).value
    plain = engine.submit(requests.info_request(selection)).result(60).value
    assert np.array_equal(found.plain, plain.logits)
    assert found.plain.argmax() == LEFT
    assert np.array_equal(found.change, found.edited - found.plain)
    assert abs(found.change).max() > 0.1
    assert engine.cached(requests.info_request(asked.plain)) is not None


def test_a_map_comes_in_pieces_that_cover_it_once(selection: Selection, make_engine: MakeEngine) -> None:
    engine, other = make_engine(), samples()["right"]
    heads = pieces.heads_map(selection)
    assert [(it.layer, it.first, it.last) for it in heads] == [(layer, 0, 4) for layer in range(6)]
    at_their_means = pieces.heads_map(selection, "mean")
    assert engine.submit(at_their_means[2].request).result(60).value.shape == (4, 16)
    occlusion = pieces.occlusion_map(selection, "grey")
    assert [patch for it in occlusion for patch in range(it.first, it.last)] == list(range(144))
    for direction in get_args(pieces.Direction):
        causal = pieces.causal_map(selection, other, direction)
        cells = [(it.layer, token) for it in causal for token in range(it.first, it.last)]
        assert cells == [(layer, token) for layer in range(6) for token in range(145)]
    for piece, classes in ((heads[2], 4), (occlusion[1], occlusion[1].last - occlusion[1].first)):
        assert engine.submit(piece.request).result(60).value.shape == (classes, 16)
    every = [*heads, *at_their_means, *occlusion, *causal]
    assert len({it.request.key for it in every}) == len(every)
    assert all(it.request.takes_long for it in every)


def test_enough_and_needed_have_the_pictures_changed_about(selection: Selection, make_engine: MakeEngine) -> None:
    engine, other = make_engine(), samples()["right"]
    here, there = (
        engine.submit(requests.info_request(it)).result(60).value.logits
        for it in (selection, replace(selection, picture=other))
    )
    shares = {}
    directions: list[tuple[pieces.Direction, Logits, Logits]] = [("enough", there, here), ("needed", here, there)]
    for direction, host, donor in directions:
        causal = pieces.causal_map(selection, other, direction)
        piece = next(it for it in causal if it.layer == 5 and it.first == 0)
        found = engine.submit(piece.request).result(60).value
        shares[direction] = moved_share(found, host, donor, LEFT, RIGHT)
    late = edited(selection, "r6.x1")
    clicked = engine.submit(requests.info_request(late)).result(60).value.logits
    assert shares["needed"][0] == pytest.approx(moved_share(clicked, here, there, LEFT, RIGHT), abs=1e-4)
    assert not np.allclose(shares["enough"], shares["needed"])


def test_scenes_are_counted_apart_and_in_pieces(demo: Loaded) -> None:
    scenes = draw_scenes(0, 32)
    assert np.array_equal(scenes[0][5], np.asarray(render(10_000_005).image))
    plain = scene_hits(demo, scenes, "", None, None)
    expected = [
        int(demo.model(demo.preprocess(render(10_000_000 + place).image)).argmax()) == scenes[1][place]
        for place in range(32)
    ]
    assert (plain.of_things, plain.of_relations) == (24, 8)
    assert plain.things + plain.relations == sum(expected)
    broken = scene_hits(demo, scenes, "b1*0 b2*0 b3*0 b4*0 b5*0 b6*0", None, None)
    assert broken.things + broken.relations < 10
    halves = [scene_hits(demo, draw_scenes(at, at + 16), "", None, None) for at in (0, 16)]
    assert Hits(*map(sum, zip(*halves, strict=True))) == plain


def test_only_a_model_of_scenes_is_asked_for_scenes() -> None:
    other = build(PRESETS["demo"].with_(classes=5))
    with pytest.raises(EditsError, match="this model has 5 classes, and scenes have 16 of their own; choose the demo"):
        scene_hits(other, draw_scenes(0, 1), "", None, None)


def test_accuracy_is_asked_for_500_scenes(selection: Selection) -> None:
    asked = pieces.scene_accuracy(edited(selection, "h3.1*0"))
    assert [scene for it in asked for scene in range(it.first, it.last)] == list(range(500))
    assert len({it.request.key for it in [*asked, *pieces.scene_accuracy(selection)]}) == 2 * len(asked)


def test_means_are_over_64_scenes_that_no_model_was_trained_on(demo: Loaded) -> None:
    means = reference_means(demo)
    seen = [
        record(demo.model, demo.preprocess(render(20_000_000 + number).image)).inside(2)["attn.out"].tensor[0]
        for number in range(64)
    ]
    torch.testing.assert_close(means["blocks.2.attn.out"], torch.stack(seen).mean(0), rtol=1e-4, atol=1e-5)
    assert means["blocks.5.attn.z"].shape == (4, 145, 32)
    assert len(means) == 18


def test_means_leave_the_engine_as_arrays(selection: Selection, make_engine: MakeEngine, demo: Loaded) -> None:
    found = make_engine().submit(requests.described_means_request(selection.model)).result(60).value
    expected = reference_means(demo)
    assert list(found) == list(expected)
    assert all(np.array_equal(found[name], expected[name].numpy()) for name in expected)


def test_a_map_that_would_take_hours_is_refused_with_both_numbers() -> None:
    large = Selection(ModelChoice("any", PRESETS["vit_large_patch16_224"]), samples()["cat"])
    with pytest.raises(DeviceError, match=r"a causal trace of this model takes 15\d T multiply-adds and the limit is"):
        pieces.causal_map(large, samples()["left"], "enough")
    base = replace(large, model=ModelChoice("any", PRESETS["vit_base_patch16_224"]))
    assert len(pieces.heads_map(base)) >= 12
    assert len(pieces.causal_map(base, samples()["left"], "needed")) > 500


@pytest.mark.parametrize(("name", "first", "last"), [("demo", 32, 32), ("vit_base_patch16_224", 1, 13)])
def test_as_many_runs_make_a_batch_as_take_a_moment(name: str, first: int, last: int) -> None:
    config = PRESETS[name]
    assert price.runs_at_once(config, 0) == first
    assert price.runs_at_once(config, config.depth - 1) == last
