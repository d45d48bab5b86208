// What a file says before any decoder runs, read as vitviz/images/containers.py does it: its format, its size, which way up,
// how many frames, and the bytes that draw its first picture alone. Profiles and metadata never reach the browser's decoder,
// which therefore neither turns the picture nor changes its colours: what one browser does, all do.

import { KINDS, LIMITS, OTHER_FORMATS, REFUSALS, SIGNATURES, SMALLER } from "../schema/pictures.js";

/** Pixels for width and height, before `orientation` (EXIF 2.32, tag 274) is applied; files of its `kind` may have `most`.
 *  Some browsers draw what there is of a file that is not `whole`.
 *  @typedef {{ format: string, width: number, height: number, drawing: Uint8Array[], orientation: number, frames: number,
 *      most: number, kind: string, whole: boolean, colours: number, deep: boolean }} Container */

const SHORT = 3;
const ORIENTATION = 0x0112;
const PROGRESSIVE = 0xc2;
const LOOKED_AT = 1100; // bytes of a file that tell what it is, at most

/** Why a picture cannot be shown: what was found and the way out, in one sentence for the user. */
export class PictureError extends Error {
    /** Whether it is no picture of the five formats, and another reader may know it. */
    other = false;
}

/** @param {string} text with names in braces @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @param {string} why @param {Record<string, string | number>} [values] */
export const refusal = (why, values = {}) => new PictureError(filled(REFUSALS[why], values));

const exact = (/** @type {number} */ count) => count.toLocaleString("en-GB");

/** Bytes in decimal units, one decimal below a hundred, halves up: 7.3 MB. @param {number} count */
export function bytesOf(count) {
    if (count < 1000) return `${count} B`;
    for (let power = 1, unit = 1000; ; power++, unit *= 1000) {
        const [tenths, whole] = [10, 1].map((share) => Math.floor((2 * count * share + unit) / (2 * unit)));
        if (tenths < 1000) return `${Math.floor(tenths / 10)}.${tenths % 10} ${" kMGT"[power]}B`;
        if (whole < 1000) return `${whole} ${" kMGT"[power]}B`;
    }
}

/** The header of a JPEG, PNG, WebP, GIF or BMP file; the first bytes decide, not the name. Throws `PictureError` for what
 *  is none of them, named where it is known, for a header that ends early, and for more pixels than there may be.
 *  @param {Uint8Array} bytes @returns {Container} */
export function readContainer(bytes) {
    checkLength(bytes.length);
    const format = Object.keys(SIGNATURES).find((name) => begins(bytes, SIGNATURES[name], "s"));
    if (!format) throw Object.assign(new PictureError(otherFormat(bytes)), { other: true });
    const found = container({ format, kind: format });
    try {
        Object.assign(found, READERS[format](new Reader(bytes)));
    } catch (error) {
        if (error instanceof RangeError) throw refusal("damaged", { format }); // what was read lies behind the end
        throw error;
    }
    checkSize(found);
    return found;
}

/** Refuse a file that is too long, before it is read. @param {number} length in bytes */
export function checkLength(length) {
    if (length > LIMITS.bytes) throw refusal("bytes", { size: bytesOf(length), limit: bytesOf(LIMITS.bytes) });
}

/** What is usual. @param {Partial<Container>} its */
export const container = (its) =>
    /** @type {Container} */ ({
        ...{ orientation: 1, frames: 1, most: LIMITS.pixels, whole: true, colours: 3, deep: false },
        ...its,
    });

/** Whether a file begins so. @param {Uint8Array} bytes @param {string} signature @param {string} flags */
const begins = (bytes, signature, flags) =>
    new RegExp(`^(?:${signature})`, flags).test(String.fromCharCode(...bytes.subarray(0, LOOKED_AT)));

/** One sentence about bytes that are none of the five formats. @param {Uint8Array} bytes */
function otherFormat(bytes) {
    if (!bytes.length) return REFUSALS.empty;
    const known = Object.keys(OTHER_FORMATS).find((signature) => begins(bytes, signature, "si"));
    return known ? OTHER_FORMATS[known] : filled(REFUSALS.unknown, { size: bytesOf(bytes.length) });
}

