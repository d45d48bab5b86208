// The explorer in a file of its own: the board's Heads with one picture and all its maps, without a server.

/** @import { Make, Parcel } from "#frontend/types/board.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Transport } from "#frontend/transport/transport.js" */

import { mount } from "#frontend/doors/mount/mount.js";
import { opened, text, turnTheme } from "#frontend/doors/offline/file.js";
import { buttonFor } from "#frontend/draw/elements.js";
import { arraysOf } from "#frontend/editing/arrays.js";
import { matrix } from "#frontend/state/maps.js";
import { headerOf, runOf, unpack } from "#frontend/transport/parcels.js";
import { LIST } from "#frontend/transport/transport.js";
import { heads } from "./scene.js";

const UNREADABLE = "The numbers in this file cannot be read: it is not whole, or this browser is older than 2023.";
const { data, chosen } = JSON.parse(text("said"));
const { forward, ...facts } = data.facts;
data.facts = facts; // the model is in them once it can run

/** An address that holds bytes: a worker of a page without an origin may not read other ones. @param {Uint8Array} bytes
 *  @returns {Promise<string>} */
const addressOf = (bytes) =>
    new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(String(reader.result));
        reader.readAsDataURL(new Blob([/** @type {BlobPart} */ (bytes)], { type: "application/octet-stream" }));
    });

/** All parcels of this file by their names; the board has them at once. @returns {Promise<Map<string, Parcel>>} */
async function parcelsOf() {
    const bytes = await opened("numbers");
    const { start, header } = headerOf(bytes);
    const found = new Map();
    let at = start;
    for (const length of header.bundle) {
        const parcel = unpack(bytes.subarray(at, at + length));
        found.set(parcel.name, parcel);
        first.receive(parcel);
        at += length;
    }
    first.invalidate();
    return found;
}

/** The rollout after every layer, made of the maps of the plain run; nothing where some layers are not in this file. */
function rollouts() {
    const { depth, heads, tokens, edits } = first.meta;
    /** @type {Column} */
    const plain = Object.create(first, { chosen: { value: { edits } } });
    /** @type {Map<number, Float32Array>} */
    const layers = new Map();
    for (let layer = 0; layer < depth; layer++) {
        const weights = new Float32Array(heads * tokens ** 2);
        for (let head = 0; head < heads; head++) {
            const one = matrix(plain, { layer, head, shows: "row" });
            if (!one) return null;
            weights.set(one, head * tokens ** 2);
        }
        layers.set(layer, weights);
    }
    return arraysOf("rollouts", { edits, arrays: {}, logits: new Float32Array(), layers }, first.meta);
}

const parcels = parcelsOf();
/** The model of this file, once it is wanted. @type {Promise<void> | undefined} */
let running;

/** Numbers of the plain run, from this file. @type {Transport} */
async function transport({ name, digest }) {
    try {
        const held = await parcels;
        if (name === LIST) {
            running ??= run();
            await running;
            return [...held.keys()];
        }
        if (!name.startsWith("rollout")) return held.get(name) ?? null;
        const arrays = runOf(name) ? null : rollouts();
        return arrays && { digest, name: "rollouts", arrays };
    } catch (error) {
        console.error(error);
        return UNREADABLE;
    }
}

/** Heads, whose rollouts are made here of coded maps. @type {Make} */
function coded(root, column, photo) {
    const scene = heads(root, column, photo);
    const { readout } = scene;
    scene.readout = (shown) => {
        const words = readout?.(shown) ?? "";
        return shown.shows === "rollout" ? words.replace(": ", ": ≈ ") : words;
    };
    return scene;
}

/** Let the model of this file run here, if one is in it: its script and its numbers get addresses that lead nowhere else. */
async function run() {
    if (!forward) return;
    const script = /** @type {BlobPart} */ (await opened("worker"));
    forward.script = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    for (const id of ["parameters", "means"]) forward[id] = await addressOf(await opened(id));
    facts.forward = forward;
    first.invalidate();
}

const scenes = new Map([["heads", coded]]);
const schema = { data, facts: { [data.page]: data.facts }, scenes };
const { board } = mount(document.body, { transport, schema, selection: chosen });
const { first } = board;
const theme = buttonFor("light / dark", () => {
    turnTheme();
    board.invalidate();
});
document.querySelector(".drawers")?.append(theme);
