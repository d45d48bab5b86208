"""The lessons that ship: every answer computed on the demo and clear, and what is said in words true of the model."""

import re
from base64 import b64decode
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import vitviz.lecture
from tests.cases import each
from vitviz import counts
from vitviz.config import PRESETS
from vitviz.demo.samples import BY_ID
from vitviz.demo.trial import means, read
from vitviz.edits import Edits
from vitviz.lecture import LESSONS, Question, Step, View, lesson, read_view
from vitviz.lecture.answers import QUANTITIES, AnswerError, Look, Value, truth
from vitviz.lecture.lesson import KINDS
from vitviz.measures.attention import attention_weights, score_row
from vitviz.measures.classes import answer, logit_lens
from vitviz.measures.deletion import both_ends, seen_in_part, trial
from vitviz.measures.logit_sum import NONE, logit_sum
from vitviz.measures.positions import probabilities_without_positions
from vitviz.measures.relevance import IN_ONE_RUN, MAPS, gradient_maps, maps_down_to, randomised_maps
from vitviz.measures.similarity import cosines
from vitviz.measures.tokens import embedded
from vitviz.messages import Truth
from vitviz.pages import CHAPTERS, PAGES
from vitviz.shelf.measured import all_of
from vitviz.trace import Trace, record
from vitviz.weights import load

FOLDER = Path(vitviz.lecture.__file__).parent / "lessons"
SLOTS = {"vit_in_45_minutes": 45, "what_a_head_looks_at": 20, "where_the_parameters_sit": 20}  # minutes
JOINING = 3  # minutes that two hundred people take to be there
RESERVE = 0.08  # of a slot: nothing goes by plan
VOTE = 1.5  # minutes that a question takes at the least: ask, vote, lock, show
CLEAR = 1.5  # times as much as the next is clear to a hall
ASKED = {f"{name}-{at}": step for name in LESSONS for at, step in enumerate(lesson(name).steps, 1) if step.question}


@pytest.mark.parametrize("name", LESSONS)
def test_moments_of_the_lessons_go_by_their_names(name: str) -> None:
    (text,) = (path.read_text(encoding="utf-8") for path in FOLDER.glob(f"{name}.toml"))
    assert "moment=" in text
    assert not re.search(r"moment=\d", text)
    for step in lesson(name).steps:
        assert step.view.get("moment") in ("", *PAGES[step.view.page].moment_names(PRESETS["demo"])[1:])


def asks(step: Step) -> Question:
    assert step.question
    return step.question


@cache
def trace(sample: str, edits: str = "") -> Trace:
    demo = load("demo")
    image = demo.preprocess(BY_ID[sample].scene.image)
    return record(demo.model, image, edits=Edits.parse(edits, demo.config))


def look(view: View) -> Look:
    assert view.config
    assert view.model == "demo"

    def measure(function: Any, *args: Any) -> Any:
        return function(trace(view.get("sample", "cat"), view.get("edits")), *args)

    return Look(view, view.config, measure, lambda: load("demo").labels)


@cache
def found(step: Step) -> Truth:
    return truth(asks(step), look(step.view))


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_leaves_time_to_join_and_a_reserve(name: str) -> None:
    its = lesson(name)
    assert its.steps[0].minutes >= JOINING
    assert not its.steps[0].optional
    assert not its.steps[-1].optional
    assert its.minutes <= (1 - RESERVE) * SLOTS[name]
    assert sum(step.minutes for step in its.steps) > its.minutes, "something may be left out"
    assert sum(step.minutes for step in its.steps) <= (1 - RESERVE) * (SLOTS[name] + 15), "with a quarter more, all"
    assert min(step.minutes for step in its.steps if step.question) >= VOTE
    assert all(step.notes for step in its.steps), "a lecturer has a word for every step"


def test_the_long_lesson_says_what_its_plan_is() -> None:
    long = lesson("vit_in_45_minutes")
    assert f"The plan has {long.minutes:g} minutes" in " ".join(long.steps[0].notes.split())
    assert SLOTS[long.name] - long.minutes == 4
    assert "Four minutes are in reserve" in long.about
    assert long.takes == "41 minutes and 14 optional"


@pytest.mark.parametrize("name", LESSONS)
def test_no_question_is_one_of_memory(name: str) -> None:
    """The total of parameters stands at the foot of every page: whoever asks for it does so before one is seen."""
    asking = [at for at, step in enumerate(lesson(name).steps, 1) if step.question]
    assert [at for at in asking if asks(lesson(name).steps[at - 1]).answer == "parameters"] in ([], [1])