/** Refuse what has too many pixels before a decoder takes memory for them. @param {Container} container */
export function checkSize({ format, width, height, most, kind }) {
    if (width < 1 || height < 1) throw refusal("damaged", { format });
    const size = { width: exact(width), height: exact(height) };
    if (Math.max(width, height) > LIMITS.ratio * Math.min(width, height))
        throw refusal("thread", { ...size, limit: LIMITS.ratio });
    if (width * height <= most) return;
    const million = ((width * height) / 1e6).toLocaleString("en-GB", {
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
    });
    const smaller = width * height > LIMITS.pixels ? SMALLER.all : SMALLER.kind;
    throw refusal("pixels", { ...size, million, kind, limit: most / 1e6, smaller });
}

/** The bytes of a file, read at places; what lies behind the end is a RangeError. */
class Reader {
    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }

    get length() {
        return this.bytes.length;
    }

    /** @param {number} at */
    byte(at) {
        return this.view.getUint8(at);
    }

    /** @param {number} at @param {boolean} [little] whether the last byte counts most */
    short(at, little) {
        return this.view.getUint16(at, little);
    }

    /** @param {number} at @param {boolean} [little] */
    long(at, little) {
        return this.view.getUint32(at, little);
    }

    /** Four letters. @param {number} at */
    name(at) {
        if (at + 4 > this.length) throw new RangeError();
        return String.fromCharCode(...this.bytes.subarray(at, at + 4));
    }

    /** @param {number} from @param {number} [to] */
    part(from, to) {
        return this.bytes.subarray(from, to);
    }

    /** Whether there is one more part of a file, which may not have countless. @param {number} count */
    one(count) {
        if (count >= LIMITS.parts) throw new RangeError();
        return true;
    }
}

/** ITU-T T.81 annex B: markers FF xx, most with a length, until the first scan (FF DA).
 *  @param {Reader} file @returns {Partial<Container>} */
function jpeg(file) {
    const drawing = [file.part(0, 2)];
    let [frame, process, orientation, at] = [new Reader(new Uint8Array()), 0xc0, 1, 2];
    for (let count = 0; file.one(count); count++) {
        at = file.bytes.indexOf(0xff, at);
        if (at < 0) throw new RangeError();
        while (file.byte(at) === 0xff) at++;
        const marker = file.byte(at++);
        if (marker === 0xda) break;
        if (marker < 2 || (marker >= 0xd0 && marker <= 0xd9)) continue;
        const length = file.short(at);
        if (length < 2) throw new RangeError();
        const segment = new Reader(file.part(at, at + length));
        if (marker === 0xe1 && segment.length > 7 && segment.name(2) === "Exif" && segment.short(6) === 0)
            orientation = orientationOf(new Reader(segment.part(8)));
        if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
            [frame, process] = [segment, marker];
        const tells = marker < 0xe1 || marker > 0xfe || marker === 0xee; // of the application segments two tell the colours
        if (tells) drawing.push(Uint8Array.of(0xff, marker), segment.bytes);
        at += length;
    }
    const scans = new Reader(file.part(at - 2));
    const [height, width] = [frame.short(3), frame.short(5)];
    drawing.push(scans.bytes);
    const whole = markers(scans.bytes, 0xd9) > 0; // it comes to an end
    return { width, height, drawing, orientation, whole, ...jpegLimit(process, frame, scans) };
}

/** How often FF and this byte stand together. @param {Uint8Array} bytes @param {number} marker */
function markers(bytes, marker) {
    let count = 0;
    for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) if (bytes[at + 1] === marker) count++;
    return count;
}

/** How many pixels a JPEG may have: one that draws in passes is held whole until the last of them.
 *  @param {number} process @param {Reader} frame @param {Reader} scans */
