// What the modules of the board share.

/** Sizes and names of one model and picture, never guessed from the data. */
export interface Meta {
    digest: string;
    model: string;
    /** What people read in place of the model's name. */
    model_title: string;
    trained: boolean;
    caveat: string;
    /** How model and picture go together, where another model that ships may know such pictures better. */
    match?: { says: string; why: string; other: string; label: string } | null;
    picture: { title: string; alt: string; digest: string };
    /** The square of the picture that was chosen, as in the address; "" for the model's own. */
    crop: string;
    /** What is changed in the forward pass, as in the address; "" for nothing. */
    edits: string;
    /** The second picture as in the address: a sample's name, the digest of one's own, or "". */
    donor: string;
    /** What the menu of the picture offers; nothing in an offline file. */
    takes?: Takes;
    rows: number;
    columns: number;
    prefix: string[];
    pool: string;
    /** Rows and columns of pixels. */
    image_sides: [number, number];
    patch_sides: [number, number];
    /** Channels, rows and columns of what becomes one token, as it is drawn. */
    read: number[];
    /** Whether convolutions stand before the projection. */
    stem: boolean;
    channels: number;
    dim: number;
    depth: number;
    heads: number;
    head_dim: number;
    mlp_dim: number;
    classes: number;
    tokens: number;
    patches: number;
    /** What of the architecture is on. */
    switches: Record<string, boolean>;
}

/** What a picture can be taken away as, and what is said of it before. */
export interface Takes {
    /** The picture's name in what Python is asked for. */
    key: string;
    files: string[];
    /** Whether it is of somebody's own picture. */
    own?: boolean;
    /** Where in the notebook the page's cells are. */
    cell?: string;
    /** Whether the numbers are made once more, on the CPU in float32. */
    remade?: boolean;
    /** What the files hold, where the page draws other numbers. */
    part?: string;
    /** How many layers an offline file has room for, where these are not all: "9 of 24 layers". */
    layers?: string;
    /** The moment that shows the model as it was while it learned, where one does: no offline file is of that. */
    learns?: string;
}

/** A picture of the page with a menu, and the button that opens it. */
export interface Place extends Takes {
    title: string;
    button: HTMLButtonElement;
}

/** A file that Python has made and where it lies, or a sentence why there is none. */
export interface FileAnswer {
    /** What Python was asked, as the address has it. */
    word: string;
    url?: string;
    name?: string;
    says?: string;
}

/** A moment of a page by its name, and the sentence over it. */
export interface Moment {
    name: string;
    sentence: string;
}

/** One stage of the strip: a page that has a scene. */
export interface Stage {
    stem: string;
    title: string;
    label: string;
    shape: string;
    colour: string;
    moments: Moment[];
    /** What old links call 1, 2 ..., where it is not the moments in order. */
    numbered?: string[];
    /** The moments that can stand beside those of a second model or picture. */
    columns: string[];
    count: Count;
}

/** What the count line says: shape in, shape out, parameters of the step and of the model. */
export interface Count {
    before: string;
    after: string;
    here: string;
    total: string;
}

/** A page without a scene: it stands in the menu at the strip's end. */
export interface Other {
    /** The chapter that begins with it. */
    begins?: string;
    stem: string;
    title: string;
}

/** What Python says about the board in every run. */
export interface Data {
    page: string;
    /** In the lecturer's window the page of the step: the strip lights it as well. */
    lit?: string;
    /** The chosen picture and model, on every page; `model` is its name in the address, the others are read. */
    picture: string;
    /** The digest of a picture that the visitor brought, or "". */
    own: string;
    /** Which file of a visitor's Python has seen last, shown or refused; "" before the first. */
    arrived: string;
    /** Where the model runs, and in which precision but fp32: "CPU · bf16"; "" as long as no device has answered. */
    device: string;
    model: string;
    model_title: string;
    meta: Meta | null;
    /** What the scene of this page needs and is no array. */
    facts: Record<string, unknown>;
    stages: Stage[];
    others: Other[];
    palette: Record<string, string>;
    /** The colour scale of weights, 256 times red, green, blue. */
    weights: number[];
    /** What the second column is asked to be; null where there is none. */
    second: ColumnSetup | null;
    /** Whether it was said before this visitor's first forward pass, and may come after what was said later. */
    ahead?: boolean;
}

/** What the heads of the two columns say and offer; names as in the address. */
export interface ColumnSetup {
    model: string;
    model_title: string;
    image: string;
    edits: string;
    /** Steps of training, null for the model as it is. */
    learned: number | null;
    /** What a model that is built has beside the usual one: "depth=6 positions=none". */
    switches: string;
    first: { model: string; image: string; edits: string };
    /** Name and title. */
    models: [string, string][];
    images: [string, string][];
    /** Steps of training of which something was kept. */
    moments: number[];
    /** What an address says of a model that is built. */
    fields: string[];
    /** Why there is no such column, or "". */
    says: string;
    notes: string[];
}

