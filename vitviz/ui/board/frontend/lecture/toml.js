// A lesson as its file: vitviz/lecture/reading.py reads it.

/** What was recorded. @typedef {{ title: string, steps: { view: string, says: string }[] }} Recorded */

export const LONGEST = { title: 80, says: 200 }; // letters

/** A text as TOML writes it: as JSON does, but for what JSON leaves as it is and TOML refuses. @param {string} text */
export function quoted(text) {
    const whole = text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
    return JSON.stringify(whole).replace(/\x7f/g, "\\u007f");
}

/** @param {Recorded} recorded */
export function toml({ title, steps }) {
    const written = steps.map(({ view, says }) => {
        const line = says.trim().replace(/\s+/g, " ");
        return `[[step]]\nview = ${quoted(view.startsWith("?") || !view ? `overview${view}` : view)}\nsays = ${quoted(line || "…")}\n`;
    });
    return [`title = ${quoted(title.trim() || "My lesson")}\n`, ...written].join("\n");
}
