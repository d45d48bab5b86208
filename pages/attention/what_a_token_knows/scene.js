// What a token knows: which patches are alike at every place on their way, here and in other pictures; what colours all
// patches share; how long tokens are.

/** @import { Later } from "./later.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Place } from "./patches.js" */
/** @import { Step } from "#frontend/frame/steps.js" */
/** @import { Scene, Selection } from "#frontend/types/board.js" */

import { Areas } from "#frontend/draw/areas.js";
import { buttonFor, element, Slider } from "#frontend/draw/elements.js";
import { Caption } from "#frontend/draw/info.js";
import { wrapped } from "#frontend/draw/lines.js";
import { onCanvas } from "#frontend/draw/surface.js";
import { small, tokenName, tokenPlace } from "#frontend/draw/text.js";
import { coming } from "#frontend/draw/words.js";
import { WORDS } from "#frontend/schema/words.js";
import { fetchLater } from "#frontend/transport/later.js";
import { drawAlike } from "./alike.js";
import { aloneOf, Colours, thresholdOf } from "./colours.js";
import { Elsewhere, namesOf } from "./elsewhere.js";
import {
    before,
    Cosines,
    endsOf,
    exactName,
    flat,
    indexOf,
    lightOf,
    means,
    nameOf,
    needsOf,
    placeOf,
    placeOfRow,
    rowOf,
    signOf,
    wayOf,
} from "./patches.js";
import { Pictures } from "./pictures.js";

