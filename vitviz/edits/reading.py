"""From words to edits: each is checked against the model, and what cannot be had is said with both numbers."""

import re
from collections.abc import Callable
from dataclasses import replace

from vitviz.config import ViTConfig
from vitviz.edits.edit import BY_LETTER, KINDS, SCALE, Edit, EditsError, Kind, written

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


def neutral(edit: Edit, config: ViTConfig) -> bool:
    """Whether the edit leaves things as they are."""
    kind = KINDS[edit.kind]
    if edit.word:
        return (edit.kind, edit.word) in (("scale", "sqrt"), ("causal", "full"))
    if edit.is_swap:
        return edit.first == edit.number
    usual = {SCALE: 1, "temperature": 1, "rate": 0, "number of scores": config.tokens}
    usual["number of patches"] = max(config.grid) - 1
    return bool(kind.number) and edit.number == usual[kind.number]


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
    as_word = value or (kind.usual if not sign else "")
    if sign != "*" and as_word in kind.words and not (seed and as_word not in kind.seeded):
        if kind.name in ("pixels", "positions") and target.first is not None:
            raise EditsError(f"“{_short(word)}” {_form(kind)}")
        return replace(target, word=as_word, seed=int(seed or 0))
    if not kind.number and not kind.words and not sign:
        return target
    number = NUMBER.fullmatch(value)
    one_patch = kind.places == "patch" and target.first is None
    if not number or sign != kind.sign or not kind.number or one_patch or (seed and "" not in kind.seeded):
        raise EditsError(f"“{_short(word)}” {_form(kind)}")
    if target.first is not None and kind.places == "patch":
        other = _counted(value, 1, config.patches, "patch", "patches", word) - 1
        smaller, larger = sorted((target.first, other))
        return replace(target, first=smaller, last=smaller, number=larger)
    return replace(target, number=_within(number, kind, config, word, note), seed=int(seed or 0))


def _within(number: re.Match[str], kind: Kind, config: ViTConfig, word: str, note: Note) -> float:
    """The number, cut off after three digits, or the nearest one that is legal."""
    whole = kind.name in ("top_k", "window")
    if whole and number[2]:
        raise EditsError(f"“{_short(word)}” {_form(kind)}")
    value = float(f"{number[1]}.{(number[2] or '0')[:3]}")
    most = {"top_k": config.tokens, "window": max(config.grid) - 1}.get(kind.name, kind.most)
    legal = min(max(value, kind.least), most)
    if legal != value:
        between = f"from {written(kind.least)} to {written(most)}"
        note(f"“{_short(word)}” asks for a {kind.number} of {written(value)}, and it goes {between}", written(legal))
    return legal


def _counted(text: str, least: int, most: int, one: str, many: str, word: str) -> int:
    if not re.fullmatch(r"\d{1,8}", text, re.ASCII):
        raise EditsError(f"“{_short(word)}” names no {one}; this model has {most:,} {many}")
    if not least <= int(text) <= most:
        raise EditsError(f"“{_short(word)}” asks for {one} {int(text):,}, and this model has {most:,} {many}")
    return int(text)


EXAMPLES = {
    "head": "h3.1*0, h3.1-4*0.5 or h3.1=mean",
    "attention": "a3*0 or a3=mean",
    "mlp": "m5*0.5 or m5=mean",
    "block": "b2*0",
    "temperature": "t2=0.25 or t=4",
    "scale": "s2=sqrt, s2=dh or s=none",
    "top_k": "k2=16 or k=1",
    "window": "w2=3 or w=1",
    "causal": "c2, c or c2=full",
    "patch": "p40-45, p7=removed, p7=grey, p7=blur or p7=paste",
    "pixels": "i12=40 or i=shuffled@7",
    "positions": "e12=40, e=off or e=shuffled@7",
    "dropout": "d=0.1 or d=0.1@7",
    "drop_path": "l=0.1 or l=0.1@7",
    "donor": "r3.40-45, r3.x1 or r3.all",
}


def _form(kind: Kind) -> str:
    return f"cannot be read; write it as {EXAMPLES[kind.name]}"


def _short(word: str) -> str:
    return word if len(word) <= MOST_QUOTED else f"{word[: MOST_QUOTED - 1]}…"