def test_the_long_lesson_goes_through_every_chapter_and_asks_in_every_way() -> None:
    long = lesson("vit_in_45_minutes")
    shown = {step.view.page for step in long.steps}
    for chapter in ("Overview", "Tokens", "Attention", "Model", "Laboratory", "Counting"):
        assert shown & {entry.stem for entry in CHAPTERS[chapter]}, chapter
    assert 28 <= len(long.steps) <= 36
    assert long.questions == 15
    assert {step.question.kind for step in long.steps if step.question} == set(KINDS)


@pytest.mark.parametrize("name", ["vit_in_45_minutes", "what_a_head_looks_at"])
def test_who_asks_where_heads_look_says_what_made_those_of_the_demo_sharp(name: str) -> None:
    """README, of the demo: a label for each patch, and a reward for tokens that look at few patches."""
    first = next(step for step in lesson(name).steps if step.question and step.question.answer == "strongest_patch")
    assert "a label for each patch" in first.notes
    assert "reward" in first.notes


@each(ASKED.values())
def test_the_answer_is_computed_and_clear(step: Step) -> None:
    right, question = found(step), asks(step)
    assert right["text"]
    match question.kind:
        case "choose":
            assert 0 <= right["option"] < len(question.options)  # it is one of them, and they differ
        case "number":
            on_scale = np.log(right["value"] / question.low) / np.log(question.high / question.low)
            assert 0.15 < on_scale < 0.85, "neither end of the scale gives it away"
            assert abs(on_scale - 0.5) > 1.5 / 20, "nor does its middle, where the hand begins"
        case "patch":
            assert step.view.config
            codes = np.frombuffer(b64decode(right["map"]), "<u2")
            assert len(codes) == step.view.config.patches
            next_to_it, best = np.sort(codes)[-2:]
            assert best == codes[right["patch"]] == 65_535
            assert best > CLEAR * next_to_it
        case "pair":
            first, second = right["pair"]
            cut = trace(step.view.get("sample", "cat")).config.grid
            patches = embedded(trace(step.view.get("sample", "cat")), "patches")
            assert len(patches) == cut[0] * cut[1]
            assert np.abs(patches[first] - patches[second]).mean() > 1, "a hall sees that they were swapped"


@pytest.mark.parametrize("step", [step for step in ASKED.values() if asks(step).answer.startswith("answer")])
def test_of_answers_the_right_one_is_far_ahead(step: Step) -> None:
    if asks(step).answer == "answer":
        edited = trace(step.view.get("sample", "cat"), step.view.get("edits"))
        probabilities = np.sort(answer(edited, edited.config.depth).probabilities)
    else:
        probabilities = np.sort(probabilities_without_positions(trace(step.view.get("sample", "cat"))))
    assert probabilities[-1] > CLEAR * probabilities[-2]
    assert {means for _, means in asks(step).options} <= set(load("demo").labels)


