// Pixels as a PNG file, without a canvas: https://www.w3.org/TR/png-3/.

import { joined } from "../transport/parcels.js";

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const COLOURS = /** @type {Record<number, number>} */ ({ 1: 0, 3: 2 }); // PNG's word for so many channels

const TABLE = Uint32Array.from({ length: 256 }, (_, at) => {
    let rest = at;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
});

/** The checksum of a chunk. @param {Uint8Array} bytes */
function checked(bytes) {
    let rest = 0xffffffff;
    for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
    return ~rest >>> 0;
}

/** Deflated, with zlib's header. @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
export async function deflated(bytes) {
    const { body } = new Response(/** @type {BodyInit} */ (bytes));
    const stream = /** @type {ReadableStream} */ (body).pipeThrough(new CompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} name @param {Uint8Array} content */
function chunk(name, content) {
    const out = new Uint8Array(12 + content.length);
    const view = new DataView(out.buffer);
    view.setUint32(0, content.length);
    out.set(new TextEncoder().encode(name), 4);
    out.set(content, 8);
    view.setUint32(8 + content.length, checked(out.subarray(4, 8 + content.length)));
    return out;
}

/** @param {Uint8Array} pixels `h w c` @param {number} width @param {number} channels @returns {Promise<Uint8Array>} */
export async function png(pixels, width, channels) {
    const row = width * channels;
    const height = pixels.length / row;
    const header = new Uint8Array(13);
    new DataView(header.buffer).setUint32(0, width);
    new DataView(header.buffer).setUint32(4, height);
    header.set([8, COLOURS[channels], 0, 0, 0], 8);
    const lines = new Uint8Array(height * (row + 1)); // each begins with its filter: none
    for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
    const chunks = [chunk("IHDR", header), chunk("IDAT", await deflated(lines)), chunk("IEND", new Uint8Array())];
    return joined([Uint8Array.from(SIGNATURE), ...chunks]);
}
