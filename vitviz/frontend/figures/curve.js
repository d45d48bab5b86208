// Curves without corners that stay between their points: monotone cubic interpolation (Fritsch and Carlson 1980).

/** The path of an SVG through points in pixels, ascending in x. @param {[number, number][]} points @param {boolean} smooth */
export function path(points, smooth) {
    const [first, ...others] = points;
    if (!first) return "";
    const start = `M${at(first)}`;
    if (!smooth || points.length < 3) return start + others.map((point) => `L${at(point)}`).join("");
    const slopes = tangents(points);
    return (
        start +
        others
            .map(([x, y], place) => {
                const [x0, y0] = points[place];
                const third = (x - x0) / 3;
                const [leaving, entering] = [slopes[place], slopes[place + 1]];
                return `C${at([x0 + third, y0 + third * leaving])} ${at([x - third, y - third * entering])} ${at([x, y])}`;
            })
            .join("")
    );
}

/** The slope at each point: none at a turn, and never so steep that the curve leaves its points.
 *  @param {[number, number][]} points */
function tangents(points) {
    const secants = points.slice(1).map(([x, y], place) => (y - points[place][1]) / (x - points[place][0] || 1));
    return points.map((_, place) => {
        const [before, after] = [secants[place - 1] ?? secants[place], secants[place] ?? secants[place - 1]];
        if (before * after <= 0) return 0;
        const mean = (before + after) / 2;
        return Math.sign(mean) * Math.min(Math.abs(mean), 3 * Math.abs(before), 3 * Math.abs(after));
    });
}

const at = (/** @type {[number, number]} */ [x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
