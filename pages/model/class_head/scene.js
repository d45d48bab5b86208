// Class head: the logit lens as lines over depth, logits and probabilities, the class token of two pictures.

import { Areas } from "#frontend/draw/areas.js";
import { ranking } from "#frontend/draw/bars.js";
import { buttonFor, element } from "#frontend/draw/elements.js";
import { onCanvas } from "#frontend/draw/surface.js";
import { small, tokenName, tokenPlace, whole } from "#frontend/draw/text.js";
import { drawStrips } from "#frontend/draw/vectors.js";
import { coming } from "#frontend/draw/words.js";
import { now } from "#frontend/state/edited.js";
import { lensGhost, lensNow, place } from "#frontend/state/lens.js";
import { home } from "#frontend/transport/words.js";
import { drawClassToken } from "./class_token.js";
import { drawLens } from "./lens.js";
import { drawSpeaks, Scores, SPEAKS } from "./scores.js";
import { Way } from "./way.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Scene } from "#frontend/types/board.js" */

/** A question, the page where it can be tried, and the moment, where it is not the first. */
const QUESTIONS = /** @type {[string, string, string?][]} */ ([
    ["Halve the patch size: what becomes four times as much, and what sixteen times?", "patch_grid", "sizes"],
    ["Which two patches may change places without changing the answer, and why?", "position_embedding", "swap"],
    ["Why is a score divided by √dₕ, and not by dₕ?", "query_key_value", "softmax"],
    ["Which layer decides the answer, and what has it looked at?", "depth"],
    ["Where are most of the parameters, and is most of the arithmetic there too?", "parameters"],
]);

export class Questions {
    /** @param {Column} column */
    constructor(column) {
        const there = QUESTIONS.filter(([, stem]) => column.stems.includes(stem));
        const lines = there.map(([says, stem, moment]) => {
            const href = `${home()}${stem}${moment ? `?moment=${moment}` : ""}`;
            const link = element("a", { href }, says);
            link.addEventListener("click", (event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                column.store.go(stem, moment);
            });
            return element("li", {}, link);
        });
        this.root = element(
            "div",
            { class: "questions" },
            element("h2", {}, "To take home"),
            element("ol", {}, ...lines),
        );
    }
}

/** What each moment is drawn with, beside the way of a patch. @type {Record<string, string[]>} */
const NEEDS = { lens: ["lens"], scores: ["lens"], token: ["class-token"], result: ["result"], way: [] };

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function classHead(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const scores = new Scores(column);
    const questions = new Questions(column);
    const way = new Way(column, photo);
    const shots = element("a", { href: `${home()}five_shots` }, "Five shots ›");
    const fetches = buttonFor("", () => column.board.sidebar?.chooseWithClasses());
    const names = element(
        "p",
        { class: "names" },
        "It has no classes. Name your own, from a few pictures of each: ",
        shots,
        " ",
        fetches,
    );
    shots.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        column.store.go("five_shots");
    });
    root.replaceChildren(scores.table, canvas, names, questions.root);
    const areas = new Areas(canvas, column);

    return {
        middle: true,
        draw(shown) {
            const { depth } = column.meta;
            const what = shown.moment;
            const lens = lensNow(column);
            const ghost = lensGhost(column);
            areas.clear();
            scores.table.hidden = what !== "scores";
            questions.root.hidden = what !== "way";
            names.hidden = what === "way" || column.meta.classes > 0;
            fetches.textContent = /** @type {{ with_classes?: string }} */ (column.data.facts).with_classes ?? "";
            fetches.hidden = !fetches.textContent;
            root.classList.toggle("nameless", !names.hidden);
            root.classList.toggle("way", what === "way");
            canvas.style.minHeight = what === "way" ? `${way.height(root.clientWidth)}px` : "";
            root.classList.toggle("tall", what !== "result");
            photo.chooses = what === "way" ? "query" : null;
            if (what === "way") {
                const token = column.meta.prefix.length + column.patchOf(shown);
                photo.frames = [{ token, colour: column.data.palette.chosen }];
            } else if (what !== "result")
                photo.steps = [
                    {
                        says: "after layer",
                        text: `${shown.after} of ${depth}`,
                        at: shown.after,
                        many: depth + 1,
                        to: (after) => ({ after }),
                    },
                ];
            if (what === "scores") scores.fill(lens, ghost, shown, canvas.clientHeight - SPEAKS);
            onCanvas(canvas, (context, width, height) => {
                if (what === "way") way.draw(context, shown, lens, width, height);
                if (what === "lens" && !lens) coming(context, width);
                if (what === "lens" && lens) drawLens(context, column, areas, lens, ghost, shown, width, height);
                if (what === "scores" && lens) drawSpeaks(context, column, lens, shown, width, height);
                if (what === "token") drawClassToken(context, column, areas, shown, width, height);
                const vector = now(column, "result", "vector")?.data;
                if (what === "result" && vector) {
                    const strips = [{ name: `the result: ${whole(vector.length)} components`, values: vector }];
                    drawStrips(context, strips, { width, height });
                }
            });
            canvas.ariaLabel = what === "way" ? "The way of a patch" : `The answer ${place(shown.after)}`;
        },
        readout(shown) {
            if (shown.moment === "way") {
                const token = column.meta.prefix.length + column.patchOf(shown);
                return `{chosen} ${tokenName(column.meta, token)}, ${tokenPlace(column.meta, token)} · Space plays its way`;
            }
            if (shown.moment === "result") return "No head, no classes: the result is a vector.";
            const where = `${place(shown.after)[0].toUpperCase()}${place(shown.after).slice(1)}`;
            const lens = lensNow(column);
            if (!lens) return column.meta.classes ? "The answer is on its way." : where;
            const here = lens.probabilities(shown.after);
            const best = ranking(here, 1)[0];
            const leads = `${where}: ${lens.label(best)}, ${small(here[best])}`;
            if (shown.answer < 0) return leads;
            const at = lens.place(shown.answer);
            if (at < 0) return `${leads} · ${column.label(shown.answer)} is not among the classes that were sent`;
            return at === best ? leads : `${leads} · {chosen} ${lens.label(at)}, ${small(here[at])}`;
        },
        actions: {
            layer: {
                keys: ["l", "L"],
                label: "layer, with Shift back",
                perform: ({ key }) => {
                    const { depth } = column.meta;
                    column.choose({ after: (column.chosen.after + (key === "l" ? 1 : depth)) % (depth + 1) });
                },
            },
        },
        needs: (chosen) => [...(NEEDS[chosen.moment] ?? []), ...(chosen.moment === "way" ? way.needs(chosen) : [])],
        play(chosen) {
            if (chosen.moment === "way") return way.play();
            const { after } = chosen;
            return after < column.meta.depth ? { after: after + 1 } : null;
        },
    };
}
