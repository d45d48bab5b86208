// Movement that says what happened; none for people who asked their system for less.

const LENGTH = 350; // ms

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Ease in and out. @param {number} t */
const eased = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);

/** A value from 0 to 1 that moves when it is started, and asks for frames while it does. */
export class Motion {
    /** @param {() => void} invalidate @param {number} [length] @param {(t: number) => number} [pace] from 0 to 1 */
    constructor(invalidate, length = LENGTH, pace = eased) {
        this.invalidate = invalidate;
        this.length = length;
        this.pace = pace;
        this.since = Number.NEGATIVE_INFINITY;
    }

    start() {
        this.since = calm.matches ? Number.NEGATIVE_INFINITY : performance.now();
        this.invalidate();
    }

    /** Be at the end. */
    stop() {
        this.since = Number.NEGATIVE_INFINITY;
    }

    /** How far it is, to be read in a frame; on paper, at the end. */
    get share() {
        const t = (performance.now() - this.since) / this.length;
        if (t >= 1 || "paper" in document.documentElement.dataset) return 1;
        this.invalidate();
        return this.pace(Math.max(0, t));
    }
}
