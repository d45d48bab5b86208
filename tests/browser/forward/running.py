"""A page in which the forward pass runs, without the app around it."""

from pathlib import Path

from playwright.sync_api import Page

from vitviz.installed import FRONTEND
from vitviz.messages import ModelSpec
from vitviz.scripts.bundle import bundle
from vitviz.scripts.parcels import Arrays, pack

MODULES = {
    "client": FRONTEND / "forward/client.js",
    "jobs": FRONTEND / "forward/jobs.js",
    "parcels": FRONTEND / "transport/parcels.js",
}
PLAIN = "/_stcore/health"  # a page of the server with nothing on it

# As Streamlit does it: the text of a module, under an address that the browser makes for it.
IMPORT = """async (texts) => {
    for (const [name, text] of Object.entries(texts)) {
        globalThis[name] = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    }
}"""
BASE = "() => new URL('/', location).href"
START = """async ([told, base]) => {
    globalThis.forward = await client.Forward.start(told, base);
    const [file] = document.querySelector("input").files;
    globalThis.brought = parcels.unpack(new Uint8Array(await file.arrayBuffer())).arrays;
    globalThis.one = (name, at) => {
        const { shape, data } = brought[name];
        const size = data.length / shape[0];
        return data.slice(at * size, (at + 1) * size);
    };
    globalThis.apart = (found, wanted) => {
        if (found.length !== wanted.length) throw new Error(`${found.length} numbers and not ${wanted.length}`);
        return found.reduce((most, value, at) => Math.max(most, Math.abs(value - wanted[at])), 0);
    };
    globalThis.best = (logits) => logits.indexOf(Math.max(...logits));
}"""


def open_with_modules(page: Page) -> None:
    """Go to a page of the server that has nothing on it, and import there what the app's page imports."""
    page.goto(PLAIN)
    bring_modules(page)


def bring_modules(page: Page) -> None:
    """Import on a page what the app's page imports, each module under its name."""
    page.evaluate(IMPORT, {name: bundle(path) for name, path in MODULES.items()})


def start(page: Page, told: ModelSpec, brought: Arrays, folder: Path) -> None:
    """Start the model in a worker, as `forward`, and bring the page arrays, through a file in `folder`.

    There, `one` is an array at a place of its first axis, `apart` the largest difference of two, and `best` the place
    of the largest number.
    """
    open_with_modules(page)
    parcel = folder / "brought.bin"
    parcel.write_bytes(pack("", "brought", brought))
    page.evaluate("() => document.body.append(Object.assign(document.createElement('input'), { type: 'file' }))")
    page.set_input_files("input", parcel)
    page.evaluate(START, [told, base_of(page)])


def base_of(page: Page) -> str:
    """The folder of the app's pages."""
    return page.evaluate(BASE)


def sentence(page: Page, script: str) -> str:
    """What an answer that does not come says instead."""
    said: str = page.evaluate(f"async () => {{ try {{ await {script}; }} catch (error) {{ return error.message; }} }}")
    return said
