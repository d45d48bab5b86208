// The board of a site: the same pages as the app's, whose numbers this browser makes. No server answers.

/** @import { Data, Later, Make } from "../../types/board.js" */
/** @import { Config } from "../../types/forward.js" */
/** @import { Rule } from "../../picture/preprocess.js" */
/** @import { Schema } from "../mount/mount.js" */

import { worker } from "../../numbers/transport.js";
import { legal, momentSaid, pageOf, push, read as readAddress, replace } from "../../state/address.js";
import { attend } from "../../transport/inbox.js";
import { hand } from "../../transport/later.js";
import { withWords, wordsIn } from "../../transport/words.js";
import { mount } from "../mount/mount.js";
import { chooser } from "./chooser.js";
import { addressOf, has, models, opened, pictures, said, stays } from "./files.js";
import { about, isThere, keep, read } from "./photos.js";

/** What Python says of a model. @typedef {{ name: string, title: string, config: Config, rule: Rule, labels: string[],
 *    strip: Pick<Data, "stages" | "others" | "palette" | "weights">, meta: NonNullable<Data["meta"]>,
 *    facts: Record<string, Data["facts"]>, switched: string[], small: boolean, long: string[], files: string[],
 *    pictures: Record<string, { facts: Record<string, Data["facts"]>, caveat: string, other: string, second: string,
 *      others: string[] }> }} Told */
/** What is shown. @typedef {{ model: string, picture: string, crop: string }} Shown */
/** The picture as the model reads it. @typedef {Awaited<ReturnType<typeof read>>} Read */
/** A model at work on a picture. @typedef {Awaited<ReturnType<typeof worker>>} Source */

const NOT_HERE = "edits of a model of this size are in the app: run vitviz on your own machine";
const STARTS = Object.keys(models)[0];

/** @type {Map<string, Make>} */
const scenes = new Map();
attend((sent) => {
    if ("load" in sent) scenes.set(sent.stem, sent.load());
    const { stem, later } = /** @type {Later} */ (sent);
    if (later) hand(stem, later);
});

/** @type {Shown} */
const now = { model: "", picture: "", crop: "" };
/** @type {Promise<Source>} */
let source;

/** How a forward pass with edits is run here; nothing of a model whose means do not come along. @param {Told} told */
async function forwardOf({ name, config }) {
    if (!has(`${name}-means`)) return null;
    const [script, parameters, means] = await Promise.all([
        addressOf("runner", "text/javascript"),
        addressOf(`${name}-parameters`),
        addressOf(`${name}-means`),
    ]);
    return { script, parameters, means, config, bytes: 0 };
}

/** What the board is told of a model and a picture. @param {Told} told @param {Shown} shown @param {Read} seen
 *  @param {string} page @returns {Promise<Omit<Schema, "scenes">>} */
async function schemaOf(told, shown, seen, page) {
    const { title, alt, facts: whose } = about(shown.picture);
    const its = told.pictures[whose];
    const forward = await forwardOf(told);
    const sizes = { size: seen.size, seen: seen.seen };
    const facts = Object.fromEntries(
        Object.entries(told.facts).map(([stem, common]) => {
            const folded = told.switched.includes(stem) ? "here" : "";
            const all = { ...common, ...its.facts[stem], folded, forward, runs: NOT_HERE };
            return [stem, "seen" in all ? { ...all, ...sizes } : all];
        }),
    );
    const meta = {
        ...told.meta,
        digest: `${shown.model} ${shown.picture} ${shown.crop}`.trim(),
        caveat: its.caveat,
        picture: { title, alt, digest: shown.picture },
        crop: shown.crop,
    };
    const data = {
        ...told.strip,
        page,
        picture: title,
        model: told.name,
        model_title: told.title,
        device: "browser",
        own: "",
        key: "",
        arrived: "",
        meta,
        facts: facts[page],
        second: null,
    };
    return { data, facts };
}

/** The model at work on the picture. @param {Told} told @param {Shown} shown @param {Read} seen @param {Data} data
 *  @returns {Promise<Source>} */
async function begun(told, shown, seen, { meta, stages }) {
    const { other, second, others } = told.pictures[about(shown.picture).facts];
    const [script, parameters, means] = await Promise.all([
        addressOf("worker", "text/javascript"),
        addressOf(`${told.name}-parameters`),
        has(`${told.name}-means`) ? addressOf(`${told.name}-means`) : "",
    ]);
    const { mean, std } = told.rule;
    const { labels, switched, config, small, long } = told;
    const files = Object.fromEntries(told.files.map((name) => [name, name]));
    return worker(
        {
            script,
            parameters,
            means,
            config,
            told: {
                meta: /** @type {Told["meta"]} */ (meta),
                labels,
                mean,
                std,
                other,
                second,
                others,
                switched,
                small,
                long,
                files,
            },
            photo: async (link) => (link ? read(link, told) : seen),
            file: (name) => opened(`${told.name}-${name}`),
        },
        stages,
    );
}

