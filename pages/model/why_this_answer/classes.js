// Of which class it is asked, and against which.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { element } from "#frontend/draw/elements.js";
import { small } from "#frontend/draw/text.js";

const MOST = 40; // classes of a list, the most probable ones
const COMPARED = ["sum", "maps"]; // moments at which a class is compared with another

export class Classes {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.fields = /** @type {const} */ (["answer", "against"]).map((word, at) => {
            const list = element("select", { "aria-label": at ? "Class B, against which" : "Class A" });
            list.addEventListener("change", () => column.choose({ [word]: Number(list.value) }));
            return { word, list };
        });
        const [a, b] = this.fields.map(({ list }) => list);
        this.against = element("label", {}, "against ", b);
        this.root = element("span", { class: "asked-of" }, element("label", {}, "Why ", a), this.against);
        this.written = "";
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { column, root } = this;
        root.hidden = !column.meta.classes;
        if (root.hidden) return;
        this.against.hidden = !COMPARED.includes(shown.moment);
        const numbers = column.array("lens", "classes")?.data;
        const chosen = [shown.answer, shown.against];
        const written = `${column.meta.digest} ${numbers?.length} ${chosen} ${column.labels.length}`;
        if (written === this.written) return;
        this.written = written;
        const last = column.array("lens", "probabilities")?.data.slice(-(numbers?.length ?? 1)) ?? [];
        const all = Array.from(numbers ?? [], (number, at) => ({ number, share: last[at] }));
        all.sort((a, b) => b.share - a.share).splice(MOST);
        for (const [at, { list }] of this.fields.entries()) {
            const usual = at ? "nothing" : "the answer";
            const listed = all.some(({ number }) => number === chosen[at]);
            const more = listed || chosen[at] < 0 ? [] : [{ number: chosen[at], says: column.label(chosen[at]) }];
            const named = all.map(({ number, share }) => ({ number, says: `${column.label(number)} ${small(share)}` }));
            const lines = [{ number: -1, says: usual }, ...named, ...more];
            list.replaceChildren(
                ...lines.map(({ number, says }) => element("option", { value: String(number) }, says)),
            );
            list.value = String(chosen[at]);
        }
    }
}
