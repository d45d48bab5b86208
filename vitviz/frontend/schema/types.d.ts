// Written by `make schema` from what Python declares.

/** What a word of edits may say, as `Kind` of vitviz/edits; as a rule its sign is "=", and "*1" neutral. */
export interface Grammar {
    layer?: "one" | "any";
    places?: "heads" | "patches" | "tokens" | "patch";
    words?: string[];
    usual?: string;
    seeded?: string;
    sign?: "*";
    least?: number;
    most?: number | "tokens" | "patches" | "furthest";
    whole?: boolean;
    neutral?: string;
    runs?: boolean;
}

/** How people say what a word of edits does: `done` by what stands behind its sign, "#" for any other number. */
export interface Wording {
    says: string;
    done: Record<string, string>;
    runs?: [string, string];
    together?: string;
}

/** A number of an address, as `Counted` of vitviz/addresses; its least, usual and before are 1 as a rule. */
export interface Numbered {
    most: "depth" | "heads" | "dim" | "classes" | number;
    least?: number;
    usual?: number | null;
    before?: number;
}

export type Read = "token" | "crop" | "edits" | "donor" | "moment";
