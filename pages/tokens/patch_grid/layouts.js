// Where patches lie: on their grid, and in the sequence.

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** Where each patch lies on the grid, with a gap between patches. @param {number} columns @param {number} rows
 *  @param {number} width @param {number} height @param {number} [shape] of a patch, its width by its height
 *  @returns {(patch: number) => Box} */
export function onGrid(columns, rows, width, height, shape = 1) {
    const tall = Math.min(width / columns / shape, height / rows);
    const wide = tall * shape;
    const gap = Math.max(1, Math.min(wide, tall) * 0.12);
    const left = (width - wide * columns) / 2;
    return (patch) => ({
        x: left + (patch % columns) * wide + gap / 2,
        y: Math.floor(patch / columns) * tall + gap / 2,
        width: wide - gap,
        height: tall - gap,
    });
}

/** Where each of `many` patches lies in the sequence, which is read like lines of text.
 *  @param {number} many @param {number} width @param {number} height @param {number} [shape] of a patch
 *  @returns {(patch: number) => Box} */
export function inSequence(many, width, height, shape = 1) {
    let across = 1;
    while (Math.ceil(many / across) * (width / across / shape) * 1.9 > height) across++;
    const [wide, tall] = [width / across, width / across / shape];
    return (patch) => ({
        x: (patch % across) * wide + wide * 0.08,
        y: Math.floor(patch / across) * tall * 1.9 + tall * 0.1,
        width: wide * 0.84,
        height: tall * 0.84,
    });
}
