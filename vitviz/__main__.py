"""vitviz: see every number of a Vision Transformer on its way to an answer.

    vitviz                                              the app, on http://localhost:8501
    vitviz --server.port=8502                           the app, with settings of Streamlit
    vitviz count vit_base_patch16_224 image_size=384    count a model without building it
    vitviz weights list | download NAME ...             published models
    vitviz weights shrink FILE | compare A B            a file in 8 bits and what it costs; two models
    vitviz explore cat.jpg --model demo --out cat.html  the attention explorer as one file that works offline
    vitviz figure heads --layer 5 --out heads.svg       a view as a figure for print, SVG or PNG
    vitviz notebook heads --layer 5 --out view.ipynb    views of the app as a notebook that repeats their numbers
    vitviz data heads --layer 5 --out view.npz          the numbers of a view with named axes, .npz or .csv
    vitviz cite heads --model dinov2_small              papers and weights of a view, in words and as BibTeX
    vitviz words                                        all words of the pages, by page and moment, for a translator
    vitviz site --out FOLDER                            the pages as static files, run by each reader's browser
    vitviz lesson check my.toml | answers               a lesson, by its file or name; what its questions can ask
    vitviz lesson home my.toml --out my.html            a lesson to take home, as one file that works offline
    vitviz demo train | report                          train the demo model again; measure it
    vitviz shelf train [ROW] | table                    train its small siblings, one switch apart; what they reached
    vitviz --version

For heads --layer 5 may stand a link of the app: "http://localhost:8501/heads?layer=5".
`vitviz COMMAND --help` says more. `python -m vitviz` is the same.
"""

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper

from vitviz import __version__
from vitviz.machine.disk import sentence

# Each command, and the module whose `main` it is.
COMMANDS = {
    "count": "counts.__main__",
    "weights": "weights.__main__",
    "demo": "demo.__main__",
    "shelf": "shelf.__main__",
    "lesson": "takeaway.commands.lesson",
    "explore": "takeaway.commands.explore",
    "figure": "takeaway.commands.figure",
    "notebook": "takeaway.commands.notebook",
    "data": "takeaway.commands.data",
    "cite": "takeaway.commands.cite",
    "words": "takeaway.commands.words",
    "site": "site.command",
}


def main(arguments: Sequence[str] | None = None) -> int | None:
    """Do what the command line asks for; each command imports only what it needs."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that the terminal lacks is no end
    arguments = sys.argv[1:] if arguments is None else arguments
    command, *rest = arguments or [""]
    if command in ("-h", "--help"):
        print(__doc__)
        return 0
    if command == "--version":
        print(f"vitviz {__version__}")
        return 0
    if not command or command.startswith("-"):
        from vitviz.ui.start import start

        start(arguments)
        return 0
    if command in COMMANDS:
        return _run(import_module(f"vitviz.{COMMANDS[command]}").main, rest)
    print(f"vitviz has no command {command!r}.\n{__doc__}", file=sys.stderr)
    return 2


def _run(command: Callable[[Sequence[str]], int | None], arguments: Sequence[str]) -> int | None:
    """Do it; whatever a disk or a terminal refuses is a sentence, and who reads no further is no error."""
    try:
        status = command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nor is what Python still has to say
        return 0
    except OSError as error:
        print(f"vitviz: {sentence(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nvitviz: interrupted", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
