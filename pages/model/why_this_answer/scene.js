// Why this answer: the logit as a sum, six maps and chance, the maps on trial, and those that know nothing of the model.

import { Areas } from "#frontend/draw/areas.js";
import { buttonFor, element } from "#frontend/draw/elements.js";
import { wrapped } from "#frontend/draw/lines.js";
import { onCanvas } from "#frontend/draw/surface.js";
import { taps } from "#frontend/draw/touch.js";
import { nothingIn } from "#frontend/draw/vectors.js";
import { coming } from "#frontend/draw/words.js";
import { headsOf, layers } from "#frontend/frame/steps.js";
import { fetchLater } from "#frontend/transport/later.js";
import { Begun } from "./begun.js";
import { Classes } from "./classes.js";
import { drawMaps, heightOfMaps, layOn, readMap, rowsOf } from "./maps.js";
import {
    askedOf,
    factsOf,
    isBegun,
    mapOf,
    namesOf,
    parcelsOf,
    pointOf,
    randomisedName,
    randomOf,
    sumOf,
    titleOf,
    trialName,
    triedOf,
    triesHere,
} from "./reasons.js";
import { drawSum, FROZEN, readSum, through } from "./sum.js";

/** @import { Later } from "./later.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Pressed, Scene, Selection } from "#frontend/types/board.js" */

const NARROW = 560; // pixels: below, the scene is as high as its parts need that stand below each other
const LEAST = 640; // pixels that it then has
const LATER = ["trial", "randomised"]; // the moments whose code comes once one of them is shown
const WAITS = "The curves are on their way.";

/** What stands under the scene of a moment, by word: each value, and what it is called.
 *  @type {Record<string, Record<string, [string, string][]>>} */
