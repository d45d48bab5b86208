// What the live widgets are given by Python: vitviz/ui/widgets/live.

import type { Figure } from "./figure.js";

/** What every live widget is given. */
export interface WidgetData {
    /** Names of moves that are not written into the address. */
    untold: string[];
    /** What the address should say of it. */
    keeps: Record<string, string>;
    /** How many of its messages Python has answered. */
    heard: number;
}

export interface SliderData extends WidgetData {
    name: string;
    label: string;
    stops: { value: string; says: string }[];
    at: number;
    plays: boolean;
}

export interface MosaicData extends WidgetData {
    name: string;
    /** A PNG as a data URI. */
    picture: string;
    rows: number;
    columns: number;
    /** The patch that each place shows. */
    order: number[];
    pair: [number, number] | null;
    seed: number;
    alt: string;
    chosen: string;
}

export interface ChartData extends WidgetData {
    figure: Figure;
    alt: string;
    /** Framed at the top right. */
    label: string;
    chosen: string;
}

export interface FramesData extends WidgetData {
    name: string;
    label: string;
    stops: { value: number; says: string }[];
    at: number;
    panels: {
        title: string;
        /** All frames, one below the other: a PNG as a data URI. */
        sheet: string;
        frames: number;
        /** A share of the width for each stop. */
        slides: number;
        /** Rows and columns, for each stop or one for all. */
        lines: [number, number][];
        /** Left, top, width and height, as shares of the picture's sides. */
        boxes: [number, number, number, number][];
    }[];
    charts: { figure: Figure; alt: string }[];
    chosen: string;
}

export interface TensorRow {
    place: string;
    name: string;
    /** The names of each axis: "t", "(c ph pw)". */
    axes: string[];
    shape: string[];
    bytes: string;
    kind: string;
    /** The page that shows it, with its query. */
    page: string;
    /** What is lit with it. */
    light: string;
}

export interface TensorData {
    rows: TensorRow[];
    alt: string;
    height: number;
    chosen: string;
    /** What axis names stand for. */
    meanings: Record<string, string>;
}
