"""ES modules as one script: Streamlit takes the JavaScript of a component as one text, in which no import is found."""

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.\.?/[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
UNREAD = re.compile(r"^(?:import|export)\b(?! default function).*", re.MULTILINE)


def bundle(entry: Path) -> str:
    """The module `entry` and all that it imports, as the text of one module.

    An imported module becomes a function that runs once and returns what the module exports; so each keeps its other
    names to itself. What a module imports stands before it. Raises ValueError for imports in a circle, and for forms
    other than `import { a, b as c } from "./d.js"` and `export` before a function, a class or a constant.
    """
    *imported, last = _in_order(entry.resolve(), ())
    names = {path: f"module{number}" for number, path in enumerate(imported)}
    return "\n".join([*(_as_function(path, names) for path in imported), _bound(last, names)])


def _in_order(path: Path, importers: tuple[Path, ...]) -> list[Path]:
    """The module at `path` after all that it imports, directly or not, each once."""
    if path in importers:
        circle = " imports ".join(it.name for it in (*importers[importers.index(path) :], path))
        raise ValueError(f"imports in a circle: {circle}")
    imports = [_target(path, found[2]) for found in IMPORT.finditer(_text(path))]
    before = [each for target in imports for each in _in_order(target, (*importers, path))]
    return list(dict.fromkeys([*before, path]))


def _as_function(path: Path, names: dict[Path, str]) -> str:
    exported = ", ".join(EXPORT.findall(_text(path)))
    body = EXPORT.sub("", _bound(path, names))
    return f"// {path.name}\nconst {names[path]} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _bound(path: Path, names: dict[Path, str]) -> str:
    """The text of a module, its imports taken from the functions called `names`."""

    def binding(found: re.Match[str]) -> str:
        return f"const {{{found[1].replace(' as ', ': ')}}} = {names[_target(path, found[2])]};\n"

    text = IMPORT.sub(binding, _text(path))
    if unread := UNREAD.search(EXPORT.sub("", text)):
        raise ValueError(f"{path.name}: this form is not bundled: {unread[0]}")
    return text


def _target(path: Path, imported: str) -> Path:
    return (path.parent / imported).resolve()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
