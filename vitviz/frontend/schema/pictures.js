// Written by `make schema` from what Python declares.
/** @type {Record<string, number>} */
export const LIMITS = {
    pixels: 64000000,
    deep: 24000000,
    webp: 20000000,
    coefficients: 144000000,
    runs: 4000000,
    "run-bytes": 3000000,
    parts: 100000,
    passes: 25,
    bytes: 20000000,
    ratio: 30,
    side: 2048,
    rows: 1024,
    kept: 8388608,
};
/** @type {Record<string, string>} */
export const SIGNATURES = {
    JPEG: "\\xff\\xd8\\xff",
    PNG: "\\x89PNG\\r\\n\\x1a\\n",
    GIF: "GIF8[79]a",
    WebP: "RIFF....WEBP",
    BMP: "BM.{12}[\\x0c\\x28\\x34\\x38\\x40\\x6c\\x7c]\\0\\0\\0",
};
/** @type {Record<string, string>} */
export const OTHER_FORMATS = {
    "....ftyp(.{4}){0,8}avi[fs]": "This is an AVIF picture; save it as PNG or JPEG and upload that.",
    "....ftyp(hei|hev|mif1|msf1)": "This is a HEIC picture; export it as JPEG and upload that.",
    "....ftyp|RIFF....AVI |\\x1a\\x45\\xdf\\xa3": "This is a video; take a screenshot of one frame and upload that.",
    "II\\*\\0|MM\\0\\*|II\\+\\0|MM\\0\\+": "This is a TIFF or camera raw file; export it as JPEG and upload that.",
    "\\xff\\x0a|\\0\\0\\0\\x0cJXL ": "This is a JPEG XL picture; save it as JPEG and upload that.",
    "\\xff\\x4f\\xff\\x51|\\0\\0\\0\\x0cjP  ": "This is a JPEG 2000 picture; save it as JPEG and upload that.",
    "\\0\\0[\\x01\\x02]\\0[^\\0]": "This is an icon file; save it as PNG and upload that.",
    "8BPS": "This is a Photoshop file; export it as JPEG and upload that.",
    "%PDF|%!PS": "This is a PDF or PostScript document; take a screenshot of the page and upload that.",
    "PK\\x03\\x04": "This is a ZIP archive or an office document; upload the picture inside it by itself.",
    "\\W{0,16}<(!doctype html|html|head|body)": "This is a web page; save the picture itself and upload that.",
    ".{0,1024}<svg[\\s>]": "This is an SVG drawing; export it as PNG and upload that.",
};
/** @type {Record<string, string>} */
export const REFUSALS = {
    empty: "The file is empty; choose a JPEG, PNG, WebP, GIF or BMP picture.",
    unknown: "This file ({size}) is not an image this app can read; choose a JPEG, PNG, WebP, GIF or BMP.",
    damaged: "The {format} file is damaged or incomplete; open it elsewhere, save it again and try that copy.",
    lossless: "The JPEG file is lossless or arithmetic coded; open it elsewhere, save it as PNG and upload that.",
    passes: "The JPEG file draws its picture in {passes} passes and the limit is {limit}; open it elsewhere, save it again and try that copy.",
    "run-length": "The BMP file is run-length coded and has {size}, and the limit for its kind is {limit}; save the picture as PNG and upload that.",
    bytes: "The file has {size} and the limit is {limit}; save the picture smaller, or as JPEG, and upload that.",
    thread: "The picture has {width} × {height} pixels, and the longer side may be {limit} times the shorter at most; crop it and upload that.",
    pixels: "The picture has {width} × {height} pixels, {million} million, and the limit for {kind} is {limit} million; save it {smaller} and upload that.",
    time: "The picture is not open after {seconds} seconds; save it smaller, or as JPEG, and upload that.",
    memory: "There is not enough memory for this picture now; upload a smaller copy.",
};
/** @type {Record<string, string>} */
export const KINDS = {
    progressive: "a progressive JPEG in these colours",
    deep: "a PNG with 16-bit colours",
    "run-length": "a run-length coded BMP",
};
/** @type {Record<string, string>} */
export const SMALLER = {
    all: "smaller",
    kind: "as baseline JPEG, or smaller,",
};
/** @type {Record<string, string>} */
export const NOTES = {
    frames: "Frame 1 of {frames}.",
    printing: "Printing colours (CMYK) are shown approximately.",
    deep: "16-bit values are shown in 8 bits.",
    transparent: "Transparent areas are shown on white.",
};
