// What the modules of the explorer share beyond the classes that they export.

import type { Inbox } from "./state/inbox.js";

/** Which weights of the query are shown: its row, its column, or what reaches it from the first layer on. */
export type Shows = "row" | "column" | "rollout";
/** Where the colour scale ends: at one weight for all maps, or at each map's own largest. */
export type Scale = "shared" | "own";

/** What is chosen; layers, heads and tokens count from 0. */
export interface Selection {
    layer: number;
    head: number;
    query: number;
    shows: Shows;
    mean: boolean;
    scale: Scale;
    pinned: boolean;
}

/** The selection as Python has it, the model and picture that it is about, and the last message that is in it. */
export interface Echo extends Selection {
    digest: string;
    seq: number;
    session: string;
}

/** Tells Python what the hand changed. */
export type Send = (message: Partial<Selection> & { digest: string; seq: number }) => void;

/** The part of `globalThis` that waits. */
export interface Timers {
    setTimeout(act: () => void, ms: number): unknown;
    clearTimeout(timer: unknown): void;
}

/** One model and picture: sizes and names, never guessed from the data. */
export interface Meta {
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
    /** How far a row that is read from one byte per weight can be off, in total variation. */
    variation: number;
    colours: number[];
    frame: string;
}

/** What Python sends as bytes: what is on screen, one layer's maps, or the uncoded weights of one query. */
export type Opening = { kind: "opening"; header: Meta; parts: { picture: Uint8Array; rows: Uint8Array } };
export type LayerMessage = {
    kind: "layer";
    header: { digest: string; layer: number };
    parts: { code: Uint8Array };
};
export type QueryMessage = {
    kind: "query";
    header: { digest: string; layer: number; query: number };
    parts: { row: Uint8Array; column: Uint8Array; rollout?: Uint8Array; rows?: Uint8Array };
};
export type Message = Opening | LayerMessage | QueryMessage;

/** A map of the wall: its layer, and its head or, in the last row, the mean or the rollout. */
export interface Place {
    layer: number;
    row: number;
}

/** What the pointer is on: the map of the wall that it is in, and the token whose weight is read. */
export interface Pointed {
    map?: Place;
    key?: number;
}

/** Uncoded weights of one query in one layer, [head][token]; the rollout is there only when it was asked for. */
export interface Exact {
    layer: number;
    query: number;
    row: Float32Array;
    column: Float32Array;
    rollout: Float32Array | null;
}

/** What Streamlit hands to a component. */
export interface Component<Data> {
    data: Data;
    parentElement: ShadowRoot;
    setStateValue(name: string, value: unknown): void;
}

declare global {
    /** What the three components share. */
    var __vitviz: {
        messages: Inbox<Uint8Array>;
        echoes: Inbox<[Echo, Send]>;
        /** The last frame: how many there were, how long it took in ms, and what it showed. */
        drawn?: { count: number; took: number; digest: string; layer: number };
    };
}
