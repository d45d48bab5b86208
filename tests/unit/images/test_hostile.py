"""Bad files: one sentence each, whatever the bytes; never another exception, never a warning (warnings are errors)."""

from concurrent.futures import ThreadPoolExecutor
from struct import pack

import pytest
from PIL import Image
from PIL.ImageFile import ImageFile

from tests.cases import each
from tests.image_files import chunk, encoded, jpeg_header, noise, png
from vitviz.images import ImageError, open_image
from vitviz.images.opening import MOST_BYTES


def refusal(data: bytes) -> str:
    with pytest.raises(ImageError) as caught:
        open_image(data)
    return str(caught.value)


FTYP = b"\0\0\0\x18ftyp"


@each(
    [
        (b"", "The file is empty"),
        (b"hello", r"This file \(5 B\) is not an image"),
        (b"\x89PNG", r"This file \(4 B\) is not an image"),
        (b"BM" + bytes(100), r"This file \(102 B\) is not an image"),
        (FTYP + b"heic\0\0\0\0mif1heic", "HEIC.*JPEG"),
        (FTYP + b"mif1\0\0\0\0mif1heic", "HEIC.*JPEG"),
        (FTYP + b"avif\0\0\0\0avifmif1", "AVIF.*PNG"),
        (FTYP + b"mif1\0\0\0\0mif1avif", "AVIF.*PNG"),
        (FTYP + b"isom\0\0\0\0isommp41", "video.*screenshot"),
        (b"II*\0" + bytes(20), "TIFF.*JPEG"),
        (b"MM\0*" + bytes(20), "TIFF.*JPEG"),
        (b"%PDF-1.7\n", "PDF.*screenshot"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "PostScript.*screenshot"),
        (b"<!DOCTYPE html><html><body><svg ></svg>", "web page"),
        (b"\xef\xbb\xbf\n <HTML>", "web page"),
        (b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg">', "SVG.*PNG"),
        (b"PK\x03\x04" + bytes(30), "ZIP"),
        (b"8BPS\0\x01", "Photoshop.*JPEG"),
        (b"\xff\x0a\xfa", "JPEG XL"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000"),
        (b"\0\0\x01\0\x01\0\x10\x10", "icon.*PNG"),
    ]
)
def test_what_is_no_picture_is_named(data: bytes, words: str) -> None:
    with pytest.raises(ImageError, match=words):
        open_image(data)


def test_every_refusal_is_one_sentence() -> None:
    for data in (b"", b"hello", b"%PDF", FTYP + b"heic", b"\xff\xd8\xff", png(9, 9, 8, 2, b""), bytes(MOST_BYTES + 1)):
        sentence = refusal(data)
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
        assert "; " in sentence  # what was found; the way out


def test_too_many_bytes() -> None:
    assert refusal(bytes(MOST_BYTES + 3_400_000)).startswith("The file has 23.4 MB and the limit is 20.0 MB")


def test_a_22_kb_bomb_of_179_million_pixels() -> None:
    data = png(13_370, 13_370, 1, 0, bytes((13_370 + 15) // 8 * 13_370))
    assert len(data) < 30_000
    assert "13,370 × 13,370 pixels, 178.8 million, and the limit for PNG is 64 million" in refusal(data)


def test_sizes_are_refused_before_a_decoder_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a decoder was made")

    monkeypatch.setattr(ImageFile, "__init__", never)
    bombs = {
        "PNG": png(2**31 - 1, 2**31 - 1, 8, 6, b""),
        "JPEG": jpeg_header(65_500, 65_500, b"\x11"),
        "GIF": b"GIF89a" + pack("<HHBBB", 1, 1, 0, 0, 0) + b"," + pack("<HHHHB", 0, 0, 65_535, 65_535, 0) + b"\2\0;",
        "WebP": b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0" + bytes(4) + b"\x9f\x0f\0\x88\x13\0",  # 4,000 x 5,001
        "BMP": b"BM" + bytes(12) + pack("<IiiHHIIiiII", 40, 30_000, -30_000, 1, 1, 0, 0, 0, 0, 0, 0),
    }
    for kind, data in bombs.items():
        assert f"and the limit for {kind} is" in refusal(data)


@pytest.mark.parametrize("size", [(1, 60_000), (60_000, 1), (31, 1)])
def test_a_thread_is_no_picture(size: tuple[int, int]) -> None:
    words = f"{size[0]:,} × {size[1]:,} pixels, and the longer side may be 30 times the shorter at most; crop it"
    for kind in ("PNG", "BMP"):
        assert words in refusal(encoded(Image.new("L", size), kind))


def test_thirty_to_one_is_still_a_picture() -> None:
    assert open_image(encoded(Image.new("L", (30, 1)), "PNG")).size == (30, 1)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP"])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_truncated(kind: str, part: float) -> None:
    data = encoded(noise(), kind)
    name = "WebP" if kind == "WEBP" else kind
    assert refusal(data[: int(len(data) * part)]).startswith(f"The {name} file is damaged or incomplete")


def test_a_broken_checksum_in_the_drawing_is_refused_and_elsewhere_does_not_matter() -> None:
    good = encoded(noise(), "PNG")
    broken_text = chunk(b"tEXt", b"a\0b")[:-4] + b"xxxx"
    assert open_image(good[:33] + broken_text + good[33:]).size == (60, 40)
    assert "damaged" in refusal(good.replace(b"IDAT", b"IDAT\x99", 1))


def test_metadata_cannot_harm_the_picture() -> None:
    good = encoded(noise(), "PNG")
    for extra in (
        chunk(b"zTXt", b"a\0\0not zlib"),
        chunk(b"iCCP", b"a\0\0not zlib"),
        chunk(b"acTL", b"\0\0\0\0\0\0\0\0"),  # an animation of no frames
        chunk(b"eXIf", b"II*\0\x08\0\0\0\xff\xff"),
        chunk(b"sBIT", b""),
    ):
        assert open_image(good[:33] + extra + good[33:]).size == (60, 40)


def test_a_jpeg_that_draws_two_hundred_times_is_refused() -> None:
    data = encoded(Image.new("RGB", (64, 64)), "JPEG", progressive=True)
    last = data[data.rindex(b"\xff\xda") : -2]
    assert "209 passes and the limit is 25" in refusal(data[:-2] + last * 199 + b"\xff\xd9")


@pytest.mark.parametrize(
    "data",
    [
        encoded(noise(), "JPEG")[:2] + b"\xff\xe2\0\2" * 200_000 + encoded(noise(), "JPEG")[2:],
        encoded(noise(), "PNG")[:33] + chunk(b"tEXt", b"") * 200_000,
        encoded(noise(), "GIF")[:-1] + b"," + pack("<HHHHB", 0, 0, 1, 1, 0) + b"\2\0" + b"!\xfe\0" * 200_000,
        b"RIFF\0\0\0\0WEBP" + b"ANMF\0\0\0\0" * 200_000,
    ],
    ids=["JPEG", "PNG", "GIF", "WebP"],
)
def test_a_file_of_countless_parts_is_given_up(data: bytes) -> None:
    assert "damaged" in refusal(data)


@pytest.mark.parametrize(
    ("process", "sampling", "first_scan", "limit"),
    [
        (0xC0, b"\x11\x11\x11", 3, "JPEG is 64"),
        (0xC0, b"\x11\x11\x11", 1, "a progressive JPEG in these colours is 48"),  # each colour in a pass of its own
        (0xC2, b"\x11\x11\x11", 3, "a progressive JPEG in these colours is 48"),
        (0xC2, b"\x11\x11\x11\x11", 4, "a progressive JPEG in these colours is 36"),
        (0xC2, b"\x22\x11\x11", 3, "a progressive JPEG in these colours is 64"),
        (0xC2, b"\x22\x11\x11\x22", 4, "a progressive JPEG in these colours is 57"),
        (0xC2, b"\x11", 1, "a progressive JPEG in these colours is 64"),
    ],
)
def test_a_jpeg_in_passes_has_a_limit_by_its_colours(
    process: int, sampling: bytes, first_scan: int, limit: str
) -> None:
    sentence = refusal(jpeg_header(13_000, 5_000, sampling, process, first_scan))
    assert f"13,000 × 5,000 pixels, 65.0 million, and the limit for {limit} million; save it smaller" in sentence
    if "48" in limit:
        sentence = refusal(jpeg_header(9_800, 5_000, sampling, process, first_scan))
        assert f"49.0 million, and the limit for {limit} million; save it as baseline JPEG, or smaller," in sentence


@pytest.mark.parametrize("sampling", [b"", b"\0", b"\x10\x01"])
def test_a_jpeg_without_colours_is_damaged(sampling: bytes) -> None:
    assert "damaged" in refusal(jpeg_header(100, 100, sampling, 0xC2, 1))


@pytest.mark.parametrize("process", [0xC3, 0xC9, 0xCA])
def test_a_lossless_or_arithmetic_jpeg_is_refused(process: int) -> None:
    assert "lossless or arithmetic coded; " in refusal(jpeg_header(64, 64, b"\x11", process))


def test_a_jpeg_segment_shorter_than_its_own_length_is_damaged() -> None:
    data = encoded(noise(), "JPEG")
    assert "damaged" in refusal(data[:2] + b"\xff\xe0\0\1" + data[2:])


def test_a_decoder_that_finds_another_size_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "size", (1_000_000, 1_000_000), raising=False)
    assert "damaged" in refusal(encoded(noise(), "PNG"))


def test_a_png_of_16_bit_colours_has_a_limit_of_its_own() -> None:
    words = (
        "41.0 million, and the limit for a PNG with 16-bit colours is 24 million; save it as baseline JPEG, or smaller,"
    )
    for colour in (2, 6):
        assert words in refusal(png(8_200, 5_000, 16, colour, b""))


@pytest.mark.parametrize("data", [b"\xff\xd8\xff" + bytes(MOST_BYTES - 3), b"\xff\xd8\xff" + b"\xff" * 10_000_000])
def test_a_jpeg_of_nothing_but_filling_is_damaged(data: bytes) -> None:
    assert "damaged" in refusal(data)


def test_a_run_length_coded_bmp_has_a_limit_of_its_own() -> None:
    header = b"BM" + bytes(12) + pack("<IiiHHIIiiII", 40, 2001, 2000, 1, 8, 1, 0, 0, 0, 256, 0)
    words = "2,001 × 2,000 pixels, 4.0 million, and the limit for a run-length coded BMP is 4 million; save it as"
    assert words in refusal(header + bytes(2000))


def test_a_huge_run_length_coded_bmp_is_refused() -> None:
    header = b"BM" + bytes(12) + pack("<IiiHHIIiiII", 40, 4000, 4000, 1, 8, 1, 0, 0, 0, 256, 0)
    assert "6.0 MB, and the limit for its kind is 3.0 MB" in refusal(header + bytes(6_000_000 - len(header)))


def test_whatever_a_decoder_raises_becomes_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encoded(noise(), "PNG")
    for error in (OSError, SyntaxError, KeyError, AssertionError, RecursionError, ZeroDivisionError):
        monkeypatch.setattr(ImageFile, "load", lambda _, error=error: (_ for _ in ()).throw(error("broken")))
        assert "damaged" in refusal(data)
    monkeypatch.setattr(ImageFile, "load", lambda _: (_ for _ in ()).throw(MemoryError))
    assert "not enough memory" in refusal(data)


def test_the_gate_opens_again_after_failures() -> None:
    broken, good = encoded(noise(), "JPEG")[:800], encoded(noise(), "PNG")
    with ThreadPoolExecutor(8) as pool:
        assert all("damaged" in sentence for sentence in pool.map(refusal, [broken] * 16))
        assert [image.size for image in pool.map(open_image, [good] * 16)] == [(60, 40)] * 16
