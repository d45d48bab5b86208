"""What can be chosen, for the browser: modules of data and their types, written from the declarations of Python.

`make schema` writes them beside the scripts that read them; where they are stale a test says so, and which change
breaks what a script may have held on to.
"""

import ast
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from textwrap import dedent
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NotRequired,
    Required,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from vitviz.addresses.place import COUNTED, LEAST_SIDE, MOST_SIDE, TOKENS, Counted
from vitviz.addresses.words import DRAWERS, OF_A_VISIT
from vitviz.choices import HERE_ALONE, LEAVES, SWITCHES
from vitviz.edits.edit import KINDS, Kind
from vitviz.installed import FRONTEND

FOLDER = FRONTEND / "schema"
PLAIN = {str: "string", bool: "boolean", int: "number", float: "number", NoneType: "null", Any: "unknown"}


class Grammar(TypedDict, total=False):
    """What a word of edits may say, as `Kind` of vitviz/edits; as a rule its sign is "=", and "*1" neutral."""

    layer: Literal["one", "any"]
    places: Literal["heads", "patches", "tokens", "patch"]
    words: list[str]
    usual: str
    seeded: str
    sign: Literal["*"]
    least: float
    most: float | Literal["tokens", "patches", "furthest"]
    whole: bool
    neutral: str
    runs: bool


class Wording(TypedDict):
    """How people say what a word of edits does: `done` by what stands behind its sign, "#" for any other number."""

    says: str
    done: dict[str, str]
    runs: NotRequired[tuple[str, str]]
    together: NotRequired[str]


Read = Literal["token", "crop", "edits", "donor", "moment"]  # how a word of an address is read
OPEN = ["", *DRAWERS]


class Numbered(TypedDict, total=False):
    """A number of an address, as `Counted` of vitviz/addresses; its least, usual and before are 1 as a rule."""

    most: Required[Literal["depth", "heads", "dim", "classes"] | int]
    least: int
    usual: int | None
    before: int


def word(its: Counted) -> dict[str, Any]:
    """A number of an address as `Numbered`."""
    usual = Counted._field_defaults
    return {name: it for name, it in its._asdict().items() if name not in usual or it != usual[name]}


def words() -> dict[str, Any]:
    """What the board holds of an address, in the order of its words: numbers, one of few texts, or how it is read."""
    numbers = {name: word(its) for name, its in COUNTED.items()}
    of_code = {name: it for name, it in numbers.items() if "before" in it}
    from_1 = {name: it for name, it in numbers.items() if name not in of_code}
    read = {name: name for name in ("crop", "edits", "donor")}
    few = {name: list(SWITCHES[name]) for name in sorted(SWITCHES)}
    return {**from_1, **dict.fromkeys(TOKENS, "token"), **of_code, **read, **few, "moment": "moment", "open": OPEN}


def grammar(kind: Kind) -> dict[str, Any]:
    """A kind of edits as `Grammar`."""
    its = {name: getattr(kind, name) for name in ("layer", "places", "usual", "neutral")}
    its |= {"runs": bool(kind.runs), "words": list(kind.words)}
    if kind.range and kind.places != "patch":
        its |= {name: getattr(kind.range, name) for name in ("least", "most", "whole", "sign")}
    seeded = {} if kind.seeded is None else {"seeded": kind.seeded}
    return {name: it for name, it in its.items() if it and it not in ("=", "*1")} | seeded


def wording(kind: Kind) -> Wording:
    """A kind of edits as people say it."""
    done = {"" if word == kind.usual else word: it for word, it in kind.words.items()}
    done |= {number or "#": it for number, it in (kind.range.texts if kind.range else {}).items()}
    found: Wording = {"says": kind.says, "done": done}
    if kind.runs:
        found["runs"] = kind.runs
    if kind.together:
        found["together"] = kind.together
    return found


def files() -> dict[str, str]:
    """The texts of all files by their names."""
    return {
        "edits.js": module(KINDS=("Record<string, Grammar>", {it.letter: grammar(it) for it in KINDS.values()})),
        "wording.js": module(WORDING=("Record<string, Wording>", {it.letter: wording(it) for it in KINDS.values()})),
        "types.d.ts": types(Grammar, Wording, Numbered, Read=Read),
        "visit.js": module(OF_A_VISIT=("string[]", OF_A_VISIT), HERE_ALONE=("string[]", HERE_ALONE)),
        "words.js": module(
            WORDS=("Record<string, Numbered | Read | string[]>", words()),
            LEAVES=("string[]", LEAVES),
            SIDES=("number[]", (LEAST_SIDE, MOST_SIDE)),
        ),
    }


