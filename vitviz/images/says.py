"""What is said of a picture file, in the app and in a browser: why it is refused, the way out, and what to know."""

REFUSALS = {
    "empty": "The file is empty; choose a JPEG, PNG, WebP, GIF or BMP picture.",
    "unknown": "This file ({size}) is not an image this app can read; choose a JPEG, PNG, WebP, GIF or BMP.",
    "damaged": "The {format} file is damaged or incomplete; open it elsewhere, save it again and try that copy.",
    "lossless": "The JPEG file is lossless or arithmetic coded; open it elsewhere, save it as PNG and upload that.",
    "passes": "The JPEG file draws its picture in {passes} passes and the limit is {limit}; "
    "open it elsewhere, save it again and try that copy.",
    "run-length": "The BMP file is run-length coded and has {size}, and the limit for its kind is {limit}; "
    "save the picture as PNG and upload that.",
    "bytes": "The file has {size} and the limit is {limit}; save the picture smaller, or as JPEG, and upload that.",
    "thread": "The picture has {width} × {height} pixels, and the longer side may be {limit} times the shorter at most;"
    " crop it and upload that.",
    "pixels": "The picture has {width} × {height} pixels, {million} million, and the limit for {kind} is {limit} "
    "million; save it {smaller} and upload that.",
    "time": "The picture is not open after {seconds} seconds; save it smaller, or as JPEG, and upload that.",
    "memory": "There is not enough memory for this picture now; upload a smaller copy.",
}
# What stands in sentences for a kind of file whose limit is lower than others', and for what is saved to keep to it.
KINDS = {
    "progressive": "a progressive JPEG in these colours",
    "deep": "a PNG with 16-bit colours",
    "run-length": "a run-length coded BMP",
}
SMALLER = {"all": "smaller", "kind": "as baseline JPEG, or smaller,"}
NOTES = {
    "frames": "Frame 1 of {frames}.",
    "printing": "Printing colours (CMYK) are shown approximately.",
    "deep": "16-bit values are shown in 8 bits.",
    "transparent": "Transparent areas are shown on white.",
}
# Of no such file a picture is read, by what its first bytes are.
OTHER_FORMATS = {
    r"....ftyp(.{4}){0,8}avi[fs]": "This is an AVIF picture; save it as PNG or JPEG and upload that.",
    r"....ftyp(hei|hev|mif1|msf1)": "This is a HEIC picture; export it as JPEG and upload that.",
    r"....ftyp|RIFF....AVI |\x1a\x45\xdf\xa3": "This is a video; take a screenshot of one frame and upload that.",
    r"II\*\0|MM\0\*|II\+\0|MM\0\+": "This is a TIFF or camera raw file; export it as JPEG and upload that.",
    r"\xff\x0a|\0\0\0\x0cJXL ": "This is a JPEG XL picture; save it as JPEG and upload that.",
    r"\xff\x4f\xff\x51|\0\0\0\x0cjP  ": "This is a JPEG 2000 picture; save it as JPEG and upload that.",
    r"\0\0[\x01\x02]\0[^\0]": "This is an icon file; save it as PNG and upload that.",
    r"8BPS": "This is a Photoshop file; export it as JPEG and upload that.",
    r"%PDF|%!PS": "This is a PDF or PostScript document; take a screenshot of the page and upload that.",
    r"PK\x03\x04": "This is a ZIP archive or an office document; upload the picture inside it by itself.",
    r"\W{0,16}<(!doctype html|html|head|body)": "This is a web page; save the picture itself and upload that.",
    r".{0,1024}<svg[\s>]": "This is an SVG drawing; export it as PNG and upload that.",
}
SIGNATURES = {
    "JPEG": r"\xff\xd8\xff",
    "PNG": r"\x89PNG\r\n\x1a\n",
    "GIF": r"GIF8[79]a",
    "WebP": r"RIFF....WEBP",
    "BMP": r"BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0",
}
