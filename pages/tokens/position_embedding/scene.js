// Position embedding: what is added to a token, which positions are alike, and what they are for.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Action, Scene, Selection } from "#frontend/types/board.js" */

import { Areas } from "#frontend/draw/areas.js";
import { fillBars, ranking } from "#frontend/draw/bars.js";
import { buttonFor, element } from "#frontend/draw/elements.js";
import { Motion } from "#frontend/draw/motion.js";
import { onCanvas } from "#frontend/draw/surface.js";
import { addend, small, tokenName, tokenPlace } from "#frontend/draw/text.js";
import { choosable } from "#frontend/draw/touch.js";
import { drawStrips, frameComponent, reach } from "#frontend/draw/vectors.js";
import { coming } from "#frontend/draw/words.js";
import { outcome } from "#frontend/editing/outcome.js";
import { shownOf } from "#frontend/state/actions.js";
import { Similarity } from "./similarity.js";

const ANSWERS = /** @type {const} */ ([
    ["learned", "as learned"],
    ["off", "positions off"],
    ["shuffled", "positions shuffled"],
]);
const DIFFERENCES = /** @type {const} */ ([
    ["moved", "Positions off: the two outputs change places, and differ by at most"],
    ["stayed", "all other tokens change by at most"],
    ["logits", "a logit changes by at most"],
    ["with", "Positions on: the same swap moves a logit by up to"],
]);

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function positionEmbedding(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const areas = new Areas(canvas, column);
    const similarity = new Similarity(column, canvas, areas);
    const answers = ANSWERS.map(([name, title]) => {
        const button = element("button", { type: "button" }, title);
        choosable(column, button, () => ({ placed: name }));
        return { name, button, bars: element("ol", { class: "answer" }) };
    });
    const canElsewhere = () => Boolean(column.board.python && column.data.facts.balls) && column.meta.classes > 0;
    const tryElsewhere = () => {
        column.store.settle(); // Python runs with what the address says
        column.board.sidebar?.chooseSample(Number(column.data.facts.balls));
    };
    const tries = { keys: ["e", "E"], label: "a red ball above a blue one", perform: tryElsewhere };
    const key = element("kbd", { "aria-hidden": "true" }, shownOf(tries));
    const elsewhere = buttonFor([key, "Try it on these balls"], tryElsewhere, { class: "elsewhere" });
    const balls = element("div", { class: "balls" }, element("i"), element("dl"), elsewhere);
    const came = element("p", { class: "places", role: "status" });
    const moves = element(
        "p",
        { class: "places" },
        "Shuffled: the photo shows each patch at the position that the model was given.",
    );
    const aside = element(
        "div",
        { class: "aside" },
        ...answers.flatMap(({ button, bars }) => [element("h2", {}, button), bars]),
        came,
        moves,
        balls,
    );
    /** Which of the two patches a click chooses. @type {"query" | "key"} */
    let taken = "query";
    const pair = /** @type {const} */ (["query", "key"]).map((field) => {
        const button = buttonFor("", () => {
            taken = field;
            column.invalidate();
        });
        return { field, button };
    });
    const told = DIFFERENCES.map(([name, says]) => ({ name, says, value: element("dd") }));
    const swapped = element("span");
    const proof = element(
        "div",
        { class: "proof" },
        element("p", { class: "pair" }, pair[0].button, "and", pair[1].button, swapped),
        element("dl", {}, ...told.map(({ says, value }) => element("div", {}, element("dt", {}, says), value))),
        element("p", {}, "Click chooses the first patch of the photo, Shift-click the second."),
    );
    root.replaceChildren(canvas, aside, proof);
    const adding = new Motion(() => column.invalidate(), 400);
    const moving = new Motion(() => column.invalidate(), 700);
    let last = "";
    let moved = "";

    /** The patch that is compared with the chosen one, or changes places with it: the key's, or the one across. */
    const otherOf = (/** @type {Selection} */ shown) => {
        const { prefix, patches } = column.meta;
        if (shown.key >= prefix.length) return shown.key - prefix.length;
        const [patch, across] = [column.patchOf(shown), patches - 1 - column.patchOf(shown)];
        return across === patch ? 0 : across;
    };

    /** @param {Selection} shown */
    const drawAdded = (shown) => {
        const { dim, prefix } = column.meta;
        const patch = column.patchOf(shown);
        const [token, position, sum] = ["token", "position", "sum"].map((name) =>
            column.array("added", name)?.data.subarray(patch * dim, (patch + 1) * dim),
        );
        const share = adding.share;
        onCanvas(canvas, (context, width, height) => {
            if (!token || !position || !sum) return coming(context, width);
            const growing = share < 1 ? Float32Array.from(token, (value, at) => value + position[at] * share) : sum;
            const vectors = [
                { name: `${tokenName(column.meta, prefix.length + patch)}: its token`, values: token },
                { name: "+ its position", values: position },
                { name: "= what enters the first block", values: growing },
            ];
            const limit = reach(vectors.slice(0, 2).concat({ name: "", values: sum }));
            const boxes = drawStrips(context, vectors, { width, height, limit });
            const chosen = Math.min(shown.component, dim - 1);
            const means = (/** @type {number} */ component) => ({ component });
            frameComponent(context, areas, boxes, dim, chosen, column.data.palette.chosen, means);
        });
    };

    /** Patches of the photo on their way to other places. @param {(patch: number) => number} goes @param {number} share
     *  @param {number[]} patches */
    const fly = (goes, share, patches) => {
        const { columns, rows } = column.meta;
        photo.over = (context, size) => {
            if (!photo.picture) return;
            const [w, h] = [photo.picture.width / columns, photo.picture.height / rows];
            const [across, down] = [size / columns, size / rows];
            const at = (/** @type {number} */ patch) => [patch % columns, Math.floor(patch / columns)];
            for (const patch of patches) {
                const [[x0, y0], [x1, y1]] = [at(patch), at(goes(patch))];
                const [x, y] = [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
                context.drawImage(photo.picture, x0 * w, y0 * h, w, h, x * across, y * down, across, down);
            }
        };
    };

    /** What became of the answer, in a sentence. @param {string} placed */
    const whatCame = (placed) => {
        const [before, after] = ["learned", placed].map((name) => column.array("positions-answers", name)?.data);
        const title = ANSWERS.find(([name]) => name === placed)?.[1] ?? "";
        if (!before || !after || placed === "learned") return "";
        const [[best], [now]] = [ranking(before, 1), ranking(after, 1)];
        const moved = `${column.label(best)} ${small(before[best])} → ${small(after[best])}`;
        if (outcome(before, after) === "other")
            return `With ${title}: ${column.label(now)} ${small(after[now])}. This answer needed the positions (${moved}).`;
        return `With ${title} the same answer: ${moved}. What is there was enough, or a guess was right.`;
    };

    /** @param {Selection} shown */
    const drawAnswers = (shown) => {
        const said = /** @type {[string, number][]} */ (column.data.facts.aligned);
        balls.hidden = !said.length;
        elsewhere.hidden = !canElsewhere();
        moves.hidden = shown.placed !== "shuffled";
        const lines = said.map(([label, probability], at) =>
            element(
                "div",
                {},
                element("dt", {}, `${ANSWERS[at][1]}:`),
                element("dd", {}, `${label} ${small(probability)}`),
            ),
        );
        balls.querySelector("dl")?.replaceChildren(...lines);
        came.textContent = whatCame(String(shown.placed));
        for (const { name, button, bars } of answers) {
            button.ariaPressed = String(column.chosen.placed === name);
            fillBars(bars, (at) => column.label(at), column.array("positions-answers", name)?.data);
        }
        const order = column.array("positions-answers", "order")?.data;
        if (shown.placed !== "shuffled" || !order) return;
        photo.frames = [];
        fly(
            (patch) => order[patch],
            moving.share,
            Array.from(order, (_, patch) => patch),
        );
    };

    /** The photo with two patches that change places. @param {number} a @param {number} b */
    const drawSwap = (a, b) => {
        const { prefix } = column.meta;
        const { chosen, key } = column.data.palette;
        fly((patch) => (patch === a ? b : a), moving.share, [a, b]);
        photo.frames = [
            ...photo.frames.map(({ token }) => ({ token, colour: "#fff" })),
            { token: prefix.length + b, colour: key },
            { token: prefix.length + a, colour: chosen },
        ];
        photo.chooses = taken;
        photo.shifted = "key";
        for (const { field, button } of pair) {
            button.textContent = `patch ${(field === "query" ? a : b) + 1}`;
            button.ariaPressed = String(field === taken);
        }
        swapped.textContent = a === b ? "are the same: choose another one" : "change places in the picture";
        for (const { name, value } of told) {
            const number = column.array(`swap-${a}-${b}`, name)?.data[0];
            value.textContent = number === undefined ? "…" : small(number);
        }
    };

    return {
        middle: true,
        get actions() {
            return /** @type {Record<string, Action>} */ (canElsewhere() ? { elsewhere: tries } : {});
        },
        play({ moment, placed, query }) {
            const { prefix, columns } = column.meta;
            if (moment === "answers") {
                const next = ANSWERS.findIndex(([name]) => name === placed) + 1;
                return next < ANSWERS.length ? { placed: ANSWERS[next][0] } : null;
            }
            if (moment === "similarity") {
                const patch = column.patchOf({ ...column.chosen, query });
                return (patch + 1) % columns ? { query: prefix.length + patch + 1 } : null;
            }
            (moment === "sum" ? adding : moving).start();
            return null;
        },
        draw(shown) {
            const { prefix } = column.meta;
            const { moment } = shown;
            const [a, b] = [column.patchOf(column.chosen), otherOf(column.chosen)];
            if (moment !== last && moment === "sum") adding.start();
            const moves = moment === "answers" ? String(shown.placed) : moment === "swap" ? `${a} ${b}` : "";
            if (moves !== moved) moving.start();
            [last, moved] = [moment, moves];
            areas.clear();
            canvas.hidden = ["answers", "swap"].includes(moment);
            aside.hidden = moment !== "answers";
            proof.hidden = moment !== "swap";
            const token = prefix.length + column.patchOf(shown);
            photo.grid = true;
            photo.frames = [{ token, colour: column.data.palette.chosen }];
            canvas.ariaLabel = `Position of ${tokenName(column.meta, token)}.`;
            if (moment === "sum") drawAdded(shown);
            else if (moment === "similarity") similarity.draw(shown, otherOf(shown));
            else if (moment === "answers") drawAnswers(shown);
            else drawSwap(a, b);
        },
        needs(chosen) {
            const wanted = ["added"];
            const patch = column.patchOf(chosen);
            if (!column.array("position-maps", "maps")) wanted.push(`position-map-${patch}`);
            if (chosen.moment === "swap") wanted.push(`swap-${patch}-${otherOf(chosen)}`);
            return wanted;
        },
        readout(shown) {
            const { dim, prefix } = column.meta;
            const patch = column.patchOf(shown);
            const place = `{patch} ${patch + 1}: ${tokenPlace(column.meta, prefix.length + patch)}`;
            const component = Math.min(shown.component, dim - 1);
            const [token, position, sum] = ["token", "position", "sum"].map(
                (name) => column.array("added", name)?.data[patch * dim + component],
            );
            if (shown.moment !== "sum" || token === undefined || position === undefined || sum === undefined)
                return place;
            return `${place} · component ${component + 1}: ${small(token)} + ${addend(position)} = ${small(sum)}`;
        },
    };
}
