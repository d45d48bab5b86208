"""From values and types of Python to modules and types of JavaScript, and what a change of these breaks."""

import ast
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from textwrap import dedent
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

PLAIN = {str: "string", bool: "boolean", int: "number", float: "number", NoneType: "null", Any: "unknown"}
NOTHING: Mapping[Any, str] = {}
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


def types(
    *shapes: type, imports: str = "", known: Mapping[Any, str] = NOTHING, kinds: Sequence[type] = (), **unions: Any
) -> str:
    """Typed dictionaries and dataclasses as interfaces of TypeScript, with what is said of their fields.

    Other types are `known` by names, and the names of fields that do not cross by ""; each of `kinds` says its own.
    """
    interfaces = [_interface(shape, known, shape in kinds) for shape in shapes]
    named = [f"export type {name} = {_typescript(of, {})};\n" for name, of in unions.items()]
    return "\n".join([WRITTEN, imports, *interfaces, *named])


def breaks(before: str, after: str) -> list[str]:
    """Sentences about what is gone from the types of a file, or of another type; what is new breaks nothing."""
    old, new = _fields(before), _fields(after)
    gone = [f"{name} is gone: nothing may read it any more" for name in old if name not in new]
    changed = [name for name, type_ in old.items() if new.get(name, type_) != type_]
    return gone + [f"{name} was {old[name]} and is {new[name]}: whatever reads it has to follow" for name in changed]


def _interface(shape: Any, known: Mapping[Any, str], says_kind: bool) -> str:
    parents = _parents(shape)
    inherited = {name for parent in parents for name in get_type_hints(parent)}
    if is_dataclass(shape):
        usual = {it.name for it in fields(shape) if not (it.default is MISSING and it.default_factory is MISSING)}
    else:
        usual = set(getattr(shape, "__optional_keys__", ()))
    notes, extends = _notes(_source(shape)), f" extends {', '.join(it.__name__ for it in parents)}" if parents else ""
    says = inspect.cleandoc(shape.__doc__ or "").replace("\n", "\n * ").replace(" * \n", " *\n")
    lines = [f"/** {says} */", f"export interface {shape.__name__}{extends} {{"]
    lines += [f'    kind: "{shape.__name__.lower()}";'] * says_kind
    for name, hint in get_type_hints(shape, include_extras=True).items():
        if name not in inherited and known.get(name) != "":
            lines += [f"    /** {notes[name]} */"] if name in notes else []
            lines.append(f"    {name}{'?' * (name in usual)}: {_typescript(hint, known)};")
    return "\n".join([*lines, "}", ""])


def _source(shape: type) -> ast.ClassDef:
    (found,) = ast.parse(dedent(inspect.getsource(shape))).body
    assert isinstance(found, ast.ClassDef)
    return found


def _parents(shape: type) -> list[Any]:
    """The typed dictionaries that one adds to, as written: older Pythons do not keep them."""
    names = [it.id for it in _source(shape).bases if isinstance(it, ast.Name)]
    there = vars(sys.modules[shape.__module__])
    return [there[name] for name in names if is_typeddict(there.get(name))]


def _notes(body: ast.ClassDef) -> dict[str, str]:
    """What stands as a text under fields."""
    return {
        field.target.id: note.value.value
        for field, note in zip(body.body, body.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(note, ast.Expr) and isinstance(note.value, ast.Constant) and isinstance(note.value.value, str)
    }


def _typescript(hint: Any, known: Mapping[Any, str]) -> str:
    """A type of Python as TypeScript has it. Raises TypeError for one that does not cross."""
    origin, args = get_origin(hint), get_args(hint)
    if name := known.get(hint) or known.get(origin) or PLAIN.get(hint):
        return name
    if origin is Literal:
        return " | ".join(map(json.dumps, args))
    each = [_typescript(it, known) for it in args if it is not Ellipsis]
    if origin in (NotRequired, Required):
        return each[0]
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(each))
    if origin is tuple and args[-1] is not Ellipsis:
        return f"[{', '.join(each)}]"
    if origin in (list, tuple, Sequence):
        return f"({each[0]})[]" if " | " in each[0] else f"{each[0]}[]"
    if origin in (dict, Mapping):
        return f"Record<{', '.join(each)}>"
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
