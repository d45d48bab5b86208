"""Configurations and counts show themselves as tables in a notebook, and foreign words on one line."""

from html.parser import HTMLParser

import pytest

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import macs, parameters, total_macs, total_parameters
from vitviz.shown import QUOTED, hides, html_table, one_line, quoted


class Cells(HTMLParser):
    """The words of every cell, line by line, and all elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines: list[list[str]] = []
        self.elements: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        if tag == "tr":
            self.lines.append([])
        elif tag in ("td", "th"):
            self.lines[-1].append("")

    def handle_data(self, data: str) -> None:
        self.lines[-1][-1] += data


def test_a_configuration_shows_its_sizes_and_what_is_unlike_the_paper() -> None:
    plain = Cells(PRESETS["vit_base_patch16_224"]._repr_html_()).lines
    assert plain[0] == ["ViTConfig", ""]
    assert dict(plain[1:])["mlp_dim"] == "3,072"
    assert len(plain) == 9
    odd = dict(Cells(ViTConfig(image_size=(96, 128), activation="swiglu", registers=2)._repr_html_()).lines)
    assert (odd["image_size"], odd["activation"], odd["registers"]) == ("96 × 128", "swiglu", "2")
    assert "head_dim" not in odd
    assert "head_dim" in dict(Cells(ViTConfig(head_dim=48)._repr_html_()).lines)


def test_rows_show_every_tensor_and_their_sum() -> None:
    config = PRESETS["vit_base_patch16_224"]
    for count, total in ((parameters, total_parameters), (macs, total_macs)):
        rows = count(config)
        lines = Cells(rows._repr_html_()).lines
        assert lines[0] == ["stage", "tensor", "axes", "shape", "formula", "numbers", "count"]
        assert len(lines) == len(rows) + 2
        assert sum(int(line[-1].replace(",", "")) for line in lines[1:-1]) == total(config)
        assert lines[-1] == ["total", "", "", "", "", "", f"{total(config):,}"]
        assert isinstance(rows, tuple)
        assert rows == tuple(rows)


def test_words_stay_words() -> None:
    hostile = "<script>alert(1)</script>"
    found = Cells(html_table([hostile], [[hostile]], [hostile]))
    assert [line[0] for line in found.lines] == [hostile] * 3
    assert found.elements == {"table", "thead", "tbody", "tfoot", "tr", "td", "th"}


UNSEEN = {
    "a tag": "\U000e0041",
    "an override": "\u202e",
    "an isolate's end": "\u2069",
    "a mark of direction": "\u200f",
    "a filler": "\u3164",
    "braille without dots": "\u2800",
    "a joiner of marks": "\u034f",
    "a variant": "\U000e0101",
    "a line break": "\n",
    "half a letter": "\ud800",
    "a private one": "\ue000",
}


@pytest.mark.parametrize("name", UNSEEN)
def test_a_letter_that_cannot_be_seen_is_a_space_on_one_line(name: str) -> None:
    assert one_line(f"ca{UNSEEN[name]}t{UNSEEN[name]}") == "ca t"
    assert hides(f"cat{UNSEEN[name]}")
    assert not hides("several\n\tlines", "\n\t")


def test_marks_do_not_pile_up_on_a_letter() -> None:
    assert one_line("a" + "\u0301" * 190) == "a" + "\u0301" * 4
    assert hides("a" + "\u0301" * 190)


def test_words_of_the_world_stay_as_they_are() -> None:
    for words in ("Tiếng Việt", "\u05e9\u05c1\u05b8לום", "हिन्दी", "日本語", "e\u0301tude", "❤\ufe0f"):
        assert one_line(words) == words
        assert not hides(words)
    assert not hides("می\u200cخواهم"), "Persian has a joiner of no width within a word"


def test_what_is_long_is_quoted_without_its_middle() -> None:
    assert quoted("a" * 300 + "b" * 300) == "a" * (QUOTED // 2) + "…" + "b" * (QUOTED // 2)
    assert quoted("abcdef", 4) == "ab…ef"
    assert quoted(10**5000) == "a number of thousands of digits"
