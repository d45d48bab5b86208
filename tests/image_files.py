"""Picture files made on the spot, good and bad, for the tests of the loader."""

from io import BytesIO
from struct import pack
from zlib import compress, crc32

import numpy as np
from PIL import Image

ORIENTATION = 0x0112


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """The bytes of the picture as Pillow saves them."""
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def noise(width: int = 60, height: int = 40, seed: int = 0) -> Image.Image:
    """A picture in which no two corners look alike."""
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8))


def corners(size: int = 64) -> Image.Image:
    """Four flat quarters: red and green above, blue and white below; any turn or mirror is seen."""
    image = Image.new("RGB", (size, size // 2), "white")
    for colour, left, top in (("red", 0, 0), ("lime", size // 2, 0), ("blue", 0, size // 4)):
        image.paste(colour, (left, top, left + size // 2, top + size // 4))
    return image


def exif(orientation: int) -> Image.Exif:
    """An EXIF block that says which way up the camera was held."""
    block = Image.Exif()
    block[ORIENTATION] = orientation
    return block


def chunk(kind: bytes, content: bytes) -> bytes:
    """One PNG chunk with its length and checksum."""
    return pack(">I", len(content)) + kind + content + pack(">I", crc32(kind + content))


def png(width: int, height: int, bits: int, colour: int, rows: bytes, *extra: bytes) -> bytes:
    """A PNG file from its raw filtered rows, with any further chunks before them."""
    header = chunk(b"IHDR", pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(extra) + chunk(b"IDAT", compress(rows, 9)) + chunk(b"IEND", b"")


def grey16(values: np.ndarray, *extra: bytes) -> bytes:
    """A 16-bit grey PNG of the values: rows, columns."""
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    return png(values.shape[1], values.shape[0], 16, 0, rows, *extra)


def jpeg_header(width: int, height: int, sampling: bytes, process: int = 0xC0, first_scan: int | None = None) -> bytes:
    """A JPEG file up to its first scan, which holds `first_scan` colours; `sampling` has a byte for each of all."""
    frame = pack(">HBHHB", 8 + 3 * len(sampling), 8, height, width, len(sampling))
    colours = b"".join(bytes((number, pair, 0)) for number, pair in enumerate(sampling, 1))
    scan = bytes((0, 12, len(sampling) if first_scan is None else first_scan))
    return b"\xff\xd8\xff" + bytes((process,)) + frame + colours + b"\xff\xda" + scan


def mpo(*pictures: Image.Image) -> bytes:
    """What stereo cameras and phones write: several JPEG files in one."""
    return encoded(pictures[0], "MPO", save_all=True, append_images=list(pictures[1:]))
