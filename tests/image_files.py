"""Picture files made on the spot, good and bad, for the tests of the loader."""

from functools import cache
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


def png(width: int, height: int, bits: int, colour: int, rows: bytes, *extra: bytes, interlace: int = 0) -> bytes:
    """A PNG file from its raw filtered rows, with any further chunks before them."""
    header = chunk(b"IHDR", pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlace))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(extra) + chunk(b"IDAT", compress(rows, 9)) + chunk(b"IEND", b"")


def grey16(values: np.ndarray, *extra: bytes) -> bytes:
    """A 16-bit grey PNG of the values: rows, columns."""
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    return png(values.shape[1], values.shape[0], 16, 0, rows, *extra)


def interlaced(values: np.ndarray, bits: int, colour: int, *extra: bytes) -> bytes:
    """A PNG of the pixel bytes (rows, columns, bytes of a pixel), in the seven passes of Adam7."""
    passes = ((0, 8, 0, 8), (0, 8, 4, 8), (4, 8, 0, 4), (0, 4, 2, 4), (2, 4, 0, 2), (0, 2, 1, 2), (1, 2, 0, 1))
    rows = (row for top, down, left, across in passes for row in values[top::down, left::across])
    raw = b"".join(b"\0" + row.tobytes() for row in rows if row.size)
    return png(values.shape[1], values.shape[0], bits, colour, raw, *extra, interlace=1)


def bmp(width: int, height: int, bits: int, compression: int, body: bytes, colours: int = 0) -> bytes:
    """A BMP file of a kind that Pillow does not write (run-length coded, 16 bits), its palette shades of red."""
    palette = b"".join(bytes((0, 0, shade, 0)) for shade in range(colours))
    header = pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, len(body), 0, 0, colours, 0)
    offset = 14 + len(header) + len(palette)
    return b"BM" + pack("<IHHI", offset + len(body), 0, 0, offset) + header + palette + body


def jpeg_header(width: int, height: int, sampling: bytes, process: int = 0xC0, first_scan: int | None = None) -> bytes:
    """A JPEG file up to its first scan, which holds `first_scan` colours; `sampling` has a byte for each of all."""
    frame = pack(">HBHHB", 8 + 3 * len(sampling), 8, height, width, len(sampling))
    colours = b"".join(bytes((number, pair, 0)) for number, pair in enumerate(sampling, 1))
    scan = bytes((0, 12, len(sampling) if first_scan is None else first_scan))
    return b"\xff\xd8\xff" + bytes((process,)) + frame + colours + b"\xff\xda" + scan


def mpo(*pictures: Image.Image) -> bytes:
    """What stereo cameras and phones write: several JPEG files in one."""
    return encoded(pictures[0], "MPO", save_all=True, append_images=list(pictures[1:]))


@cache
def seeds() -> dict[str, bytes]:
    """Small good files of every kind that the loader can meet, by name; the first word of each is its format."""
    image = noise(30, 20)
    grey, palette, alpha, cmyk = image.convert("L"), image.quantize(16), image.convert("RGBA"), image.convert("CMYK")
    alpha.putalpha(grey)
    film = {"save_all": True, "append_images": [image.rotate(90 * turn) for turn in (1, 2)]}
    deep = np.random.default_rng(1).integers(0, 256, (20, 30, 8), dtype=np.uint8)
    wide, large = (Image.linear_gradient("L").resize(size) for size in ((4200, 200), (3000, 1500)))
    return {
        **{f"JPEG turned {turn}": encoded(image, "JPEG", exif=exif(turn)) for turn in range(1, 9)},
        "JPEG grey": encoded(grey, "JPEG", quality=30),
        "JPEG 4:4:4": encoded(image, "JPEG", subsampling=0, icc_profile=b"p" * 400, comment=b"a comment"),
        "JPEG restarts": encoded(image, "JPEG", subsampling=1, restart_marker_blocks=1),
        "JPEG CMYK": encoded(cmyk, "JPEG"),
        "JPEG progressive": encoded(image, "JPEG", progressive=True, optimize=True),
        "JPEG progressive grey": encoded(grey, "JPEG", progressive=True),
        "JPEG progressive CMYK": encoded(cmyk, "JPEG", progressive=True),
        "JPEG wide": encoded(wide.convert("RGB"), "JPEG", progressive=True),
        "JPEG pair": mpo(image, image.rotate(180)),
        "PNG turned": encoded(image, "PNG", exif=exif(6)),
        "PNG 1 bit": encoded(image.convert("1"), "PNG"),
        "PNG grey": encoded(grey, "PNG"),
        "PNG grey key": encoded(grey, "PNG", transparency=9),
        "PNG grey alpha": encoded(alpha.convert("LA"), "PNG"),
        "PNG palette": encoded(palette, "PNG", transparency=bytes(range(0, 160, 10))),
        "PNG RGBA": encoded(alpha, "PNG", dpi=(72, 72)),
        "PNG 16-bit grey": grey16(np.asarray(grey).astype(int) * 257),
        "PNG 16-bit grey key": grey16(np.asarray(grey).astype(int) * 257, chunk(b"tRNS", b"\x09\x09")),
        "PNG 16-bit RGB": png(30, 20, 16, 2, b"".join(b"\0" + row.tobytes() for row in deep[:, :, :6])),
        "PNG 16-bit RGBA": png(30, 20, 16, 6, b"".join(b"\0" + row.tobytes() for row in deep)),
        "PNG interlaced": interlaced(np.asarray(image), 8, 2),
        "PNG interlaced 16-bit RGBA": interlaced(deep, 16, 6),
        "PNG animation": encoded(image, "PNG", **film),
        "PNG wide": encoded(wide, "PNG"),
        "PNG large": encoded(Image.merge("LA", (large, large)), "PNG"),
        "WebP turned": encoded(image, "WEBP", exif=exif(6), icc_profile=b"p" * 400),
        "WebP alpha": encoded(alpha, "WEBP"),
        "WebP lossless": encoded(image, "WEBP", lossless=True),
        "WebP lossless alpha": encoded(alpha, "WEBP", lossless=True),
        "WebP animation": encoded(image, "WEBP", **film),
        "WebP wide": encoded(wide, "WEBP"),
        "GIF": encoded(palette, "GIF", interlace=0),
        "GIF interlaced": encoded(palette, "GIF", interlace=1, transparency=3, comment=b"a comment"),
        "GIF animation": encoded(image, "GIF", **film),
        "GIF wide": encoded(wide, "GIF"),
        "BMP": encoded(image, "BMP"),
        "BMP 1 bit": encoded(image.convert("1"), "BMP"),
        "BMP palette": encoded(palette, "BMP"),
        "BMP 32 bits": encoded(alpha, "BMP"),
        "BMP 16 bits": bmp(30, -20, 16, 0, deep.tobytes()[: 20 * 60]),
        "BMP 8-bit runs": bmp(30, 20, 8, 1, (b"\x14\7\0\x0a" + bytes(range(10)) + b"\0\0") * 20 + b"\0\1", 256),
        "BMP 4-bit runs": bmp(30, 20, 4, 2, b"\x1e\x12\0\0" * 18 + b"\0\2\3\1\x09\x34\0\0\0\1", 16),
        "BMP of OS/2": b"BM" + pack("<IHHI", 86, 0, 0, 26) + pack("<IHHHH", 12, 4, 5, 1, 24) + bytes(range(60)),
    }
