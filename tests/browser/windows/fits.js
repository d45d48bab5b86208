// What does not fit a window: boxes of what is drawn that overlap, are cut, or lie where no hand reaches.

const NEAR = 2; // CSS pixels by which boxes may meet
const SEEN = { visibilityProperty: true, opacityProperty: true };
const PRESSED = "button, a[href], input, select, summary";

/** What is written on every canvas, with its box in pixels of the canvas. */
const painted = new Map();
const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
Object.assign(CanvasRenderingContext2D.prototype, {
    clearRect(...box) {
        painted.delete(this.canvas);
        return clearRect.apply(this, box);
    },
    fillText(text, x, y, ...rest) {
        const size = this.measureText(text);
        const squeezed = Math.min(1, (rest[0] ?? Infinity) / size.width);
        const [left, right] = [x - size.actualBoundingBoxLeft * squeezed, x + size.actualBoundingBoxRight * squeezed];
        const [top, bottom] = [y - size.actualBoundingBoxAscent, y + size.actualBoundingBoxDescent];
        const at = this.getTransform();
        const corners = [left, right].flatMap((x) => [top, bottom].map((y) => at.transformPoint({ x, y })));
        const texts = painted.get(this.canvas) ?? [];
        if (`${text}`.trim() && this.globalAlpha) texts.push({ text: `${text}`, corners });
        painted.set(this.canvas, texts);
        return fillText.call(this, text, x, y, ...rest);
    },
});

const span = (xs, ys) => ({ left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) });
const both = (a, b) => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
});
const wide = ({ left, right }) => right - left;
const high = ({ top, bottom }) => bottom - top;
const meet = (a, b) => {
    const common = both(a, b);
    return wide(common) > NEAR && high(common) > NEAR;
};
const parent = (node) => node.parentElement ?? node.getRootNode().host ?? null;

/** The part of a box that its ancestors let be seen, and whether one of them hides the rest where nobody can scroll. */
function seen(node, box) {
    let [shown, cut] = [box, false];
    for (let it = node; it && it.dataset?.testid !== "stMain"; it = parent(it)) {
        const { overflowX, overflowY, textOverflow } = getComputedStyle(it);
        if (overflowX === "visible" && overflowY === "visible") continue;
        const within = both(shown, it.getBoundingClientRect());
        const scrolls = [overflowX, overflowY].some((how) => how === "auto" || how === "scroll");
        if (!scrolls && textOverflow !== "ellipsis") cut ||= wide(within) < wide(shown) - NEAR || high(within) < high(shown) - NEAR;
        shown = within;
    }
    return { shown, cut };
}

function* htmlTexts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const holder = node.parentElement;
        if (!node.data.trim() || !holder.checkVisibility(SEEN) || holder.closest("style, option, .instead, .which")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
            const size = Math.min(parseFloat(getComputedStyle(holder).fontSize) * (holder.currentCSSZoom ?? 1), rect.height);
            const [middle, half] = [(rect.top + rect.bottom) / 2, size * 0.36]; // of the letters, without the room of a line
            yield { text: node.data.trim(), node: holder, left: rect.left, right: rect.right, top: middle - half, bottom: middle + half };
        }
    }
}

function* canvasTexts(root) {
    for (const canvas of root.querySelectorAll("canvas")) {
        if (!canvas.checkVisibility(SEEN)) continue;
        const box = canvas.getBoundingClientRect();
        for (const { text, corners } of painted.get(canvas) ?? []) {
            const xs = corners.map(({ x }) => box.left + (x / canvas.width) * box.width);
            const ys = corners.map(({ y }) => box.top + (y / canvas.height) * box.height);
            yield { text, node: canvas, ...span(xs, ys) };
        }
    }
}

/** The share of the screen that the largest empty rectangle takes, on a grid of 24 x 24. */
function emptiest(boxes) {
    const N = 24;
    const [w, h] = [innerWidth / N, innerHeight / N];
    const taken = Array.from({ length: N }, () => Array(N).fill(false));
    const within = (at) => Math.max(0, Math.min(N - 1, at));
    for (const box of boxes) {
        for (let row = within(Math.floor(box.top / h)); row <= within(Math.floor(box.bottom / h)); row++) {
            for (let column = within(Math.floor(box.left / w)); column <= within(Math.floor(box.right / w)); column++) {
                const cell = { left: column * w, right: (column + 1) * w, top: row * h, bottom: (row + 1) * h };
                taken[row][column] ||= meet(box, cell);
            }
        }
    }
    const heights = Array(N).fill(0);
    let most = 0;
    for (const row of taken) {
        row.forEach((full, column) => {
            heights[column] = full ? 0 : heights[column] + 1;
        });
        for (let from = 0; from < N; from++) {
            let low = N;
            for (let to = from; to < N; to++) {
                low = Math.min(low, heights[to]);
                most = Math.max(most, low * (to - from + 1));
            }
        }
    }
    return most / N / N;
}

