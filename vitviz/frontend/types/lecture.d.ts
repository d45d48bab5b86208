// What the modules of a lecture share, with what Python tells them.

export type { Lesson, Question, State, Step, Sums, Truth, WindowData } from "../schema/types.js";

/** An option, a number, a patch, or two patches. */
export type Vote = number | [number, number];

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
