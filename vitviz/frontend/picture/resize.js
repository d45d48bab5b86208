// A picture made smaller or larger, byte for byte as Pillow makes it (src/libImaging/Resample.c and Reduce.c, 8 bits):
// a canvas takes other filters, and with other pixels a model gives other answers.

/** Pixels `h w c`. @typedef {{ width: number, height: number, channels: number, data: Uint8Array }} Picture */
/** Left, top, right, bottom, in pixels of a picture. @typedef {readonly [number, number, number, number]} Box */
/** What each place of a line is made of: from `first[i]` on so many as `count[i]`, each times its weight, of which there are
 *  `most` for a place. @typedef {{ first: Int32Array, count: Int32Array, weights: Int32Array, most: number }} Sums */

const BITS = 32 - 8 - 2; // of a weight: a byte stands before them, and two bits for what goes below 0 and beyond 255
const HALF = 1 << (BITS - 1);
const A = -0.5; // the slope of the bicubic filter at a distance of 1

/** @type {Record<string, { reach: number, weight(distance: number): number }>} */
const FILTERS = {
    bilinear: { reach: 1, weight: (x) => (x < 1 ? 1 - x : 0) },
    bicubic: {
        reach: 2,
        weight: (x) => {
            if (x < 1) return ((A + 2) * x - (A + 3)) * x * x + 1;
            return x < 2 ? (((x - 5) * x + 8) * x - 4) * A : 0;
        },
    },
};

/** A picture of another size, from a part of this one where there is a box: along rows and along columns, one after the
 *  other, with whole bytes between.
 *  @param {Picture} picture @param {number} width @param {number} height @param {string} filter "bicubic" or "bilinear"
 *  @param {Box} [box] @returns {Picture} */
export function resize(picture, width, height, filter, box = [0, 0, picture.width, picture.height]) {
    const [left, top, right, bottom] = box.map(Math.fround);
    const rows = sums(picture.height, top, bottom, height, filter);
    const columns = sums(picture.width, left, right, width, filter);
    const across = width !== picture.width || left !== 0 || right !== width;
    const down = height !== picture.height || top !== 0 || bottom !== height;
    const lost = picture.height - height;
    if (down && lost > 0 && lost > 2 * (picture.width - width)) {
        const low = alongColumns(picture, height, rows);
        return across ? alongRows(low, width, columns) : low;
    }
    if (!down) return across ? alongRows(picture, width, columns) : { ...picture, data: picture.data.slice() };
    const above = rows.first[0]; // the rows that nothing is made of
    const used = rowsOf(picture, above, rows.first[height - 1] + rows.count[height - 1] - above);
    return alongColumns(across ? alongRows(used, width, columns) : used, height, rows, above);
}

/** Rows of a picture, as they lie there. @param {Picture} picture @param {number} first @param {number} height
 *  @returns {Picture} */
function rowsOf({ width, channels, data }, first, height) {
    const line = width * channels;
    return { width, height, channels, data: data.subarray(first * line, (first + height) * line) };
}

/** @param {number} length of the line that there is @param {number} from @param {number} to the part of it that is taken
 *  @param {number} made the length of the line that is made @param {string} filter @returns {Sums} */
function sums(length, from, to, made, filter) {
    const { reach, weight } = FILTERS[filter];
    const step = Math.fround(to - from) / made;
    const scale = Math.max(step, 1); // what becomes smaller is a mean of all that was there
    const most = Math.ceil(reach * scale) * 2 + 1;
    const [first, count] = [new Int32Array(made), new Int32Array(made)];
    const weights = new Int32Array(made * most);
    for (let i = 0; i < made; i++) {
        const centre = from + (i + 0.5) * step;
        first[i] = Math.max(0, Math.trunc(centre - reach * scale + 0.5));
        count[i] = Math.min(length, Math.trunc(centre + reach * scale + 0.5)) - first[i];
        const shares = Array.from({ length: count[i] }, (_, at) =>
            weight(Math.abs((at + first[i] - centre + 0.5) * (1 / scale))),
        );
        const total = shares.reduce((sum, it) => sum + it, 0);
        for (const [at, share] of shares.entries()) {
            const whole = (total === 0 ? share : share / total) * (1 << BITS);
            weights[i * most + at] = Math.trunc(whole < 0 ? whole - 0.5 : whole + 0.5);
        }
    }
    return { first, count, weights, most };
}

/** @param {Picture} picture @param {number} width @param {Sums} sums @returns {Picture} */
function alongRows({ width: before, height, channels, data }, width, { first, count, weights, most }) {
    const made = new Uint8ClampedArray(width * height * channels);
    for (let y = 0, to = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const [from, of, end] = [(y * before + first[x]) * channels, x * most, x * most + count[x]];
            for (let channel = 0; channel < channels; channel++) {
                let sum = HALF;
                for (let i = of, at = from + channel; i < end; i++, at += channels) sum += data[at] * weights[i];
                made[to++] = sum >> BITS;
            }
        }
    return { width, height, channels, data: new Uint8Array(made.buffer) };
}

/** @param {Picture} picture @param {number} height @param {Sums} sums @param {number} [above] how many rows of the
 *  whole picture stand above this one @returns {Picture} */
function alongColumns({ width, channels, data }, height, { first, count, weights, most }, above = 0) {
    const line = width * channels;
    const made = new Uint8ClampedArray(line * height);
    const sum = new Int32Array(line);
    for (let y = 0; y < height; y++) {
        sum.fill(HALF);
        for (let i = 0; i < count[y]; i++) {
            const [weight, from] = [weights[y * most + i], (first[y] - above + i) * line];
            for (let at = 0; at < line; at++) sum[at] += data[from + at] * weight;
        }
        for (let at = 0; at < line; at++) made[y * line + at] = sum[at] >> BITS;
    }
    return { width, height, channels, data: new Uint8Array(made.buffer) };
}

/** A picture smaller by a whole number: each pixel is the mean of so many rows and columns, of fewer at the edges.
 *  @param {Picture} picture @param {number} factor @returns {Picture} */
export function reduce(picture, factor) {
    if (factor === 1) return { ...picture, data: picture.data.slice() };
    const { width: before, channels, data } = picture;
    const [width, height] = [picture.width, picture.height].map((length) => Math.ceil(length / factor));
    const made = new Uint8Array(width * height * channels);
    const sum = new Uint32Array(width * channels);
    for (let y = 0; y < height; y++) {
        const rows = Math.min(factor, picture.height - y * factor);
        sum.fill(0);
        for (let row = 0, at = y * factor * before * channels; row < rows; row++)
            for (let x = 0; x < before; x++) {
                const to = Math.floor(x / factor) * channels;
                for (let channel = 0; channel < channels; channel++) sum[to + channel] += data[at++];
            }
        for (let x = 0; x < width; x++) {
            const count = rows * Math.min(factor, before - x * factor);
            const share = Math.trunc(Math.fround(2 ** 32 / (256 * count))); // in whole numbers, as there
            for (let channel = 0; channel < channels; channel++) {
                const at = x * channels + channel;
                made[y * width * channels + at] = Math.floor(((sum[at] + (count >> 1)) * share) / 2 ** 24);
            }
        }
    }
    return { width, height, channels, data: made };
}
