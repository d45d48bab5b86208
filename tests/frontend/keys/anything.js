// A page on which everything is there and nothing happens: what makes elements of it can be made without a browser.

/** Something that has every property, can be called and made, and holds what it is given. @returns {any} */
export function anything() {
    const held = new Map(
        /** @type {[unknown, unknown][]} */ ([
            [Symbol.toPrimitive, () => 0],
            [Symbol.iterator, [][Symbol.iterator].bind([])],
            ["then", undefined],
        ]),
    );
    return new Proxy(() => {}, {
        get(_, name) {
            if (!held.has(name)) held.set(name, anything());
            return held.get(name);
        },
        set: (_, name, value) => Boolean(held.set(name, value)),
        apply: anything,
        construct: anything,
    });
}

const { location, history } = globalThis;
const there = ["document", "ResizeObserver", "OffscreenCanvas", "Path2D", "Worker", "getComputedStyle", "localStorage"];
for (const name of there)
    Object.defineProperty(globalThis, name, { value: anything(), configurable: true, writable: true });
Object.assign(globalThis, { location, history, addEventListener: () => {}, removeEventListener: () => {} });
Object.assign(globalThis, {
    sessionStorage: { getItem: () => null, setItem() {}, removeItem() {} },
    devicePixelRatio: 1,
});
Object.assign(globalThis.localStorage, { getItem: () => null, setItem() {}, removeItem() {} });
Object.assign(globalThis.document, { querySelectorAll: () => [], querySelector: () => null });
