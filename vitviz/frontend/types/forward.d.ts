// What the modules of the forward pass share.

export type { Config, ModelSpec } from "../schema/types.js";

/** Numbers by name; a matrix of 8 bits has beside it, with `_scale` at the end of the name, what each row is multiplied by. */
export type Arrays = Record<string, { shape: number[]; data: Float32Array | Int8Array }>;

/** What is done to a head, or to what a block adds: a factor, or the mean over reference scenes in its place. */
export type Amount = number | "mean" | "mean.all";

/** Dropout from one site on: a share of the numbers, those that the seed decides. */
export interface Dropout {
    rate: number;
    seed: number;
    site: number;
}

/** What is done in one layer; nothing, where a field is missing. Heads and tokens count from 0. */
export interface Change {
    heads?: [number, Amount][];
    attention?: Amount;
    mlp?: Amount;
    block?: number;
    temperature?: number;
    scale?: string;
    top?: number;
    window?: number;
    causal?: string;
    /** Tokens that nobody looks at. */
    hidden?: number[];
    /** Those of them of which nothing is left. */
    removed?: number[];
    /** Tokens whose state is that of the second picture when they enter. */
    donor?: number[];
    dropout?: Dropout;
    /** What drop path multiplies attention and MLP by. */
    paths?: number[];
}

/** What is done to the picture and to the positions: patches are painted, then they change places. */
export interface Embedding {
    painted?: [number, string][];
    /** Whose pixels stand at each patch. */
    pixels?: number[];
    /** Whose position embedding each patch has, or "off". */
    positions?: number[] | "off";
    /** By how many columns to the right the place is moved whose position a patch has. */
    shifts?: [number, number][];
    dropout?: Dropout;
}

/** Edits as what has to be done. */
export interface Plan {
    embedding: Embedding;
    layers: Change[];
    /** Words that say nothing this model can have. */
    refused: string[];
}

/** How much of a model has come. */
export interface Progress {
    done: number;
    /** 0 where nobody said. */
    total: number;
}

/** What a forward pass came to. */
export interface Ran {
    /** The logit lens: what the head says before the first block and after each, `after class`. */
    lens: Float32Array;
    /** Its last row, the answer. */
    logits: Float32Array;
    /** What was asked for, by name. */
    arrays: Arrays;
    /** ms in the worker. */
    took: number;
    /** The first stage that had to run: 0 is the embedding, 1 the first block, depth + 1 none. */
    from?: number;
    /** Words of the edits that say nothing this model can have. */
    refused?: string[];
}