const CHOICES = {
    sum: {
        opened: [
            ["all", "all layers"],
            ["layer", "a layer"],
            ["head", "a head"],
        ],
    },
    trial: {
        sees: [
            ["removed", "patches vanish"],
            ["kept", "patches appear"],
        ],
        fill: [
            ["grey", "grey"],
            ["blur", "blur"],
            ["mean", "mean colour"],
        ],
    },
};

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function whyThisAnswer(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const classes = new Classes(column);
    const areas = new Areas(canvas, column);
    const begun = new Begun(column);
    const foot = element("div", { class: "choices" }, classes.root);
    const groups = Object.entries(CHOICES).flatMap(([moment, words]) =>
        Object.entries(words).map(([word, values]) => {
            const buttons = values.map(([value, says]) => ({
                value,
                button: buttonFor(says, () => column.choose({ [word]: value })),
            }));
            const group = element("span", { role: "group", "aria-label": word }, ...buttons.map((it) => it.button));
            foot.append(group);
            return { moment, word, buttons, group };
        }),
    );
    const cover = buttonFor("Guess first: which map knows what the answer needs? Then click.", () =>
        column.choose({ covered: "no" }),
    );
    const box = element("div", { class: "why" }, cover, canvas, foot);
    root.replaceChildren(box);
    const filled = new Filled(column);
    /** Patches that the hand takes together. @type {Set<number>} */
    const taken = new Set();
    let query = -1; // which was chosen when it was last drawn
    /** What the later moments are made of, once it is here. @type {Later | null} */
    let more = null;
    /** @type {InstanceType<Later["TrialHere"]> | null} */
    let here = null;
    let [fetching, lacking] = [false, WAITS];
    const fetchMore = async () => {
        fetching = true;
        try {
            ({ later: more } = await fetchLater(column));
        } catch (error) {
            console.info(error);
            lacking = "The code of this moment could not be fetched; load the page again.";
        }
        column.invalidate();
    };

    /** Have this browser put the maps to trial, where it can. @param {string} moment */
    const tryHere = (moment) => {
        if (LATER.includes(moment) && !fetching) fetchMore();
        if (moment !== "trial" || !triesHere(column)) return here?.stop();
        if (more) here ??= new more.TrialHere(column);
        here?.draw();
    };

    /** Take patches together that the pointer is drawn over. @type {NonNullable<Photo["paints"]>} */
    const take = (token, phase) => {
        if (phase === "first") taken.clear();
        if (phase !== "end") taken.add(token - column.meta.prefix.length);
        column.invalidate();
    };

    /** A step on or back, round the end. @param {string} key a capital leads back @param {number} at @param {number} many */
    const round = (key, at, many) => (at + (key === key.toLowerCase() ? 1 : many - 1)) % many;
    const map = {
        keys: ["r", "R"],
        label: "map, with Shift back",
        perform: (/** @type {Pressed} */ { key }) => {
            const names = namesOf(column);
            column.choose({ map: names[round(key, names.indexOf(column.chosen.map), names.length)] });
        },
    };
    const opening = {
        layer: {
            keys: ["l", "L"],
            label: "layer, with Shift back",
            perform: (/** @type {Pressed} */ { key }) => {
                const { opened, layer } = column.chosen;
                column.choose({
                    opened: opened === "all" ? "layer" : opened,
                    layer: round(key, layer, column.meta.depth),
                });
            },
        },
        head: {
            keys: ["h", "H"],
            label: "head, with Shift back",
            perform: (/** @type {Pressed} */ { key }) =>
                column.choose({ opened: "head", head: round(key, column.chosen.head, column.meta.heads) }),
        },
    };

    /** @param {Selection} shown */
    const stepsOf = (shown) => {
        const { meta } = column;
        /** @type {Photo["steps"]} */
        const steps = [];
        if (!meta.classes)
            steps.push({
                says: "component",
                text: `${shown.component + 1} of ${meta.dim}`,
                at: shown.component,
                many: meta.dim,
                to: (component) => ({ component }),
            });
        if (shown.moment === "sum" && shown.opened !== "all") steps.push(layers(column, shown));
        if (shown.moment === "sum" && shown.opened === "head") steps.push(headsOf(column, shown));
        const { counts } = factsOf(column);
        if (shown.moment === "trial") {
            const at = pointOf(counts, shown);
            const says = shown.sees === "kept" ? "there" : "gone";
            const text = `${counts[at]} of ${meta.patches}`;
            steps.push({ says, text, at, many: counts.length, to: (it) => ({ removed: counts[it] }) });
        }
        const random = shown.moment === "randomised" && randomOf(column, shown);
        if (random)
            steps.push({
                says: "random",
                text: `${random.at} of ${random.steps - 1}`,
                at: random.at,
                many: random.steps,
                to: (randomised) => ({ randomised }),
            });
        return steps;
    };

    /** The map that is looked at, on the photo. @param {Selection} shown */
    const light = (shown) => {
        const { prefix } = column.meta;
        const map = shown.map;
        if (shown.moment === "sum") {
            const values = sumOf(column, shown)?.tokens(shown).subarray(prefix.length);
            if (values && !nothingIn(values)) layOn(photo, column, values, true);
            return;
        }
        if (shown.moment === "trial") return more?.fillPhoto(photo, column, shown, filled.of(shown.fill));
        const random = shown.moment === "randomised" ? randomOf(column, shown) : null;
        const held = random?.names.some((name) => name === map);
        const values =
            shown.moment === "maps" ? mapOf(column, askedOf(column, shown), map) : held && random?.map(map, random.at);
        if (values && !nothingIn(values)) layOn(photo, column, values, factsOf(column).signed.includes(map));
    };

    /** What stands under the photo at the later moments. @param {Selection} shown */
    const readLater = (shown) => {
        if (!more) return lacking;
        return shown.moment === "trial" ? more.readTrial(column, shown) : more.readRandomised(column, shown);
    };

    /** What the picture is, for who does not see it. @param {Selection} shown */
    const says = (shown) => {
        if (shown.moment === "sum") {
            const sum = sumOf(column, shown);
            const came = `on the photo what came through ${through(column, shown)}`;
            return sum ? `${sum.says} as a sum, ${FROZEN}; ${came}` : "A sum";
        }
        if (shown.moment === "maps") return `Six maps and chance; ${titleOf(column, shown.map)} is chosen`;
        return readLater(shown);
    };

    return {
        draw(shown) {
            const { moment } = shown;
            const why = factsOf(column).why_not[moment];
            classes.draw(shown);
            for (const { moment: its, word, buttons, group } of groups) {
                group.hidden = its !== moment || Boolean(why);
                for (const { value, button } of buttons) button.ariaPressed = String(shown[word] === value);
            }
            const covered = moment === "trial" && shown.covered === "yes";
            tryHere(column.chosen.moment);
            // Two columns share what stands in the foot, and each tells of its own how far it is.
            const place = root.closest("[data-columns]") ? box : foot;
            if (begun.root.parentElement !== place) place.append(begun.root);
            begun.draw(shown, moment === "sum" || Boolean(why) || covered);
            cover.hidden = !covered;
            canvas.hidden = covered;
            areas.clear();
            photo.steps = why || covered ? [] : stepsOf(shown);
            if (query !== column.chosen.query) {
                query = column.chosen.query;
                if (!taken.has(query - column.meta.prefix.length)) taken.clear(); // one was chosen beside them, by key
            }
            const many = moment === "sum" && taken.size > 1;
            const framed = many ? [...taken].map((it) => it + column.meta.prefix.length) : [shown.query];
            photo.frames = framed.map((token) => ({ token, colour: column.data.palette.chosen }));
            photo.paints = moment === "sum" && !taps() ? take : null;
            photo.specials = moment === "sum";
            if (!why && !covered) light(shown);
            const { clientWidth: wide } = root;
            const least = moment === "maps" ? heightOfMaps(column, shown, wide) : LEAST;
            canvas.style.minHeight = wide < NARROW && !why && !root.closest("[data-columns]") ? `${least}px` : "";
            onCanvas(canvas, (context, width, height) => {
                if (why) return wrapped(context, why, 0, 24, width);
                if (covered) return;
                if (moment === "sum") drawSum(context, column, areas, shown, width, height);
                else if (moment === "maps") drawMaps(context, column, photo, areas, shown, width, height);
                else if (!more) coming(context, width, lacking);
                else if (moment === "trial") more.drawTrial(context, column, areas, shown, width, height);
                else more.drawRandomised(context, column, photo, areas, shown, width, height);
            });
            canvas.ariaLabel = covered ? "The curves are covered" : `${says(shown).replace(/[{}]|\.$/g, "")}.`;
        },
        controls: foot,
        readout(shown) {
            if (factsOf(column).why_not[shown.moment]) return "";
            if (shown.moment === "sum") return readSum(column, shown, taken);
            if (shown.moment === "maps") return readMap(column, shown);
            return shown.moment === "trial" && shown.covered === "yes" ? "Guess first." : readLater(shown);
        },
        needs(chosen) {
            const wanted = column.meta.classes ? ["lens"] : [];
            const asked = askedOf(column, chosen);
            const ready = isBegun(column, chosen);
            if (chosen.moment === "sum") return [`sum-${asked}`, ...wanted];
            if (chosen.moment === "maps") {
                const all = rowsOf(column, chosen).map(({ ends }) => ends);
                return [...all.flatMap(parcelsOf), ...wanted, ...(ready ? all.map((it) => `occlusion-${it}`) : [])];
            }
            if (chosen.moment === "randomised") return [...(ready ? [randomisedName(column, chosen)] : []), ...wanted];
            const { prices, scenes } = factsOf(column);
            const more = [`fill-${chosen.fill}`, ...(scenes ? [`trial-means-${chosen.fill}`] : []), ...wanted];
            if (triesHere(column)) {
                const one = `${chosen.answer}--1`;
                const last = prices.maps ? [] : [`occlusion-${one}`];
                return ["forward-patches", ...parcelsOf(one), ...last, ...more];
            }
            // Of what takes long what comes meanwhile is not to wait for what comes after.
            const maps = triedOf(column, chosen).slice(0, prices.trial ? 1 : undefined);
            return [...(ready ? maps.map((map) => trialName(column, chosen, map)) : []), ...more];
        },
        get actions() {
            return column.chosen.moment === "sum" ? opening : { map };
        },
        play(chosen) {
            const { depth } = column.meta;
            if (chosen.moment === "sum") {
                if (chosen.opened === "all") return { opened: "layer", layer: 0 };
                return chosen.layer + 1 < depth ? { layer: chosen.layer + 1 } : null;
            }
            if (chosen.moment === "maps") {
                const names = namesOf(column);
                const next = names[names.indexOf(chosen.map) + 1];
                return next ? { map: next } : null;
            }
            if (chosen.moment === "trial") {
                const { counts } = factsOf(column);
                const at = pointOf(counts, chosen);
                return at + 1 < counts.length ? { removed: counts[at + 1] } : null;
            }
            const random = randomOf(column, chosen);
            return random && random.at + 1 < random.steps ? { randomised: random.at + 1 } : null;
        },
        close: () => here?.close(),
    };
}

/** The picture as it is where patches have gone, opened when it has come. */
class Filled {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.opened = "";
        /** @type {ImageBitmap | null} */
        this.bitmap = null;
    }

    /** @param {string} fill */
    of(fill) {
        const png = this.column.array(`fill-${fill}`, "picture")?.data;
        const key = `${this.column.parcels.digest} ${fill}`;
        if (png && this.opened !== key) this.open(/** @type {Uint8Array} */ (png), key);
        return this.opened === key ? this.bitmap : null;
    }

    /** @param {Uint8Array} png @param {string} key */
    async open(png, key) {
        this.opened = key;
        this.bitmap = null;
        const bitmap = await createImageBitmap(new Blob([/** @type {BlobPart} */ (png)], { type: "image/png" }));
        if (this.opened === key) this.bitmap = bitmap;
        this.column.invalidate();
    }
}
