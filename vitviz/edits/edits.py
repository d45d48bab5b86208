"""All edits of one forward pass as a value: parsed from text, written as text, compared and combined."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vitviz.config import ViTConfig
from vitviz.edits.edit import KINDS, ORDER, Edit, EditsError
from vitviz.edits.reading import read_target, read_word

# Between words stands what JavaScript takes for space, so that both read one link in one way.
WORDS = re.compile(r"[^ \t\n\v\f\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
MOST_WORDS = 1_000
MOST_SAID = 3  # edits that are said in short
EMBEDDING = -1


@dataclass(frozen=True, slots=True)
class Edits:
    """What is changed in a forward pass: the edits, in the order of their text. Immutable, hashable, empty by default.

    >>> edits = Edits.parse("h3.1*0 t2=0.25", PRESETS["demo"])
    >>> str(edits), edits.listed(PRESETS["demo"])[0]
    ('h3.1*0 t2=0.25', ('h3.1*0', 'Head 1 of layer 3 off'))
    """

    each: tuple[Edit, ...] = ()

    @staticmethod
    def parse(text: str, config: ViTConfig) -> "Edits":
        """The edits that `text` says, each checked against the model. Raises `EditsError` for the first wrong one."""
        edits, sentences = Edits.read(text, config)
        if sentences:
            raise EditsError(sentences[0])
        return edits

    @staticmethod
    def read(text: str, config: ViTConfig) -> tuple["Edits", tuple[str, ...]]:
        """What of `text` this model can have, and a sentence for everything else: for links."""
        sentences: list[str] = []

        def clamped(value: str, nearest: str) -> None:
            sentences.append(f"{value}; the nearest is {nearest}")

        each: list[Edit] = []
        words = WORDS.findall(text)
        if len(words) > MOST_WORDS:
            sentences.append(f"there are more than {MOST_WORDS:,} edits; only the first {MOST_WORDS:,} are read")
        for word in words[:MOST_WORDS]:
            try:
                more = _with(each, read_word(word, config, clamped), config)
                _require_something_visible(more, word, config)
                each = more
            except EditsError as error:
                sentences.append(str(error))
        return Edits(_in_order(each, config)), tuple(sentences)

    @staticmethod
    def in_training(config: ViTConfig, seed: int) -> "Edits":
        """What chance does to this model in training, its dropout and drop path, with `seed` to decide it."""
        rates = {"d": config.dropout, "l": config.drop_path}
        return Edits.parse(" ".join(f"{letter}={rate}@{seed}" for letter, rate in rates.items()), config)

    def with_(self, words: str, config: ViTConfig) -> "Edits":
        """These edits and those that `words` say; of two about the same place the later counts."""
        return Edits.parse(f"{self} {words}", config)

    def without(self, words: str, config: ViTConfig) -> "Edits":
        """These edits without those about the places of `words`; what they do there does not matter."""
        each = list(self.each)
        for word in words.split():
            for target in read_target(word, config):
                each = _without(each, target)
        return Edits(_in_order(each, config))

    def listed(self, config: ViTConfig) -> list[tuple[str, str]]:
        """Each edit as text and in words: ("h3.1*0", "Head 1 of layer 3 off")."""
        return [(str(edit), edit.in_words(config)) for edit in self.each]

    def in_short(self, config: ViTConfig) -> str:
        """The first edits in words: "Head 1 of layer 3 off; Layer 2 off and 4 more"; "" for none."""
        words = [text for _, text in self.listed(config)]
        more = f" and {len(words) - MOST_SAID:,} more" if len(words) > MOST_SAID else ""
        return f"{'; '.join(words[:MOST_SAID])}{more}"

    def of(self, *kinds: str) -> Iterator[Edit]:
        """The edits of these kinds."""
        return (edit for edit in self.each if edit.kind in kinds)

    def setting(self, kind: str, layer: int) -> Edit | None:
        """What counts in a layer of a kind that may be set for all: its own word, else that for all."""
        found = {edit.layer: edit for edit in self.of(kind)}
        return found.get(layer, found.get(None))

    @property
    def first(self) -> int | None:
        """The first block that has to run again, counted from 0; -1 for the embedding, None where nothing has to."""
        return min(map(_first, self.each), default=None)

    @property
    def hidden(self) -> tuple[int, ...]:
        """Patches that no token looks at, in order."""
        return tuple(patch for edit in self.each if edit.does("hides") for patch in edit.places)

    @property
    def needs_donor(self) -> bool:
        """Whether a second picture is needed."""
        return self.do("second")

    def do(self, what: str) -> bool:
        """Whether one of them "hides", "paints", takes a "second" picture or "waits", as `Kind` says."""
        return any(edit.does(what) for edit in self.each)

    @property
    def needs_means(self) -> bool:
        """Whether means over the reference set are needed."""
        return any(edit.word.startswith("mean") for edit in self.each)

    def without_donor(self) -> "Edits":
        """What of them needs no second picture."""
        return Edits(tuple(edit for edit in self.each if not edit.does("second")))

    def __str__(self) -> str:
        return " ".join(map(str, self.each))

    def __bool__(self) -> bool:
        return bool(self.each)


NO_EDITS = Edits()


def _with(each: list[Edit], new: Iterable[Edit], config: ViTConfig) -> list[Edit]:
    for edit in new:
        each = _without(each, edit)
        if not edit.neutral(config) or (edit.layer is not None and KINDS[edit.kind].layer == "any"):
            each = [*each, edit]
    return each


def _without(each: list[Edit], target: Edit) -> list[Edit]:
    """All edits but for what they do at the places of `target`."""
    left: list[Edit] = []
    for edit in each:
        same = (edit.kind, edit.layer, edit.prefix) == (target.kind, target.layer, target.prefix)
        if not same or (edit.first is None) != (target.first is None):
            left.append(edit)
        elif edit.places:
            places, others = edit.places, target.places
            before, after = (places[0], min(places[-1], others[0] - 1)), (max(places[0], others[-1] + 1), places[-1])
            left += [replace(edit, first=first, last=last) for first, last in (before, after) if first <= last]
    return left


def _in_order(each: Iterable[Edit], config: ViTConfig) -> tuple[Edit, ...]:
    """In the order of the text, equal neighbours as one, and nothing that lifts what is not there."""
    each = list(each)
    everywhere = {edit.kind for edit in each if edit.layer is None}
    ordered: list[Edit] = []
    for edit in sorted(each, key=_place):
        if KINDS[edit.kind].layer == "any" and edit.kind not in everywhere and edit.neutral(config):
            continue
        if KINDS[edit.kind].runs and ordered and replace(ordered[-1], first=edit.first, last=edit.last) == edit:
            before = ordered[-1]
            if before.last is not None and before.last + 1 == edit.first:
                ordered[-1] = replace(before, last=edit.last)
                continue
        ordered.append(edit)
    return tuple(ordered)


def _place(edit: Edit) -> tuple[int, int, bool, int]:
    layer, first = (-1 if number is None else number for number in (edit.layer, edit.first))
    return ORDER[edit.kind], layer, not edit.prefix, first


def _first(edit: Edit) -> int:
    if edit.layer is not None:
        return edit.layer
    if KINDS[edit.kind].layer == "any" or edit.word == "masked":
        return 0
    return EMBEDDING


def _require_something_visible(each: list[Edit], word: str, config: ViTConfig) -> None:
    hidden = sum(len(edit.places) for edit in each if edit.does("hides"))
    if hidden == config.patches and not config.prefix_tokens:
        raise EditsError(
            f"“{word}” hides the last of {config.patches:,} patches, and this model has no other token to look at; "
            "leave one patch"
        )
