"""The folder, or one file: written beside, and then put into its place, so that it is whole or not there."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from vitviz.images import digest
from vitviz.pages import FIRST
from vitviz.samples import samples
from vitviz.site import code
from vitviz.site.models import MODELS, SHOWN, description, numbers

FILES = "files"
Progress = Callable[[str], None]


def build(out: Path, models: Sequence[str], progress: Progress) -> Path:
    """The site with these models, the first of which is shown first; `progress` is told what is being made.

    A folder that is there already is replaced where it is a site, else FileExistsError is raised.
    """
    if out.exists() and any(out.iterdir()) and not (out / FILES).is_dir():
        raise FileExistsError(f"{out} is there and is no site; choose another folder")
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent) as beside:
        made = Path(beside) / "site"
        _write(made, models, progress)
        if out.exists():
            shutil.rmtree(out)
        made.rename(out)
    return out


def build_file(out: Path, models: Sequence[str], progress: Progress) -> Path:
    """The same as one HTML file, which a browser opens from a disk; what is there already is replaced."""
    files = _files(models, progress)
    first = code.manifest(_titles(models), dict.fromkeys(files, ""), alone=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.with_name(f"{out.name}.part")
    beside.write_bytes(code.whole_page("vitviz", code.sheet(), [first, *files.values(), code.script()]))
    beside.replace(out)
    return out


def _titles(models: Sequence[str]) -> dict[str, str]:
    return {name: MODELS[name].title for name in models}


def _files(models: Sequence[str], progress: Progress) -> dict[str, bytes]:
    """All that the page may want, by name, as scripts."""
    progress("scripts")
    found = {"worker": code.worker(), "runner": code.runner(), "opener": code.opener()}
    for it in samples().values():
        for one in (it, samples().exchanged(it.id)):
            if one:
                found[f"picture-{one.id}"] = one.data
    for name in models:
        progress(name)
        found[name] = json.dumps(description(MODELS[name])).encode()
        found |= {f"{name}-{what}": data for what, data in numbers(MODELS[name]).items()}
    return {name: code.file(name, data) for name, data in found.items()}


def _write(folder: Path, models: Sequence[str], progress: Progress) -> None:
    (folder / FILES).mkdir(parents=True)
    paths: dict[str, str] = {}

    def put(name: str, data: bytes, ending: str = "js") -> None:
        paths[name] = f"{FILES}/{name}.{digest(data)[:12]}.{ending}"
        (folder / paths[name]).write_bytes(data)

    for name, data in _files(models, progress).items():
        put(name, data)
    put("manifest", code.manifest(_titles(models), paths))
    put("site", code.script())
    put("style", code.sheet(), "css")
    at_once = ("manifest", "site", "style", "worker", "opener", "runner")
    first = {path for name, path in paths.items() if name in at_once or name.split("-")[0] in ("picture", models[0])}
    pages = [f"{page.address}/" if page.address else "" for page in SHOWN]
    (folder / "service_worker.js").write_bytes(code.service_worker([*pages, *sorted(first)], sorted(paths.values())))
    for page in SHOWN:
        place = folder / page.address
        place.mkdir(exist_ok=True)
        root = "../" if page is not FIRST else "./"
        scripts = paths["manifest"], paths["site"]
        (place / "index.html").write_bytes(code.page(f"{page.title} · vitviz", root, paths["style"], scripts))
