// Parcels as Python packs them, in vitviz/scripts/parcels.py.

/** @import { Arrays_ } from "#frontend/types/numbers.js" */

const TYPES = /** @type {Record<string, string>} */ ({
    Uint8Array: "u1",
    Int8Array: "i1",
    Int32Array: "i4",
    Float32Array: "f4",
});

/** A parcel. @param {string} name @param {Arrays_} arrays */
export function packed(name, arrays) {
    const listed = Object.entries(arrays).map(([key, { shape, data }]) => {
        return { name: key, type: TYPES[data.constructor.name], shape, length: data.byteLength };
    });
    return framed(
        { digest: "", name, arrays: listed },
        Object.values(arrays).map(({ data }) => bytesOf(data)),
    );
}

/** @param {ArrayBufferView} view */
const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** What stands behind a header and its length. @param {object} header @param {Uint8Array[]} parts */
export function framed(header, parts) {
    const said = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(said.length);
    return Buffer.concat([length, said, ...parts]);
}
