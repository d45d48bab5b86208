// What the modules of the board share.

import type { Count, Message, Selection, Takes } from "../schema/types.js";

export type {
    ColumnData,
    ColumnSetup,
    Count,
    Data,
    FileAnswer,
    Meta,
    Moment,
    Other,
    Selection,
    Stage,
    Takes,
    Taught,
} from "../schema/types.js";

/** A picture of the page with a menu, and the button that opens it. */
export interface Place extends Takes {
    title: string;
    button: HTMLButtonElement;
}

/** A named block of numbers as Python sent it. */
export interface Array_ {
    shape: number[];
    data: Float32Array | Uint8Array | Int8Array | Int32Array;
}

/** What is known of a press, also of one on a button. */
export type Pressed = Pick<KeyboardEvent, "key" | "repeat">;

/** What a hand can do, in a table by its name: keys, help, buttons and the lecturer's remote come from there. */
export interface Action {
    /** By `KeyboardEvent.key`. */
    keys: string[];
    /** How they are written, where that is not by their names. */
    shown?: string;
    /** What help says that they do. */
    label: string;
    perform(pressed: Pressed): void;
}

/** An action on something, `when` that lets it. */
export type ActionOf<Of> = Omit<Action, "perform"> & {
    when?(of: Of): unknown;
    perform(of: Of, pressed: Pressed): void;
};

/** A scene on the board. */
export interface Scene {
    /** Its page: after one without a scene it stands until the next page with one is drawn. */
    page?: string;
    /** Paint what is shown; called in an animation frame. */
    draw(shown: Selection): void;
    /** Names of the parcels that this selection asks for. */
    needs?(chosen: Selection): string[];
    /** Whether the patch in the middle is shown where none is chosen: arrows start there. */
    middle?: boolean;
    /** Those of this scene alone. */
    actions?: Record<string, Action>;
    /** What is written under the photo; words in braces are roles. */
    readout?(shown: Selection): string;
    /** What the count line says where other sizes than the model's own are tried. */
    count?(shown: Selection): Count | undefined;
    /** Controls that stand once for both, where two columns do. */
    controls?: HTMLElement;
    /** What Space plays: the next selection, or null at the end. */
    play?(chosen: Selection): Partial<Selection> | null;
    close?(): void;
}

/** The switches beside a scene: they change its edits, and may run the model in this browser. */
export interface Folded {
    /** Whether they are open, or edits are to be said. */
    draw(shown: Selection): void;
    /** Of what a scene needs the names that Python has to be asked for, and what the switches need themselves. */
    needs(names: string[]): string[];
    actions: Record<string, Action>;
}

/** What makes the scene of a page. */
export type Make = (
    root: HTMLElement,
    column: import("../state/column.js").Column,
    photo: import("../frame/photo.js").Photo,
) => Scene;

/** What draws by which a page's two columns differ, and the moment of the page that its moments of training are told of. */
export interface Difference {
    difference(
        root: HTMLElement,
        first: import("../state/column.js").Column,
        second: import("../state/column.js").Column,
    ): { draw(): void };
    LEARNED?: string;
}

/** What makes the second column, and the differences of pages by their stems. */
export type MakeColumns = {
    Columns: typeof import("../columns/columns.js").Columns;
    others: Record<string, Difference>;
};

/** What reads the address where the board alone cannot, and draws what stands below it: Python, in the app. */
export interface Reader {
    board: import("../state/board.js").Board;
    /** Whether the address decides what is chosen, when the next page comes. */
    fresh: boolean;
    /** The page that was asked for and has not come. */
    awaited: string | undefined;
    /** Let it read the address; with `entry`, as a new one of the browser's history. */
    ask(entry?: boolean): void;
    /** The same, unless it has been asked to read this address. */
    askOnce(): void;
    /** It is asked, by another way too. */
    watch(): void;
    /** Go to an address, and let it be read. */
    visit(to: string, entry: boolean): void;
    /** Let other words of the address be read; "" for what goes. */
    say(words: Record<string, string>): void;
    /** The hand rests. */
    rested(): void;
    /** Open a second column, or close it. */
    compare(): void;
    /** Open or close a drawer. */
    drawer(name: Selection["open"]): void;
}

/** Where model and picture are chosen, beside the board. */
export interface Sidebar {
    /** Open it, or close it. */
    toggle(): void;
    /** The other model that ships: of photographs, of scenes. */
    chooseOtherModel(): void;
    /** A published model with classes. */
    chooseWithClasses(): void;
    /** A sample by its place, the first being 1. */
    chooseSample(place: number): void;
    /** A picture of one's own. */
    chooseUpload(file: File): void;
}

/** What makes parts of the board; those of a second column and of a lecture may be there later. */
export interface Makers {
    /** Scenes, by the stems of their pages. */
    scenes: Map<string, Make>;
    columns?: MakeColumns;
    lecture?: typeof import("../lecture/parts.js").Parts;
    /** What makes the switches beside a scene, which a page says where to fetch. */
    folded(script: string): Promise<typeof import("../editing/folded.js").folded>;
}

/** A script that the board needs for a page, or for the second column; it is run when the board takes it. */
export type Script =
    | { columns(): MakeColumns; css: string }
    | { lecture(): typeof import("../lecture/parts.js").Parts; css: string }
    | { stem: string; load(): Make; css: string }
    | Styles;

/** What `later.js` of a page exports, where nothing can be fetched. */
export type Later = { stem: string; later?(): unknown };

/** The styles of a script that the board has fetched, under its name. */
export type Styles = { stem: string; css: string };

/** Numbers of one model and picture. */
export type Parcel = ReturnType<typeof import("../transport/parcels.js").unpack>;

/** What Python says, or a script, or an address that a script on the page leads to. */
export type Sent = Message | { visit: string; entry: boolean } | Script | { place: Place };

declare global {
    /** The last frame, for benchmarks and tests: how many there were, how long it took in ms, and what it showed; `photo`
     *  is the model and picture whose photo stood there. */
    var __vitviz_drawn:
        | { count: number; took: number; page: string; moment: string; digest: string; photo: string; second: string }
        | undefined;
    /** What can be done in other windows on the page than the board: the lecturer's. */
    var __vitviz_actions: Set<() => Record<string, Action>> | undefined;
    /** What came before the board's code did, or what reads it at once. */
    var __vitviz_inbox: { push(sent: Sent): unknown } | Sent[] | undefined;
}

/** What Streamlit hands to a component. */
export interface Component<Data> {
    data: Data;
    parentElement: ShadowRoot;
    setStateValue(name: string, value: unknown): void;
    setTriggerValue(name: string, value: unknown): void;
}
