// Numbers of one model and picture, by parcel and name. They stay when the page changes.

/** @import { Array_ } from "../types/board.js" */

const KINDS = { u1: Uint8Array, i1: Int8Array, i4: Int32Array, f4: Float32Array, f2: Uint16Array };

/** Bytes one after the other; not by a Blob, which WebKit's workers cannot read on a page of a disk.
 *  @param {Uint8Array[]} parts */
export function joined(parts) {
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

/** What stands before the arrays, and where they begin. @param {Uint8Array} bytes */
export function headerOf(bytes) {
    const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    return { start, header: JSON.parse(new TextDecoder().decode(bytes.subarray(4, start))) };
}

/** @param {Uint8Array} bytes u32 length of the header, the header as JSON, then the arrays in its order */
export function unpack(bytes) {
    const { start, header } = headerOf(bytes);
    /** @type {Record<string, Array_>} */
    const arrays = {};
    let at = start;
    for (const { name, type, shape, length } of header.arrays) {
        const data = new KINDS[/** @type {"f4"} */ (type)](bytes.slice(at, at + length).buffer);
        arrays[name] = { shape, data: data instanceof Uint16Array ? halves(data) : data };
        at += length;
    }
    return { digest: /** @type {string} */ (header.digest), name: /** @type {string} */ (header.name), arrays };
}

/** Numbers of 16 bit as numbers of 32 bit. @param {Uint16Array} words */
function halves(words) {
    const out = new Float32Array(words.length);
    for (let i = 0; i < words.length; i++) {
        const exponent = (words[i] >> 10) & 31;
        const fraction = words[i] & 1023;
        const size = exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : fraction * 2 ** -24;
        out[i] = exponent === 31 ? (fraction ? Number.NaN : Number.POSITIVE_INFINITY) : size;
        if (words[i] & 0x8000) out[i] = -out[i];
    }
    return out;
}

const MOST = 160e6; // bytes that are held of one model and picture

/** All parcels of one model and picture; of more than a browser should hold, those that came first are let go. */
export class Parcels {
    /** @param {string} digest */
    constructor(digest) {
        this.digest = digest;
        /** @type {Map<string, Record<string, Array_>>} */
        this.held = new Map();
        /** How many have come. */
        this.count = 0;
        /** Ends of the names of those that came last of runs with edits, the last one first. @type {string[]} */
        this.endings = [];
    }

    /** @param {string} name @param {Record<string, Array_>} arrays */
    set(name, arrays) {
        this.count++;
        this.held.delete(name);
        this.held.set(name, arrays);
        const sizes = [...this.held].map(([each, its]) => ({ each, bytes: sizeOf(its) }));
        let all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        for (const { each, bytes } of sizes) {
            if (all <= MOST) break;
            if (each === name || each === "opening") continue;
            this.held.delete(each);
            all -= bytes;
        }
    }

    /** Let some go. @param {(name: string) => boolean} which */
    drop(which) {
        for (const name of this.held.keys()) if (which(name)) this.held.delete(name);
    }

    /** @param {string} name @returns {Record<string, Array_> | undefined} */
    get(name) {
        return this.held.get(name);
    }
}

/** The edits of the run that a parcel is of, behind a space; nothing of the plain run, and of a painted picture, which
 *  many edits may share. @param {string} name */
export const runOf = (name) => (name.startsWith("painted ") ? "" : (/ .*/.exec(name)?.[0] ?? ""));

/** @param {Record<string, Array_>} arrays */
const sizeOf = (arrays) => Object.values(arrays).reduce((sum, { data }) => sum + data.byteLength, 0);
