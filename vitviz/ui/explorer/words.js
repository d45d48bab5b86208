// What is on screen, in words and numbers.

const FLAT = 2; // times uniform: up to here the shared scale shows a map in one colour

/** What a row of the wall is called. @param {Meta} meta @param {number} row */
function rowName({ heads }, row) {
    if (row < heads) return `head ${row + 1}`;
    return store.view.shows === "rollout" ? "rollout" : "head mean";
}

/** Which map the sentence is about. @param {Maps} maps @param {Place} place */
function sentence(maps, { layer, row }) {
    return `Layer ${layer + 1} · ${rowName(maps.meta, row)} · ${maps.name(store.view.query)} ${verb()} …`;
}

const verb = () => (store.view.shows === "rollout" ? "draws on" : store.view.shows);

/** Weight, rank and share of uniform of one token, or of the one with the largest weight.
 *  @param {Maps} maps @param {Place} place @param {AttentionMap} map @param {number | undefined} key */
function value(maps, { layer, row }, map, key) {
    if (!map.held) return "";
    const { tokens } = maps.meta;
    const exact = maps.exactly(layer, row, store.view.query, store.view.shows);
    const weights = exact ?? map.weights;
    const most = key === undefined ? "most: " : "";
    key ??= weights.indexOf(max(weights));
    const weight = weights[key];
    const rank = 1 + weights.reduce((above, other) => above + Number(other > weight), 0);
    const share = `${small(weight * tokens)} × the uniform ${small(1 / tokens)}`;
    return `${most}${maps.name(key)}, weight ${exact ? "" : "≈ "}${small(weight)} · rank ${whole(rank)} of ${whole(tokens)} · ${share}`;
}

/** What the colours mean. @param {number} shared @param {number} top */
function scaleWords(shared, top) {
    if (store.view.scale === "per head") return `0 to ≈ ${small(top)}, ${small(shared / top)} × as bright as shared`;
    return `0 to ${small(shared)}${shared < 1 ? ` and above: ${TIMES_UNIFORM} × uniform` : ""}`;
}

/** Why a map looks flat on the shared scale; "" where it does not. @param {AttentionMap} map */
function flatness({ held, weights, largest, maps }) {
    const times = (/** @type {number} */ weight) => weight * maps.meta.tokens;
    if (!held || store.view.scale !== "shared" || maps.shared === 1 || times(largest) > FLAT) return "";
    const most = times(max(weights));
    if (most <= FLAT) return `Near-uniform attention: the largest weight is ${small(most)} × uniform.`;
    return `Little attention on the patches: the largest weight there is ${small(times(largest))} × uniform.`;
}

const max = (/** @type {Float32Array} */ weights) => weights.reduce((a, b) => Math.max(a, b));

/** Why there is nothing to see yet. @param {Meta} meta */
function awaited({ sendable }) {
    if (!sendable) return "Too large to send whole: a query's maps come when the hand rests.";
    return `Layer ${store.view.layer + 1} is on its way.`;
}

/** A number as Python's vitviz.numbers.small writes it: 0.013, 12.3, 1.3·10⁻⁵. @param {number} number */
function small(number) {
    if (number === 0) return "0";
    const exponent = Number(number.toExponential(2).split("e")[1]);
    if (exponent < -4) {
        const [mantissa, power] = number.toExponential(1).split("e");
        return `${mantissa}·10${[...power.replace("-", "⁻")].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? c).join("")}`;
    }
    const decimals = exponent < 0 ? Math.max(3, 1 - exponent) : Math.max(0, 2 - exponent);
    return number.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** A whole number with all its digits: 1,370. @param {number} number */
const whole = (number) => number.toLocaleString("en-GB");
