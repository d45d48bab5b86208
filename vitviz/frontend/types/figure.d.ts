// A figure as JSON: what vitviz/figures/live/message.py writes of a value of vitviz/figures/figure.py, and what a scene may
// make of numbers that it holds. What is left out has the value that is usual there.
//
// How it is drawn, wherever there is an element for it:
//
//     const drawing = new Drawing(element, { chosen });         // the colour of what is chosen
//     const height = drawing.draw(figure, width);               // again whenever figure or width is another
//     const words = drawing.point(drawing.at(event));           // marks the cell, bar or point there and says it
//     legend(list, figure.legend);                              // its keys as <li> of a <ul>

/** Numbers as they are, or their bytes in base64 (`f4`, `i4`); texts too. `shape` of one row may be left out. */
export type Numbers = ArrayLike<number> | { f4?: string; i4?: string; texts?: string[]; shape?: number[] };

export interface Figure {
    /** Panels, a row of them below another. */
    rows: Panel[][];
    title?: string;
    scale?: Colours | null;
    legend?: Key[];
    handles?: Handle[];
    plane?: Plane | null;
    /** What stands under it while nothing is pointed at. */
    says?: string;
    /** The name of what areas and texts choose. */
    choice?: string;
}

export interface Panel {
    across: Axis;
    down: Axis;
    /** In the order in which they are drawn, after heat maps and pictures. */
    marks: Mark[];
    /** In pixels, with ticks. */
    height: number;
    title?: string;
    /** How many times as long as one across a unit upwards is: the plot is a picture. */
    square?: number | null;
    /** Pixels beside it for names of its rows. */
    left?: number;
    right?: Axis | null;
    /** Its share of the row. */
    wide?: number;
}

export interface Axis {
    low: number;
    high: number;
    title?: string;
    ticks?: [number, string][];
    log?: boolean;
    named?: boolean;
    grid?: boolean;
    /** Numbers with nothing between them. */
    whole?: boolean;
}

export type Mark = Heat | Picture | Bars | Points | Area | Line | Spot | Words | Rule | Grid;

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

export interface Bars {
    kind: "bars";
    places: Numbers;
    values: Numbers;
    colours: string[];
    says?: Says;
    thick?: number | Numbers;
    level?: boolean;
    texts?: string[];
}

export interface Points {
    kind: "points";
    x: Numbers;
    y: Numbers;
    colours: string[];
    sizes?: number[];
    shape?: Shape;
    says?: Says | null;
    opacity?: number;
    edge?: string;
}

export interface Area {
    kind: "area";
    x: number;
    y: number;
    width: number;
    height: number;
    colour: string;
    row?: string;
    says?: string;
    text?: string;
    chooses?: string;
    leads?: string;
    hatched?: boolean;
    framed?: boolean;
    edge?: string;
    /** Behind its text, which covers the edges of areas under it. */
    ground?: string;
    opacity?: number;
}

export interface Line {
    kind: "line";
    points: [number, number][];
    colour: string;
    row?: string;
    says?: string | Says;
    dash?: Dash;
    width?: number;
    smooth?: boolean;
    moves?: string;
}

export interface Spot {
    kind: "spot";
    x: number;
    y: number;
    colour: string;
    shape?: Shape;
    text?: string;
    row?: string;
    says?: string;
}

export interface Words {
    kind: "text";
    x: number;
    y: number;
    text: string;
    anchor?: "start" | "middle" | "end";
    side?: "above" | "middle" | "below";
    row?: string;
    chooses?: string;
    /** In bold before the text. */
    lead?: string;
}

export interface Rule {
    kind: "rule";
    x: number;
    text: string;
}

export interface Grid {
    kind: "grid";
    rows: number;
    columns: number;
}

export type Dash = "solid" | "dash" | "dot" | "dashdot";
export type Shape = "circle" | "square" | "diamond" | "ring" | "box";

export interface Key {
    text: string;
    colour: string;
    row?: string;
    dash?: "area" | Dash;
    shape?: Shape;
}

export interface Stop {
    value: string;
    x: number;
    y: number;
    says?: string;
}

export interface Handle {
    name: string;
    label: string;
    stops: Stop[];
    at: number;
    shape?: "diamond" | "top edge" | "right edge";
}

export interface Plane {
    name: string;
    labels: [string, string];
    columns: number[];
    rows: number[];
    at: [number, number];
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
