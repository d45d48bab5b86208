// Depth: one layer alone and all layers together, the reach of the heads, the journey of the class token.

import { Areas } from "#frontend/draw/areas.js";
import { entropy } from "#frontend/draw/attention.js";
import { element } from "#frontend/draw/elements.js";
import { wrapped } from "#frontend/draw/lines.js";
import { DASH, plotOn, ticksAt } from "#frontend/draw/plot.js";
import { largest, onCanvas, outline } from "#frontend/draw/surface.js";
import { small, tokenName, whole } from "#frontend/draw/text.js";
import { drawLit, drawOff, equalRows, veil } from "#frontend/draw/tiles.js";
import { write } from "#frontend/draw/words.js";
import { read } from "#frontend/edits/edits.js";
import { headsOff, offAt, saysOff } from "#frontend/edits/effects.js";
import { headsOf, layers } from "#frontend/frame/steps.js";
import { found, has, now } from "#frontend/state/edited.js";
import { rolled, weights } from "#frontend/state/maps.js";
import { drawJourney } from "./journey.js";

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene, Selection } from "#frontend/types/board.js" */

const UNDER = 24; // pixels for the number under a tile
const CITED =
    "Attention rollout (Abnar & Zuidema 2020): each layer's attention, averaged with the identity for the residual stream, " +
    "multiplied up: how much of every patch has reached the token by then.";
