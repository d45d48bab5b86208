// A lecture on the board: a lesson alone, or a room that this browser follows or leads. One state says what is shown; alone
// the browser makes it, in a room it comes over the line.

/** @import { Action, Reader, Taught } from "../types/board.js" */
/** @import { Lesson, Own, State, Vote } from "../types/lecture.js" */
/** @import { Pointer } from "./pointer.js" */
/** @import { Recording } from "./recording.js" */

import { here, home } from "../transport/words.js";
import { actionsOf, Typing } from "./actions.js";
import { Answers } from "./answers.js";
import { Applying } from "./apply.js";
import { Hand } from "./hand.js";
import { Guesses, Kept } from "./kept.js";
import { Room } from "./room.js";
import { begun, covers, hides, next, sentence } from "./states.js";
import { addressOf, any, isOwnWindow, pageOf, viewOf, whenWritten, wordsOf, write } from "./words.js";

const SPREAD = 2000; // ms over which a hall's questions to Python are spread

export class Lecture {
    /** @param {Reader} python */
    constructor(python) {
        const { board } = python;
        this.python = python;
        this.board = board;
        this.kept = new Kept();
        this.applying = new Applying(python);
        this.typing = new Typing(
            (step) => this.go(step),
            () => board.invalidate(),
        );
        this.words = wordsOf("");
        /** @type {Room | null} */
        this.room = null;
        /** @type {Lesson | null} */
        this.lesson = null;
        /** The lesson that Python has looked for in vain. */
        this.missing = "";
        this.answers = new Answers(this);
        /** @type {State | null} */
        this.state = null;
        this.guesses = new Guesses();
        /** Whether the lecturer has closed the room just now, and the lesson that was given there. */
        this.finished = false;
        this.attended = "";
        /** Whether the hand went on from the lecture's view. */
        this.astray = false;
        /** Where the lecture has put the board, and what the hand has done since. */
        this.at = "";
        this.hand = new Hand();
        /** The step that is on, its view, and where the board stood with it. */
        this.place = { step: "", view: "", at: "" };
        /** What can be done while something is asked. @type {Record<string, Action>} */
        this.asks = {};
        /** @type {Pointer | null} */
        this.pointer = null;
        /** @type {Recording | null} */
        this.recording = null;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.looking = 0;
        board.store.subscribe(() => this.listen());
        whenWritten(() => this.listen());
        this.returned();
    }

    get on() {
        return any(this.words);
    }

    /** @returns {"alone" | "lead" | "follow" | ""} */
    get role() {
        if (this.room) return this.room.leads ? "lead" : "follow";
        return this.words.lesson ? "alone" : "";
    }

    /** What the headline says in place of the moment's sentence: with the answer its explanation.
     *  @returns {string | undefined} */
    get says() {
        return this.away || !this.state ? undefined : sentence(this.state, this.asking);
    }

    /** Whether the sentence of a step is said here, or is on its way. */
    get leads() {
        return !this.away && Boolean(this.words.lesson || this.words.room);
    }

    /** Whether the scene holds an answer that is not to be seen yet. */
    get asking() {
        return hides(this.state) && !covers(this.state) && !this.away;
    }

    /** Whether the hand is on another page than the lecture, or on its own way. */
    get away() {
        return (
            this.astray && (this.role === "follow" || this.board.store.chosen.page !== pageOf(this.state?.view ?? ""))
        );
    }

    /** Whether the room is at another lesson than the one of this address, which has no say in it. */
    get elsewhere() {
        return Boolean(this.room && this.lesson && this.state && this.state.lesson !== this.lesson.name);
    }

    /** Whether the board stands where the step began: what is right there is not so of another layer or head. */
    get there() {
        return this.view === this.place.at;
    }

    get actions() {
        return actionsOf(this);
    }

    /** The browser opened this address, or went back to it: what it says is on, and nothing else. */
    returned() {
        const before = this.words;
        this.words = this.kept.words(this.room);
        const { lesson, step, room } = this.words;
        if (any(this.words)) this.finished = false;
        if (room !== before.room) {
            this.room?.close();
            this.state = null;
            this.room = room ? new Room(this, room) : null;
        }
        if (lesson !== before.lesson) this.lesson = null;
        if (!room && lesson !== before.lesson) this.state = null;
        if (this.role === "alone") {
            if (step !== this.state?.step) this.begin(step);
            this.stand();
        } else this.hand.touched = true;
        write(this.words);
        this.board.invalidate();
    }

    /** What Python has said: lessons, answers, and that a page is here. @param {Taught[]} said */
    receive(said) {
        for (const data of said.splice(0)) {
            if ("lesson" in data) this.taught(data.lesson);
            else if ("missing" in data) this.missing = data.missing;
            else this.answers.keep(data.truth);
        }
        if (this.answers.awaited) this.answers.reveal();
        if (this.applying.answered()) {
            this.stand();
            this.answers.want();
        }
    }

    /** @param {Lesson} lesson */
    taught(lesson) {
        if (lesson.name !== this.words.lesson || this.lesson) return;
        this.lesson = lesson;
        if (this.state) return;
        this.begin(Math.min(this.words.step, lesson.steps.length));
        this.stand();
        if (this.room?.connected) this.room.move();
    }

