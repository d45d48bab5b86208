// The patches that were clicked: circles as large as their count, over the true map as light; what they hold as a table.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Column } from "../state/column.js" */
/** @import { Meta } from "../types/board.js" */
/** @import { Answered } from "./result.js" */

import { buttonFor, element } from "../draw/elements.js";
import { writeClear } from "../draw/lines.js";
import { caught, clicksOf, sharesOf } from "./sums.js";
import { percent, roundNames } from "./words.js";

const LEAST = 5; // pixels of a radius
const BADGE = 11; // pixels of the radius of a tick's disc
const ROOM = 26; // pixels of a patch that has room for a number

export class Clicks {
    /** @param {Column} column @param {Photo} photo */
    constructor(column, photo) {
        this.column = column;
        this.photo = photo;
        /** The round whose clicks are on the photo. */
        this.round = 0;
        /** @type {HTMLButtonElement[]} */
        this.buttons = [];
    }

    /** Light, circles and frames for the photo. @param {Answered} answered */
    draw({ result: { rounds, truth }, own }) {
        const { photo, column } = this;
        const { prefix } = column.meta;
        const shares = sharesOf(truth);
        const right = truth.pair ?? (truth.patch === undefined ? [] : [truth.patch]);
        const guess = own[Math.max(0, this.round)];
        photo.grid = true;
        photo.light = shares.length ? Array.from(shares, (share) => Math.sqrt(share / Number(truth.most))) : null;
        photo.frames = right.map((patch) => ({ token: prefix.length + patch, colour: "#fff" }));
        if (guess !== null)
            for (const patch of [guess].flat())
                photo.frames.push({ token: prefix.length + patch, colour: column.data.palette.chosen });
        const clicks = clicksOf(rounds[this.round] ?? {});
        const [tall, wide] = column.meta.image_sides;
        photo.over = (context, width) => {
            const all = circles(clicks, column.meta, width, (width * tall) / wide);
            for (const circle of all) paint(context, circle, width / column.meta.columns);
        };
        photo.marks = (context, width) => {
            for (const patch of right) tick(context, column.meta, patch, width, (width * tall) / wide);
        };
        for (const [at, button] of this.buttons.entries()) button.ariaPressed = String(at === this.round);
    }

    /** What was clicked in each round, and how much it holds. @param {Answered} answered */
    table({ result: { rounds, truth } }) {
        this.round = rounds.length - 1;
        const shares = sharesOf(truth);
        this.buttons = [];
        const lines = roundNames(rounds).map((name, at) => {
            const clicks = clicksOf(rounds[at]);
            const button = buttonFor(name, () => {
                this.round = at;
                this.column.invalidate();
            });
            this.buttons.push(button);
            const right = `${rounds[at].right ?? 0} right`;
            const says = shares.length ? `${right}: ${hit(caught(clicks, shares))}` : `${right}.`;
            return element("tr", {}, element("th", { scope: "row" }, button), element("td", {}, says));
        });
        return element("table", { class: "guesses" }, element("tbody", {}, ...lines));
    }
}

/** What the patches that were clicked hold of the true map. @param {ReturnType<typeof caught>} caught */
export function hit({ patches, share, best }) {
    const [guessed, most, get] =
        patches === 1
            ? ["guessed patch", "best one", "gets"]
            : [`${patches} guessed patches`, `best ${patches}`, "get"];
    return `the ${guessed} ${get} ${percent(share)} of the light; the ${most} would get ${percent(best)}.`;
}

/** What is to be seen on the photo. @param {Pick<Answered, "result" | "own">} answered @param {number} round */
export function legend({ result: { rounds, truth }, own }, round) {
    const seen = [
        ...(truth.map ? ["light: the true map"] : []),
        ...(rounds.length ? ["circles: guesses"] : []),
        truth.map ? "✓ strongest" : "✓ right",
        ...(own[Math.max(0, round)] !== null ? ["orange: yours"] : []),
    ];
    const right = truth.map && rounds.length ? " Right: at least half of the strongest." : "";
    return `On the photo: ${seen.join(" · ")}.${right}`;
}

/** A circle for every patch that was clicked, its area as large as its count.
 *  @param {ArrayLike<number>} clicks @param {Pick<Meta, "rows" | "columns">} meta @param {number} width @param {number} height */
export function circles(clicks, { rows, columns }, width, height) {
    const [across, down] = [width / columns, height / rows];
    const most = Math.max(1, ...Array.from(clicks));
    const largest = Math.min(across, down) / 2;
    return Array.from(clicks, (count, patch) => ({
        patch,
        count,
        x: ((patch % columns) + 0.5) * across,
        y: (Math.floor(patch / columns) + 0.5) * down,
        radius: Math.max(LEAST, largest * Math.sqrt(count / most)),
    })).filter(({ count }) => count > 0);
}

/** @param {CanvasRenderingContext2D} context @param {ReturnType<typeof circles>[number]} circle @param {number} side */
export function paint(context, { x, y, radius, count }, side) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = "rgb(0 0 0 / .18)";
    context.fill();
    for (const [style, line] of /** @type {const} */ ([
        ["#000", 4],
        ["#7df9ff", 2],
    ])) {
        context.strokeStyle = style;
        context.lineWidth = line;
        context.stroke();
    }
    if (side < ROOM || count < 2) return;
    const how = /** @type {const} */ ({ bold: true, align: "center", base: "middle", colour: "#fff" });
    const as = Math.max(14, Math.min(18, radius));
    writeClear(context, String(count), x, y + 1, { ...how, as }, "#000");
}

/** @param {CanvasRenderingContext2D} context @param {Pick<Meta, "rows" | "columns">} meta @param {number} patch @param {number} width @param {number} height */
export function tick(context, { rows, columns }, patch, width, height) {
    const x = Math.min(width - BADGE, ((patch % columns) + 1) * (width / columns));
    const y = Math.max(BADGE, Math.floor(patch / columns) * (height / rows));
    context.beginPath();
    context.arc(x, y, BADGE - 1, 0, 2 * Math.PI);
    context.fillStyle = "#fff";
    context.fill();
    context.strokeStyle = "#000";
    context.lineWidth = 2;
    context.stroke();
    context.beginPath();
    context.moveTo(x - 5, y);
    context.lineTo(x - 1, y + 4);
    context.lineTo(x + 5, y - 4);
    context.lineWidth = 3;
    context.stroke();
}
