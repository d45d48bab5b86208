// What Streamlit calls when the explorer is mounted, when its picture or model changes, and when the theme does.

/** @import { Component } from "./types.js" */
/** @import { Maps } from "./state/maps.js" */

import { Instrument } from "./instrument.js";
import { messages, views } from "./state/inbox.js";
import { store, streamlit, unpack } from "./state/store.js";

/** @type {WeakMap<ShadowRoot, Instrument>} */
const instruments = new WeakMap();

/** The instrument of a place on the page; another model or picture gets a new one, which plays on where the old one did.
 *  @param {ShadowRoot} root @param {Maps} maps */
function instrumentAt(root, maps) {
    const last = instruments.get(root);
    if (last?.maps === maps) return last;
    last?.close();
    const instrument = new Instrument(root, maps, store);
    if (last?.playing) instrument.play();
    instruments.set(root, instrument);
    return instrument;
}

/** @param {Component<Uint8Array>} component */
export default function explorer({ data, parentElement }) {
    streamlit.watch();
    const opening = unpack(data);
    if (opening.kind !== "opening") throw new Error(`the explorer cannot open with ${opening.kind}`);
    const instrument = instrumentAt(parentElement, store.open(opening));
    store.changed = () => instrument.invalidate();
    store.changed();
    views.attend(([view, send]) => {
        store.send = send;
        store.follow(view);
    });
    messages.attend((bytes) => store.receive(unpack(bytes)));
    return () => {
        instruments.get(parentElement)?.close();
        instruments.delete(parentElement);
        clearTimeout(store.timer);
    };
}
