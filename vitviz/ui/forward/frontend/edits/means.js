// Means over the reference scenes, to be put in the place of what a head or an MLP leaves.

/** @import { Amount, Arrays } from "../types.js" */
/** @import { Matrix } from "../kernel/memory.js" */

export class Means {
    constructor() {
        /** By the name of the value: of heads `head t dh`, of MLPs `t d`. @type {Arrays | undefined} */
        this.arrays = undefined;
    }

    /** Put in means token by token, or over all tokens. @param {Amount} which "mean" or "mean.all" @param {string} name
     *  @param {number} head @param {Matrix} into */
    put(which, name, head, { data, rows, columns, row }) {
        const its = /** @type {Arrays} */ (this.arrays)[name].data.subarray(
            head * rows * columns,
            (head + 1) * rows * columns,
        );
        for (let c = 0; c < columns; c++) {
            let sum = 0;
            for (let r = 0; r < rows; r++) sum += its[r * columns + c];
            for (let r = 0; r < rows; r++) data[r * row + c] = which === "mean" ? its[r * columns + c] : sum / rows;
        }
    }
}
