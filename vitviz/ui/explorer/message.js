// Carries bytes from Python to the explorer, which may not be there yet.

/** @param {Component<Uint8Array>} component */
export default function message({ data }) {
    (globalThis.__vitviz ??= { inbox: [], views: [] }).inbox.push(data);
}
