// What the lecturer's window is told by Python: vitviz/ui/widgets/lecturer/window.py.

import type { Lesson, Truth } from "../../../board/frontend/lecture/types.js";

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

export interface Component {
    data: [WindowData];
    parentElement: ShadowRoot;
}
