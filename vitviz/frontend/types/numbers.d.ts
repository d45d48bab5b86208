// What the modules share that make a page's numbers in this browser.

import type { Array_, Meta, Selection } from "./board.js";

export type { Array_ };

/** What is chosen on the board, and the patch of the query: one in the middle where that is no patch. */
export type Address = Selection & { patch: number };

/** Arrays by name. */
export type Arrays_ = Record<string, Array_>;

/** The names of blocks of numbers, the most wanted first, and what makes the arrays of each. */
export type Parcels_ = Generator<[string, () => Arrays_ | Promise<Arrays_>]>;

/** What makes those of a page. */
export type Make_ = (trace: import("../numbers/trace.js").Trace, address: Address) => Parcels_;

/** A picture as the model reads it, patch by patch, `n (c ph pw)`, normalised; and a file of the whole picture. */
export interface Seen {
    patches: Float32Array;
    whole?: Uint8Array;
}

/** What is known of a model and its pictures beside its parameters. */
export interface Told {
    /** What the board knows of the model's sizes. */
    meta: Meta;
    /** Names of classes, where they have names. */
    labels: string[];
    /** By which pixels from 0 to 1 are normalised, channel by channel. */
    mean: number[];
    std: number[];
    /** Other pictures by their links: that with which the class token is compared, the second one where none is chosen, and
     *  those among which patches are looked for, in order. */
    other: string;
    second: string;
    others: string[];
    /** Pages that stand beside the switches. */
    switched: string[];
    /** Whether the model is so small that pages run it many times unasked; and moments that take too long for that. */
    small: boolean;
    long: string[];
    /** Parcels that hang on no picture, such as what was kept of training: where a file of each lies. */
    files: Record<string, string>;
}

/** What Python's arithmetic brings in beside the pass: pictures by the words that an address calls them. */
export interface Beside {
    /** A picture as the model reads it: "" is the one that is shown. */
    photo(link: string): Promise<Seen>;
    /** The trace of a picture, with edits or without; `donor` is the second one, from which they may take. */
    traceOf(link: string, edits?: string, donor?: string): Promise<import("../numbers/trace.js").Trace>;
    /** A parcel out of a file. */
    file(name: string): Promise<Arrays_>;
}
