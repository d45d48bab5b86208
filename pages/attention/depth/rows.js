// Tiles of all layers in rows that are as equal as can be.

export const UNDER = 24; // pixels for the number under a tile

/** How many of `many` tiles stand beside each other, and how wide they are at most; never wider than `least` in a row.
 *  @param {number} many @param {number} width @param {number} height @param {number} least */
export function equalRows(many, width, height, least) {
    const widest = width / Math.min(many, least);
    let best = { across: many, cell: 0 };
    for (let rows = 1; rows <= many; rows++) {
        const across = Math.ceil(many / rows);
        const cell = Math.min(widest, width / across, height / rows - UNDER);
        if (cell > best.cell) best = { across, cell };
    }
    return best;
}
