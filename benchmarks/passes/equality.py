"""Whether the browser's forward pass of a larger model is PyTorch's, on pictures and edits that chance chooses.

    python -m benchmarks.passes.equality MODEL [PICTURES] [EDITS]

It runs in Node.js. Held are logits and states to 1e-3 of the largest, and attention weights to 1e-4. With top-k they
are said and not held: of two scores that differ by less than is lost in 32 bits, either may be the last that counts.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from einops import rearrange
from PIL import Image
from torch import Tensor

from vitviz.edits import Edits
from vitviz.images.photos import FOLDER
from vitviz.measures import attention_weights
from vitviz.scripts.fitting import forward_sizes
from vitviz.scripts.parcels import pack
from vitviz.trace import Trace, record
from vitviz.weights import Loaded, load
from vitviz.weights.arrays import parameters

STATES, WEIGHTS = 1e-3, 1e-4
WORDS = (
    *("h{layer}.{head}*{scale}", "a{layer}*{scale}", "m{layer}*{scale}", "b{layer}*{scale}", "t{layer}={scale}"),
    *("k{layer}=40", "w{layer}=3", "c{layer}", "p{patch}", "p{patch}=grey", "p{patch}=paste", "i{patch}={other}"),
    *("e=off", "r{layer}.{patch}", "d=0.1@{other}"),
)


def pictures(loaded: Loaded, many: int) -> Tensor:
    """Crops of the sample photographs, turned and cut by chance, as the model reads them: `b c h w`."""
    photos = [Image.open(path).convert("RGB") for path in sorted(FOLDER.glob("*.jpg"))]
    crops = []
    for seed in range(many):
        chance = Random(seed)
        photo = photos[seed % len(photos)]
        side = chance.randint(min(photo.size) // 3, min(photo.size))
        left, top = (chance.randint(0, length - side) for length in photo.size)
        crops.append(
            loaded.preprocess(photo.crop((left, top, left + side, top + side)).rotate(90 * chance.randint(0, 3)))
        )
    return torch.cat(crops)


def words(config: Any, seed: int) -> str:
    """One to three edits that chance decides."""
    chance = Random(seed)
    places = {"head": config.heads, "layer": config.depth, "patch": config.patches, "other": config.patches}
    said = []
    for word in chance.sample(WORDS, chance.randint(1, 3)):
        numbers = {name: chance.randint(1, most) for name, most in places.items()}
        said.append(word.format(**numbers, scale=f"{chance.uniform(0.3, 2):.3f}"))
    return " ".join(said)


def apart(found: Any, wanted: Any) -> float:
    """The largest difference."""
    return float(np.abs(found - wanted).max(initial=0))


def lens(trace: Trace) -> Any:
    """What the head says before the first block and after each, `after class`; nothing of a model without classes."""
    if not trace.config.classes:
        return np.zeros(0, np.float32)
    return torch.cat([trace.readout(layer)["logits"].tensor for layer in range(trace.config.depth + 1)]).numpy()


def main(name: str, many: int = 100, edits: int = 50) -> None:
    """Print the largest differences, and fail where one is too large."""
    loaded = load(name, device="cpu")
    config = loaded.config
    images = pictures(loaded, many)
    rows, columns = config.grid
    patches = rearrange(images, "b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)", gh=rows, gw=columns)
    runs: list[dict[str, Any]] = [
        {"picture": at, "second": 0, "edits": "", "layer": at % config.depth} for at in range(many)
    ]
    for seed in range(edits):
        at, second = Random(seed).sample(range(many), 2)
        runs.append({"picture": at, "second": second, "edits": words(config, seed), "layer": seed % config.depth})
    sent = parameters(loaded)
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        (there / "parameters.bin").write_bytes(pack("", "parameters", sent))
        (there / "patches.bin").write_bytes(pack("", "patches", {"patches": patches.numpy()}))
        (there / "asked.json").write_text(json.dumps({"config": forward_sizes(config), "runs": runs}))
        subprocess.run(["node", str(Path(__file__).with_name("answers.js")), folder], check=True)
        found = np.fromfile(there / "found.bin", np.float32)
    _round(loaded, sent)
    worst: dict[str, tuple[float, str]] = {}
    at = 0

    def next_of(size: int) -> Any:
        nonlocal at
        at += size
        return found[at - size : at]

    for run in runs:
        donor = record(loaded.model, images[run["second"]][None]) if run["edits"] else None
        parsed = Edits.parse(run["edits"], config)
        trace = record(loaded.model, images[run["picture"]][None], edits=parsed, donor=donor)
        logits = lens(trace)
        weights = attention_weights(trace, run["layer"])
        seen = {"logits": next_of(logits.size).reshape(logits.shape)}
        states = trace[f"blocks.{config.depth - 1}.resid_post"].tensor[0].numpy()
        seen["states"] = next_of(states.size).reshape(states.shape)
        seen["attention"] = next_of(weights.size).reshape(weights.shape)
        for what, wanted in (("logits", logits), ("states", states), ("attention", weights)):
            unit = 1 if what == "attention" else np.abs(wanted).max(initial=1e-9)
            which = "as it is" if not run["edits"] else "with top-k" if "k" in run["edits"] else "with edits"
            off = apart(seen[what], wanted) / unit
            if off >= worst.get(f"{what} {which}", (0, ""))[0]:
                worst[f"{what} {which}"] = (off, f"picture {run['picture']} {run['edits']}")
    for what, (off, where) in worst.items():
        print(f"{name}: {what}: at most {off:.2e} ({where})")
    held = {what: off for what, (off, _) in worst.items() if not what.endswith("top-k")}
    assert all(off <= (WEIGHTS if what.startswith("attention") else STATES) for what, off in held.items())


def _round(loaded: Loaded, sent: dict[str, Any]) -> None:
    """Let PyTorch compute with the numbers that the browser has."""
    for name, value in loaded.model.named_parameters():
        if name in sent and sent[name].dtype == np.float16:
            value.data = torch.from_numpy(sent[name].astype(np.float32))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
