// Principal components of a cloud of points, in float64.

const EXACT = 2 ** -52;
const TINY = 2 ** -126; // the least number of 32 bits: what is divided by is never 0

/** Eigenvalues of a symmetric matrix, the least first, and their vectors in rows: Householder's reflections make it
 *  tridiagonal, implicit QL steps diagonal (Martin, Reinsch and Wilkinson 1968; Bowdler et al. 1968).
 *  @param {Float64Array} matrix `n n`, which is overwritten @param {number} n
 *  @returns {{ values: Float64Array, vectors: Float64Array }} */
export function eigen(matrix, n) {
    const [values, beside] = [new Float64Array(n), new Float64Array(n)];
    tridiagonal(matrix, values, beside, n);
    diagonal(matrix, values, beside, n);
    const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
    const vectors = new Float64Array(n * n);
    for (const [to, from] of order.entries()) vectors.set(matrix.subarray(from * n, (from + 1) * n), to * n);
    return { values: values.map((_, at) => values[order[at]]), vectors };
}

/** @param {Float64Array} v the matrix, in whose place come the reflections, multiplied up @param {Float64Array} d its new
 *  diagonal @param {Float64Array} e what stands beside that @param {number} n */
function tridiagonal(v, d, e, n) {
    for (let j = 0; j < n; j++) d[j] = v[j * n + n - 1];
    for (let i = n - 1; i > 0; i--) {
        let [size, square] = [0, 0];
        for (let k = 0; k < i; k++) size += Math.abs(d[k]);
        if (size === 0) {
            e[i] = d[i - 1];
            for (let j = 0; j < i; j++) {
                d[j] = v[j * n + i - 1];
                v[j * n + i] = 0;
                v[i * n + j] = 0;
            }
        } else {
            for (let k = 0; k < i; k++) {
                d[k] /= size;
                square += d[k] * d[k];
            }
            const first = d[i - 1];
            const root = first > 0 ? -Math.sqrt(square) : Math.sqrt(square);
            e[i] = size * root;
            square -= first * root;
            d[i - 1] = first - root;
            e.fill(0, 0, i);
            for (let j = 0; j < i; j++) {
                const [f, row] = [d[j], j * n];
                v[i * n + j] = f;
                let sum = e[j] + v[row + j] * f;
                for (let k = j + 1; k < i; k++) {
                    sum += v[row + k] * d[k];
                    e[k] += v[row + k] * f;
                }
                e[j] = sum;
            }
            let product = 0;
            for (let j = 0; j < i; j++) {
                e[j] /= square;
                product += e[j] * d[j];
            }
            const half = product / (square + square);
            for (let j = 0; j < i; j++) e[j] -= half * d[j];
            for (let j = 0; j < i; j++) {
                const [f, g, row] = [d[j], e[j], j * n];
                for (let k = j; k < i; k++) v[row + k] -= f * e[k] + g * d[k];
                d[j] = v[row + i - 1];
                v[row + i] = 0;
            }
        }
        d[i] = square;
    }
    for (let i = 0; i < n - 1; i++) {
        const [row, next, square] = [i * n, (i + 1) * n, d[i + 1]];
        v[row + n - 1] = v[row + i];
        v[row + i] = 1;
        if (square !== 0) {
            for (let k = 0; k <= i; k++) d[k] = v[next + k] / square;
            for (let j = 0; j <= i; j++) {
                let sum = 0;
                for (let k = 0; k <= i; k++) sum += v[next + k] * v[j * n + k];
                for (let k = 0; k <= i; k++) v[j * n + k] -= sum * d[k];
            }
        }
        v.fill(0, next, next + i + 1);
    }
    for (let j = 0; j < n; j++) {
        d[j] = v[j * n + n - 1];
        v[j * n + n - 1] = 0;
    }
    v[n * n - 1] = 1;
    e[0] = 0;
}

/** @param {Float64Array} v the reflections, which become the vectors in rows @param {Float64Array} d the diagonal, which
 *  becomes the values @param {Float64Array} e what stands beside it @param {number} n */
