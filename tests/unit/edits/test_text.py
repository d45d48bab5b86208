"""Edits as text: what is written can be read again, what a model cannot have is said, and the later word counts."""

import pickle
from random import Random

import pytest

from tests.cases import each
from vitviz.config import PRESETS, ViTConfig
from vitviz.edits import Edits, EditsError
from vitviz.edits.chance import mix, shuffled
from vitviz.edits.edit import KINDS

DEMO = PRESETS["demo"]
SIGLIP = DEMO.with_(pool="attention")


def any_word(chance: Random) -> str:
    """A word that the demo model can have."""
    layer, head, patch, other = (chance.randint(1, most) for most in (6, 4, 144, 144))
    number = chance.choice(("0", "0.5", "1", "1.25", "2", "mean", "mean.all"))
    done = f"={number}" if number.startswith("mean") else f"*{number}"
    some = chance.choice(("", layer))
    run = f"{min(patch, other)}-{max(patch, other)}"
    return chance.choice(
        (
            f"h{layer}.{head}{done}",
            f"a{layer}{done}",
            f"m{layer}{done}",
            f"b{layer}*{chance.choice((0, 0.5, 1))}",
            f"t{some}={chance.choice((0.25, 1, 4))}",
            f"s{some}={chance.choice(('sqrt', 'dh', 'none'))}",
            f"k{some}={chance.choice((1, 16, 145))}",
            f"w{some}={chance.choice((0, 3, 11))}",
            f"c{some}{chance.choice(('', '=causal', '=full'))}",
            f"p{run}{chance.choice(('', '=masked', '=removed', '=grey', '=blur', '=paste'))}",
            chance.choice((f"i{patch}={other}", "i=shuffled", "i=shuffled@7")),
            chance.choice((f"e{patch}={other}", "e=off", "e=shuffled@7")),
            f"o{run}={chance.choice((0, 0.5, 32))}",
            chance.choice(("d=0.1", "d=0.1@7", "d=0", "l=0.1@7", "l=0")),
            f"r{layer}.{chance.choice((run, 'x1', 'all', patch))}",
        )
    )


@each(range(40))
def test_what_is_written_is_read_as_the_same_value(seed: int) -> None:
    chance = Random(seed)
    edits = Edits.parse(" ".join(any_word(chance) for _ in range(chance.randint(1, 12))), DEMO)
    again = Edits.parse(str(edits), DEMO)
    assert again == edits
    assert hash(again) == hash(edits)
    assert str(again) == str(edits)
    assert pickle.loads(pickle.dumps(edits)) == edits
    assert " ".join(word for word, _ in edits.listed(DEMO)) == str(edits)
    one_by_one = Edits()
    for word, _ in edits.listed(DEMO):
        one_by_one = one_by_one.with_(word, DEMO)
    assert one_by_one == edits


