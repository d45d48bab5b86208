// The shapes of a lesson, of a room's state and of what is asked in it: vitviz/lecture has the same in Python.

/** What is asked: one of `options`, a number from `low` to `high`, a patch of the photo, or two of them. */
export interface Question {
    kind: "choose" | "number" | "patch" | "pair";
    asks: string;
    options: string[];
    low: number;
    high: number;
    unit: string;
}

export interface Step {
    says: string;
    /** The address of what is on screen: "heads?layer=5&head=2". */
    view: string;
    notes: string;
    minutes: number;
    /** Whether it is left out where time is short: the plan does without it. */
    optional: boolean;
    question: Question | null;
    explains: string;
}

export interface Lesson {
    name: string;
    title: string;
    minutes: number;
    steps: Step[];
}

/** What is right, and in words. Patches count from 0; `map` is base64 of little-endian u2, a share is u / 65535 · most. */
export interface Truth {
    text: string;
    option?: number;
    value?: number;
    patch?: number;
    map?: string;
    most?: number;
    pair?: [number, number];
}

/** An option, a number, a patch, or two patches. */
export type Vote = number | [number, number];

/** The votes of one browser by round. */
export type Own = [Vote | null, Vote | null];

/** How many voted for what: options, bins of a number, or base64 of u1 for patches up to the last that has a vote. */
export interface Sums {
    voted: number;
    /** null as long as the room does not know what is right. */
    right: number | null;
    choose?: number[];
    number?: number[];
    patch?: string;
    pair?: string;
}

/** What a browser keeps of the room that it leads. */
export interface Led {
    /** Four letters or six, or "" where no room is open. */
    code: string;
    secret: string;
    owner: string;
    /** When the lecturer's clock began, in ms, or 0. */
    began: number;
}

/** What everybody in a room shows; alone the browser makes it itself. Steps count from 1. */
export interface State {
    serial: number;
    /** The name of the lesson, which no other has; titles may be equal. */
    lesson: string;
    title: string;
    step: number;
    of: number;
    says: string;
    explains: string;
    /** Of who leads: the explanation before it is shown. */
    withheld?: string;
    /** Of who leads: the right to share a picture, for Python. */
    grant?: string;
    /** Of who leads: how many of the steps that came over this line the room has moved to. */
    heard?: number;
    view: string;
    question: Question | null;
    phase: "none" | "open" | "locked" | "revealed";
    round: 1 | 2;
    blank: boolean;
    /** Whether every screen shows how to come in. */
    code: boolean;
    following: number;
    result: { rounds: Sums[]; truth: Truth } | null;
    shared: string | null;
}

/** What Python tells the lecturer's window: vitviz/ui/widgets/lecturer/window.py. */
export interface WindowData {
    /** The lesson that the address asks for, if there is one. */
    lesson: Lesson | null;
    /** The step of the address, from 1. */
    step: number;
    /** Rows and columns of patches of that step's model. */
    grid: [number, number];
    /** What is right in that step, once it is computed. */
    truth: Truth | null;
    /** Why the model gives no answer, or "". */
    why: string;
    /** The name under which a picture can be shared, "" for one that is not here; null where none was asked for. */
    shared: string | null;
}
