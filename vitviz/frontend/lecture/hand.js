// Whether a hand has done anything on the page, other than hover.

const KINDS = ["pointerdown", "keydown", "input", "drop"];

export class Hand {
    constructor() {
        this.touched = false;
        for (const kind of KINDS) addEventListener(kind, (event) => this.felt(event), true);
    }

    /** @param {Event} event */
    felt({ isTrusted }) {
        this.touched ||= isTrusted;
    }
}
