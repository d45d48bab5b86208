"""ES modules as one script: Streamlit takes the JavaScript of a component as one text, in which no import is found."""

import json
import re
from collections.abc import Mapping
from os.path import normpath
from pathlib import Path

from vitviz.installed import APP, FRONTEND
from vitviz.scripts.lean import lean_page, lean_script, lean_sheet

IMPORT = re.compile(r'^import \{([^{}]*)\} from "((?:\.\.?|#\w+)/[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
# As package.json names them for Node.js and TypeScript.
FOLDERS = {"#frontend": FRONTEND, "#pages": APP / "pages"}
REGISTRY = "globalThis.__vitviz_modules"
UNREAD = re.compile(r"^(?:import|export)\b(?! default function).*", re.MULTILINE)


def script_of(entry: str | Path) -> str:
    """The module and all that it imports as a browser is sent them; a text is a path in `FRONTEND`."""
    return lean_script(bundle(FRONTEND / entry))


def sheet_of(*paths: str | Path) -> str:
    """Style sheets, one after the other, as a browser is sent them."""
    return "".join(lean_sheet(_text(FRONTEND / path)) for path in paths)


def markup_of(door: str | Path) -> str:
    """What a door stands in, with the board's frame in it, as a browser is sent it."""
    return lean_page(_text(FRONTEND / door).replace("{frame}", _text(FRONTEND / "frame/frame.html")))


def bundle(entry: Path) -> str:
    """The module `entry` and all that it imports, as the text of one module.

    An imported module becomes a function that runs once and returns what the module exports; so each keeps its other
    names to itself. What a module imports stands before it. Raises ValueError for imports in a circle, and for forms
    other than `import { a, b as c } from "./d.js"` and `export` before a function, a class or a constant.
    """
    *imported, last = modules(entry)
    names = _numbered(imported)
    return "\n".join([*(_as_function(path, names) for path in imported), _bound(last, names)])


def offering(entry: Path) -> str:
    """The same for a script that has others beside it: they take the modules that both have from it."""
    *imported, last = modules(entry)
    names = _numbered(imported)
    functions = (_as_function(path, names) for path in imported)
    return "\n".join([*functions, f"{REGISTRY} = [{', '.join(names.values())}];\n", _bound(last, names)])


def bundle_for(entry: Path, host: Path, what: str, others: Mapping[str, Path] | None = None) -> str:
    """What the module `entry` calls `what`, as the text of a function `load` that makes it once.

    With `others`, modules by name, it makes `{ what, others }`, whose others are what each exports. Modules that the
    script of `host`, an `offering`, has as well are that one's: it must run before `load` is called.
    """
    shared = modules(host)[:-1]
    *imported, last = modules(*(others or {}).values(), entry)
    own = [path for path in imported if path not in shared]
    names = _numbered(own) | {path: f"$[{place}]" for place, path in enumerate(shared)}
    if others:
        entries = ", ".join(f"{json.dumps(name)}: {names[path.resolve()]}" for name, path in others.items())
        what = f"{{ {what}, others: {{ {entries} }} }}"
    functions = "\n".join(_as_function(path, names) for path in own)
    body = EXPORT.sub("", _bound(last, names))
    code = f"const $ = {REGISTRY};\n{functions}\n{body}\nreturn {what};"
    return f"let made;\nconst load = () => (made ??= (() => {{\n{code}\n}})());\n"


def _numbered(paths: list[Path]) -> dict[Path, str]:
    return {path: f"${number}" for number, path in enumerate(paths)}


def modules(*entries: Path) -> list[Path]:
    """These and all that they import, directly or not, each once and after what it imports itself."""
    order: list[Path] = []

    def visit(path: Path, importers: tuple[Path, ...]) -> None:
        if path in importers:
            circle = " imports ".join(it.name for it in (*importers[importers.index(path) :], path))
            raise ValueError(f"imports in a circle: {circle}")
        if path not in order:
            for found in IMPORT.finditer(_text(path)):
                visit(_target(path, found[2]), (*importers, path))
            order.append(path)

    for entry in entries:
        visit(entry.resolve(), ())
    return order


def exports(path: Path) -> list[str]:
    """The names that a module exports."""
    return EXPORT.findall(_text(path))


def _as_function(path: Path, names: dict[Path, str]) -> str:
    exported = ", ".join(exports(path))
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
    """The module that another imports, from where it lies or from one of the folders that have a name."""
    first, _, rest = imported.partition("/")
    return Path(normpath(FOLDERS[first] / rest if first in FOLDERS else path.parent / imported))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
