// Taking the lecture home: the page Lecture makes the file of a lesson, with this browser's guesses in it.

/** @import { Lecture } from "./lecture.js" */

import { home } from "../state/address.js";

export const TAKE_HOME = "Take the lecture home";

/** @param {Lecture} lecture @param {string} lesson by its name */
export function takeHome(lecture, lesson) {
    lecture.end();
    lecture.applying.show(`${home()}lecture?home=${encodeURIComponent(lesson)}`, { entry: true });
}
