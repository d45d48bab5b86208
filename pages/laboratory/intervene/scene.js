// Intervene: switch parts of the running model off, paint on the picture, and see what becomes of maps, stream and answer.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene, Selection } from "#frontend/types/board.js" */
/** @import { client, Later, later } from "./later.js" */
/** @import { Run } from "#frontend/editing/runs.js" */

import { element } from "#frontend/draw/elements.js";
import { largest, onCanvas } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { coming } from "#frontend/draw/words.js";
import { History } from "#frontend/editing/history.js";
import { Runs } from "#frontend/editing/runs.js";
import { HINT, Switchboard } from "#frontend/editing/switchboard.js";
import { whatHappened } from "#frontend/editing/words.js";
import { reached, saysOff } from "#frontend/edits/effects.js";
import { headsOf, layers } from "#frontend/frame/steps.js";
import { inbox } from "#frontend/transport/inbox.js";
import { fetchLater } from "#frontend/transport/later.js";
import { Bars } from "./bars.js";

const MAPS = ["everything", "tracing"]; // the moments that ask everything once
const BARS = 5;
const LOW = 720; // pixels of a window: below, the panel stands beside all else, as where there are more layers than:
const LAYERS = 14;
const NARROW = 800; // pixels: up to here, one thing under the other

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function intervene(root, column, photo) {
    /** @returns {Promise<{ client: typeof client, later: typeof later, css: string }>} */
    const fetched = () => fetchLater(column);
    const runs = new Runs(column, async () => (await fetched()).client);
    const want = (/** @type {string} */ edits, /** @type {number} */ layer) => runs.want(edits, [layer], [layer]);
    const history = new History(column, (edits) => want(edits, column.chosen.layer));
    const switchboard = new Switchboard(column, history);
    const bars = new Bars();
    const said = element("p", { class: "happened", role: "status" });
    const where = element("span", { class: "where" });
    const maps = element("canvas", { role: "img" });
    const lens = element("canvas", { role: "img" });
    const hint = element("p", { class: "hint" }, HINT);
    const switches = element("div", { class: "switches" }, switchboard.root, hint);
    const panel = element("div", { class: "panel" }, switches);
    const work = element("div", { class: "work" }, panel, bars.root);
    const seen = element("div", { class: "seen" }, maps, lens);
    const changes = element("div", { class: "said" }, history.buttons, history.listed);
    const page = element(
        "div",
        { class: "intervene" },
        element("div", { class: "said" }, said, where),
        changes,
        work,
        seen,
    );
    root.replaceChildren(page);
    root.classList.add("tall");

    /** What the later moments are made of, and what is drawn under the first, once it is here. @type {Later | null} */
    let more = null;
    let fetching = false;
    const fetchMore = async () => {
        fetching = true;
        const { later, css } = await fetched();
        inbox().push({ stem: "later", css });
        const made = later(column, photo, history, runs);
        const { accuracy, brush, dials, experiments, everything, trace } = made;
        for (const it of [accuracy, brush, dials, experiments, everything, trace]) it.root.hidden = true; // until drawn
        changes.append(accuracy.root);
        work.append(made.moved.root);
        panel.append(brush.root, dials.root, experiments.root);
        page.append(everything.root, trace.root);
        more = made;
        column.invalidate();
    };

    /** @param {Selection} shown @param {Run} before @param {Run} after */
    const drawMore = ({ moment, edits: text, layer }, before, after) => {
        if (!fetching)
            fetchMore().catch((error) => {
                console.info(error);
                hint.textContent = "The rest of this page could not be fetched; load the page again.";
                switches.hidden = false;
            });
        if (!more) return;
        more.accuracy.draw(text);
        more.moved.root.hidden = column.meta.classes > 0;
        more.moved.draw(before, after);
        const edits = history.read(text);
        for (const [name, it] of Object.entries({
            patches: more.brush,
            attention: more.dials,
            experiments: more.experiments,
            everything: more.everything,
            tracing: more.trace,
        }))
            it.root.hidden = name !== moment;
        more.brush.draw(edits, moment === "patches", more.second.picture);
        if (moment === "attention") more.dials.draw(edits, { layer });
        if (moment === "experiments") more.experiments.draw(before, after.edits === text ? after : null);
        if (moment === "everything") more.everything.draw(before.lens, edits);
        else more.everything.stop();
        if (moment === "tracing") more.trace.draw(more.second.picture, edits);
        else more.trace.stop();
    };

    /** What the chosen head looks at. @param {Run} run @param {Selection} shown */
    const rowOf = (run, { layer, head, query }) => {
        const { tokens, heads } = column.meta;
        const at = Math.min(head, heads - 1);
        return run.row(layer, query)?.subarray(at * tokens, (at + 1) * tokens) ?? null;
    };

    /** What became of the answer, in a sentence. @param {Run} before @param {Run} after */
    const happened = (before, after) => {
        const edits = history.read(after.edits);
        if (more && !column.meta.classes) return more.moved.says(edits, before, after);
        if (!before.lens) return "The answer is on its way.";
        return whatHappened(edits, column.meta, before.lens, after.lens);
    };

    /** The edited map as light on the photo, where nobody paints or asks. @param {Float32Array | null} row
     *  @param {string} moment */
    const light = (row, moment) => {
        if (!row || moment === "patches" || MAPS.includes(moment)) return;
        const patches = row.subarray(column.meta.prefix.length);
        const most = largest(patches);
        photo.light = patches.map((weight) => Math.sqrt(weight / most));
    };

    return {
        middle: true,
        get actions() {
            const brush = more && column.chosen.moment === "patches" ? more.brush.actions : {};
            return { ...switchboard.actions, ...history.actions, ...brush };
        },
        draw(shown) {
            const { meta } = column;
            page.classList.toggle("headless", !meta.classes);
            page.classList.toggle("beside", innerWidth > NARROW && (innerHeight < LOW || meta.depth > LAYERS));
            runs.begin();
            want(shown.edits, shown.layer);
            const [before, after] = [runs.at(""), runs.at(shown.edits)];
            history.draw(shown.edits);
            runs.say(where, shown.edits);
            photo.steps = [layers(column, shown), headsOf(column, shown)];
            photo.specials = true;
            photo.frames = [{ token: shown.query, colour: column.data.palette.query }];
            switches.hidden = shown.moment !== "heads";
            work.hidden = seen.hidden = MAPS.includes(shown.moment);
            if (shown.moment === "heads") switchboard.draw(history.read(shown.edits), shown);
            drawMore(shown, before, after);
            bars.draw(before.lens, after.lens, BARS);
            if (after.lens ?? after.vectors) said.dataset.edits = after.edits; // whose run is on screen
            said.textContent = happened(before, after);
            bars.root.hidden = !meta.classes;
            const [original, edited] = [rowOf(before, shown), rowOf(after, shown)];
            light(edited, shown.moment);
            onCanvas(maps, (context, width, height) => {
                if (!more) return coming(context, width);
                const photos = { plain: photo.picture, painted: photo.view?.image ?? photo.picture };
                const edits = history.read(shown.edits);
                const changed = edits.length > 0;
                const early = changed && shown.layer < reached(edits);
                more.drawCompared(context, column, photos, original, edited, width, height, changed, early);
            });
            const what = `head ${shown.head + 1} of layer ${shown.layer + 1}, query ${tokenName(meta, shown.query)}`;
            maps.ariaLabel = `Attention of ${what}: edited, original, difference.`;
            onCanvas(lens, (context, width, height) => {
                if (more && !meta.classes) return more.moved.drawAlong(context, before, after, width, height);
                if (!before.lens || !more) return coming(context, width);
                more.drawGhostLens(context, column, before.lens, after.lens, width, height);
            });
            const says = meta.classes
                ? more?.saysLens(column, before.lens, after.lens)
                : more?.moved.saysAlong(before, after);
            lens.ariaLabel = says ?? "The answer after every layer is on its way.";
        },
        readout(shown) {
            const row = rowOf(runs.at(shown.edits), shown);
            const name = tokenName(column.meta, shown.query);
            if (!row) return `{query} ${name}`;
            const best = row.indexOf(largest(row));
            const { layer, head } = shown;
            const off = saysOff(history.read(shown.edits), column.meta, layer, Math.min(head, column.meta.heads - 1));
            return `{query} ${name} looks most at ${tokenName(column.meta, best)}: ${small(row[best])}${off}`;
        },
        needs: ({ edits, layer, query, moment }) => [
            runs.answers,
            ...runs.needs(edits, layer, query),
            ...(moment === "everything" ? (more?.everything.needs() ?? []) : []),
            ...(moment === "tracing" ? (more?.trace.needs() ?? []) : []),
            ...(more?.accuracy.needs(edits) ?? []),
        ],
        close() {
            more?.everything.stop();
            more?.trace.stop();
            runs.close();
        },
    };
}
