// Saving without a round trip: the picture, and the matrix as a table or as NumPy arrays.

const PANEL = 640; // pixels of each panel in a saved picture

/** @param {Blob} blob @param {Instrument} instrument @param {string} ending */
function download(blob, instrument, ending) {
    const { view } = store;
    const { model, picture, heads } = instrument.maps.meta;
    const row = instrument.place.row === heads ? view.shows.replace(/^(looks at|is looked at by)$/, "mean") : `head${view.head + 1}`;
    const name = `${model}-${picture}-layer${view.layer + 1}-${row}`.replace(/[^\w-]+/g, "_");
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Picture with overlay, and matrix, with what they show written under them. @param {Instrument} instrument */
async function savePicture(instrument) {
    const { rows, columns, model, picture, trained } = instrument.maps.meta;
    const { $ } = instrument;
    const height = Math.round((PANEL * rows) / columns);
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * PANEL + 60, height: Math.max(PANEL, height) + 170 });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage($("img"), 20, 20, PANEL, height);
    context.imageSmoothingEnabled = false;
    context.globalAlpha = $("[name=overlay]").value / 100;
    context.drawImage($(".overlay"), 20, 20, PANEL, height);
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = $(".matrix").width > PANEL;
    context.drawImage($(".matrix"), PANEL + 40, 20, PANEL, PANEL);
    const { query } = store.view;
    const place = query - instrument.maps.meta.specials.length;
    if (place >= 0) {
        const side = PANEL / columns;
        Object.assign(context, { strokeStyle: instrument.maps.meta.frame, lineWidth: 5 });
        context.strokeRect(20 + (place % columns) * side, 20 + (Math.floor(place / columns) * height) / rows, side, height / rows);
    }
    context.fillStyle = "#111";
    const lines = [
        `${model}${trained ? "" : " (untrained parameters)"} · ${picture} · ${$("[data-sentence]").textContent}`,
        $("[data-value]").textContent,
        `Picture: ${$("[data-scale]").textContent}`,
        `Matrix: ${$("[data-matrix-scale]").textContent}`,
    ];
    lines.forEach((line, i) => {
        context.font = `${i ? "" : "bold "}22px sans-serif`;
        context.fillText(line, 20, canvas.height - 112 + 32 * i, canvas.width - 40);
    });
    canvas.toBlob((blob) => blob && download(blob, instrument, "png"));
}

/** The matrix that is shown, or null; [query][key]. @param {Instrument} instrument */
function shownMatrix(instrument) {
    const shows = store.view.shows === "rollout" ? "rollout" : "looks at";
    return instrument.maps.matrix(store.view.layer, instrument.place.row, shows);
}

/** @param {Instrument} instrument */
function saveTable(instrument) {
    const matrix = shownMatrix(instrument);
    if (!matrix) return;
    const { tokens, specials } = instrument.maps.meta;
    const names = Array.from({ length: tokens }, (_, i) => specials[i] ?? `patch ${i - specials.length + 1}`);
    const lines = [["query \\ key (8-bit code: a row is within 1 %)", ...names].join(",")];
    for (let query = 0; query < tokens; query++) {
        const row = Array.from(matrix.subarray(query * tokens, (query + 1) * tokens), (weight) => weight.toPrecision(4));
        lines.push([names[query], ...row].join(","));
    }
    download(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }), instrument, "csv");
}

/** @param {Instrument} instrument */
function saveArrays(instrument) {
    const maps = instrument.maps;
    const matrix = shownMatrix(instrument);
    if (!matrix) return;
    const { tokens, rows, columns, precision } = maps.meta;
    const { layer, query, shows } = store.view;
    const files = [
        { name: "weights.npy", bytes: npy(matrix, [tokens, tokens]) },
        { name: "grid.npy", bytes: npy(Float32Array.of(rows, columns), [2]) },
    ];
    const exact = maps.exactly(layer, instrument.place.row, query, shows);
    if (exact) {
        files.push({ name: "query.npy", bytes: npy(Float32Array.of(query), [1]) });
        files.push({ name: `${shows.replaceAll(" ", "_")}_${precision}.npy`, bytes: npy(Float32Array.from(exact), [tokens]) });
    }
    download(new Blob(/** @type {BlobPart[]} */ (zip(files)), { type: "application/zip" }), instrument, "npz");
}

/** NumPy's file format 1.0 for float32. @param {Float32Array} values @param {number[]} shape */
function npy(values, shape) {
    const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
    const header = text.padEnd(64 * Math.ceil((text.length + 11) / 64) - 11) + "\n";
    const start = [0x93, ...[..."NUMPY"].map((c) => c.charCodeAt(0)), 1, 0, header.length & 255, header.length >> 8];
    const bytes = new Uint8Array(start.length + header.length + values.byteLength);
    bytes.set(start);
    bytes.set(new TextEncoder().encode(header), start.length);
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start.length + header.length);
    return bytes;
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
    let crc = ~0;
    for (const byte of bytes) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
    return ~crc >>> 0;
}

/** A ZIP archive without compression. @param {{name: string, bytes: Uint8Array}[]} files */
function zip(files) {
    const parts = [];
    const directory = [];
    let at = 0;
    for (const { name, bytes } of files) {
        const path = new TextEncoder().encode(name);
        const sizes = words(crc32(bytes), bytes.length, bytes.length);
        const about = [20, 0, 0, 0, 0, 0, 0, 0, ...FIRST_DAY, ...sizes, path.length, 0, 0, 0];
        parts.push(Uint8Array.of(...signature(3, 4), ...about), path, bytes);
        const nothing = new Array(10).fill(0); // comment, disk and attributes
        directory.push(Uint8Array.of(...signature(1, 2), 20, 0, ...about, ...nothing, ...words(at)), path);
        at += 30 + path.length + bytes.length;
    }
    const length = directory.reduce((sum, it) => sum + it.length, 0);
    const count = [files.length, 0, files.length, 0];
    const end = Uint8Array.of(...signature(5, 6), 0, 0, 0, 0, ...count, ...words(length, at), 0, 0);
    return [...parts, ...directory, end];
}

const FIRST_DAY = [0x21, 0]; // 1 January 1980, as ZIP counts

const signature = (/** @type {number} */ a, /** @type {number} */ b) => [0x50, 0x4b, a, b];

/** Little-endian 32-bit words. @param {number[]} values */
const words = (...values) => values.flatMap((v) => [v & 255, (v >>> 8) & 255, (v >>> 16) & 255, v >>> 24]);
