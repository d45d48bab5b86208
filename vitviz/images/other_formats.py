"""What people upload besides the five formats, by its first bytes, and how each becomes one of the five."""

import re

from vitviz.numbers import bytes_

_OTHER_FORMATS = tuple(
    (re.compile(signature, re.DOTALL | re.IGNORECASE), sentence)
    for signature, sentence in (
        (rb".{4}ftyp(.{4}){0,8}avi[fs]", "This is an AVIF picture; save it as PNG or JPEG and upload that."),
        (rb".{4}ftyp(hei|hev|mif1|msf1)", "This is a HEIC picture; export it as JPEG and upload that."),
        (
            rb".{4}ftyp|RIFF....AVI |\x1a\x45\xdf\xa3",
            "This is a video; take a screenshot of one frame and upload that.",
        ),
        (rb"II\*\0|MM\0\*|II\+\0|MM\0\+", "This is a TIFF or camera raw file; export it as JPEG and upload that."),
        (rb"\xff\x0a|\0\0\0\x0cJXL ", "This is a JPEG XL picture; save it as JPEG and upload that."),
        (rb"\xff\x4f\xff\x51|\0\0\0\x0cjP  ", "This is a JPEG 2000 picture; save it as JPEG and upload that."),
        (rb"\0\0[\x01\x02]\0[^\0]", "This is an icon file; save it as PNG and upload that."),
        (rb"8BPS", "This is a Photoshop file; export it as JPEG and upload that."),
        (rb"%PDF|%!PS", "This is a PDF or PostScript document; take a screenshot of the page and upload that."),
        (rb"PK\x03\x04", "This is a ZIP archive or an office document; upload the picture inside it by itself."),
        (rb"\W{0,16}<(!doctype html|html|head|body)", "This is a web page; save the picture itself and upload that."),
        (rb".{0,1024}<svg[\s>]", "This is an SVG drawing; export it as PNG and upload that."),
    )
)


def describe(data: bytes) -> str:
    """One sentence for the user about bytes that are none of the five formats: what they are and the way out."""
    if not data:
        return "The file is empty; choose a JPEG, PNG, WebP, GIF or BMP picture."
    for signature, sentence in _OTHER_FORMATS:
        if signature.match(data):
            return sentence
    return f"This file ({bytes_(len(data))}) is not an image this app can read; choose a JPEG, PNG, WebP, GIF or BMP."