def module(**values: tuple[str, Any]) -> str:
    """A JavaScript module of values, each with its type; what has names stands in a line each."""
    parts = [WRITTEN]
    for name, (type_, value) in values.items():
        shapes = {it: f'import("./types.js").{it}' for it in ("Grammar", "Wording", "Numbered", "Read")}
        for shape, there in shapes.items():
            type_ = type_.replace(shape, there)
        lines = [f"    {_name(key)}: {_literal(it)}," for key, it in value.items()] if isinstance(value, dict) else []
        written = "\n".join(["{", *lines, "}"]) if lines else _literal(value)
        parts.append(f"/** @type {{{type_}}} */\nexport const {name} = {written};")
    return "\n".join([*parts, ""])


WRITTEN = "// Written by `make schema` from what Python declares."


def types(*shapes: type, **unions: Any) -> str:
    """Typed dictionaries and dataclasses as interfaces of TypeScript, with what is said of their fields."""
    named = [f"export type {name} = {_typescript(of)};\n" for name, of in unions.items()]
    return "\n".join([WRITTEN, "", *map(_interface, shapes), *named])


def breaks(before: str, after: str) -> list[str]:
    """Sentences about what is gone from the types of a file, or of another type; what is new breaks nothing."""
    old, new = _fields(before), _fields(after)
    gone = [f"{name} is gone: nothing may read it any more" for name in old if name not in new]
    changed = [name for name, type_ in old.items() if new.get(name, type_) != type_]
    return gone + [f"{name} was {old[name]} and is {new[name]}: whatever reads it has to follow" for name in changed]


def _interface(shape: type) -> str:
    hints = get_type_hints(shape, include_extras=True)
    notes = _notes(shape)
    lines = [f"/** {inspect.cleandoc(shape.__doc__ or '')} */", f"export interface {shape.__name__} {{"]
    for name, hint in hints.items():
        optional = get_origin(hint) is NotRequired or name in getattr(shape, "__optional_keys__", ())
        if name in notes:
            lines.append(f"    /** {notes[name]} */")
        lines.append(f"    {name}{'?' * optional}: {_typescript(hint)};")
    return "\n".join([*lines, "}", ""])


def _notes(shape: type) -> dict[str, str]:
    """What stands as a text under fields."""
    (body,) = ast.parse(dedent(inspect.getsource(shape))).body
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: note.value.value
        for field, note in zip(body.body, body.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(note, ast.Expr) and isinstance(note.value, ast.Constant) and isinstance(note.value.value, str)
    }


def _typescript(hint: Any) -> str:
    """A type of Python as TypeScript has it. Raises TypeError for one that does not cross."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if origin in (NotRequired, Required):
        return _typescript(args[0])
    if origin is Literal:
        return " | ".join(map(json.dumps, args))
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(map(_typescript, args)))
    if origin is tuple and args[-1] is not Ellipsis:
        return f"[{', '.join(map(_typescript, args))}]"
    if origin in (list, tuple, Sequence):
        of = _typescript(args[0])
        return f"({of})[]" if " " in of else f"{of}[]"
    if origin in (dict, Mapping):
        return f"Record<{', '.join(map(_typescript, args))}>"
    if is_typeddict(hint) or is_dataclass(hint):
        return str(hint.__name__)
    raise TypeError(f"{hint} is no type that crosses to the browser")


def _fields(text: str) -> dict[str, str]:
    """The type of each field in a file of types, by "Interface.field"."""
    found, name = {}, ""
    for line in text.splitlines():
        if line.startswith("export interface "):
            name = line.split()[2]
        elif line.startswith("    ") and line.endswith(";"):
            field, _, type_ = line.strip(" ;").partition(": ")
            found[f"{name}.{field.rstrip('?')}"] = type_ + " or nothing" * field.endswith("?")
    return found


def _literal(value: Any) -> str:
    """A value as JavaScript: JSON, but that names need no quotes."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_name(key)}: {_literal(it)}' for key, it in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _name(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key, ensure_ascii=False)


def main() -> None:
    """Write the files, and say which change breaks something."""
    for name, text in files().items():
        path = FOLDER / name
        for sentence in breaks(path.read_text(encoding="utf-8"), text) if path.is_file() else ():
            print(sentence, file=sys.stderr)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
