"""What a file says before any decoder runs: its format, its size, which way up, how many frames.

`read_container` also returns the bytes that draw the first picture and nothing else: metadata, colour profiles,
previews and later frames never reach the decoder, so none of them can break it, delay it or make it warn.
"""

import re
from collections.abc import Iterator
from struct import Struct, unpack_from
from struct import error as StructError
from typing import NamedTuple

from vitviz.images.says import KINDS, OTHER_FORMATS, REFUSALS, SIGNATURES
from vitviz.numbers import bytes_, exact

# What each decoder can open in two seconds and 400 MB.
MOST_PIXELS = 64_000_000
MOST_DEEP_PNG_PIXELS = 24_000_000  # colours of 16 bits: upper and lower bytes, 4 of each a pixel
MOST_WEBP_PIXELS = 20_000_000  # it holds 16 bytes a pixel, where the others hold 1 to 4
MOST_COEFFICIENTS = 144_000_000  # of a JPEG in passes: 2 bytes for each sample of each colour, before any is a pixel
MOST_RUN_LENGTH_PIXELS = 4_000_000  # decoded in Python
MOST_RUN_LENGTH_BYTES = 3_000_000

# No camera or editor comes near these. A file beyond them was made to keep a decoder busy: two hundred passes over a
# large JPEG fit in 400 kB and take a quarter of a minute.
MOST_PARTS = 100_000
MOST_PASSES = 25

_UPRIGHT = 1
_ORIENTATION = 0x0112
_SHORT = 3
_RUN_LENGTH = (1, 2)
_COLOURED = (2, 6)
_MARKER = re.compile(rb"\xff([^\xff])", re.DOTALL)
_BASELINE, _EXTENDED, _PROGRESSIVE = 0xC0, 0xC1, 0xC2


def describe(data: bytes) -> str:
    """One sentence for the user about bytes that are none of the five formats: what they are and the way out."""
    if not data:
        return REFUSALS["empty"]
    for signature, sentence in _OTHER_FORMATS:
        if signature.match(data):
            return sentence
    return REFUSALS["unknown"].format(size=bytes_(len(data)))


class ImageError(ValueError):
    """Why a picture cannot be shown: what was found and the way out, in one sentence for the user."""


class Container(NamedTuple):
    """The facts in a picture file's header, and `drawing`: the bytes that draw its first frame.

    Pixels for `width` and `height`, before `orientation` (EXIF 2.32, tag 274: 1 to 8) is applied. Files of its `kind`
    may have `most_pixels`.
    """

    format: str
    width: int
    height: int
    drawing: bytes
    orientation: int = _UPRIGHT
    frames: int = 1
    most_pixels: int = MOST_PIXELS
    kind: str = ""


def read_container(data: bytes) -> Container:
    """Read the header of a JPEG, PNG, WebP, GIF or BMP file; the first bytes decide, not the name.

    Raises `ImageError` for anything else, named where it is known, and for a header that ends early.
    """
    for signature, name, read in _READERS:
        if signature.match(data):
            try:
                return read(data)
            except (IndexError, StructError, ZeroDivisionError) as error:
                raise damaged(name) from error
    raise ImageError(describe(data))


def damaged(name: str) -> ImageError:
    """The one sentence for every kind of broken file."""
    return ImageError(REFUSALS["damaged"].format(format=name))


def _parts(name: str) -> Iterator[int]:
    """Counts the parts of a file, and gives up on one that has too many."""
    yield from range(MOST_PARTS)
    raise damaged(name)


