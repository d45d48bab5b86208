// Numbers and names as Python writes them.

/** @import { Meta } from "../types/board.js" */

/** A number as vitviz.numbers.small writes it: 0.013, 12.3, 1.3·10⁻⁵. @param {number} value */
export function small(value) {
    if (value === 0) return "0";
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "−∞" : "∞";
    const exponent = Number(value.toExponential(2).split("e")[1]);
    if (exponent < -4) {
        const [mantissa, power] = value.toExponential(1).split("e");
        return signed(
            `${mantissa}·10${[...power.replace("-", "⁻")].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? c).join("")}`,
        );
    }
    const decimals = exponent < 0 ? Math.max(3, 1 - exponent) : Math.max(0, 2 - exponent);
    const [ones, rest] = rounded(value, decimals).split(".");
    return signed([ones.replace(/\B(?=(\d{3})+$)/g, ","), ...(rest ? [rest] : [])].join("."));
}

/** A number with so many decimals; halves go to the even digit, as in Python. @param {number} value @param {number} decimals */
function rounded(value, decimals) {
    const text = value.toFixed(decimals);
    const half = /^50*$/.test(value.toFixed(decimals + 20).slice(-20));
    return half && Number(text.at(-1)) % 2 ? text.slice(0, -1) + (Number(text.at(-1)) - 1) : text;
}

/** A number that follows a sign: in brackets where it is negative. @param {number} value */
export const addend = (value) => (value < 0 ? `(${small(value)})` : small(value));

/** A whole number with all its digits: 1,370. @param {number} value */
export const whole = (value) => signed(value.toLocaleString("en-GB"));

const signed = (/** @type {string} */ text) => text.replace("-", "−");

/** "[class]", or "patch 38". @param {Meta} meta @param {number} token */
export function tokenName({ prefix }, token) {
    return token < prefix.length ? `[${prefix[token]}]` : `patch ${token - prefix.length + 1}`;
}

/** "row 4, column 2" of a patch token, "" of another. @param {Meta} meta @param {number} token */
export function tokenPlace({ prefix, columns }, token) {
    const patch = token - prefix.length;
    return patch < 0 ? "" : `row ${Math.floor(patch / columns) + 1}, column ${(patch % columns) + 1}`;
}
