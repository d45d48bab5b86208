// What the modules of a lecture share, with what Python tells them.

import type { Vote } from "../schema/types.js";

export type { Lesson, Question, State, Step, Sums, Truth, Vote, WindowData } from "../schema/types.js";

/** The votes of one browser by round. */
export type Own = [Vote | null, Vote | null];

/** What a browser keeps of the room that it leads. */
export interface Led {
    /** Four letters or six, or "" where no room is open. */
    code: string;
    secret: string;
    owner: string;
    /** When the lecturer's clock began, in ms, or 0. */
    began: number;
}