function diagonal(v, d, e, n) {
    e.copyWithin(0, 1);
    e[n - 1] = 0;
    let [shift, largest] = [0, 0];
    for (let low = 0; low < n; low++) {
        largest = Math.max(largest, Math.abs(d[low]) + Math.abs(e[low]));
        let high = low;
        while (high < n - 1 && Math.abs(e[high]) > EXACT * largest) high++;
        while (high > low && Math.abs(e[low]) > EXACT * largest) {
            const before = d[low];
            let p = (d[low + 1] - before) / (2 * e[low]);
            const root = p < 0 ? -Math.hypot(p, 1) : Math.hypot(p, 1);
            d[low] = e[low] / (p + root);
            d[low + 1] = e[low] * (p + root);
            const [second, moved, next] = [d[low + 1], before - d[low], e[low + 1]];
            for (let i = low + 2; i < n; i++) d[i] -= moved;
            shift += moved;
            p = d[high];
            let [c, c2, c3, s, s2] = [1, 1, 1, 0, 0];
            for (let i = high - 1; i >= low; i--) {
                [c3, c2, s2] = [c2, c, s];
                const [g, h, length] = [c * e[i], c * p, Math.hypot(p, e[i])];
                e[i + 1] = s * length;
                s = e[i] / length;
                c = p / length;
                p = c * d[i] - s * g;
                d[i + 1] = h + s * (c * g + s * d[i]);
                for (let k = i * n; k < (i + 1) * n; k++) {
                    const [one, other] = [v[k], v[k + n]];
                    v[k + n] = s * one + c * other;
                    v[k] = c * one - s * other;
                }
            }
            p = (-s * s2 * c3 * next * e[low]) / second;
            e[low] = s * p;
            d[low] = c * p;
        }
        d[low] += shift;
        e[low] = 0;
    }
}

/** Products of all pairs of rows: `n n`. @param {Float64Array} rows @param {number} n */
export function products(rows, n) {
    const size = rows.length / n;
    const out = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
        for (let j = 0; j <= i; j++) {
            let sum = 0;
            for (let c = 0, a = i * size, b = j * size; c < size; c++, a++, b++) sum += rows[a] * rows[b];
            out[i * n + j] = out[j * n + i] = sum;
        }
    return out;
}

/** At most `most` components of `points features`, the widest first; fewer where the cloud has fewer dimensions. The sign of
 *  a direction is free: its entry of largest size is positive.
 *  @param {Float32Array} points @param {number} features @param {number} most
 *  @returns {{ number: number, directions: Float32Array, coordinates: Float32Array, share: Float32Array }} directions
 *      `k features` of length 1, coordinates `points k`, share `k` of the variance of the whole cloud */
export function principalComponents(points, features, most) {
    const many = points.length / features;
    const centred = Float64Array.from(points);
    for (let c = 0; c < features; c++) {
        let sum = 0;
        for (let at = c; at < centred.length; at += features) sum += centred[at];
        for (let at = c; at < centred.length; at += features) centred[at] -= sum / many;
    }
    const across = new Float64Array(centred.length); // features points
    for (let r = 0; r < many; r++) for (let c = 0; c < features; c++) across[c * many + r] = centred[r * features + c];
    const few = many < features; // both products have the same eigenvalues but for zeros; the smaller one is the quicker
    const size = few ? many : features;
    const { values, vectors } = eigen(products(few ? centred : across, size), size);
    const number = Math.max(1, Math.min(most, many - 1, features));
    const variance = values.reduce((sum, it) => sum + Math.max(it, 0), 0);
    const directions = new Float64Array(number * features);
    const coordinates = new Float32Array(many * number);
    for (let k = 0; k < number; k++) {
        const vector = vectors.subarray((size - 1 - k) * size, (size - k) * size);
        const direction = directions.subarray(k * features, (k + 1) * features);
        if (few)
            for (let c = 0; c < features; c++)
                for (let r = 0; r < many; r++) direction[c] += vector[r] * across[c * many + r];
        else direction.set(vector);
        fixed(direction);
        for (let r = 0; r < many; r++) {
            let sum = 0;
            for (let c = 0; c < features; c++) sum += centred[r * features + c] * direction[c];
            coordinates[r * number + k] = sum;
        }
    }
    const share = Float32Array.from({ length: number }, (_, k) => values[size - 1 - k] / Math.max(variance, TINY));
    return { number, directions: Float32Array.from(directions), coordinates, share };
}

/** Of length 1, and its entry of largest size positive. @param {Float64Array} direction */
export function fixed(direction) {
    let [square, largest] = [0, 0];
    for (const it of direction) {
        square += it * it;
        if (Math.abs(it) > Math.abs(largest)) largest = it;
    }
    const length = Math.sign(largest) * Math.sqrt(square) || 1;
    for (let c = 0; c < direction.length; c++) direction[c] /= length;
}
