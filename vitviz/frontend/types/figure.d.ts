// A figure as JSON: what vitviz/figures/live/message.py writes of a value of vitviz/figures/figure.py, and what a scene may
// make of numbers that it holds. What is left out has the value that is usual there.
//
// How it is drawn, wherever there is an element for it:
//
//     const drawing = new Drawing(element, { chosen });         // the colour of what is chosen
//     const height = drawing.draw(figure, width);               // again whenever figure or width is another
//     const words = drawing.point(drawing.at(event));           // marks the cell, bar or point there and says it
//     legend(list, figure.legend);                              // its keys as <li> of a <ul>

import type { Mark, Panel } from "../schema/figure.js";

export type {
    Area,
    Axis,
    Bars,
    Dash,
    Figure,
    Grid,
    Handle,
    Key,
    Line,
    Mark,
    Panel,
    Plane,
    Points,
    Rule,
    Shape,
    Spot,
    Stop,
    Text as Words,
} from "../schema/figure.js";

/** Numbers as they are, or their bytes in base64 (`f4`, `i4`); texts too. `shape` of one row may be left out. */
export type Numbers = ArrayLike<number> | { f4?: string; i4?: string; texts?: string[]; shape?: number[] };

/** Words with named places, and what stands there: one for each place, or one for a whole row or column. */
export interface Says {
    words: string;
    columns?: Record<string, Numbers | string>;
}

export interface Colours {
    limit: number;
    signed?: boolean;
    /** What is written at its ends, and at 0 between them. */
    ends?: string[];
}

export interface Heat {
    kind: "heat";
    values: Numbers;
    rows: number;
    columns: number;
    colours: Colours;
    says?: Says;
    x?: number;
    y?: number;
    across?: number;
    down?: number;
    opacity?: number;
    /** Names of the rows, and of the columns. */
    called?: string[];
    names?: string[];
}

export interface Picture {
    kind: "picture";
    /** A data URI, or what a canvas draws at once. */
    source: string | CanvasImageSource;
    rows: number;
    columns: number;
    x?: number;
    y?: number;
    says?: Says | null;
    smooth?: boolean;
}

/** From units to pixels, and `back`. */
export interface Along {
    (value: number): number;
    back(pixel: number): number;
}

/** Where a panel lies: from its `edge` on, its plot between four sides, in a drawing that is so `wide`. */
export interface Scale {
    x: Along;
    y: Along;
    edge: number;
    end: number;
    left: number;
    right: number;
    top: number;
    bottom: number;
    wide: number;
}

export interface Placed {
    panel: Panel;
    scale: Scale;
    /** The lines of its title. */
    title: string[];
}

/** One cell, bar or point: which it is of its mark, its box in pixels, and what is said of it. */
export interface Place {
    panel: number;
    mark: Mark;
    at: number;
    box: [number, number, number, number];
    round: boolean;
    words: string;
}
