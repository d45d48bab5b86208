// What the live widgets are given by Python: vitviz/charts/chart.py and the modules beside this folder.

export interface Component<Data> {
    data: Data;
    parentElement: ShadowRoot;
    setTriggerValue(name: string, value: unknown): void;
}

/** What every live widget is given. */
export interface Told {
    /** Names of moves that are not written into the address. */
    untold: string[];
    /** What the address should say of it. */
    keeps: Record<string, string>;
    /** How many of its messages Python has answered. */
    heard: number;
}

export interface SliderData extends Told {
    name: string;
    label: string;
    stops: { value: string; says: string }[];
    at: number;
    plays: boolean;
}

export interface MosaicData extends Told {
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

export interface Axis {
    low: number;
    high: number;
    title: string;
    ticks: [number, string][];
    log: boolean;
}

export interface Area {
    x: number;
    y: number;
    width: number;
    height: number;
    colour: string;
    row: string;
    says: string;
    text: string;
    chooses: string;
    leads: string;
    hatched: boolean;
    framed: boolean;
    /** Behind its text, which covers the edges of areas under it. */
    ground: string;
}

export interface Line {
    points: [number, number][];
    colour: string;
    row: string;
    says: string;
    dash: "solid" | "dash" | "dot";
    width: number;
    smooth: boolean;
    moves: string;
}

export interface Spot {
    x: number;
    y: number;
    colour: string;
    shape: "circle" | "diamond" | "ring";
    text: string;
    row: string;
    says: string;
}

export interface Words {
    x: number;
    y: number;
    text: string;
    anchor: "start" | "middle" | "end";
    side: "above" | "middle" | "below";
    row: string;
    chooses: string;
}

export interface Stop {
    value: string;
    x: number;
    y: number;
    says: string;
}

export interface Handle {
    name: string;
    label: string;
    stops: Stop[];
    at: number;
    shape: "diamond" | "top edge" | "right edge";
}

export interface Plane {
    name: string;
    labels: [string, string];
    columns: number[];
    rows: number[];
    at: [number, number];
}

export interface ChartData extends Told {
    across: Axis;
    down: Axis;
    height: number;
    areas: Area[];
    lines: Line[];
    rules: { x: number; text: string }[];
    texts: Words[];
    spots: Spot[];
    plane: Plane | null;
    handles: Handle[];
    legend: { text: string; colour: string; row: string; dash: "area" | "solid" | "dash" | "dot" }[];
    left: number;
    says: string;
    choice: string;
    alt: string;
    chosen: string;
}

export interface FramesData extends Told {
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
    charts: ChartData[];
    chosen: string;
}

/** From the units of a chart to pixels of its picture. */
export interface Scale {
    x(value: number): number;
    y(value: number): number;
    left: number;
    right: number;
    top: number;
    bottom: number;
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
