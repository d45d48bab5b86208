// What a notebook runs of the widget: a frame for the board, and the way between it and the kernel.

/** What `anywidget` hands to a widget. @typedef {object} Model
 *  @property {(name: string) => any} get
 *  @property {(name: string, value: unknown) => void} set
 *  @property {() => void} save_changes
 *  @property {(content: unknown) => void} send
 *  @property {(event: string, told: (...args: any[]) => void) => void} on
 *  @property {(event: string, told: (...args: any[]) => void) => void} off */

/** Whether the notebook is dark, as JupyterLab says it. */
const theme = () => (document.body.dataset.jpThemeLight === "false" ? "dark" : "light");

/** @param {{ model: Model, el: HTMLElement }} given */
function render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.title = model.get("_title");
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
    frame.srcdoc = model.get("_page");
    const view = String(crypto.getRandomValues(new Uint32Array(4)));
    /** To the board, once its frame has loaded. @type {MessagePort | undefined} */
    let port;
    let ours = false; // whether the address is set by this board, which is there already
    const address = () => ours || port?.postMessage({ address: model.get("address") });
    const schema = () => port?.postMessage({ schema: model.get("_schema") });
    const answered = (/** @type {any} */ { view: whose, ...answer }, /** @type {DataView[]} */ [bytes]) => {
        if (whose === view)
            port?.postMessage({
                ...answer,
                bytes: bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice(),
            });
    };
    const hear = (/** @type {MessageEvent} */ { data }) => {
        if (!("address" in data)) return model.send({ ...data, view });
        ours = true;
        model.set("address", data.address);
        ours = false;
        model.save_changes();
    };
    frame.addEventListener("load", () => {
        port?.close(); // a frame that was moved loads again
        const { port1, port2: theirs } = new MessageChannel();
        port = port1;
        port.onmessage = hear;
        const hello = { ...model.get("_schema"), address: model.get("address"), theme: theme() };
        frame.contentWindow?.postMessage(hello, "*", [theirs]);
    });
    model.on("change:address", address);
    model.on("change:_schema", schema);
    model.on("msg:custom", answered);
    el.append(frame);
    return () => {
        model.off("change:address", address);
        model.off("change:_schema", schema);
        model.off("msg:custom", answered);
        port?.close();
    };
}

/** What `anywidget` asks for. */
export default function widget() {
    return { render };
}
