// WebAssembly's text, as much of it as kernel.wat is written in, to bytes: https://webassembly.github.io/spec/core/text/.

/** @typedef {(string | Node_)[]} Node_ */

/** A whole number below 2¹⁴, seven bits in a byte, the least first. @param {number} value */
const whole = (value) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
/** A list with its length before it. @param {(number | number[])[]} items */
const listed = (items) => [...whole(items.length), ...items.flat()];
/** @param {string} text in quotes */
const letters = (text) => listed([...Buffer.from(text.slice(1, -1))]);

const TYPES = /** @type {Record<string, number>} */ ({ i32: 0x7f, v128: 0x7b });
/** @type {Record<string, number[]>} */
const CODES = {
    "local.get": [0x20],
    "local.set": [0x21],
    "i32.const": [0x41],
    "i32.lt_u": [0x49],
    "i32.add": [0x6a],
    "i32.mul": [0x6c],
    br_if: [0x0d],
    "v128.load": [0xfd, 0],
    "v128.load8x8_s": [0xfd, 1],
    "v128.load32_splat": [0xfd, 9],
    "v128.store": [0xfd, 11],
    "i32x4.extend_low_i16x8_s": [0xfd, ...whole(0xa7)],
    "i32x4.extend_high_i16x8_s": [0xfd, ...whole(0xa8)],
    "f32x4.add": [0xfd, ...whole(0xe4)],
    "f32x4.mul": [0xfd, ...whole(0xe6)],
    "f32x4.convert_i32x4_s": [0xfd, ...whole(0xfa)],
};

/** @param {string} text @returns {Node_} the module */
function parsed(text) {
    /** @type {Node_[]} */
    const open = [[]];
    for (const token of text.replace(/;;.*/g, "").match(/[()]|"[^"]*"|[^\s()"]+/g) ?? []) {
        if (token === "(") open.push([]);
        else
            open[open.length - (token === ")" ? 2 : 1)].push(token === ")" ? /** @type {Node_} */ (open.pop()) : token);
    }
    return /** @type {Node_} */ (open[0][0]);
}

/** An instruction after those that it takes its operands from. @param {Node_} node @param {string[]} locals
 *  @param {string[]} labels from the innermost on @returns {number[]} */
function code([name, ...rest], locals, labels) {
    const words = rest.filter((it) => typeof it === "string");
    const inside = name === "loop" ? [...words, ...labels] : labels;
    const operands = rest.filter((it) => typeof it !== "string").flatMap((it) => code(it, locals, inside));
    if (name === "loop") return [0x03, 0x40, ...operands, 0x0b];
    const said = (/** @type {string} */ what) => words.find((it) => it.startsWith(what))?.slice(what.length);
    const memory = String(name).match(/load|store/) && [
        Math.log2(Number(said("align=") ?? 4)),
        Number(said("offset=") ?? 0),
    ];
    const at = name === "br_if" ? labels : String(name).startsWith("local") && locals;
    const others = at ? at.indexOf(words[0]) : words.map(Number);
    return [...operands, ...CODES[String(name)], ...(memory || [others].flat())];
}

/** @param {Node_} node a function */
function read([, ...parts]) {
    const all = /** @type {string[][]} */ (parts);
    const called = (/** @type {string} */ what) => all.filter(([kind]) => kind === what);
    const [parameters, own] = [called("param"), called("local")];
    const groups = [...new Set(own.map(([, , type]) => type))];
    const locals = groups.map((type) => [...whole(own.filter(([, , it]) => it === type).length), TYPES[type]]);
    const names = [...parameters, ...own].map(([, name]) => name);
    const body = all
        .filter(([kind]) => !["export", "param", "local"].includes(kind))
        .flatMap((node) => code(node, names, []));
    return {
        name: called("export")[0][1],
        type: [0x60, ...listed(parameters.map(([, , type]) => TYPES[type])), 0],
        body: listed([...listed(locals), ...body, 0x0b]),
    };
}

/** The bytes of a module that imports a memory and exports functions, each of a type of its own.
 *  @param {string} text */
export function assembled(text) {
    const [, first, ...rest] = /** @type {Node_[]} */ (parsed(text));
    const [, module, name] = /** @type {string[]} */ (first);
    const functions = rest.map(read);
    const section = (/** @type {number} */ id, /** @type {number[][]} */ items) => [id, ...listed(listed(items))];
    return Uint8Array.from([
        ...[0, ...Buffer.from("asm"), 1, 0, 0, 0],
        ...section(
            1,
            functions.map(({ type }) => type),
        ),
        ...section(2, [[...letters(module), ...letters(name), 2, 0, 0]]),
        ...section(
            3,
            functions.map((_, at) => [at]),
        ),
        ...section(
            7,
            functions.map(({ name }, at) => [...letters(name), 0, at]),
        ),
        ...section(
            10,
            functions.map(({ body }) => body),
        ),
    ]);
}