def _jpeg(data: bytes) -> Container:
    """ITU-T T.81 annex B: markers FF xx, most with a two-byte length, until the first scan (FF DA)."""
    parts, frame, process, orientation, position = [data[:2]], b"", _BASELINE, _UPRIGHT, 2
    for _ in _parts("JPEG"):
        found = _MARKER.search(data, position)
        if found is None:
            raise damaged("JPEG")
        marker, position = found[1][0], found.end()
        if marker == 0xDA:
            break
        if marker in (0x00, 0x01) or 0xD0 <= marker <= 0xD9:
            continue
        (length,) = unpack_from(">H", data, position)
        if length < 2:
            raise damaged("JPEG")
        segment = data[position : position + length]
        if marker == 0xE1 and segment[2:8] == b"Exif\0\0":
            orientation = _orientation(segment[8:])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            frame, process = segment, marker
        if not 0xE1 <= marker <= 0xFE or marker == 0xEE:  # of the application segments, APP0 and APP14 tell the colours
            parts.append(bytes((0xFF, marker)) + segment)
        position += length
    scans = data[position - 2 :]
    height, width = unpack_from(">HH", frame, 3)
    limit, kind = _jpeg_limit(process, frame, scans)
    return Container("JPEG", width, height, b"".join([*parts, scans]), orientation, 1, limit, kind)


def _jpeg_limit(process: int, frame: bytes, scans: bytes) -> tuple[int, str]:
    """How many pixels a JPEG of this kind may have: one that draws in passes is held whole until the last of them."""
    if process not in (_BASELINE, _EXTENDED, _PROGRESSIVE):
        raise ImageError(REFUSALS["lossless"])
    passes = scans.count(b"\xff\xda")
    if passes > MOST_PASSES:
        raise ImageError(REFUSALS["passes"].format(passes=exact(passes), limit=MOST_PASSES))
    colours, colours_in_first_scan = frame[7], scans[4]
    if process != _PROGRESSIVE and colours_in_first_scan == colours:
        return MOST_PIXELS, "JPEG"
    sampling = [(pair >> 4, pair & 15) for pair in frame[9 : 9 + 3 * colours : 3]]
    finest = max((across for across, _ in sampling), default=0) * max((down for _, down in sampling), default=0)
    samples_per_pixel = sum(across * down for across, down in sampling) / finest  # 4:4:4 has 3, 4:2:0 has 1.5
    limit = int(MOST_COEFFICIENTS / samples_per_pixel / 1e6) * 1_000_000
    return min(MOST_PIXELS, limit), KINDS["progressive"]


def _png(data: bytes) -> Container:
    """PNG, third edition: chunks of length, type, content and checksum."""
    parts, orientation, frames, position = [data[:8]], _UPRIGHT, 1, 8
    width, height, bits, colour = unpack_from(">IIBB", data, 16)
    for _ in _parts("PNG"):
        if position + 8 > len(data):  # cut off: the decoder sees how much of the drawing is missing
            break
        length, kind = unpack_from(">I4s", data, position)
        end = position + 12 + length
        if kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"):
            parts.append(data[position:end])
        elif kind == b"eXIf":
            orientation = _orientation(data[position + 8 : end - 4])
        elif kind == b"acTL":
            frames = max(1, unpack_from(">I", data, position + 8)[0])
        if kind == b"IEND":
            break
        position = end
    drawing = b"".join(parts)
    if bits == 16 and colour in _COLOURED:
        limit, kind = MOST_DEEP_PNG_PIXELS, KINDS["deep"]
        return Container("PNG", width, height, drawing, orientation, frames, limit, kind)
    return Container("PNG", width, height, drawing, orientation, frames)


def _gif(data: bytes) -> Container:
    """GIF89a: a screen, then extensions ("!"), frames (",") and the end (";"); strays between them are skipped."""
    width, height = unpack_from("<HH", data, 6)
    position = 13 + _colour_table(data[10])
    parts, control, frames = [data[:position]], b"", 0
    for _ in _parts("GIF"):
        start, kind = position, data[position : position + 1]
        if kind == b"!":
            position = _after_blocks(data, start + 2)
            if data[start + 1] == 0xF9:
                control = data[start:position]
        elif kind == b",":
            left, top, frame_width, frame_height, flags = unpack_from("<HHHHB", data, start + 1)
            position = _after_blocks(data, start + 11 + _colour_table(flags))
            frames += 1
            if frames == 1:
                width, height = max(width, left + frame_width), max(height, top + frame_height)
                parts += [control, data[start:position], b";"]
        elif kind in (b";", b""):
            break
        else:
            position += 1
    return Container("GIF", width, height, b"".join(parts), frames=max(1, frames))