const EDITED = /(^| )[abhl]/; // what keeps heads out of the stream, or lets them add less or more
const FOOT = 68; // pixels for the citation
const NARROW = 560; // pixels: below, half as many tiles stand beside each other
const HEAD = 30; // pixels for the name of a row of tiles

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function depth(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    root.replaceChildren(canvas);
    const areas = new Areas(canvas, column);
    let map = new Float32Array(0);

    const queryOf = (/** @type {Selection} */ { moment, query }) => (moment === "journey" ? 0 : query);

    /** What a query looks at in one layer, mean of its heads; null where it is not here.
     *  @param {number} layer @param {number} query */
    const alone = (layer, query) => {
        const { heads, tokens } = column.meta;
        const alone = `alone-${query}`;
        const it = found(column, [alone, `maps-${layer}`, `rows-${query}`]);
        if (it?.name === alone)
            return /** @type {Float32Array} */ (it.arrays.rows.data).subarray(layer * tokens, (layer + 1) * tokens);
        const row = new Float32Array(tokens);
        return weights(column, { layer, head: heads, query, shows: "row" }, row) ? row : null;
    };
    const patchesOf = (/** @type {Float32Array} */ row) => row.subarray(column.meta.prefix.length);

    /** The largest weight of another patch than the query, in all layers: rollout keeps much at home.
     *  @param {(Float32Array | null)[]} rows @param {number} query */
    const limitOf = (rows, query) => {
        const first = column.meta.prefix.length;
        let most = 1e-12;
        for (const row of rows)
            for (let token = first; row && token < row.length; token++)
                if (token !== query && row[token] > most) most = row[token];
        return most;
    };

    /** Both rows of tiles, and the weight that is brightest in each. @param {number} query */
    const journeys = (query) => {
        const layers = Array.from({ length: column.meta.depth }, (_, layer) => layer);
        return [
            { says: "each layer alone, mean of heads", rows: layers.map((layer) => alone(layer, query)) },
            { says: "rollout, all layers so far", rows: layers.map((layer) => rolled(column, layer, query)) },
        ].map((it) => ({ ...it, limit: limitOf(it.rows, query) }));
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height */
    const drawTiles = (context, shown, width, height) => {
        const { depth: many, columns, rows: down } = column.meta;
        const narrow = width < NARROW;
        const foot = root.closest("[data-columns]") ? 0 : (narrow ? 2 : 1) * FOOT;
        const room = (height - foot) / 2;
        const edits = read(shown.edits, column.meta);
        const { across, cell } = equalRows(many, width, room - HEAD, narrow ? 3 : 6, UNDER);
        const counts = cell > 70;
        const wide = width / across; // of a tile and what is under it
        for (const [place, { says, rows, limit }] of journeys(queryOf(shown)).entries()) {
            const top = place * room;
            const held = rows.some(Boolean);
            const too =
                place === 0 && rows.some((_, layer) => headsOff(edits, column.meta, layer)) ? ", off ones too" : "";
            const title = held ? `${says}${too}; brightest from ${small(limit)}` : `${says}: on its way`;
            write(context, title, 0, top + 19, { width });
            for (const [layer, row] of rows.entries()) {
                if (!row) continue;
                const [x, y] = [(layer % across) * wide, top + HEAD + Math.floor(layer / across) * (cell + UNDER)];
                const size = cell * 0.94;
                drawLit(context, photo.picture, veil(patchesOf(row), columns, down, limit), x, y, size);
                if (place === 0 && offAt(edits, column.meta, layer, column.meta.heads)) drawOff(context, x, y, size);
                if (layer + 1 === shown.through)
                    outline(context, x + 1, y + 1, size - 2, size - 2, column.data.palette.chosen);
                const attends = counts ? `: ${small(Math.exp(entropy(row)))} tokens` : "";
                write(context, `${layer + 1}${attends}`, x, y + size + 18, { as: "tick", width: 0.94 * wide });
                areas.add({ x, y, width: wide, height: cell + UNDER, at: () => ({ through: layer + 1, layer }) });
            }
        }
        if (!foot) return;
        const counted = counts ? " Under each tile: effective number of tokens, exp(entropy)." : "";
        const left = EDITED.test(shown.edits)
            ? CITED.replace("attention,", "attention, as far as edits leave it,")
            : CITED;
        wrapped(context, left + counted, 0, height - foot + 18, width, { as: "tick" }, 19);
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height */
    const drawClouds = (context, shown, width, height) => {
        const { depth: many, heads, tokens, patch_sides } = column.meta;
        const uniform = now(column, "by-layer", "uniform")?.data[0] ?? 1;
        const plots = /** @type {[string, string, number][]} */ ([
            [
                "distance",
                `mean attention distance: how far the patches look, in patches of ${[...new Set(patch_sides)].join(" × ")} pixels`,
                uniform,
            ],
            [
                "entropy",
                `attention entropy in nats; uniform attention: ln ${whole(tokens)} = ${small(Math.log(tokens))}`,
                Math.log(tokens),
            ],
        ]);
        const edits = read(shown.edits, column.meta);
        const room = (height - 10) / 2;
        for (const [place, [name, says, limit]] of plots.entries()) {
            const values = now(column, "by-layer", name)?.data;
            write(context, says, 0, place * room + 19, { width });
            if (!values) continue;
            const high = Math.max(limit, largest(values)) * 1.06;
            const box = { x: 50, y: place * room + 30, width: width - 64, height: room - 62 };
            const ticks = ticksAt([...Array(many).keys()], (layer) => `${many <= 6 ? "layer " : ""}${layer + 1}`);
            const across = { low: -0.75, high: many - 0.25, ticks };
            const plot = plotOn(context, box, across, { low: 0, high, ticks: ticksAt([0, limit], small) });
            plot.axes();
            plot.level(limit, DASH);
            const step = Math.min((14 * (many + 0.5)) / box.width, 1 / (heads + 1));
            for (let at = 0; at < many * heads; at++) {
                const [layer, head] = [Math.floor(at / heads), at % heads];
                const x = layer + (head - (heads - 1) / 2) * step;
                const here = layer === shown.layer && head === shown.head;
                const { chosen, attention } = column.data.palette;
                const alpha = offAt(edits, column.meta, layer, head) ? 0.25 : 1;
                if (here) plot.dot(x, values[at], 10, "#000");
                plot.dot(x, values[at], here ? 8 : 6, here ? chosen : attention, alpha);
                const look = /** @type {const} */ ({ layer, head, mean: "0" });
                areas.add({
                    x: plot.x(x) - 8,
                    y: plot.y(values[at]) - 8,
                    width: 16,
                    height: 16,
                    at: () => look,
                    click: () => {
                        column.choose(look);
                        column.store.go("heads");
                    },
                });
            }
        }
    };

    /** Light on the photo: a head where heads are shown, else the rollout. @param {Selection} shown @param {number} query */
    const light = (shown, query) => {
        const { tokens, heads, prefix, depth: many } = column.meta;
        photo.specials = shown.moment !== "journey";
        photo.chooses = shown.moment !== "journey" ? "query" : null;
        photo.frames = [{ token: query, colour: column.data.palette.query }];
        if (shown.moment === "reach") {
            if (map.length !== tokens) map = new Float32Array(tokens);
            const head = Math.min(shown.head, heads - 1);
            if (!weights(column, { layer: shown.layer, head, query, shows: "row" }, map)) return;
            const most = largest(patchesOf(map));
            photo.light = patchesOf(map).map((weight) => Math.sqrt(weight / most));
            return;
        }
        const rows = Array.from({ length: many }, (_, layer) => rolled(column, layer, query));
        const row = rows[shown.through - 1];
        const limit = limitOf(rows, query);
        if (row) photo.light = row.subarray(prefix.length).map((weight) => Math.sqrt(Math.min(1, weight / limit)));
    };

    return {
        draw(shown) {
            areas.clear();
            root.classList.add("tall");
            root.classList.toggle("taller", shown.moment !== "reach");
            root.style.setProperty("--deep", String(column.meta.depth));
            const query = queryOf(shown);
            const { depth: many } = column.meta;
            const through = { says: "layer", text: `${shown.through} of ${many}`, at: shown.through - 1, many };
            photo.steps =
                shown.moment === "reach"
                    ? [layers(column, shown), headsOf(column, shown)]
                    : [{ ...through, to: (at) => ({ through: at + 1, layer: at }) }];
            light(shown, query);
            onCanvas(canvas, (context, width, height) => {
                if (shown.moment === "reach") drawClouds(context, shown, width, height);
                else if (shown.moment === "journey")
                    drawJourney(context, column, photo, areas, shown, journeys(0)[1], width, height);
                else drawTiles(context, shown, width, height);
            });
            canvas.ariaLabel = `${tokenName(column.meta, query)} through layer ${shown.through}`;
        },
        readout(shown) {
            const query = queryOf(shown);
            const edits = read(shown.edits, column.meta);
            if (shown.moment === "reach") {
                const off = saysOff(edits, column.meta, shown.layer, shown.head);
                const at = shown.layer * column.meta.heads + shown.head;
                const [distance, nats] = ["distance", "entropy"].map((it) => now(column, "by-layer", it)?.data[at]);
                const says =
                    distance === undefined || nats === undefined
                        ? ""
                        : `: distance ${small(distance)} patches, entropy ${small(nats)} nats`;
                return `Layer ${shown.layer + 1}, head ${shown.head + 1}${says}${off}. A click on its dot opens it.`;
            }
            const row = rolled(column, shown.through - 1, query);
            const name = tokenName(column.meta, query);
            const kept = row ? `; ${small(100 * row[query])} % comes from ${name} itself` : "";
            return `{query} ${name} · on the photo: rollout through layer ${shown.through} of ${column.meta.depth}${kept}${saysOff(edits, column.meta, shown.through - 1, column.meta.heads).replace(" · ", ` · layer ${shown.through} alone `)}`;
        },
        needs(chosen) {
            const query = queryOf(chosen);
            const wanted = has(column, "rollouts") ? [] : [`rollout-${query}`];
            if (chosen.moment === "journey") return column.meta.classes ? [...wanted, "lens"] : wanted;
            if (chosen.moment === "rollout") return [...wanted, `alone-${query}`];
            wanted.push("by-layer");
            return has(column, `rows-${query}`) ? wanted : [...wanted, `maps-${chosen.layer}`];
        },
        actions: {
            layer: {
                keys: ["l", "L"],
                label: "layer, with Shift back",
                perform: ({ key }) => step(column, key === "l" ? 1 : -1),
            },
        },
        play: ({ through }) => ({ through: (through % column.meta.depth) + 1, layer: through % column.meta.depth }),
    };
}

/** One layer on or back, round the end. @param {Column} column @param {1 | -1} by */
function step(column, by) {
    const { depth: many } = column.meta;
    const { through, layer, moment } = column.chosen;
    const next = ((moment === "reach" ? layer : through - 1) + by + many) % many;
    column.choose({ through: next + 1, layer: next });
}
