// Where patches lie: on their grid, and in the sequence.

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** Where each patch lies on the grid, with a gap between patches. @param {number} columns @param {number} rows
 *  @param {number} width @param {number} height @returns {(patch: number) => Box} */
export function onGrid(columns, rows, width, height) {
    const cell = Math.min(width / columns, height / rows);
    const gap = Math.max(1, cell * 0.12);
    const left = (width - cell * columns) / 2;
    return (patch) => ({
        x: left + (patch % columns) * cell + gap / 2,
        y: Math.floor(patch / columns) * cell + gap / 2,
        width: cell - gap,
        height: cell - gap,
    });
}

/** Where each of `many` patches lies in the sequence, which is read like lines of text.
 *  @param {number} many @param {number} width @param {number} height @returns {(patch: number) => Box} */
export function inSequence(many, width, height) {
    let across = 1;
    while (Math.ceil(many / across) * (width / across) * 1.9 > height) across++;
    const cell = width / across;
    return (patch) => ({
        x: (patch % across) * cell + cell * 0.08,
        y: Math.floor(patch / across) * cell * 1.9 + cell * 0.1,
        width: cell * 0.84,
        height: cell * 0.84,
    });
}
