// Heads: the maps of one query in all layers and heads as light on the photo; the matrix of a head; two heads side by side.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene, Selection } from "#frontend/types/board.js" */

import { Areas } from "#frontend/draw/areas.js";
import { buttonFor, element } from "#frontend/draw/elements.js";
import { enlarged } from "#frontend/draw/surface.js";
import { tokenName, whole } from "#frontend/draw/text.js";
import { taps } from "#frontend/draw/touch.js";
import { read } from "#frontend/edits/edits.js";
import { headsOf, layers } from "#frontend/frame/steps.js";
import { has } from "#frontend/state/edited.js";
import { Learning, nextMoment } from "./learning.js";
import { Matrix, offer, room as roomOfAxes } from "./matrix.js";
import { drawPair } from "./pair.js";
import { QueryMaps } from "./query_maps.js";
import { drawWall, LEFT, TOP } from "./wall.js";
import { fillScale, flat, pairInWords, readout } from "./words.js";

const NARROW = 560; // pixels: below, one thing after the other
const GAP = 28;
const CAPTION = 32; // pixels for what stands above the matrix
const WIDER = 1.2; // times: tiles that gain less have the matrix beside them, or stand in fewer columns
const LEAST = 100; // pixels of a matrix under the wall
const NOTE = 52; // pixels for what is said of a map in one shade
const CHOICES = /** @type {const} */ ({
    shows: [
        ["row", "looks at"],
        ["column", "is looked at by"],
        ["rollout", "rollout"],
    ],
    scale: [
        ["shared", "one scale"],
        ["own", "own scale"],
    ],
    drawn: [
        ["light", "light"],
        ["colours", "colours"],
    ],
});

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function heads(root, column, photo) {
    const wall = element("canvas", { class: "wall", role: "img" });
    const square = element("canvas", { class: "matrix", role: "img" });
    const axes = element("canvas", { class: "axes", "aria-hidden": "true" });
    const framed = element("div", { class: "framed" }, axes, square);
    const caption = element("p", { class: "caption" });
    const own = buttonFor("Show it on its own scale", () => column.choose({ scale: "own" }));
    const words = element("span");
    const note = element("p", { class: "flat" }, words, " ", own);
    const maps = new QueryMaps(column);
    const onWall = new Areas(wall, column);
    const matrix = new Matrix(square, axes, column, maps, new Areas(square, column));
    const hint = element("p", {}, "Draw across the wall: layers and heads pass by.");
    const side = element("div", { class: "side" }, caption, framed, note, hint);
    const panels = element("div", { class: "panels" }, wall, side);
    /** @type {{ name: string, value: string, pressed: HTMLButtonElement }[]} */
    const buttons = [];
    const foot = element("div", { class: "choices" });
    for (const [name, values] of Object.entries(CHOICES)) {
        const group = element("span", { role: "group", "aria-label": name });
        for (const [value, text] of values) {
            const pressed = buttonFor(text, () => column.choose({ [name]: value }));
            buttons.push({ name, value, pressed });
            group.append(pressed);
        }
        foot.append(group);
    }
    const learning = new Learning(column);
    const scale = element("span", { class: "scale" });
    const coded = `≈ 8-bit weights, error at most ${column.data.facts.off} %`;
    foot.append(learning.button, scale, element("span", { class: "coded" }, coded));
    root.replaceChildren(element("div", { class: "heads" }, panels, learning.root, foot));

    /** @param {Selection} shown */
    const lay = (shown) => {
        const { depth, heads: many } = column.meta;
        const narrow = root.clientWidth < NARROW;
        const width = root.clientWidth;
        const height = (narrow ? 300 : Math.max(200, panels.clientHeight)) - (note.hidden ? 0 : NOTE);
        const pair = shown.moment === "pair";
        const large = shown.moment === "matrix";
        panels.classList.toggle("narrow", narrow);
        square.hidden = caption.hidden = narrow && !large;
        side.hidden = pair;
        hint.hidden = large || taps();
        wall.hidden = narrow && large;
        side.style.order = large ? "-1" : "1";
        const fits = (height - TOP) / (many + 1);
        let tile = fits;
        let room = 0;
        let high = many + 1;
        let below = false; // of many layers the wall takes the whole width, and the matrix what is left under it
        if (large) {
            const { left, below } = roomOfAxes(narrow);
            const low = root.closest("[data-columns]") ? root.clientHeight - CAPTION - below : width;
            room = narrow
                ? Math.min(width - left, low)
                : Math.min(width - LEFT - 40 - GAP - left, height - CAPTION - below);
            const wide = width - room - left - GAP;
            for (let columns = 1; columns * LEFT < wide; columns++) {
                const rows = Math.ceil((many + 1) / columns);
                const it = Math.min(wide / columns - LEFT, (height - TOP) / rows);
                if (columns === 1 || it > WIDER * tile) [tile, high] = [it, rows];
            }
        } else {
            const spare = narrow ? 0 : Math.max(200, Math.min(300, width - LEFT - depth * fits - GAP));
            const most = narrow ? 56 : 110;
            const across = Math.min(fits, most, (width - LEFT) / depth);
            const free = (panels.clientHeight - TOP) / (many + 1); // what is said of a map stands beside
            tile = Math.min(narrow ? fits : free, most, (width - LEFT - spare - (narrow ? 0 : GAP)) / depth);
            room = Math.min(300, width - LEFT - depth * Math.floor(tile) - GAP, height - 130);
            below = !narrow && across > WIDER * tile;
            if (below) {
                tile = across;
                room = Math.min(300, height - TOP - (many + 1) * Math.floor(tile) - GAP - CAPTION);
                side.hidden = room < LEAST;
            }
        }
        if (below && side.hidden) panels.append(note);
        else hint.before(note);
        panels.classList.toggle("below", below);
        return { pair, large, narrow, width, height, room, high, tile: Math.max(4, Math.floor(tile)) };
    };

    return {
        draw(shown) {
            maps.read(shown);
            const { tokens, depth } = column.meta;
            const row = maps.row(shown);
            for (const { name, value, pressed } of buttons) pressed.ariaPressed = String(shown[name] === value);
            light(shown, row);
            const says = flat(column, maps, shown);
            words.textContent = says;
            note.hidden = !says;
            panels.hidden = learning.draw(shown);
            for (const group of foot.querySelectorAll("[role=group], .scale, .coded"))
                group.toggleAttribute("hidden", panels.hidden);
            fillScale(scale, column.data.weights, shown, maps.limit(shown, maps.at(shown.layer, row)));
            if (panels.hidden) return;
            const { pair, large, narrow, width, height, room, high, tile } = lay(shown);
            const query = tokenName(column.meta, shown.query);
            if (pair) drawPair(wall, column, maps, photo.picture, onWall, shown, width, height);
            else if (!wall.hidden) {
                const layers = large ? [shown.layer] : Array.from({ length: depth }, (_, layer) => layer);
                drawWall(wall, column, maps, photo.picture, onWall, shown, { layers, tile, high });
            }
            wall.ariaLabel = `Attention of ${query} in ${depth} layers; layer ${shown.layer + 1} is chosen.${saysAllOff(shown, column.meta)}`;
            if (side.hidden || square.hidden) return;
            const slow = !large && !matrix.quick(shown);
            if (!slow) matrix.draw(shown, Math.max(60, Math.floor(room)), { large, narrow });
            square.hidden = slow || !matrix.picture;
            const size = `${whole(tokens)} × ${whole(tokens)}`;
            const off = maps.off[maps.at(shown.layer, row)];
            const nothing = off && ` · adds nothing: ${off}`;
            square.classList.toggle("off", Boolean(off));
            caption.textContent = slow
                ? `The matrix of ${size} weights stands in the next moment.`
                : `${size}${matrix.picture ? ", a row per query" : ": too large, or on its way"}${nothing}`;
            if (large && matrix.picture)
                caption.textContent =
                    "key" in column.store.preview
                        ? pairInWords(column, maps, shown)
                        : `${caption.textContent} · ${offer(matrix.part.side < 1)}`;
            const which = `${maps.name(row, shown)} of layer ${shown.layer + 1}`;
            square.ariaLabel = `${which}: ${size} weights${nothing}.`;
        },
        controls: foot,
        readout: (shown) => readout(column, maps, shown),
        get actions() {
            return matrix.zoom.actions;
        },
        needs({ layer, query, shows, learned }) {
            const wanted = [`exact-${layer}-${query}`];
            if (learned >= 0 && column.data.facts.learning) wanted.push("learning");
            if (shows === "rollout" && !has(column, "rollouts")) wanted.push(`rollout-${query}`);
            if (!has(column, `maps-${layer}`) && !has(column, `rows-${query}`)) wanted.push(`rows-${query}`);
            return wanted;
        },
        play: (chosen) =>
            learning.root.hidden ? { layer: (chosen.layer + 1) % column.meta.depth } : nextMoment(column, chosen),
    };

    /** The map that is looked at, on the photo. @param {Selection} shown @param {number} row */
    function light(shown, row) {
        const { prefix, columns, rows } = column.meta;
        const at = maps.at(shown.layer, row);
        photo.specials = true;
        photo.shifted = "key";
        photo.steps = [layers(column, shown), headsOf(column, shown)];
        photo.frames = [{ token: shown.query, colour: column.data.palette.query }];
        if (shown.key >= 0) photo.frames.push({ token: shown.key, colour: column.data.palette.key });
        if (!maps.held[at]) return;
        const limit = maps.limit(shown, at);
        if (shown.drawn === "light") {
            photo.light = maps.maps[at].subarray(prefix.length).map((weight) => Math.sqrt(Math.min(1, weight / limit)));
            return;
        }
        photo.over = (context, size) => {
            context.globalAlpha = 0.8;
            enlarged(context, maps.veil(shown), shown.layer * columns, row * rows, columns, rows, 0, 0, size, size);
            context.globalAlpha = 1;
        };
    }
}

/** What is off, for those who do not see the tiles. @param {Selection} shown @param {import("#frontend/types/board.js").Meta} meta */
function saysAllOff({ edits }, meta) {
    const off = read(edits, meta)
        .filter(({ letter, what }) => "hab".includes(letter) && what === "*0")
        .map(({ letter, layer, first, last }) => {
            const head = `head ${first + 1}${last > first ? ` to ${last + 1}` : ""} of `;
            return `${letter === "h" ? head : letter === "a" ? "attention of " : ""}layer ${layer + 1}`;
        });
    return off.length ? ` Off: ${off.join(", ")}.` : "";
}
