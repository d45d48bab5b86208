"""What can be taken away of views, by the command line, all in one process: a program of its own for any version.

    cd VERSION && PYTHONPATH=. python -P files.py FOLDER < views

Each line of its input is an address and the name of its folder in FOLDER, apart by a tab. What is refused is written
as its sentence.
"""

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from vitviz.__main__ import main

FILES = {"figure": "figure.svg", "data": "data.npz", "notebook": "notebook.ipynb"}


def take(command: str, view: str, out: Path | None = None) -> str:
    """What a command says of a view: "" where it wrote its file, else what it printed or its sentence."""
    said, refused = StringIO(), StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(refused):
            status: str | int | None = main([command, view, *(["--out", str(out)] if out else [])])
    except SystemExit as end:
        status = end.code
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if status:
        return refused.getvalue() or str(status)
    return "" if out else said.getvalue()


def take_all(view: str, folder: Path) -> None:
    """All files of a view, and what was said instead of them."""
    folder.mkdir(parents=True, exist_ok=True)
    refused = {command: take(command, view, folder / name) for command, name in FILES.items()}
    said = {"refusals": [f"{command}: {it}" for command, it in refused.items() if it], "cite": take("cite", view)}
    (folder / "files.json").write_text(json.dumps(said, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    for line in sys.stdin:
        address, name = line.rstrip("\n").split("\t")
        take_all(address, Path(sys.argv[1]) / name)
        print(address, flush=True)