def test_what_is_counted_agrees_with_the_counts() -> None:
    config, by_answer = PRESETS["demo"], {asks(step).answer: step for step in ASKED.values()}
    numbers = {name: found(step) for name, step in by_answer.items()}
    assert numbers["parameters"]["value"] == sum(row.count for row in counts.parameters(config)) == 1_235_344
    assert numbers["patch_values"]["value"] == 8 * 8 * 3
    assert numbers["multiply_adds"]["value"] == sum(row.count for row in counts.macs(config))
    passed = 145 * numbers["parameters"]["value"]
    assert passed / numbers["multiply_adds"]["value"] > 0.8, "parameters times tokens is most of it"
    assert passed == pytest.approx(1.8e8, rel=0.01), "about 180 million"
    kinds = {item.name: item.count for item in counts.parameter_split(config)}
    assert kinds["MLP"] > sum(kinds.values()) / 2, "more than the others together"
    products = {item.name: item.count for item in counts.mac_split(config)}
    assert max(products, key=lambda name: products[name]) == "MLP"

    def option(name: str) -> str:
        return asks(by_answer[name]).options[numbers[name]["option"]][1]

    assert option("largest_part") == option("largest_product") == "MLP"
    tokens, finer = (96 // 8) ** 2 + 1, (96 // 4) ** 2 + 1
    assert option("weights_at_half_the_patch") == str(round(finer**2 / tokens**2)) == "16"
    wide = config.with_(dim=256, mlp_dim=1024, heads=8)
    assert option("parameters_at_twice_the_width") == str(
        round(counts.total_parameters(wide) / counts.total_parameters(config))
    )
    small = counts.total_parameters(config.with_(patch_size=4)) / counts.total_parameters(config)
    assert abs(small - 1) < 0.05, "hardly any change"
    assert option("parameters_at_half_the_patch") == "1"


def test_what_the_lessons_say_in_words_is_so() -> None:
    """Sizes and shares that stand as words in sentences: whoever changes the demo learns here what to say anew."""
    config = PRESETS["demo"]
    assert (config.classes, config.depth, config.heads) == (16, 6, 4)
    assert config.mlp_dim == 4 * config.dim
    block = {item.name: item.count for item in counts.block_split(config)}
    whole = sum(block.values())
    assert block["attention"] / whole == pytest.approx(1 / 3, abs=0.01)
    assert block["MLP"] / whole == pytest.approx(2 / 3, abs=0.01)
    assert config.depth * 12 * config.dim**2 / counts.total_parameters(config) > 0.9, "that is nearly all"
    paper = counts.total_parameters(PRESETS["vit_base_patch16_224"])
    assert f"{paper / 1e6:.1f}" == "86.6"
    above = trace("above")
    everybody = attention_weights(above, 5)[3][:, 1:].argmax(axis=1)
    assert len(set(everybody)) == 1, "the upright line: all look at the same place"
    scores = score_row(above, 5, 0)[3]
    assert scores.max() > 0 > np.median(scores)
    fish = logit_lens(trace("fish"))
    assert fish[:4].max() < 0.5, "only half believed"
    vit, cnn = all_of(["vit_of_500", "cnn_of_500"])
    assert abs(vit.parameters - cnn.parameters) < 0.05 * vit.parameters, "about equally large"
    assert cnn.mean("all") > CLEAR / 1.2 * vit.mean("all")


def test_two_heads_share_the_work_and_the_needed_patch_is_not_the_one_looked_at() -> None:
    steps = [*lesson("what_a_head_looks_at").steps, *lesson("vit_in_45_minutes").steps]
    by_view = {step.view.address: step for step in steps if step.question}
    first, second, corner = (
        found(by_view[f"heads?sample=above&layer=6&head={head}{query}"])["patch"]
        for head, query in ((4, ""), (2, ""), (4, "&query=1"))
    )
    assert first == corner != second
    looked = found(by_view["heads?layer=2"])["patch"]
    needed = found(by_view["class_head?moment=scores"])["patch"]
    assert looked != needed
    rows, columns = np.divmod([looked, needed], 12)
    assert max(np.ptp(rows), np.ptp(columns)) == 1, "close by, but not there"


def test_the_swapped_cat_is_still_a_cat() -> None:
    (swapped,) = (it.view for it in lesson("vit_in_45_minutes").steps if it.question and it.question.kind == "pair")
    probabilities = answer(trace("cat", swapped.get("edits")), 6).probabilities
    assert load("demo").labels[int(probabilities.argmax())] == "cat"


def test_the_left_eye_becomes_like_the_other_one_as_its_notes_say() -> None:
    first_layer, last = (it for it in lesson("vit_in_45_minutes").steps if it.view.page == "what_a_token_knows")
    assert [it.view.place.layer for it in (first_layer, last)] == [0, 5]
    for step, of, layer, patch, says in (
        (first_layer, "pixels", 1, 30, "0.33"),
        (first_layer, "state", 1, 55, "0.70"),
        (last, "state", 6, 55, "0.89"),
    ):
        first = cosines(trace("cat"), of, layer - 1, 53 - 1)
        assert int(np.delete(first, 53 - 1).argmax()) + 1 + (patch > 53) == patch
        assert f"{first[patch - 1]:.2f}" == says
        assert says in step.notes
    for layer in range(6):
        its = cosines(trace("cat"), "state", layer, 53 - 1)
        assert int(its.argsort()[-2]) == 55 - 1, "it stays"


def test_maps_find_what_the_answer_needs_as_the_notes_say() -> None:
    (step,) = (it for it in lesson("vit_in_45_minutes").steps if it.view.page == "why_this_answer")
    curves, shares = means("grey"), np.array(read()["counts"]) / 144
    areas = {name: float(np.trapezoid(its[0], shares)) for name, its in curves.items()}
    for name in ("occlusion", "chance", "gradient_attention"):
        assert f"{areas[name]:.2f}" in step.notes, name
    assert areas["gradient_attention"] == min(areas.values())
    assert areas["occlusion"] < areas["chance"] == max(areas.values())


def test_of_the_fish_one_map_is_far_ahead_and_of_the_butterfly_another() -> None:
    (step,) = (it for it in lesson("vit_in_45_minutes").steps if it.view.page == "why_this_answer")
    areas, others = (
        {name: float(trial(trace(sample), name, NONE, "grey").area[0]) for name in MAPS}
        for sample in (step.view.get("sample"), "butterfly")
    )
    best, next_to_it = sorted(areas, key=areas.__getitem__)[:2]
    assert best == "sum" == asks(step).options[found(step)["option"]][1]
    assert areas[next_to_it] > CLEAR * areas[best]
    assert 0.9 * areas["chance"] < areas["occlusion"] < areas["chance"], "hardly better than chance"
    assert min(others, key=others.__getitem__) != best


def test_an_answer_that_is_no_option_is_an_error_and_no_guess() -> None:
    view = read_view("heads?sample=cat")
    asked = Question("choose", "What?", "answer", (("A fish", "fish"), ("A car", "car")))
    with pytest.raises(AnswerError, match="the answer is “cat”, and no option stands for that; there is fish, car"):
        truth(asked, look(view))
    with pytest.raises(AnswerError, match="the scale goes from 1 to 10"):
        truth(Question("number", "How many?", "parameters", (), 1, 10), look(view))
    with pytest.raises(AnswerError, match="do not exchange two patches"):
        truth(Question("pair", "Which?", "swapped_patches"), look(view))


def test_quantities_that_no_lesson_asks_for_are_what_their_measures_say() -> None:
    config, cat = PRESETS["demo"], trace("cat")

    def value(name: str, view: str) -> Any:
        return QUANTITIES[name].compute(look(read_view(view))).value

    assert value("multiply_adds", "heads") == sum(row.count for row in counts.macs(config))
    assert value("attention_weights", "heads") == sum(attention_weights(cat, layer).size for layer in range(6))
    rolled = np.eye(145)
    for layer in range(3):
        rolled = (attention_weights(cat, layer).mean(axis=0) + np.eye(145)) / 2 @ rolled
    np.testing.assert_allclose(value("reached_patch", "heads?layer=3&query=53"), rolled[53, 1:], atol=1e-5)
    far = [attention_weights(cat, 4)[head, 1:, 1:] for head in range(4)]
    places = np.stack(np.divmod(np.arange(144), 12), axis=-1)
    apart = np.linalg.norm(places[:, None] - places, axis=-1)
    mean = [float((it / it.sum(axis=1, keepdims=True) * apart).sum(axis=1).mean()) for it in far]
    assert value("farthest_head", "heads?layer=5") == str(int(np.argmax(mean)) + 1)
    plain = cat["logits"].tensor[0]
    states = trace("cat")["blocks.2.resid_post"].tensor[0, 1:].double()
    right = torch.cosine_similarity(states[52], states, dim=-1).clamp_min(0)
    right[52] = 0
    np.testing.assert_allclose(value("alike_patch", "what_a_token_knows?layer=3&query=53"), right, atol=1e-6)
    assert value("nearest_patch", "what_a_token_knows?layer=3&query=53") == str(int(right.argmax()) + 1)
    off = [trace("cat", f"h5.{head}*0")["logits"].tensor[0] for head in range(1, 5)]
    lost = [float((plain - it)[plain.argmax()]) for it in off]
    assert value("needed_head", "heads?layer=5") == str(int(np.argmax(lost)) + 1)


def test_quantities_of_why_an_answer_came_are_what_their_measures_say() -> None:
    fish = trace("fish")

    def found(name: str) -> Value:
        return QUANTITIES[name].compute(look(read_view("why_this_answer?sample=fish")))

    handed = logit_sum(fish, int(fish["logits"].tensor.argmax())).heads.sum(axis=(0, 1))[1:]
    assert found("owed_patch").value.argmax() == handed.argmax()
    areas = {name: trial(fish, name, NONE, "grey").area[0] for name in MAPS}
    assert areas[found("map_on_trial").value] == min(areas.values()) < areas["chance"]
    alike = randomised_maps(fish, -1).alike[:, 1:].mean(axis=1)
    assert found("map_that_stays").value == IN_ONE_RUN[int(alike.argmax())]


def test_maps_on_trial_are_asked_for_in_runs_that_they_share() -> None:
    fish, asked = trace("fish"), set()

    def measure(function: Any, *args: Any) -> Any:
        asked.add((function, args))  # what an engine runs once
        return function(fish, *args)

    view = read_view("why_this_answer?sample=fish")
    assert view.config
    for name in ("map_on_trial", "map_that_stays"):
        QUANTITIES[name].compute(Look(view, view.config, measure, list))
    often = Counter(function for function, _ in asked)
    assert often[maps_down_to] == view.config.depth + 2, "nobody waits for more than one of the models drawn anew"
    assert (often[both_ends], often[gradient_maps], often[seen_in_part]) == (1, 1, len(MAPS))
    assert not {trial, randomised_maps} & {*often}


def test_every_kind_of_question_has_quantities() -> None:
    assert {it.kind for it in QUANTITIES.values()} == set(KINDS)


def test_the_step_with_a_photograph_of_ones_own_has_the_model_it_speaks_of() -> None:
    (step,) = (it for it in lesson("vit_in_45_minutes").steps if "photograph of their own" in it.says)
    photo = PRESETS[step.view.get("model")]
    assert (photo.depth, photo.heads, photo.classes) == (12, 6, 0)
    assert (step.view.get("model"), step.question, step.optional) == ("photo", None, False)