@each(
    [
        ("h3.1*0", "h3.1*0", "Head 1 of layer 3 off"),
        ("h3.2*.0 h3.1*0.50", "h3.1*0.5", "Head 1 of layer 3 times 0.5"),
        ("h3.2*0 h3.1*0", "h3.1-2*0", "Heads 1 to 2 of layer 3 off"),
        ("h3.1=mean", "h3.1=mean", "Head 1 of layer 3 at the mean of 64 scenes, token by token"),
        ("a3*0", "a3*0", "Attention of layer 3 off"),
        ("m5=mean.all", "m5=mean.all", "MLP of layer 5 at the mean of 64 scenes, over all tokens"),
        ("b2*0", "b2*0", "Layer 2 off"),
        ("t2=0.2599", "t2=0.259", "Temperature 0.259 in layer 2"),
        ("t=4", "t=4", "Temperature 4 in all layers"),
        ("s2=dh", "s2=dh", "Scores in layer 2 divided by dₕ"),
        ("k=16", "k=16", "Only the 16 largest scores of a row in all layers"),
        ("k2=1", "k2=1", "Only the largest score of a row in layer 2"),
        ("w1=3", "w1=3", "Patches see no further than 3 patches in layer 1"),
        ("p45 p40-44=masked", "p40-45", "Patches 40 to 45 hidden: masked as keys"),
        ("p7=removed", "p7=removed", "Patch 7 hidden: removed as tokens"),
        ("p7=grey", "p7=grey", "Patch 7 painted grey"),
        ("p7=paste", "p7=paste", "Patch 7 pasted from the second picture"),
        ("i40=12", "i12=40", "Pixels of patches 12 and 40 swapped"),
        ("i=shuffled@7", "i=shuffled@7", "Pixels of all patches shuffled (seed 7)"),
        ("e=off", "e=off", "Positions of all patches off"),
        ("e=shuffled@0", "e=shuffled", "Positions of all patches shuffled (seed 0)"),
        ("d=0.1@7", "d=0.1@7", "Dropout 0.1 (seed 7; attention maps show the weights before it)"),
        ("l=0.1@7", "l=0.1@7", "Drop path 0.1 (seed 7)"),
        ("r3.x1", "r3.x1", "[class] of the second picture put in before layer 3"),
        ("r3.40-45", "r3.40-45", "Patches 40 to 45 of the second picture put in before layer 3"),
    ]
)
def test_a_word_is_written_in_one_way_and_said_in_words(text: str, written: str, words: str) -> None:
    edits = Edits.read(text, DEMO)[0]
    assert edits.listed(DEMO) == [(written, words)]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("h3.1*0 h3.1*0.5", "h3.1*0.5"),
        ("h3.1*0 h3.1*1", ""),
        ("h3.1-4*0 h3.2-3*1", "h3.1*0 h3.4*0"),
        ("p40-45 p42=grey", "p40-41 p42=grey p43-45"),
        ("p42=grey p40-45", "p40-45"),
        ("t2=1", ""),
        ("t2=1 t=0.5", "t=0.5 t2=1"),
        ("t=0.5 t2=1 t=1", ""),
        ("k=145 w=11 s=sqrt d=0 e12=12", ""),
        ("e=off e=shuffled@3", "e=shuffled@3"),
        ("e12=40 e40=12", "e12=40"),
        ("r2.all", "r2.x1 r2.1-144"),
    ],
)
def test_of_two_words_about_a_place_the_later_counts(text: str, written: str) -> None:
    assert str(Edits.parse(text, DEMO)) == written


def test_a_layers_own_word_counts_before_that_for_all_layers() -> None:
    edits = Edits.parse("t2=1 t=0.5", DEMO)
    settings = [edits.setting("temperature", layer) for layer in (0, 1, 2)]
    assert [setting and setting.number for setting in settings] == [0.5, 1, 0.5]
    assert edits.setting("window", 0) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("h9.1*0", "“h9.1*0” asks for layer 9, and this model has 6 layers"),
        ("h0.1*0", "“h0.1*0” asks for layer 0, and this model has 6 layers"),
        ("h3.5*0", "“h3.5*0” asks for head 5, and this model has 4 heads"),
        ("h3*0", "“h3*0” cannot be read; write it as h3.1*0, h3.1-4*0.5 or h3.1=mean"),
        ("p200", "“p200” asks for patch 200, and this model has 144 patches"),
        ("p45-40", "“p45-40” runs from 45 back to 40; write the smaller one first"),
        ("r3.x2", "“r3.x2” asks for prefix token 2, and this model has 1 prefix token"),
        ("e12", "“e12” cannot be read; write it as e12=40, e=off or e=shuffled@7"),
        ("e12=off", "“e12=off” cannot be read; write it as e12=40, e=off or e=shuffled@7"),
        ("i=off", "“i=off” cannot be read; write it as i12=40 or i=shuffled@7"),
        ("k2=1.5", "“k2=1.5” cannot be read; write it as k2=16 or k=1"),
        ("t=fast", "“t=fast” cannot be read; write it as t2=0.25 or t=4"),
        ("t=-1", "“t=-1” cannot be read; write it as t2=0.25 or t=4"),
        ("p1=masked@7", "“p1=masked@7” cannot be read; write it as p40-45, p7=removed"),
        ("H3.1*0", "“H3.1*0” is no edit; one begins with a letter of h a m b t s k w c p i e o d l r, as in h3.1*0"),
        ("h٣.1*0", "“h٣.1*0” names no layer; this model has 6 layers"),
        ("x" * 500, "“xxxxxxxxxxxxxxxxxxxxxxx…” is no edit"),
    ],
)
def test_what_cannot_be_had_is_said_and_the_rest_is_applied(text: str, sentence: str) -> None:
    edits, sentences = Edits.read(f"h1.1*0 {text} b2*0", DEMO)
    assert str(edits) == "h1.1*0 b2*0"
    assert len(sentences) == 1
    assert sentences[0].startswith(sentence)
    with pytest.raises(EditsError) as raised:
        Edits.parse(text, DEMO)
    assert str(raised.value) == sentences[0]


