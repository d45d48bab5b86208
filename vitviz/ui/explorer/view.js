// Carries the view between Python and the explorer, which may not be there yet.

/** @param {Component<PythonView>} component */
export default function view({ data, setStateValue }) {
    const tell = (/** @type {PythonView} */ view) => setStateValue("view", view);
    (globalThis.__vitviz ??= { inbox: [], views: [] }).views.push([data, tell]);
}
