// The clock against the plan: "12 min · plan 10".

/** @import { Step } from "../../../board/frontend/lecture/types.js" */

/** Minutes that are planned before a step; what is optional is on top. @param {Step[]} steps @param {number} step from 1 */
export const planned = (steps, step) =>
    steps.slice(0, step - 1).reduce((sum, { minutes, optional }) => sum + (optional ? 0 : minutes), 0);

/** Where a step after the next one begins that is not optional, as a word on how to skip to it. @param {Step[]} steps
 *  @param {number} step the one that is optional, from 1 */
export function skipping(steps, step) {
    const at = steps.findIndex(({ optional }, place) => place >= step && !optional);
    return at < 0 ? "optional" : `optional: ${at + 1} ⏎ goes past`;
}

/** @param {number} began in ms, 0 where nothing has begun @param {number} now @param {number} plan minutes
 *  @param {number} all minutes of the lesson */
export function clock(began, now, plan, all) {
    const minutes = began ? Math.floor((now - began) / 60_000) : 0;
    return `${minutes} min · plan ${Math.round(plan)} of ${Math.round(all)}`;
}
