"""Broken pictures.

A file is a good one from tests/image_files.py whose parts (segments, chunks, blocks) are dropped, repeated, moved,
mixed with those of others, or have a length, a size or a count rewritten; then bytes are changed anywhere.
"""

import random
import re
import struct
from functools import cache
from zlib import crc32

from PIL import Image

from benchmarks.fuzz.damage import change_bytes
from benchmarks.fuzz.frame import Subject
from tests.image_files import seeds
from vitviz.images import ImageError, open_image
from vitviz.images.opening import MOST_KEPT, ROWS, SIDE

# How the parts of a file begin; where a part keeps its lengths, counts and sizes: offset and struct code, two letters
# for a width and a height; and the parts that say how large the picture is.
PARTS = {
    "JPEG": rb"\xff[\xc0-\xcf\xd9-\xfe]",
    "PNG": rb".{4}(?:IHDR|PLTE|tRNS|IDAT|IEND|eXIf|pHYs|acTL|fcTL|fdAT)",
    "WebP": rb"VP8[ LX]|ALPH|ANIM|ANMF|EXIF|ICCP",
    "GIF": rb"!\xf9\x04|!\xfe|!\xff\x0b|,\0\0\0\0|;\Z",
    "BMP": rb"(?<=\ABM.{52})",
}
NUMBERS = (
    (rb"\xff[\xc0-\xc3]", "1B 2>H 4B 5>H 5>HH 5>HH 7>H 9B 11B 14B 17B"),
    (rb"\xff[\xc4-\xfe]", "1B 2>H 4B 5B"),
    (rb".{4}IHDR", "0>I 8>I 8>II 8>II 12>I 16B 17B 20B"),
    (rb".{4}(acTL|fcTL)", "0>I 8>I 12>I 16>I 20>I"),
    (rb".{4}[A-Za-z]{4}", "0>I"),
    (rb"VP8X|ANMF", "4<I 8B 11<H 12<H 14<H 15<H 17<H"),
    (rb"VP8L", "4<I 9<I"),
    (rb"VP8 ", "4<I 14<H 14<HH 14<HH 16<H"),
    (rb"RIFF|ALPH|ANIM|EXIF|ICCP", "4<I"),
    (rb"GIF", "6<H 6<HH 8<H 10B"),
    (rb",", "1<H 3<H 5<H 5<HH 5<HH 7<H 9B 10B 11B"),
    (rb"!", "1B 2B 3B 6B"),
    (rb"BM", "10<I 14<I 18<I 18<II 18<II 22<I 28<H 30<I 46<I"),
)
SIZED = rb"\xff[\xc0-\xc3]|.{4}IHDR|VP8|ANMF|GIF|,|BM"


def broken(seed: int, number: int) -> tuple[str, bytes]:
    """The name of a good file, and the file broken in a way that `seed` and `number` decide."""
    chance = random.Random(f"{seed} {number}")
    name = chance.choice(list(_good()))
    pieces = list(_good()[name])
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        _change_parts(pieces, chance)
    data = bytearray().join(pieces)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 8))):
        change_bytes(data, chance, lambda: b"".join(_good()[chance.choice(list(_good()))]))
    return name, bytes(data)


@cache
def _good() -> dict[str, list[bytes]]:
    """The good files, each cut into its parts."""
    files = seeds().items()
    return {name: re.split(b"(?=" + PARTS[name.split()[0]] + b")", data, flags=re.DOTALL) for name, data in files}


def _change_parts(pieces: list[bytes], chance: random.Random) -> None:
    """Change one part; the first stays where it is, for a file without its signature is soon refused."""
    at, to = chance.randrange(1, len(pieces)), chance.randrange(1, len(pieces))
    match chance.choice(("size", "size", "number", "number", "drop", "repeat", "move", "mix")):
        case "size":
            at = chance.choice([n for n, piece in enumerate(pieces) if re.match(SIZED, piece, re.DOTALL)] or [0])
            pieces[at] = _renumbered(pieces[at], chance)
        case "number":
            pieces[at] = _renumbered(pieces[at], chance)
        case "drop":
            pieces[at] = b""
        case "repeat":
            pieces[at] *= min(2 ** chance.randrange(1, 10), 2 + 1_000_000 // (1 + len(pieces[at])))
        case "move":
            pieces.insert(to, pieces.pop(at))
        case "mix":
            pieces.insert(at, chance.choice(_good()[chance.choice(list(_good()))]))


def _renumbered(part: bytes, chance: random.Random) -> bytes:
    """The part with another length, count or size; the checksum of a PNG chunk is often put right again."""
    fields = next((fields for start, fields in NUMBERS if re.match(start, part, re.DOTALL)), "0B")
    offset, code = re.findall(r"(\d+)(\D+)", chance.choice(fields.split()))[0]
    file, at, codes = bytearray(part), int(offset), code.strip("<>")
    if at + struct.calcsize(code) > len(file):
        return part
    if len(codes) == 2:
        new = [int(2 ** chance.uniform(4, 13.5)) for _ in codes]
    else:
        (old,) = struct.unpack_from(code, file, at)
        most = 1 << 8 * struct.calcsize(code)
        power = 1 << chance.randrange(most.bit_length() - 1)
        new = [chance.choice((0, 1, old - 1, old + 1, 2 * old, power, power - 1, chance.randrange(most))) % most]
    struct.pack_into(code, file, at, *new)
    if re.match(PARTS["PNG"], part, re.DOTALL) and chance.random() < 0.8:
        file[-4:] = struct.pack(">I", crc32(file[4:-4]))
    return bytes(file)


def kind(sentence: str) -> str:
    """The sentence up to the way out, without its numbers."""
    return re.sub(r"\d[\d,.]*( [kMG]?B\b)?", "N", sentence.split(";")[0])


def fault_of_sentence(sentence: str) -> str:
    """What is wrong with an error for people, if anything is."""
    if "not enough memory" in sentence:
        return sentence
    return "" if re.fullmatch(r"[A-Z][^\n;]+; [^\n;]+\.", sentence) else f"no sentence for people: {sentence!r}"


def fault_of_picture(picture: Image.Image) -> str:
    """What is wrong with a picture, if anything is."""
    shorter, longer = sorted(picture.size)
    too_large = (longer > SIDE and shorter > ROWS) or shorter * longer > 1.001 * MOST_KEPT  # its columns are whole
    if picture.mode != "RGB" or shorter < 1 or too_large:
        return f"a picture of {picture.size} in {picture.mode}"
    if set(picture.info) != {"notes", "transparent"} or type(picture) is not Image.Image:
        return f"metadata is left: {type(picture).__name__} with {', '.join(map(str, picture.info))}"
    if len(picture.tobytes()) != 3 * picture.width * picture.height:
        return "pixels are missing"
    return ""


PICTURES = Subject("pictures", broken, open_image, ImageError, fault_of_picture, fault_of_sentence, kind)
