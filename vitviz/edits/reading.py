"""From words to edits: each is checked against the model, and what cannot be had is said with both numbers."""

import re
from collections.abc import Callable
from dataclasses import replace

from vitviz.config import ViTConfig
from vitviz.edits.edit import BY_LETTER, Edit, EditsError, Kind, Range, written

WORD = re.compile(r"([a-z])([^*=]*)(?:([*=])(.*))?", re.ASCII)
NUMBER = re.compile(r"(\d{1,6})(?:\.(\d*))?", re.ASCII)
RUN = re.compile(r"(x?)(\d{1,8})(?:-(\d{1,8}))?", re.ASCII)
SEEDED = re.compile(r"([^@]*)(?:@(\d{1,6}))?", re.ASCII)
MOST_QUOTED = 24  # letters of a word that is none

Note = Callable[[str, str], None]  # is told what was asked for, and the nearest that there is


def read_word(word: str, config: ViTConfig, note: Note) -> list[Edit]:
    """The edits that one word says; `note` hears of a number that was moved into its range.

    Raises `EditsError` for what cannot be had.
    """
    kind, where, sign, what = _parts(word)
    targets = _targets(kind, where, config, word, note)
    return [_done_to(target, kind, sign, what, config, word, note) for target in targets]


def read_target(word: str, config: ViTConfig) -> list[Edit]:
    """The places that a word, with or without its end, is about."""
    kind, where, _, _ = _parts(word)
    return _targets(kind, where, config, word, lambda _value, _nearest: None)


def _parts(word: str) -> tuple[Kind, str, str, str]:
    found = WORD.fullmatch(word)
    if not found or found[1] not in BY_LETTER:
        letters = " ".join(BY_LETTER)
        raise EditsError(f"“{_short(word)}” is no edit; one begins with a letter of {letters}, as in h3.1*0")
    return BY_LETTER[found[1]], found[2], found[3] or "", found[4] or ""


def _targets(kind: Kind, where: str, config: ViTConfig, word: str, note: Note) -> list[Edit]:
    layer, point, place = where.partition(".") if kind.layer else ("", "", where)
    if kind.layer and (layer or kind.layer == "one"):
        target = Edit(kind.name, _counted(layer, 1, config.depth, "layer", "layers", word) - 1)
    else:
        target = Edit(kind.name)
    needs_place = bool(kind.places) and (kind.places != "patch" or bool(place))
    if bool(point or place) != needs_place:
        raise EditsError(f"“{_short(word)}” {_form(kind)}")
    return _placed(target, kind, place, config, word, note) if needs_place else [target]


def _placed(target: Edit, kind: Kind, place: str, config: ViTConfig, word: str, note: Note) -> list[Edit]:
    prefix = len(config.prefix_tokens)
    if kind.places == "tokens" and place == "all":
        before = [replace(target, first=0, last=prefix - 1, prefix=True)] if prefix else []
        return [*before, replace(target, first=0, last=config.patches - 1)]
    found = RUN.fullmatch(place)
    if not found or (found[1] and kind.places != "tokens") or (found[3] and kind.places == "patch"):
        raise EditsError(f"“{_short(word)}” {_form(kind)}")
    if found[1]:
        most, one, many = prefix, "prefix token", f"prefix token{'s' * (prefix != 1)}"
    elif kind.places == "heads":
        most, one, many = config.heads, "head", "heads"
    else:
        most, one, many = config.patches, "patch", "patches"
    first = _counted(found[2], 1, most, one, many, word)
    last = int(found[3] or first)
    if last < first:
        raise EditsError(f"“{_short(word)}” runs from {first:,} back to {last:,}; write the smaller one first")
    if last > most:
        note(f"“{_short(word)}” asks for {one} {last:,}, and this model has {most:,} {many}", f"{most:,}")
    return [replace(target, first=first - 1, last=min(last, most) - 1, prefix=bool(found[1]))]


def _done_to(target: Edit, kind: Kind, sign: str, what: str, config: ViTConfig, word: str, note: Note) -> Edit:
    found = SEEDED.fullmatch(what)
    value, seed = (found[1], found[2]) if found else (what, None)
    name = value if sign else kind.usual
    if sign != "*" and name in kind.words and not target.is_swap and not (seed and name != kind.seeded):
        return replace(target, word=name, seed=int(seed or 0))
    if not sign and not kind.range and not kind.words:
        return target
    number = NUMBER.fullmatch(value)
    swapped = target.is_swap or kind.places != "patch"
    if not kind.range or sign != kind.range.sign or not number or not swapped or (seed and kind.seeded != ""):
        raise EditsError(f"“{_short(word)}” {_form(kind)}")
    if target.is_swap:
        other = _counted(value, 1, config.patches, "patch", "patches", word) - 1
        smaller, larger = sorted((target.places[0], other))
        return replace(target, first=smaller, last=smaller, number=larger)
    if kind.range.whole and number[2]:
        raise EditsError(f"“{_short(word)}” {_form(kind)}")
    return replace(target, number=_within(number, kind.range, config, word, note), seed=int(seed or 0))


def _within(number: re.Match[str], its: Range, config: ViTConfig, word: str, note: Note) -> float:
    """The number, cut off after three digits, or the nearest one that is legal."""
    value = float(f"{number[1]}.{(number[2] or '0')[:3]}")
    most = its.most_of(config)
    legal = min(max(value, its.least), most)
    if legal != value:
        between = f"from {written(its.least)} to {written(most)}"
        note(f"“{_short(word)}” asks for a {its.name} of {written(value)}, and it goes {between}", written(legal))
    return legal


def _counted(text: str, least: int, most: int, one: str, many: str, word: str) -> int:
    if not re.fullmatch(r"\d{1,8}", text, re.ASCII):
        raise EditsError(f"“{_short(word)}” names no {one}; this model has {most:,} {many}")
    if not least <= int(text) <= most:
        raise EditsError(f"“{_short(word)}” asks for {one} {int(text):,}, and this model has {most:,} {many}")
    return int(text)


def _form(kind: Kind) -> str:
    return f"cannot be read; write it as {kind.example}"


def _short(word: str) -> str:
    return word if len(word) <= MOST_QUOTED else f"{word[: MOST_QUOTED - 1]}…"