function jpegLimit(process, frame, scans) {
    if (process < 0xc0 || process > PROGRESSIVE) throw refusal("lossless");
    const passes = markers(scans.bytes, 0xda);
    if (passes > LIMITS.passes) throw refusal("passes", { passes: exact(passes), limit: LIMITS.passes });
    const colours = frame.byte(7);
    if (process !== PROGRESSIVE && scans.byte(4) === colours) return { colours };
    const pairs = Array.from({ length: colours }, (_, colour) => frame.bytes[9 + 3 * colour]).filter((it) => it >= 0);
    const [across, down] = [pairs.map((pair) => pair >> 4), pairs.map((pair) => pair & 15)];
    const finest = Math.max(0, ...across) * Math.max(0, ...down);
    const samples = across.reduce((sum, it, at) => sum + it * down[at], 0) / finest; // 4:4:4 has 3, 4:2:0 has 1.5
    if (!samples) throw new RangeError();
    const most = Math.trunc(LIMITS.coefficients / samples / 1e6) * 1e6;
    return { colours, most: Math.min(LIMITS.pixels, most), kind: KINDS.progressive };
}

/** PNG, third edition: chunks of length, type, content and checksum. @param {Reader} file @returns {Partial<Container>} */
function png(file) {
    const drawing = [file.part(0, 8)];
    const [width, height, bits, colour] = [file.long(16), file.long(20), file.byte(24), file.byte(25)];
    let [orientation, frames, whole] = [1, 1, true];
    for (let at = 8, count = 0; file.one(count) && at + 8 <= file.length; count++) {
        const [kind, end] = [file.name(at + 4), at + 12 + file.long(at)];
        if (["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].includes(kind)) {
            drawing.push(file.part(at, end));
            whole &&= end <= file.length && file.long(end - 4) === checksum(file.part(at + 4, end - 4));
        } else if (kind === "eXIf") orientation = orientationOf(new Reader(file.part(at + 8, end - 4)));
        else if (kind === "acTL") frames = Math.max(1, file.long(at + 8));
        if (kind === "IEND") break;
        at = end;
    }
    const found = { width, height, drawing, orientation, frames, whole, deep: bits === 16 };
    return bits === 16 && (colour === 2 || colour === 6) ? { ...found, most: LIMITS.deep, kind: KINDS.deep } : found;
}

/** What each byte leaves when it is divided by the polynomial of CRC-32. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
    return byte;
});

/** CRC-32, as chunks of PNG end with it. @param {Uint8Array} bytes */
function checksum(bytes) {
    let rest = -1;
    for (let at = 0; at < bytes.length; at++) rest = REMAINDERS[(rest ^ bytes[at]) & 255] ^ (rest >>> 8);
    return ~rest >>> 0;
}

/** GIF89a: a screen, then extensions ("!"), frames (",") and the end (";"); strays between them are skipped.
 *  @param {Reader} file @returns {Partial<Container>} */
function gif(file) {
    const table = (/** @type {number} */ flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
    let ended = true; // the blocks that were read last
    const afterBlocks = (/** @type {number} */ from) => {
        while (from < file.length && file.byte(from)) from += 1 + file.byte(from);
        ended = from < file.length;
        return Math.min(from + 1, file.length);
    };
    let [width, height, at] = [file.short(6, true), file.short(8, true), 13 + table(file.byte(10))];
    const drawing = [file.part(0, at)];
    let [control, frames, whole] = [file.part(0, 0), 0, true];
    for (let count = 0; file.one(count) && at < file.length; count++) {
        const [start, kind] = [at, String.fromCharCode(file.byte(at))];
        if (kind === "!") {
            at = afterBlocks(start + 2);
            if (file.byte(start + 1) === 0xf9) control = file.part(start, at);
        } else if (kind === ",") {
            const [left, top, wide, tall] = [1, 3, 5, 7].map((place) => file.short(start + place, true));
            at = afterBlocks(start + 11 + table(file.byte(start + 9)));
            if (++frames > 1) continue;
            [width, height] = [Math.max(width, left + wide), Math.max(height, top + tall)];
            drawing.push(control, file.part(start, at), Uint8Array.of(0x3b));
            whole = ended;
        } else if (kind === ";") break;
        else at++;
    }
    return { width, height, drawing, frames: Math.max(1, frames), whole };
}

/** RFC 9649: RIFF chunks; the canvas stands in VP8X, or in the only frame.
 *  @param {Reader} file @returns {Partial<Container>} */
function webp(file) {
    const three = (/** @type {number} */ at) => file.short(at, true) + (file.byte(at + 2) << 16) + 1;
    let [width, height, orientation, frames] = [0, 0, 1, 0];
    const drawing = [file.bytes.slice(0, 12)];
    for (let at = 12, count = 0; file.one(count) && at + 8 <= file.length; count++) {
        const [kind, length] = [file.name(at), file.long(at + 4, true)];
        const [start, end] = [at + 8, at + 8 + length + (length % 2)];
        if (!width && !height) {
            const bits = kind === "VP8L" ? file.long(start + 1, true) : 0;
            if (kind === "VP8X") [width, height] = [three(start + 4), three(start + 7)];
            if (kind === "VP8 ") [width, height] = [6, 8].map((place) => file.short(start + place, true) & 0x3fff);
            if (kind === "VP8L") [width, height] = [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
        }
        if (kind === "ANMF") frames++;
        if (kind === "EXIF") orientation = orientationOf(tiffOf(file.part(start, start + length)));
        if (!["ICCP", "EXIF", "XMP "].includes(kind)) drawing.push(file.bytes.slice(at, end));
        if (kind === "VP8X") /** @type {Uint8Array} */ (drawing.at(-1))[8] &= ~0x2c; // says that these three are not there
        at = end;
    }
    const length = drawing.reduce((sum, part) => sum + part.length, 0) - 8;
    new DataView(drawing[0].buffer).setUint32(4, length, true);
    const whole = file.length >= 8 + file.long(4, true);
    return { width, height, drawing, orientation, frames: Math.max(1, frames), most: LIMITS.webp, whole };
}

/** An EXIF block of a WebP file, which may have another's name before it. @param {Uint8Array} block */
function tiffOf(block) {
    const named = String.fromCharCode(...block.subarray(0, 6)) === "Exif\0\0";
    return new Reader(named ? block.subarray(6) : block);
}

/** Windows bitmap: width and height are shorts in the header of OS/2, of 12 bytes, and signed in all others.
 *  @param {Reader} file @returns {Partial<Container>} */
function bmp(file) {
    const old = file.long(14, true) === 12;
    const sides = [0, 1].map((it) => (old ? file.short(18 + 2 * it, true) : file.view.getInt32(18 + 4 * it, true)));
    const [width, height] = [sides[0], Math.abs(sides[1])];
    const [bits, coding] = [file.short(old ? 24 : 28, true), old ? 0 : file.long(30, true)];
    const runs = coding === 1 || coding === 2;
    const pixels = file.long(10, true);
    const whole = runs || pixels + Math.ceil((bits * width) / 32) * 4 * height <= file.length;
    const found = { width, height, drawing: [file.bytes], whole };
    if (bits === 32 && !coding) found.drawing = [opaque(file.bytes, pixels)];
    if (!runs) return found;
    if (file.length > LIMITS["run-bytes"])
        throw refusal("run-length", { size: bytesOf(file.length), limit: bytesOf(LIMITS["run-bytes"]) });
    return { ...found, most: LIMITS.runs, kind: KINDS["run-length"] };
}

/** A bitmap whose fourth bytes say nothing, which some browsers take for an alpha. @param {Uint8Array} bytes
 *  @param {number} from */
function opaque(bytes, from) {
    const made = bytes.slice();
    for (let at = from + 3; at < made.length; at += 4) made[at] = 255;
    return made;
}

/** Tag 274 in the first directory of an EXIF block; upright where the block does not say, or is broken.
 *  @param {Reader} tiff */
function orientationOf(tiff) {
    try {
        const order = tiff.name(0);
        const little = order === "II*\0";
        if (!little && order !== "MM\0*") return 1;
        const directory = tiff.long(4, little);
        for (let entry = directory + 2, left = tiff.short(directory, little); left; left--, entry += 12) {
            const [tag, kind] = [tiff.short(entry, little), tiff.short(entry + 2, little)];
            const value = tiff.short(entry + 8, little);
            if (tag === ORIENTATION) return kind === SHORT && value >= 1 && value <= 8 ? value : 1;
        }
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
    }
    return 1;
}

/** @type {Record<string, (file: Reader) => Partial<Container>>} */
const READERS = { JPEG: jpeg, PNG: png, WebP: webp, GIF: gif, BMP: bmp };
