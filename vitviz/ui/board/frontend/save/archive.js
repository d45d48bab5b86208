// NumPy arrays in a ZIP archive, as np.load reads them.

/** NumPy's file format 1.0 for float32. @param {Float32Array} values @param {number[]} shape */
export function npy(values, shape) {
    const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
    const header = `${text.padEnd(64 * Math.ceil((text.length + 11) / 64) - 11)}\n`;
    const start = [0x93, ...[..."NUMPY"].map((c) => c.charCodeAt(0)), 1, 0, header.length & 255, header.length >> 8];
    const bytes = new Uint8Array(start.length + header.length + values.byteLength);
    bytes.set(start);
    bytes.set(new TextEncoder().encode(header), start.length);
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start.length + header.length);
    return bytes;
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
    let crc = ~0;
    for (const byte of bytes) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
    return ~crc >>> 0;
}

/** A ZIP archive without compression. @param {{name: string, bytes: Uint8Array}[]} files */
export function zip(files) {
    const parts = [];
    const directory = [];
    let at = 0;
    for (const { name, bytes } of files) {
        const path = new TextEncoder().encode(name);
        const sizes = littleEndian(crc32(bytes), bytes.length, bytes.length);
        const about = [20, 0, 0, 0, 0, 0, 0, 0, ...FIRST_DAY, ...sizes, path.length, 0, 0, 0];
        parts.push(Uint8Array.of(...signature(3, 4), ...about), path, bytes);
        const nothing = new Array(10).fill(0); // comment, disk and attributes
        directory.push(Uint8Array.of(...signature(1, 2), 20, 0, ...about, ...nothing, ...littleEndian(at)), path);
        at += 30 + path.length + bytes.length;
    }
    const length = directory.reduce((sum, it) => sum + it.length, 0);
    const count = [files.length, 0, files.length, 0];
    const end = Uint8Array.of(...signature(5, 6), 0, 0, 0, 0, ...count, ...littleEndian(length, at), 0, 0);
    return [...parts, ...directory, end];
}

const FIRST_DAY = [0x21, 0]; // 1 January 1980, as ZIP counts

const signature = (/** @type {number} */ a, /** @type {number} */ b) => [0x50, 0x4b, a, b];

/** Little-endian 32-bit words. @param {number[]} values */
const littleEndian = (...values) => values.flatMap((v) => [v & 255, (v >>> 8) & 255, (v >>> 16) & 255, v >>> 24]);