def _colour_table(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_blocks(data: bytes, position: int) -> int:
    """Where a run of length-prefixed blocks ends; a file that is cut off ends with it."""
    while position < len(data) and data[position]:
        position += 1 + data[position]
    return min(position + 1, len(data))


def _webp(data: bytes) -> Container:
    """RFC 9649: RIFF chunks; the canvas stands in VP8X, or in the only frame. The decoder needs the file whole."""
    size, orientation, frames = (0, 0), _UPRIGHT, 0
    for kind, start, length in _riff_chunks(data):
        if size == (0, 0):
            size = _webp_size(kind, data, start)
        if kind == b"ANMF":
            frames += 1
        elif kind == b"EXIF":
            orientation = _orientation(data[start : start + length].removeprefix(b"Exif\0\0"))
    return Container("WebP", *size, data, orientation, max(1, frames), MOST_WEBP_PIXELS)


def _webp_size(kind: bytes, data: bytes, start: int) -> tuple[int, int]:
    if kind == b"VP8X":
        return _uint24(data, start + 4) + 1, _uint24(data, start + 7) + 1
    if kind == b"VP8 ":
        width, height = unpack_from("<HH", data, start + 6)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = unpack_from("<I", data, start + 1)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return 0, 0


def _riff_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    position = 12
    for _ in _parts("WebP"):
        if position + 8 > len(data):
            return
        kind, length = unpack_from("<4sI", data, position)
        yield kind, position + 8, length
        position += 8 + length + length % 2


def _uint24(data: bytes, position: int) -> int:
    return int.from_bytes(data[position : position + 3], "little")


def _bmp(data: bytes) -> Container:
    """Windows bitmap: width and height are shorts in the 12-byte header of OS/2 and signed longs in all others."""
    (header,) = unpack_from("<I", data, 14)
    width, height = unpack_from("<HH" if header == 12 else "<ii", data, 18)
    compression = 0 if header == 12 else unpack_from("<I", data, 30)[0]
    if compression not in _RUN_LENGTH:
        return Container("BMP", width, abs(height), data)
    if len(data) > MOST_RUN_LENGTH_BYTES:
        size, limit = bytes_(len(data)), bytes_(MOST_RUN_LENGTH_BYTES)
        raise ImageError(REFUSALS["run-length"].format(size=size, limit=limit))
    kind = KINDS["run-length"]
    return Container("BMP", width, abs(height), data, most_pixels=MOST_RUN_LENGTH_PIXELS, kind=kind)


def _orientation(tiff: bytes) -> int:
    """Tag 274 in the first directory of an EXIF block; upright where the block does not say, or is broken."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return _UPRIGHT
    entry = Struct(order + "HHIH")
    try:
        (directory,) = unpack_from(order + "I", tiff, 4)
        (count,) = unpack_from(order + "H", tiff, directory)
        for index in range(count):
            tag, kind, _, value = entry.unpack_from(tiff, directory + 2 + 12 * index)
            if tag == _ORIENTATION:
                return value if kind == _SHORT and 1 <= value <= 8 else _UPRIGHT
    except StructError:
        pass
    return _UPRIGHT


_READERS = tuple(
    (re.compile(SIGNATURES[name].encode(), re.DOTALL), name, read)
    for name, read in (("JPEG", _jpeg), ("PNG", _png), ("GIF", _gif), ("WebP", _webp), ("BMP", _bmp))
)
_OTHER_FORMATS = tuple(
    (re.compile(signature.encode(), re.DOTALL | re.IGNORECASE), sentence)
    for signature, sentence in OTHER_FORMATS.items()
)
