// Streamlit's router reads the address, and runs the page's script, when the browser goes back or forward. Of an address
// that is written it hears nothing, and nothing documented says so to it: it is told here alone.

const UNPAINTED_MS = 100; // until a page that paints nothing, as a hidden one, goes on without
const TOLD = { told: true }; // nobody went back

/** Let Streamlit read the address, and run the page's script. */
export const readAddress = () => dispatchEvent(new PopStateEvent("popstate", { state: TOLD }));

/** The same once the board has painted, for what Streamlit does then takes a frame; unless by then it has read the address,
 *  after another visit or Back. */
export function readAddressSoon() {
    let done = false;
    addEventListener("popstate", () => (done = true), { once: true });
    const readOnce = () => done || readAddress();
    requestAnimationFrame(() => setTimeout(readOnce));
    setTimeout(readOnce, UNPAINTED_MS);
}

/** Be told when the browser goes back or forward. @param {() => void} listener @param {AbortController} [until] what
 *  ends it */
export const onReturn = (listener, until) =>
    addEventListener("popstate", ({ state }) => state?.told || listener(), until);