/** Go on to an address. @param {string} to */
const enter = (to) => stays || push(to);

/** The page whose folder this is. Where a server of files shows it, the address becomes the app's: "/heads" for "/heads/".
 *  @param {string} folder of the site */
function settle(folder) {
    const page = location.pathname.slice(folder.length).replace(/\/?(index\.html)?$/, "");
    if (!stays) replace(folder + page + location.search);
    return page;
}

/** What the address asks for. @returns {Shown} */
function asked() {
    const { model = "", sample = "", crop = "" } = wordsIn();
    const shown = model in models ? model : STARTS;
    return { model: shown, picture: isThere(sample) ? sample : pictures[0].link, crop };
}

/** @param {unknown} error */
const sentence = (error) => (error instanceof Error ? error.message : String(error));

const wait = /** @type {HTMLElement} */ (document.querySelector(".wait"));

/** @param {unknown} error */
function say(error) {
    wait.textContent = sentence(error);
    wait.dataset.failed = "";
    wait.hidden = false;
}

/** Keep the site for when there is no network, where the browser keeps anything for this page. */
async function keepSite() {
    try {
        await navigator.serviceWorker.register(new URL("service_worker.js", document.baseURI));
    } catch (error) {
        console.info("Without a network this site does not open:", error);
    }
}

async function begin() {
    try {
        await start(settle(new URL(".", document.baseURI).pathname));
        wait.hidden = true;
        if (!stays) keepSite();
    } catch (error) {
        say(error);
    }
}

/** @param {string} folder */
async function start(folder) {
    Object.assign(now, asked());
    /** @type {Told} */
    const told = await said(now.model);
    const page = pageOf(
        told.strip.stages.map(({ stem }) => stem),
        folder,
    );
    const seen = await read(now.picture, told, now.crop);
    const schema = await schemaOf(told, now, seen, page);
    source = begun(told, { ...now }, seen, schema.data);
    const mounted = mount(document.body, {
        transport: (wanted, signal, gone) => source.then(({ transport }) => transport(wanted, signal, gone), sentence),
        schema: { ...schema, scenes },
        selection: { ...readAddress(/** @type {Told["meta"]} */ (schema.data.meta)), crop: now.crop },
    });
    const { board, take } = mounted;
    const { first, store } = board;
    const sidebar = chooser(/** @type {HTMLDialogElement} */ (document.querySelector(".chooser")), now, {
        show: (model, picture) => choose(async () => ({ model, picture, crop: "" })),
        bring: (file) => choose(async () => ({ model: now.model, picture: await keep(file), crop: "" })),
    });
    let turns = 0; // how often something else was to be shown
    board.sidebar = sidebar;
    sidebar.draw();
    store.set({ moment: momentSaid(first.stage, wordsIn().moment) });
    if (!stays) store.write = replace;
    store.subscribe((what) => {
        if (what === "go") enter(first.address);
        if (what === "rest" && first.recropped) change({ ...now, crop: store.chosen.crop }).catch(say);
    });
    addEventListener("popstate", () => {
        const { model, picture, crop } = asked();
        if (model !== now.model || picture !== now.picture || crop !== now.crop)
            change({ model, picture, crop }).catch(say);
        store.returned();
    });

    /** Show another model, picture or part of it; what is on screen stays until it is here. Of several the last one counts.
     *  @param {Shown} next @returns {Promise<boolean>} whether it is shown */
    async function change(next) {
        const turn = ++turns;
        const told = await said(next.model);
        const seen = await read(next.picture, told, next.crop);
        const schema = await schemaOf(told, next, seen, store.chosen.page);
        if (turn !== turns) return false;
        const before = source;
        source = begun(told, next, seen, schema.data);
        before.then(
            ({ close }) => close(),
            () => {},
        );
        Object.assign(now, next);
        take(schema.data, schema.facts);
        const { page, moment } = store.chosen;
        const { meta } = first;
        const same = { page, moment: momentSaid(first.stage, moment), crop: next.crop };
        store.set({ ...first.start, ...legal(store.chosen, meta), ...same });
        first.asking.fetch();
        sidebar.draw();
        board.invalidate();
        return true;
    }

    /** The same by hand: an entry of the browser's history, or a sentence why not. @param {() => Promise<Shown>} next */
    async function choose(next) {
        board.coming = first.data.arrived;
        board.invalidate();
        try {
            const { model, picture, crop } = await next();
            if (!(await change({ model, picture, crop }))) return;
            const said = { model: model === STARTS ? "" : model, sample: picture === pictures[0].link ? "" : picture };
            enter(withWords(first.address, said));
            wait.hidden = true;
        } catch (error) {
            say(error);
        }
        board.coming = null;
        board.invalidate();
    }
}

queueMicrotask(begin); // what follows hands over the scenes
