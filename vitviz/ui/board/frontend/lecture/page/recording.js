// Keeping views as the steps of a lesson, and writing them as a file.

/** @import { Lecture } from "../lecture.js" */

import { element } from "../../draw/elements.js";

export class Recording {
    /** @param {Lecture} lecture */
    constructor(lecture) {
        this.lecture = lecture;
        this.root = element("div", { class: "lecture-recording", hidden: "" });
    }

    keep() {}

    draw() {}
}
