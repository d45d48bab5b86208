"""From values and types of Python to modules and types of JavaScript, and what a change of these breaks."""

import ast
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from textwrap import dedent
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

PLAIN = {str: "string", bool: "boolean", int: "number", float: "number", NoneType: "null", Any: "unknown"}
WRITTEN = "// Written by `make schema` from what Python declares."


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
    parents = [it for it in getattr(shape, "__orig_bases__", ()) if is_typeddict(it)]
    inherited = {name for parent in parents for name in get_type_hints(parent)}
    notes, extends = _notes(shape), f" extends {', '.join(it.__name__ for it in parents)}" if parents else ""
    lines = [f"/** {inspect.cleandoc(shape.__doc__ or '')} */", f"export interface {shape.__name__}{extends} {{"]
    for name, hint in get_type_hints(shape, include_extras=True).items():
        if name not in inherited:
            optional = name in getattr(shape, "__optional_keys__", ())
            lines += [f"    /** {notes[name]} */"] if name in notes else []
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