/** Every fault of what the board shows now, each a sentence; `fold`: nothing pressed may lie below the window. */
globalThis.__unfit = (fold) => {
    const host = document.querySelector(".st-key-board-place [data-testid=stBidiComponentIsolated] > div, .st-key-board-place [data-testid=stBidiComponentIsolated]");
    const find = (node) => (node.shadowRoot?.querySelector(".board") ? node.shadowRoot : [...node.children].map(find).find(Boolean));
    const board = find(host ?? document.body).querySelector(".board");
    const faults = [];
    const say = (what, ...texts) => faults.push(`${what}: ${texts.map((it) => `“${it.slice(0, 40)}”`).join(" and ")}`);
    const texts = [];
    for (const it of [...htmlTexts(board), ...canvasTexts(board)]) {
        const { shown, cut } = seen(it.node.tagName === "CANVAS" ? it.node : it.node, it);
        if (cut) say("cut", it.text);
        else if (it.left < -NEAR || it.right > innerWidth + NEAR) if (meet(shown, { left: -1e4, right: 1e4, top: -1e4, bottom: 1e4 }) && (shown.left < -NEAR || shown.right > innerWidth + NEAR)) say("outside", it.text);
        if (wide(shown) > 0 && high(shown) > 0) texts.push({ ...it, ...shown });
    }
    const named = (node) => node.getAttribute("aria-label") || node.innerText?.trim() || node.className || node.tagName;
    const controls = [];
    for (const node of board.querySelectorAll(PRESSED)) {
        if (!node.checkVisibility(SEEN)) continue;
        const box = node.getBoundingClientRect();
        const { shown, cut } = seen(node, box);
        const it = { text: named(node), node, ...shown };
        if (cut) say("control cut", it.text);
        if (shown.right > innerWidth + NEAR && wide(shown) > 0) say("control outside", it.text);
        if (fold && box.bottom > innerHeight + NEAR) say(`below the fold by ${Math.round(box.bottom - innerHeight)}`, it.text);
        if (wide(shown) > 0 && high(shown) > 0) controls.push(it);
    }
    const canvases = [...board.querySelectorAll("canvas")].filter((node) => node.checkVisibility(SEEN)).map((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return { text: `canvas ${node.className}`, node, left, right, top, bottom };
    });
    for (const it of canvases) if (fold && it.bottom > innerHeight + NEAR) say(`below the fold by ${Math.round(it.bottom - innerHeight)}`, it.text);
    /** Whether a node is laid over a canvas on purpose: what is written on that is compared with it one by one. */
    const laid = (node, canvas) => {
        for (let it = node; it && it !== canvas.parentElement; it = it.parentElement)
            if (it.parentElement === canvas.parentElement) return getComputedStyle(it).position === "absolute";
        return false;
    };
    const floats = (node) => node.closest(".menu, [role=tooltip], dialog, .lecture-bar");
    texts.forEach((a, at) => {
        for (const b of texts.slice(at + 1)) if (meet(a, b) && a.text !== b.text && floats(a.node) === floats(b.node)) say("overlap", a.text, b.text);
        for (const b of controls)
            if (!b.node.contains(a.node) && !a.node.closest("label") && meet(a, b) && floats(a.node) === floats(b.node)) say("text on control", a.text, b.text);
        if (a.node.tagName !== "CANVAS") for (const b of canvases) if (!laid(a.node, b.node) && meet(a, b) && floats(a.node) === floats(b.node)) say("text on canvas", a.text, b.text);
    });
    controls.forEach((a, at) => {
        for (const b of [...controls.slice(at + 1), ...canvases]) if (!a.node.contains(b.node) && !laid(a.node, b.node) && meet(a, b) && floats(a.node) === floats(b.node)) say("controls meet", a.text, b.text);
    });
    canvases.forEach((a, at) => {
        for (const b of canvases.slice(at + 1)) if (!laid(a.node, b.node) && !laid(b.node, a.node) && meet(a, b)) say("canvases meet", a.text, b.text);
    });
    const images = [...board.querySelectorAll("img, table, .bar")].map((it) => it.getBoundingClientRect());
    const sidebar = document.querySelector("[data-testid=stSidebar][data-collapsed=false]");
    const empty = emptiest([...texts, ...controls, ...canvases, ...images, ...(sidebar ? [sidebar.getBoundingClientRect()] : [])]);
    if (empty > 1 / 3) faults.push(`${Math.round(100 * empty)} % of the screen are empty`);
    const smallest = Math.min(...[...htmlTexts(board)].map(({ node }) => parseFloat(getComputedStyle(node).fontSize) * (node.currentCSSZoom ?? 1)));
    return { faults: [...new Set(faults)], smallest };
};