@pytest.mark.parametrize(
    ("text", "taken", "sentence"),
    [
        ("h3.1*5", "h3.1*2", "“h3.1*5” asks for a scale of 5, and it goes from 0 to 2; the nearest is 2"),
        ("t2=0", "t2=0.01", "“t2=0” asks for a temperature of 0, and it goes from 0.01 to 100; the nearest is 0.01"),
        ("k2=0", "k2=1", "“k2=0” asks for a number of scores of 0, and it goes from 1 to 145; the nearest is 1"),
        ("w2=99", "", "“w2=99” asks for a number of patches of 99, and it goes from 0 to 11; the nearest is 11"),
        ("d=1", "d=0.9", "“d=1” asks for a rate of 1, and it goes from 0 to 0.9; the nearest is 0.9"),
        ("p140-160", "p140-144", "“p140-160” asks for patch 160, and this model has 144 patches; the nearest is 144"),
    ],
)
def test_numbers_out_of_range_are_moved_aloud(text: str, taken: str, sentence: str) -> None:
    edits, sentences = Edits.read(text, DEMO)
    assert (str(edits), sentences) == (taken, (sentence,))


def test_something_stays_visible_to_a_model_without_prefix_tokens() -> None:
    edits, sentences = Edits.read("p1-143 p144=removed", SIGLIP)
    assert str(edits) == "p1-143"
    assert sentences == (
        "“p144=removed” hides the last of 144 patches, and this model has no other token to look at; leave one patch",
    )
    assert Edits.read("p1-144", DEMO)[1] == ()


@pytest.mark.parametrize("config", [DEMO, SIGLIP, DEMO.with_(distilled=True, registers=2, depth=2)], ids=str)
def test_whatever_a_link_says_is_read_or_said(config: ViTConfig) -> None:
    chance, read, said = Random(0), 0, 0
    for _ in range(3_000):
        letters = list(" ".join(any_word(chance) for _ in range(chance.randint(1, 3))))
        for _ in range(chance.randint(0, 2)):
            letters[chance.randrange(len(letters))] = chance.choice("hrpx0123456789.*=-@ moٰ٣")
        edits, sentences = Edits.read("".join(letters), config)
        assert Edits.parse(str(edits), config) == edits
        assert all(len(sentence) < 200 for sentence in sentences)
        assert len(edits.listed(config)) == len(edits.each)
        read, said = read + bool(edits), said + bool(sentences)
    assert min(read, said) > 500


def test_no_link_is_too_long_to_be_read() -> None:
    edits, sentences = Edits.read("b1*0 " * 5_000, DEMO)
    assert str(edits) == "b1*0"
    assert sentences == ("there are more than 1,000 edits; only the first 1,000 are read",)
    huge = ViTConfig(image_size=4096, patch_size=1, dim=8, heads=1, mlp_dim=8)
    assert str(Edits.parse("r1.all", huge)) == "r1.x1 r1.1-16777216"


def test_an_edit_is_added_and_taken_away() -> None:
    edits = Edits.parse("h3.1-4*0 t=2", DEMO)
    assert str(edits.without("h3.2", DEMO)) == "h3.1*0 h3.3-4*0 t=2"
    assert str(edits.with_("h3.2*0.5", DEMO)) == "h3.1*0 h3.2*0.5 h3.3-4*0 t=2"
    assert edits.without("h3.1-4*0 t", DEMO) == Edits()
    assert not Edits()
    for word, _ in edits.listed(DEMO):
        assert word not in str(edits.without(word, DEMO))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("", None),
        ("h3.1*0 m5*0", 2),
        ("t2=2", 1),
        ("t=2", 0),
        ("p1", 0),
        ("p1=grey", -1),
        ("e=off", -1),
        ("o1=2", -1),
        ("r4.1", 3),
    ],
)
def test_what_has_to_run_again_follows_from_the_first_edit(text: str, first: int | None) -> None:
    assert Edits.parse(text, DEMO).first == first


def test_every_kind_has_an_example_that_can_be_read() -> None:
    for kind in KINDS.values():
        for word in kind.example.replace(" or ", ", ").split(", "):
            edits, sentences = Edits.read(word, DEMO)
            assert sentences == ()
            assert {edit.kind for edit in edits.each} <= {kind.name}


def test_chance_is_pinned_because_javascript_draws_the_same() -> None:
    assert [mix(number) for number in (0, 1, 7, 0xFFFFFFFF)] == [0, 1753845952, 2492178918, 1734902346]
    assert shuffled(8, 0) == [3, 2, 7, 5, 1, 4, 0, 6]
    assert sorted(shuffled(144, 7)) == list(range(144))
    assert shuffled(144, 7) != shuffled(144, 8)
