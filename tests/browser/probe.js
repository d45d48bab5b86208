// What the benchmarks read off a page: when a frame with an answer was painted, what moved by itself, and what was gone.

const probe = {
    /** Sum of the browser's layout shift scores, of those that follow a key or a click as well. */
    shift: 0,
    /** When anything was last drawn on the board or changed on the page around it, in ms. */
    changed: 0,
    /** Frames in which a part of the board, once drawn, was not to be seen. */
    without: { strip: 0, photo: 0 },
    /** The time from the next event of this kind to the painted frame that answers it, or null where none does.
     *  `page` waits for the frame of that page. @param {string} kind @param {string} [page] */
    next(kind, page) {
        probe.answer = new Promise((done) => {
            const begin = (event) => {
                const before = drawn().count;
                const look = (frames) =>
                    painted(() => {
                        const now = drawn();
                        const there = now.count !== before && (page === undefined || now.page === page);
                        if (there) done(performance.now() - event.timeStamp);
                        else if (frames < MOST_FRAMES) look(frames + 1);
                        else done(null);
                    });
                probe.began = event.timeStamp;
                look(0);
            };
            addEventListener(kind, begin, { capture: true, once: true });
        });
    },
};

const MOST_FRAMES = 30; // frames
const drawn = () => globalThis.__vitviz_drawn ?? { count: 0 };

/** Call after the next frame has been painted. */
function painted(call) {
    requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = call;
        port2.postMessage(0);
    });
}

const board = () =>
    document.querySelector(".st-key-board-place [data-testid=stBidiComponentIsolated]")?.shadowRoot;
const visible = (selector) => Boolean(board()?.querySelector(selector)?.checkVisibility({ visibilityProperty: true }));

let count = 0;
function watch() {
    const now = drawn();
    if (now.count !== count) probe.changed = performance.now();
    count = now.count;
    if (count) {
        probe.without.strip += !visible(".strip");
        probe.without.photo += !visible(".photo canvas");
    }
    painted(watch);
}
watch();

new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) probe.shift += value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver(() => {
    probe.changed = performance.now();
}).observe(document, { childList: true, characterData: true, subtree: true });

globalThis.__probe = probe;