    /** @returns {Own} the guesses of this browser at the present step, by round */
    get own() {
        return this.guesses.at(this.state?.lesson ?? "", this.words.room, this.state?.step ?? 0);
    }

    /** Where the board stands, as a lesson writes it. */
    get view() {
        return viewOf(this.board.first.address);
    }

    /** The state of a step as it begins; the address has its view. @param {number} step */
    begin(step) {
        const { lesson } = this;
        if (!lesson?.steps[step - 1]) return;
        this.words.step = step;
        this.answers.awaited = false;
        this.state = begun(lesson, step, this.role === "alone", this.state);
        this.board.invalidate();
    }

    /** Where the board stands now is where the lecture wants it. */
    stand() {
        this.at = this.view;
        this.hand.touched = false;
        this.astray = false;
        const { lesson = "", step = 0, view = "" } = this.state ?? {};
        const begins = this.place.step !== `${lesson} ${step}`;
        if (begins || this.place.view === view) this.place = { step: `${lesson} ${step}`, view, at: this.at };
    }

    /** Show the state's view. @param {boolean} [entry] whether that is one of the browser's history */
    show(entry = false) {
        if (!this.state) return;
        const wait = this.role === "follow" ? this.kept.share(this.words.room) * SPREAD : 0;
        this.applying.show(addressOf(home(), this.state.view, this.words), { wait, entry });
        this.stand();
        this.answers.want();
    }

    /** @param {number} step */
    go(step) {
        if (!this.lesson?.steps[step - 1]) return;
        this.begin(step);
        this.room?.move();
        this.show(true);
    }

    /** What PgDn does: a question asks, locks and shows the answer before the next step comes. */
    next() {
        const { state, room } = this;
        if (!state) return;
        if (this.away) return this.comeBack();
        const what = this.answers.present?.truth === null ? "step" : next(state, !room);
        if (what === "step") this.go(state.step + 1);
        else if (what === "reveal") this.answers.reveal();
        else room?.say(what === "ask" ? { ask: state.round } : { lock: true });
    }

    back() {
        this.go((this.state?.step ?? 1) - 1);
    }

    /** From where the hand went back to the lecture. */
    comeBack() {
        const step = this.lesson?.steps[(this.state?.step ?? 0) - 1];
        if (this.state && step) this.state = { ...this.state, view: step.view };
        this.show();
        if (this.role === "lead") this.room?.views.give(this.view);
    }

    blank() {
        if (!this.state) return;
        this.state = { ...this.state, blank: !this.state.blank };
        if (this.role === "lead") this.room?.say({ blank: this.state.blank });
        this.board.invalidate();
    }

    /** @param {Vote} vote */
    vote(vote) {
        this.guess(vote);
        if (this.state && this.role === "follow") this.room?.vote(vote);
    }

    /** The guess of this browser in the present round. @param {Vote | null} vote */
    guess(vote) {
        const { state } = this;
        if (!state) return;
        const [first, second] = this.own;
        const own = /** @type {Own} */ (state.round === 1 ? [vote, second] : [first, vote]);
        this.guesses.keep(state.lesson, this.words.room, state.step, own);
        this.board.invalidate();
    }

    /** What all are to see. @param {State} state */
    shown(state) {
        const before = this.state;
        this.state = state;
        if (this.role === "lead" && !this.elsewhere) this.words.step = state.step;
        const stays = before?.step === state.step && before.lesson === state.lesson;
        if (!stays || before.phase !== state.phase) this.answers.moved(state.phase);
        const same = stays && before.view === state.view;
        if (same || (this.role === "follow" && this.astray)) return;
        if (state.view === this.view) this.stand();
        else this.show();
    }

    /** Nothing is on any more: the words leave the address. @param {boolean} [finished] whether the lecturer ended it */
    end(finished = false) {
        this.finished = finished;
        this.attended = this.state?.lesson ?? "";
        this.words = wordsOf("");
        this.room?.close();
        this.room = null;
        this.state = null;
        this.lesson = null;
        history.pushState({}, "", addressOf(home(), viewOf(here()), this.words));
        this.applying.hurry();
        this.board.invalidate();
    }

    /** Something on the board or in the address is another: look, once all of it is. */
    listen() {
        this.looking ||= setTimeout(() => {
            this.looking = 0;
            this.look();
        });
    }

    /** Look where the board stands: did a hand lead it away? */
    look() {
        this.hold();
        if (!this.state || !this.at || this.applying.waits) return;
        const { view } = this;
        if (view === this.at) return;
        if (!this.hand.touched && this.place.at === this.at) this.place.at = view; // as Python writes it
        if (this.role === "lead") {
            this.room?.views.give(view);
            this.state = { ...this.state, view };
        }
        if (this.hand.touched && !this.astray) {
            this.astray = true;
            this.applying.hurry();
            this.board.invalidate();
        }
        if (this.role !== "alone" || !this.astray) this.at = view;
    }

    /** The words stay in the address: a link of Streamlit's may have left them out, or led to another lecture. */
    hold() {
        const words = this.kept.words(this.room);
        if (JSON.stringify(words) === JSON.stringify(this.words)) return;
        if (any(words) || isOwnWindow()) return this.returned();
        write(this.words);
    }
}
