// The part of a square of tokens against tokens that is looked at: how it is zoomed and moved, and which tokens it names.

/** Where the part begins and how wide it is, in shares of the whole. @typedef {{ left: number, top: number, side: number }} Window_ */

const FEWEST = 6; // tokens that are seen at once, at least

/** @type {Readonly<Window_>} */
export const WHOLE = Object.freeze({ left: 0, top: 0, side: 1 });

/** @param {number} left @param {number} top @param {number} side @returns {Window_} */
function within(left, top, side) {
    const kept = (/** @type {number} */ from) => Math.max(0, Math.min(1 - side, from));
    return { left: kept(left), top: kept(top), side };
}

/** So many times larger; what lies at a place of the part, from 0 to 1 each way, stays there.
 *  @param {Window_} part @param {number} times @param {number} x @param {number} y @param {number} tokens */
export function zoomed({ left, top, side }, times, x, y, tokens) {
    const next = Math.max(Math.min(1, FEWEST / tokens), Math.min(1, side / times));
    return within(left + x * (side - next), top + y * (side - next), next);
}

/** Moved with a hand that went by shares of the part. @param {Window_} part @param {number} x @param {number} y */
export const moved = ({ left, top, side }, x, y) => within(left - x * side, top - y * side, side);

/** The token at a place of one side of the part. @param {number} from @param {number} side @param {number} share
 *  @param {number} tokens */
export const tokenAt = (from, side, share, tokens) => Math.min(tokens - 1, Math.floor((from + share * side) * tokens));

/** Tokens that are named along one side, and where their middles lie, in pixels: some `first`, then special ones, then
 *  every patch, every second, fifth, tenth ..., none nearer to another than `gap`.
 *  @param {{ from: number, side: number }} part @param {{ tokens: number, prefix: string[] }} meta @param {number} size
 *  @param {number} gap @param {number[]} first @returns {{ token: number, at: number }[]} */
export function ticks({ from, side }, { tokens, prefix }, size, gap, first) {
    const cell = size / (tokens * side);
    let every = 1;
    while (every * cell < gap) every *= String(every)[0] === "2" ? 2.5 : 2;
    const patches = Array.from({ length: tokens - prefix.length }, (_, at) => at + 1).filter((it) => it % every === 0);
    const all = [...first, ...prefix.keys(), ...patches.map((patch) => patch + prefix.length - 1)];
    /** @type {{ token: number, at: number }[]} */
    const kept = [];
    for (const token of all) {
        const at = ((token + 0.5) / tokens - from) * tokens * cell;
        if (at >= 0 && at <= size && kept.every((it) => Math.abs(it.at - at) >= gap)) kept.push({ token, at });
    }
    return kept;
}
