// The maps of the last models and pictures: they outlive the page, so that coming back needs no message.

/** @import { Message, Opening } from "../types.js" */

import { Maps } from "./maps.js";

const KEPT = 3; // models and pictures

export class Cache {
    /** @param {() => void} changed called when something arrived for what is on screen */
    constructor(changed) {
        this.changed = changed;
        /** What is on screen. @type {Maps | null} */
        this.maps = null;
        /** By digest, the newest last. @type {Map<string, Maps>} */
        this.all = new Map();
        /** What came before its picture. @type {Message[]} */
        this.pending = [];
    }

    /** Put a model and picture on screen; what is still held of them is used again. @param {Opening} message */
    open(message) {
        const { digest } = message.header;
        const maps = this.all.get(digest) ?? new Maps(message);
        this.all.delete(digest);
        this.all.set(digest, maps);
        for (const old of [...this.all.keys()].slice(0, -KEPT)) this.all.delete(old);
        this.maps = maps;
        for (const early of this.pending.splice(0)) this.receive(early);
        return maps;
    }

    /** @param {Message} message */
    receive(message) {
        const { digest } = message.header;
        const maps = this.all.get(digest);
        if (!maps) {
            this.pending = [...this.pending.filter((early) => early.header.digest === digest), message];
            return;
        }
        if (message.kind === "layer") {
            const { header, parts } = message;
            if (!maps.layers[header.layer]) maps.addLayer(header.layer, parts.code);
        } else if (message.kind === "query") {
            const { header, parts } = message;
            const [row, column] = [floats(parts.row), floats(parts.column)];
            maps.addExact({ ...header, row, column, rollout: parts.rollout ? floats(parts.rollout) : null });
            if (parts.rows) maps.addRows(header.query, parts.rows);
        }
        if (maps === this.maps) this.changed();
    }
}

/** Split a message: u32 length of the header, JSON header, then the parts that it names, in order.
 *  @param {Uint8Array} bytes @returns {Message} */
export function unpack(bytes) {
    const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    /** @type {Record<string, Uint8Array>} */
    const parts = {};
    let at = 4 + length;
    for (const [name, size] of header.parts) {
        parts[name] = bytes.subarray(at, at + size);
        at += size;
    }
    return /** @type {Message} */ ({ kind: header.kind, header, parts });
}

/** @param {Uint8Array} bytes */
const floats = (bytes) => new Float32Array(bytes.slice().buffer);
