// What Streamlit calls when the explorer is mounted, when its picture or model changes, and when the theme does.

/** @type {WeakMap<ShadowRoot, Instrument>} */
const instruments = new WeakMap();

/** Read the messages that came before this code did, and from now on every message at once. */
function attend() {
    const { inbox, views } = (globalThis.__vitviz ??= { inbox: [], views: [] });
    const read = (/** @type {Uint8Array} */ bytes) => store.receive(unpack(bytes));
    const see = (/** @type {[PythonView, Tell]} */ [view, tell]) => {
        store.tell = tell;
        store.follow(view);
    };
    __vitviz.inbox = { push: read };
    __vitviz.views = { push: see };
    if (Array.isArray(views)) views.forEach(see);
    if (Array.isArray(inbox)) inbox.forEach(read);
}

/** @param {Component<Uint8Array>} component */
export default function explorer({ data, parentElement }) {
    const maps = store.open(unpack(data));
    const instrument = instruments.get(parentElement) ?? new Instrument(parentElement, maps);
    instruments.set(parentElement, instrument);
    store.changed = () => instrument.invalidate();
    instrument.open(maps);
    attend();
    return () => {
        instrument.close();
        instruments.delete(parentElement);
    };
}
