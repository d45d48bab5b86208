// What Streamlit calls when the explorer is mounted, when its picture or model changes, and when the theme does.

/** @import { Maps } from "./state/maps.js" */
/** @import { Component, Meta, Selection } from "./types.js" */

import { Instrument } from "./instrument.js";
import { Cache, unpack } from "./state/cache.js";
import { echoes, messages } from "./state/inbox.js";
import { Sync } from "./state/sync.js";

// These outlive the page.
const sync = new Sync({
    layer: 0,
    head: 0,
    query: 0,
    shows: "row",
    mean: false,
    scale: "shared",
    pinned: false,
});
const cache = new Cache(() => sync.changed());

/** @type {WeakMap<ShadowRoot, Instrument>} */
const instruments = new WeakMap();

/** @param {Component<Uint8Array>} component */
export default function explorer({ data, parentElement }) {
    const message = unpack(data);
    if (message.kind !== "opening") throw new Error(`the explorer cannot open with a ${message.kind}`);
    const instrument = instrumentAt(parentElement, cache.open(message));
    sync.changed = () => instrument.invalidate();
    sync.open(message.header.digest, (selection) => fit(selection, message.header));
    sync.changed();
    echoes.attend(([echo, send]) => {
        sync.send = send;
        sync.receive(echo);
    });
    messages.attend((bytes) => cache.receive(unpack(bytes)));
    return () => {
        instruments.get(parentElement)?.close();
        instruments.delete(parentElement);
        sync.stop();
    };
}

/** The instrument of a place on the page; another model or picture gets a new one, which plays on where the old one did.
 *  @param {ShadowRoot} root @param {Maps} maps */
function instrumentAt(root, maps) {
    const last = instruments.get(root);
    if (last?.maps === maps) return last;
    last?.close();
    const instrument = new Instrument(root, maps, sync);
    if (last?.playing) instrument.play();
    instruments.set(root, instrument);
    return instrument;
}

/** Keep a selection inside the model. @param {Selection} selection @param {Meta} sizes */
function fit(selection, { depth, heads, tokens }) {
    selection.layer = Math.min(selection.layer, depth - 1);
    selection.head = Math.min(selection.head, heads - 1);
    if (selection.query >= tokens) selection.query = 0;
}
