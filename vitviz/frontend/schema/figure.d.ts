// Written by `make schema` from what Python declares.
import type { Colours, Heat, Numbers, Picture, Says } from "../types/figure.js";

/** Panels, a row of them below another; the colour scale that heat maps share stands below all.
 *
 * `says` stands under it while nothing is pointed at; `choice` is the name of what areas and texts choose. */
export interface Figure {
    rows: Panel[][];
    title?: string;
    scale?: Colours | null;
    legend?: Key[];
    handles?: Handle[];
    plane?: Plane | null;
    says?: string;
    choice?: string;
}

/** Marks in the order in which they are drawn, in the units of two axes; `height` is in pixels, with ticks.
 *
 * Where `square` is a number the plot is a picture of at most that height: a unit upwards is that many times as long
 * as one across. `left` are pixels beside it for names of its rows. */
export interface Panel {
    across: Axis;
    down: Axis;
    marks: Mark[];
    height: number;
    title?: string;
    square?: number | null;
    left?: number;
    right?: Axis | null;
    wide?: number;
}

/** From `low` to `high`, which may be the smaller; `ticks` are places and what is written there.
 *
 * Without ticks no axis is drawn. Where they are `named`, or `whole` numbers with nothing between them, a reading has
 * no ticks of its own. */
export interface Axis {
    low: number;
    high: number;
    title?: string;
    ticks?: [number, string][];
    log?: boolean;
    named?: boolean;
    grid?: boolean;
    whole?: boolean;
}

/** One line of a legend. */
export interface Key {
    text: string;
    colour: string;
    row?: string;
    dash?: "area" | Dash;
    shape?: Shape;
}

/** Where a handle may stand, the value that it then has, and what is said there. */
export interface Stop {
    value: string;
    x: number;
    y: number;
    says?: string;
}

/** What a hand can take hold of; `at` is the place among its `stops`. An edge is drawn along the whole picture. */
export interface Handle {
    name: string;
    label: string;
    stops: Stop[];
    at: number;
    shape?: "diamond" | "top edge" | "right edge";
}

/** A whole panel that can be clicked: the nearest of `columns` and of `rows` is chosen, written "column x row". */
export interface Plane {
    name: string;
    labels: [string, string];
    columns: number[];
    rows: number[];
    at: [number, number];
}

/** A bar from 0 to each of `values`, at `places` of the other axis and `thick` there; `level` ones go to the right.
 *
 * `texts` stand at their ends. */
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

/** Points at places; `colours` and `sizes`, pixels across, are one for all or one for each. */
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

/** A rectangle; `text` is written into it where there is room.
 *
 * A click on it, or on another mark of its row, makes the choice that it `chooses`, or goes to the address of the app
 * that it `leads` to. */
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
    ground?: string;
    opacity?: number;
}

/** A curve through `points`, without corners where it is `smooth`. */
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

/** A point that is named. */
export interface Spot {
    kind: "spot";
    x: number;
    y: number;
    colour: string;
    shape?: "circle" | "diamond" | "ring";
    text?: string;
    row?: string;
    says?: string;
}

/** Words at a place, `above` or below it, after a `lead` in bold; a `chooses` makes them a button. */
export interface Text {
    kind: "text";
    x: number;
    y: number;
    text: string;
    anchor?: "start" | "middle" | "end";
    side?: "above" | "middle" | "below";
    row?: string;
    chooses?: string;
    lead?: string;
}

/** A line across the panel at an `x`, with a word about it. */
export interface Rule {
    kind: "rule";
    x: number;
    text: string;
}

/** Lines between the cells of a patch grid whose first cell is centred at 0. */
export interface Grid {
    kind: "grid";
    rows: number;
    columns: number;
}

export type Mark = Heat | Picture | Bars | Points | Area | Line | Spot | Text | Rule | Grid;

export type Dash = "solid" | "dash" | "dot" | "dashdot";

export type Shape = "circle" | "square" | "diamond" | "ring" | "box";