/** A choice: its name, its values with what stands on their buttons, and at which moments it is drawn. */
const CHOICES = /** @type {[string, string, [string, string][], string[]][]} */ ([
    [
        "of",
        "what of a patch",
        [
            ["state", "state"],
            ["q", "q"],
            ["k", "k"],
            ["v", "v"],
        ],
        ["alike", "elsewhere"],
    ],
    [
        "scale",
        "scale",
        [
            ["shared", "one scale"],
            ["own", "own scale"],
        ],
        ["alike", "elsewhere"],
    ],
    [
        "principal",
        "principal component",
        [
            ["all", "colours"],
            ["1", "component 1"],
            ["2", "2"],
            ["3", "3"],
        ],
        ["colours"],
    ],
]);
const THRESHOLDS = /** @type {Selection["threshold"][]} */ (WORDS.threshold);
const SCALES = /** @type {Record<string, string>} */ ({
    shared: "dark up to 0, light at 1",
    own: "each map from dark, its least, to light, its largest",
});
const STATES = ["colours", "length"]; // moments of states alone, from before the first layer on
const NONE = "Not all of these are numbers (NaN), so nothing can be compared.";
const FLAT = "Every patch of the other pictures is as near as the next: none of them is the nearest.";
const ALONE = "The model has one patch: there is no other to be alike.";

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function whatATokenKnows(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const caption = new Caption();
    const foot = element("div", { class: "choices knowing" });
    const buttons = CHOICES.flatMap(([name, says, values, moments]) => {
        const group = element("span", { role: "group", "aria-label": says });
        foot.append(group);
        return values.map(([value, text]) => {
            const pressed = buttonFor(text, () => column.choose({ [name]: value }));
            group.append(pressed);
            return { name, value, pressed, group, moments };
        });
    });
    const threshold = new Slider("foreground above", {
        slide: (at) => column.board.store.set({ threshold: THRESHOLDS[at] }, "slide"),
        rest: (at) => column.board.store.choose({ threshold: THRESHOLDS[at] }),
    });
    const above = element("span", { class: "slide" }, threshold.says, threshold.input, threshold.place);
    const guesses = buttonFor("guess first", () => column.choose({ covered: "yes" }));
    foot.append(above, guesses);
    root.replaceChildren(element("div", { class: "captioned" }, canvas, caption.root, foot));
    const pictures = new Pictures(column);
    const cosines = new Cosines(column);
    const elsewhere = new Elsewhere(column, pictures);
    const colours = new Colours(column, pictures, photo);
    /** What comes later, once it is here. @type {InstanceType<Later["Lengths"]> | null} */
    let lengths = null;
    /** @type {InstanceType<Later["Guess"]> | null} */
    let guess = null;
    let [fetching, lacking] = [false, "The lengths are on their way."];
    const fetchMore = async () => {
        fetching = true;
        try {
            const { later } = /** @type {{ later: Later }} */ (await fetchLater(column));
            lengths = new later.Lengths(column);
            guess = new later.Guess(column);
            canvas.before(guess.root);
        } catch (error) {
            console.info(error);
            lacking = "The code of this moment could not be fetched; load the page again.";
        }
        column.invalidate();
    };
    for (const type of /** @type {const} */ (["pointermove", "pointerleave"]))
        canvas.addEventListener(type, () => {
            elsewhere.pointed = null;
        });
    const areas = new Areas(canvas, column);

    /** The step of a slider that goes the whole way. @param {Place[]} way @param {Place} at @returns {Step} */
    const stepOf = (way, at) => ({
        says: "layer",
        text: before(at.of) ? at.of : `${at.layer + 1} of ${column.meta.depth}`,
        at: indexOf(way, at),
        many: way.length,
        to: (place) => means(way[place]),
    });

    /** The places that the slider goes through, and the one that is shown. @param {Selection} shown */
    const wayAt = (shown) => {
        if (!STATES.includes(shown.moment)) return { way: wayOf(column, shown.of), place: placeOf(shown) };
        const way = Array.from({ length: column.meta.depth + 1 }, (_, row) => placeOfRow(row));
        return { way, place: placeOfRow(rowOf(shown)) };
    };

    /** What the photo shows. @param {Selection} shown */
    const light = (shown) => {
        const { prefix } = column.meta;
        const { chosen, key } = column.data.palette;
        const { way, place } = wayAt(shown);
        const patch = column.patchOf(shown);
        photo.shifted = "key";
        photo.steps = [stepOf(way, place)];
        if (shown.moment === "colours") colours.light(shown);
        else if (shown.moment === "length") {
            if (lengths) lengths.light(photo, shown);
        } else {
            const alike = cosines.exactly(place, patch) ?? cosines.nearly(place, patch);
            const ends = alike && endsOf(shown.scale, alike);
            if (alike && ends && !Number.isNaN(alike.values[patch]))
                photo.light = Float32Array.from(alike.values, (value) => lightOf(value, ends));
        }
        if (shown.key >= prefix.length && shown.moment === "alike")
            photo.frames.push({ token: shown.key, colour: key });
        photo.frames.push({ token: prefix.length + patch, colour: chosen });
    };

    /** Why there is nothing to see, or "". @param {Selection} shown */
    const nothing = (shown) => {
        if (shown.moment === "length") return "";
        if (shown.moment === "colours") return colours.nothing(rowOf(shown));
        if (shown.moment === "elsewhere" && !pictures.all.length)
            return "There are no other pictures to look for this patch in.";
        if (column.meta.patches < 2) return ALONE;
        const alike = cosines.nearly(wayAt(shown).place, column.patchOf(shown));
        const here = shown.moment === "alike";
        const found = here ? (alike ? [alike] : []) : elsewhere.cosines(shown);
        if (found.length && found.every(({ mean }) => Number.isNaN(mean))) return NONE;
        return !here && found.length && found.every(flat) ? FLAT : "";
    };

    /** Whether somebody is to guess before anything is seen. @param {Selection} shown */
    const covered = (shown) => shown.moment === "alike" && shown.covered === "yes" && !nothing(shown);

    /** @param {Selection} shown */
    const caption_ = (shown) => {
        const { place } = wayAt(shown);
        const { few } = pictures;
        const why = nothing(shown);
        if (why || covered(shown)) return caption.say("");
        if (shown.moment === "colours") {
            const more =
                `Black and full colour lie where ${column.data.facts.reached} % of all coordinates end. The entry of largest ` +
                "size in each direction is positive: a sign of its own a component has not.";
            return caption.say(colours.caption(shown) + few.says, `${more} ${follows()} ${few.why}`.trim());
        }
        if (shown.moment === "length") {
            const [line, more] = lengths ? [lengths.caption(shown), lengths.more()] : [""];
            return caption.say(line, more, column.data.palette);
        }
        const scale = SCALES[shown.scale];
        if (shown.moment === "elsewhere") {
            const { all } = namesOf(place, column.patchOf(shown), pictures.among);
            return caption.say(
                `Cosine with the chosen patch, ${nameOf(place)}: ${scale}. Framed: the nearest.${few.says}`,
                `${nearness(column.array(all, "error")?.data)} ${follows()} ${few.why}`.trim(),
            );
        }
        const more = nearness(wayOf(column, place.of).map((it) => cosines.source(it)?.error ?? 0));
        const alike = cosines.nearly(place, column.patchOf(shown));
        const under =
            alike && flat(alike) ? "Here all others are equally near." : "Under each map the mean of the others.";
        caption.say(`Cosine with the chosen patch: ${scale}. ${under}`, more);
    };

    /** How near numbers are that are made of few directions. @param {ArrayLike<number>} [errors] the largest of each map */
    const nearness = (errors = []) => {
        const most = Math.max(0, ...Array.from(errors));
        return signOf({ error: most })
            ? `A number with ≈ is made of few directions, and wrong by at most ${most.toPrecision(2)} here; all others are ` +
                  "within 0.001."
            : "";
    };

    const follows = () =>
        pictures.all.some((_, at) => pictures.leads(at)) ? "A click on a patch of another picture goes there." : "";

    /** @param {Selection} shown */
    const controls = (shown) => {
        const of = before(shown.of) ? "state" : shown.of;
        for (const { name, value, pressed, group, moments } of buttons) {
            pressed.ariaPressed = String((name === "of" ? of : shown[name]) === value);
            group.hidden = !moments.includes(shown.moment);
        }
        above.hidden = shown.moment !== "colours" || aloneOf(shown) < 0;
        const at = THRESHOLDS.indexOf(shown.threshold);
        const share = thresholdOf(shown);
        threshold.show(
            Math.max(0, at),
            THRESHOLDS.length,
            share === null ? "off" : `${Math.round(100 * share)} %`.replace("-", "−"),
        );
        guesses.hidden = shown.moment !== "alike" || column.meta.patches < 3;
        foot.hidden = shown.moment === "length" || covered(shown);
    };

    /** From the pixels on, once. @param {Selection} chosen */
    const play = (chosen) => {
        const { way, place } = wayAt(chosen);
        const next = way[indexOf(way, place) + 1] ?? (column.playing ? null : way[0]);
        return next && means(next);
    };

    /** One place on or back, round the end. @param {number} by */
    const step = (by) => {
        const { way, place } = wayAt(column.chosen);
        column.choose(means(way[(indexOf(way, place) + by + way.length) % way.length]));
    };

    return {
        middle: true,
        draw(shown) {
            areas.clear();
            root.classList.add("tall");
            const why = nothing(shown);
            const hidden = covered(shown);
            if (!fetching && (hidden || column.chosen.moment === "length")) fetchMore();
            controls(shown);
            if (hidden) guess?.light(photo, shown);
            else light(shown);
            guess?.draw(shown, hidden);
            if (!hidden && shown.moment === "alike" && guess?.says.textContent) guess.mark(photo, shown);
            caption_(shown);
            onCanvas(canvas, (context, width, height) => {
                if (why) return wrapped(context, why, 0, 20, width);
                if (hidden) return guess ? guess.cover(context, width, height) : coming(context, width);
                if (shown.moment === "alike")
                    drawAlike(context, column, photo.picture, areas, cosines, shown, width, height);
                else if (shown.moment === "elsewhere") elsewhere.draw(context, areas, shown, width, height);
                else if (shown.moment === "colours") colours.draw(context, areas, shown, width, height);
                else if (lengths) lengths.draw(context, areas, shown, width, height);
                else coming(context, width, lacking);
            });
            if (hidden) canvas.ariaLabel = "The maps are covered";
            else
                canvas.ariaLabel = `${tokenName(column.meta, column.meta.prefix.length + column.patchOf(shown))}, ${nameOf(wayAt(shown).place)}. ${why || caption.line.textContent}`;
        },
        controls: foot,
        readout(shown) {
            if (covered(shown)) return "Guess first.";
            const { prefix } = column.meta;
            const { place } = wayAt(shown);
            const patch = column.patchOf(shown);
            const token = prefix.length + patch;
            const start = `{patch} ${patch + 1}, ${tokenPlace(column.meta, token)} · ${nameOf(place)}`;
            if (nothing(shown)) return start;
            if (shown.moment === "elsewhere") return start + elsewhere.readout(shown);
            if (shown.moment === "colours") return start + colours.readout(shown);
            if (shown.moment === "length") return start + (lengths?.readout(shown) ?? "");
            const alike = cosines.exactly(place, patch) ?? cosines.nearly(place, patch);
            if (!alike) return start;
            const number = (/** @type {number} */ value) => `${signOf(alike)}${small(value)}`;
            const { values, least, most, mean } = alike;
            const says = `: cosine with others ${number(least)} to ${number(most)}, mean ${number(mean)}`;
            const other = shown.key >= prefix.length && shown.key !== token ? shown.key : -1;
            const named =
                other < 0 ? "" : ` · {key} ${tokenName(column.meta, other)}: ${number(values[other - prefix.length])}`;
            return start + says + named;
        },
        needs(chosen) {
            const patch = column.patchOf(chosen);
            const { place } = wayAt(chosen);
            const { moment } = chosen;
            if (moment === "length") {
                const registers = column.data.facts.registers ? ["registers"] : [];
                return ["lengths", ...registers, ...(pictures.all.length ? [`held${pictures.among}`] : [])];
            }
            if (moment === "colours") {
                const others = pictures.all.length ? [`colours${pictures.among}`, `others${pictures.among}`] : [];
                return ["colours-here", `colours-exact-${rowOf(chosen)}${pictures.among}`, ...others];
            }
            if (column.meta.patches < 2) return [];
            const maps = needsOf(column, place);
            const asked = chosen.covered === "yes" ? [`guess-${patch}`] : [];
            if (moment === "alike") return [...asked, maps[0], exactName(place, patch), ...maps.slice(1)];
            if (!pictures.all.length) return [];
            const { all, exact } = namesOf(place, patch, pictures.among);
            return [all, `others${pictures.among}`, exact, maps[0]];
        },
        actions: {
            layer: {
                keys: ["l", "L"],
                label: "layer, with Shift back",
                perform: ({ key }) => step(key === "l" ? 1 : -1),
            },
        },
        get play() {
            return covered(column.chosen) ? undefined : play;
        },
    };
}