/** What Python says of the second column on a page, or why it cannot be drawn. */
export type ColumnData =
    | { page: string; meta: Meta; facts: Record<string, unknown>; stages: Stage[] }
    | { page: string; failed: string };

/** What is chosen, or previewed; layers, heads, tokens and components count from 0. */
export interface Selection {
    page: string;
    /** By its name; "" on a page without moments. */
    moment: string;
    layer: number;
    head: number;
    /** A second head, to be seen beside the first. */
    beside: number;
    query: number;
    /** A token, or STRONGEST where none was chosen. */
    key: number;
    component: number;
    after: number;
    through: number;
    /** A class, or NONE where none was chosen: then the most probable. */
    answer: number;
    /** Steps of training after which the model is looked at, or NONE: as it is. */
    learned: number;
    /** The square of the picture that the model sees, "left-top-side" in thousandths; "" for its own choice. */
    crop: string;
    /** What is changed in the forward pass, as in the address; "" where nothing is. */
    edits: string;
    /** The sample that is the second picture, for edits that take states or pixels from one; "" for none. */
    donor: string;
    open: "" | "formula" | "code" | "details";
    [switches: string]: string | number | boolean;
}

/** A named block of numbers as Python sent it. */
export interface Array_ {
    shape: number[];
    data: Float32Array | Uint8Array | Int8Array | Int32Array;
}

/** What some keys do, as help says it. */
export interface Key {
    /** By `KeyboardEvent.key`. */
    keys: string[];
    /** How help writes them, where that is not by their names. */
    shown?: string;
    says: string;
    act(event: KeyboardEvent): void;
}

/** A scene on the board. */
export interface Scene {
    /** Paint what is shown; called in an animation frame. */
    draw(shown: Selection): void;
    /** Names of the parcels that this selection asks for. */
    needs?(chosen: Selection): string[];
    /** Whether the patch in the middle is shown where none is chosen: arrows start there. */
    middle?: boolean;
    /** Keys of this scene alone. */
    keys?: Key[];
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
    keys: Key[];
}

/** What makes the scene of a page. */
export type Make = (
    root: HTMLElement,
    board: import("../state/board.js").Board,
    photo: import("../frame/photo.js").Photo,
) => Scene;

/** What draws by which a page's two columns differ, and the moment of the page that its moments of training are told of. */
export interface Difference {
    difference(
        root: HTMLElement,
        first: import("../state/board.js").Board,
        second: import("../columns/second.js").Second,
    ): { draw(): void };
    LEARNED?: string;
}

/** What makes the second column, and the differences of pages by their stems. */
export type MakeColumns = {
    Columns: typeof import("../columns/columns.js").Columns;
    others: Record<string, Difference>;
};

/** A script that the board needs for a page, or for the second column; it is run when the board takes it. */
export type Script =
    | { columns(): MakeColumns; css: string }
    | { lecture(): typeof import("../lecture/parts.js").Parts; css: string }
    | { stem: string; load(): Make; css: string }
    | Styles;

/** The styles of a script that the board has fetched, under its name. */
export type Styles = { stem: string; css: string };

/** What Python says of a lesson: its steps and the one of the address, or what is right at a step. */
export type Taught =
    | { lesson: import("./lecture.js").Lesson & { step: number } }
    | { missing: string }
    | { truth: { lesson: string; step: number; truth: import("./lecture.js").Truth | null; why: string } };

/** Numbers of one model and picture. */
export type Parcel = ReturnType<typeof import("../transport/parcels.js").unpack>;

/** A parcel of numbers, what Python says, or a script. */
export type Sent =
    | Uint8Array
    | Data
    | Script
    | { beside: ColumnData }
    | { place: Place }
    | { taken: FileAnswer }
    | Taught;

declare global {
    /** The last frame, for benchmarks and tests: how many there were, how long it took in ms, and what it showed; `photo`
     *  is the model and picture whose photo stood there. */
    var __vitviz_drawn:
        | { count: number; took: number; page: string; moment: string; digest: string; photo: string; second: string }
        | undefined;
    /** Keys of other windows on the page than the board: the lecturer's. */
    var __vitviz_keys: Set<() => Key[]> | undefined;
    /** What came before the board's code did, or what reads it at once. */
    var __vitviz_inbox: { push(sent: Sent): unknown } | Sent[] | undefined;
    /** The numbers that stand on the page, by their place. */
    var __vitviz_standing: Map<ShadowRoot, Uint8Array> | undefined;
}

/** What Streamlit hands to a component. */
export interface Component<Data> {
    data: Data;
    parentElement: ShadowRoot;
    setStateValue(name: string, value: unknown): void;
    setTriggerValue(name: string, value: unknown): void;
}
