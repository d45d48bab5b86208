"""ES modules as one script: what stands where, and what is refused."""

import re
from pathlib import Path

import pytest

from vitviz.installed import FRONTEND
from vitviz.pages import FOLDER, ON_BOARD, PAGES
from vitviz.scripts.bundle import bundle, modules
from vitviz.ui.forward.delivery import SCRIPTS
from vitviz.ui.lecture import home


def written(folder: Path, **texts: str) -> Path:
    """Write modules to a folder; the path of the first."""
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(texts))}.js"


def test_what_is_imported_stands_before_it_once_and_keeps_its_names_to_itself(tmp_path: Path) -> None:
    entry = written(
        tmp_path,
        entry='import { b } from "./b.js";\nimport {\n    c,\n    one as first,\n} from "./c.js";\n\n'
        "export default function entry() {\n    return b + c() + first;\n}\n",
        b='import { c } from "./c.js";\nconst hidden = 1;\nexport const b = c() + hidden;\n',
        c="const hidden = 2;\nexport const one = 1;\nexport async function c() {}\nexport class D {}\n",
    )
    assert bundle(entry) == (
        "// c.js\nconst $0 = (() => {\n"
        "const hidden = 2;\nconst one = 1;\nasync function c() {}\nclass D {}\n"
        "return { one, c, D };\n})();\n\n"
        "// b.js\nconst $1 = (() => {\n"
        "const { c } = $0;\nconst hidden = 1;\nconst b = c() + hidden;\n"
        "return { b };\n})();\n\n"
        "const { b } = $1;\nconst {\n    c,\n    one: first,\n} = $0;\n\n"
        "export default function entry() {\n    return b + c() + first;\n}\n"
    )


def test_imports_in_a_circle_are_refused_by_name(tmp_path: Path) -> None:
    entry = written(
        tmp_path,
        a='import { b } from "./b.js";\n',
        b='import { c } from "./c.js";\nexport const b = 1;\n',
        c='import { b } from "./b.js";\nexport const c = 1;\n',
    )
    with pytest.raises(ValueError, match=r"in a circle: b\.js imports c\.js imports b\.js$"):
        bundle(entry)


@pytest.mark.parametrize(
    "line",
    [
        'import b from "./b.js";',
        'import * as b from "./b.js";',
        'import "./b.js";',
        'import { b } from "elsewhere";',
        "export let a = 1;",
        "export { a };",
        'export * from "./b.js";',
        "export const { a } = {};",
        "export default class {}",
    ],
)
def test_a_form_that_is_not_read_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    entry = written(tmp_path, a=f"const c = 1;\n{line}\n", b="export const b = 1;\n")
    with pytest.raises(ValueError, match=f"^a.js: this form is not bundled: {re.escape(line)}$"):
        bundle(entry)


def test_every_module_is_mounted() -> None:
    doors = ("board/board", "lecturer/lecturer", "notebook/sight", "notebook/top", "offline/lesson", "takeaway/place")
    widget = ("widget/frame", "widget/widget")
    site = ("site/site", "site/worker", "site/service_worker")
    live = ("chart", "frames", "list", "mosaic", "slider")
    entries = [
        *(FRONTEND / f"doors/{name}.js" for name in (*doors, *widget, *site, *(f"live/{name}" for name in live))),
        *(FRONTEND / name for name in ("transport/carrier.js", "columns/columns.js", "lecture/parts.js")),
        FRONTEND / "picture/worker.js",
        *SCRIPTS.values(),
        *(PAGES[stem].folder / "scene.js" for stem in ON_BOARD),
        *FOLDER.glob("*/*/difference.js"),
        *FOLDER.glob("*/*/explorer.js"),
        *FOLDER.glob("*/*/numbers.js"),
        FRONTEND / home.SCRIPT,
        FRONTEND / "doors/lecturer/secret.js",  # stands in the page
    ]
    assert {path for folder in (FRONTEND, FOLDER) for path in folder.rglob("*.js")} == {*modules(*entries)}
