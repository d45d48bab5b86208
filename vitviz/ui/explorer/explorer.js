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

/** The instrument of a place on the page; another model or picture gets a new one, which plays on where the old one did.
 *  @param {ShadowRoot} root @param {Maps} maps */
function instrumentAt(root, maps) {
    const last = instruments.get(root);
    if (last?.maps === maps) return last;
    last?.close();
    const instrument = new Instrument(root, maps);
    if (last?.playing) instrument.play();
    instruments.set(root, instrument);
    return instrument;
}

/** @param {Component<Uint8Array>} component */
export default function explorer({ data, parentElement }) {
    streamlit.watch();
    const instrument = instrumentAt(parentElement, store.open(unpack(data)));
    store.changed = () => instrument.invalidate();
    store.changed();
    attend();
    return () => {
        instruments.get(parentElement)?.close();
        instruments.delete(parentElement);
        clearTimeout(store.timer);
    };
}
