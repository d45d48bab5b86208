// Numbers of a page by their names, as vitviz/board/numbers.py and vitviz/board/switching.py give them: of one model, of the
// picture that is shown, and of others beside it.

/** @import { Arrays, Config, Plan } from "../types/forward.js" */
/** @import { Address, Arrays_, Beside, Make_, Parcels_, Told } from "../types/numbers.js" */

import { doing, read, takeSecond, textOf, write } from "../edits/edits.js";
import { Model } from "../forward/model.js";
import { PASSES, Passes, STREAMS } from "../forward/passes.js";
import { planOf } from "../forward/plan.js";
import { array } from "./arrays.js";
import { lens } from "./lens.js";
import { pictureOf } from "./pixels.js";
import { Trace } from "./trace.js";

const UNCHANGED = "class-weights"; // whatever the edits are
const MOST = 12; // traces that are kept

export class Answers {
    /** @param {Record<string, Make_>} pages by their stems @param {Config} config @param {Arrays} parameters
     *  @param {Told} told @param {Omit<Beside, "traceOf">} beside
     *  @param {() => Promise<Arrays>} means over the reference scenes */
    constructor(pages, config, parameters, told, beside, means) {
        this.pages = pages;
        this.parameters = parameters;
        this.passes = new Passes(new Model(config, parameters, PASSES, STREAMS));
        this.told = { ...told, ...beside, traceOf: this.traceOf.bind(this) };
        this.means = means;
        /** By picture and edits, the last one last. @type {Map<string, Trace>} */
        this.traces = new Map();
    }

    /** The pass of a picture. @param {string} link @param {string} [edits] @param {string} [donor] the second picture
     *  @returns {Promise<Trace>} */
    async traceOf(link, edits = "", donor = "") {
        const takes = takeSecond(edits, this.told.meta);
        const key = `${link} [${edits}] ${takes ? donor : ""}`;
        const trace = this.traces.get(key) ?? (await this.traced(link, edits, takes ? donor : ""));
        this.traces.delete(key);
        this.traces.set(key, trace);
        for (const oldest of [...this.traces.keys()].slice(0, -MOST)) this.traces.delete(oldest);
        return trace;
    }

    /** @param {string} link @param {string} edits @param {string} donor "" where no edit takes from it */
    async traced(link, edits, donor) {
        const { passes, told, parameters } = this;
        const { model } = passes;
        const [{ patches }, second] = [await told.photo(link), donor ? await told.photo(donor) : null];
        const plan = planOf(edits, model.config);
        if (needsMeans(plan)) model.means.arrays ??= await this.means();
        if (second) passes.show(passes.second, second.patches);
        passes.show(passes.picture, patches);
        if (edits) passes.run(plan);
        const pass = edits ? passes.edited : passes.picture.pass;
        return new Trace(passes, parameters, { patches, pass }, plan, edits, told, !link);
    }

    /** Those of an address, without what needs a second picture where none is chosen. @param {Address} address */
    editsOf({ edits, donor }) {
        const { meta } = this.told;
        return donor
            ? edits
            : write(
                  read(edits, meta).filter((it) => !doing("second")(it)),
                  meta,
              );
    }

    /** Whatever a page needs for an address: of the run that the address asks for, and beside switches of that without
     *  edits, too. @param {Address} address @returns {Promise<Map<string, () => Arrays_ | Promise<Arrays_>>>} */
    async parcels(address) {
        const { told, pages } = this;
        const make = pages[address.page];
        const donor = address.donor || told.second;
        const beside = told.switched.includes(address.page);
        const own = await this.traceOf("", beside ? "" : told.meta.edits, donor);
        const edits = beside ? this.editsOf(address) : "";
        const named = new Map([["opening", () => opening(own)], ...(make ? made(own, address, make, beside) : [])]);
        if (edits) {
            const edited = await this.traceOf("", edits, donor);
            for (const [name, arrays] of make ? made(edited, address, make, beside) : [])
                if (name !== UNCHANGED) named.set(`${name} ${edits}`, arrays);
        }
        if (beside && address.switches === "open") {
            const { patches, patch_values: values } = own.config;
            named.set("forward-patches", () => ({ own: array([patches, values], own.patches) }));
        }
        const painting = read(edits, told.meta).filter(doing("paints")).map(textOf).join(" ");
        if (painting) named.set(`painted ${painting}`, async () => picture(await this.traceOf("", edits, donor)));
        return named;
    }
}

/** Those of a page, and beside open switches the answer. @param {Trace} trace @param {Address} address @param {Make_} make
 *  @param {boolean} switched @returns {Parcels_} */
function* made(trace, address, make, switched) {
    if (switched && address.switches === "open" && trace.config.classes) yield ["lens", () => lens(trace)];
    yield* make(trace, address);
}

/** What the model sees. @param {Trace} trace */
async function picture(trace) {
    const file = await pictureOf(trace.patches, trace.told);
    return { picture: array([file.length], file) };
}

/** And the names of its classes, where they have names. @param {Trace} trace */
async function opening(trace) {
    const written = new TextEncoder().encode(JSON.stringify(trace.told.labels));
    return { ...(await picture(trace)), labels: array([written.length], written) };
}

/** Whether edits put in means. @param {Plan} plan */
const needsMeans = ({ layers }) =>
    layers
        .flatMap(({ heads = [], attention, mlp }) => [attention, mlp, ...heads.map(([, it]) => it)])
        .some((it) => typeof it === "string");
