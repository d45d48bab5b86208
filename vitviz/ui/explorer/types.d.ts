// What the files of the explorer share. They are plain scripts, joined in order by component.py.

type Shows = "looks at" | "is looked at by" | "rollout";
type Scale = "shared" | "per head";

/** What is on screen; layers, heads and tokens count from 0. */
interface View {
    layer: number;
    head: number;
    query: number;
    shows: Shows;
    mean: boolean;
    scale: Scale;
    pinned: boolean;
}

/** The view as Python knows it: of which model and picture, and the last message that Python has seen. */
interface PythonView extends View {
    digest: string;
    seq: number;
}

/** One model and picture: sizes and names, never guessed from the data. */
interface Meta {
    digest: string;
    model: string;
    picture: string;
    alt: string;
    trained: boolean;
    precision: string;
    rows: number;
    columns: number;
    specials: string[];
    depth: number;
    heads: number;
    tokens: number;
    sendable: boolean;
    colours: number[];
    frame: string;
}

/** A map of the wall: its layer, and its head or, in the last row, the mean or the rollout. */
interface Place {
    layer: number;
    row: number;
}

interface Message {
    header: any;
    parts: Record<string, Uint8Array>;
}

/** What the pointer is on: the map of the wall that it is in, and the token whose weight is read. */
interface Pointed {
    map?: Place;
    key?: number;
}

/** Uncoded weights of one query in one layer, [head][token]; the rollout is there only when it was asked for. */
interface Exact {
    layer: number;
    query: number;
    row: Float32Array;
    column: Float32Array;
    rollout: Float32Array | null;
}

/** What Streamlit hands to a component. */
interface Component<Data> {
    data: Data;
    parentElement: ShadowRoot;
    setStateValue(name: string, value: unknown): void;
}

/** The one global: messages wait in the inbox until the explorer's code is there to read them. */
interface Vitviz {
    inbox: { push(message: Uint8Array): unknown } | Uint8Array[];
    views: { push(message: [PythonView, Tell]): unknown } | [PythonView, Tell][];
    /** The last frame: how many there were, how long it took in ms, and what it showed. */
    drawn?: { count: number; took: number; digest: string; layer: number };
}
type Tell = (view: PythonView) => void;

declare var __vitviz: Vitviz;
