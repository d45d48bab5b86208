"""The folder: written beside, and then put into its place, so that it is whole or not there."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from vitviz.images import digest
from vitviz.pages import FIRST
from vitviz.samples import samples
from vitviz.site import code
from vitviz.site.models import MODELS, SHOWN, description, numbers, pictures

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


def _write(folder: Path, models: Sequence[str], progress: Progress) -> None:
    (folder / FILES).mkdir(parents=True)
    paths: dict[str, str] = {}

    def put(name: str, data: bytes, ending: str = "js") -> str:
        paths[name] = f"{FILES}/{name}.{digest(data)[:12]}.{ending}"
        (folder / paths[name]).write_bytes(data)
        return paths[name]

    def keep(name: str, data: bytes) -> None:
        put(name, code.file(name, data))

    progress("scripts")
    keep("worker", code.worker())
    keep("runner", code.runner())
    keep("opener", code.opener())
    for it in samples().values():
        for one in (it, samples().exchanged(it.id)):
            if one:
                keep(f"picture-{one.id}", one.data)
    titles = {}
    for name in models:
        progress(name)
        titles[name] = MODELS[name].title
        keep(name, json.dumps(description(MODELS[name])).encode())
        for what, data in numbers(MODELS[name]).items():
            keep(f"{name}-{what}", data)
    manifest = {"models": titles, "pictures": pictures(), "files": paths}
    listed = put("manifest", f"globalThis.__vitviz_manifest = {json.dumps(manifest)};\n".encode())
    scripts = [listed, put("site", code.script())]
    style = put("style", code.sheet(), "css")
    first = {paths[name] for name in ("manifest", "site", "worker", "opener", "runner")} | {style}
    first |= {path for name, path in paths.items() if name.split("-")[0] in ("picture", models[0])}
    pages = [f"{page.address}/" if page.address else "" for page in SHOWN]
    (folder / "service_worker.js").write_bytes(code.service_worker([*pages, *sorted(first)], sorted(paths.values())))
    for page in SHOWN:
        place = folder / page.address
        place.mkdir(exist_ok=True)
        root = "../" if page is not FIRST else "./"
        (place / "index.html").write_bytes(code.page(f"{page.title} · vitviz", root, style, scripts))
