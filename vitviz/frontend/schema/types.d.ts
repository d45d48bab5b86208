// Written by `make schema` from what Python declares.
import type { Figure } from "./figure.js";

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
    does?: Record<string, string>;
    runs?: boolean;
}

/** How people say what a word of edits does: `done` by what stands behind its sign, "#" for any other number.
 *
 * Where another word says the same of it, `done` is the letter of that. */
export interface Wording {
    says: string;
    done: Record<string, string> | string;
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

/** The sizes of one model, never guessed from the data. */
export interface Sizes {
    rows: number;
    columns: number;
    /** The names of the tokens that stand before those of the patches. */
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

/** How model and picture go together, where another model that ships may know such pictures better. */
export interface Match {
    says: string;
    why: string;
    other: string;
    label: string;
}

/** The picture that the model sees. */
export interface Picture {
    title: string;
    alt: string;
    digest: string;
}

/** What a picture can be taken away as, and what is said of it before. */
export interface Takes {
    /** The picture's name in what Python is asked for. */
    key: string;
    files: string[];
    /** Those at the moments that have others. */
    files_at?: Record<string, string[]>;
    /** Whether it is of somebody's own picture. */
    own?: boolean;
    /** Where in the notebook the page's cells are. */
    cell?: string;
    /** Whether the numbers are made once more, on the CPU in float32. */
    remade?: boolean;
    /** How many layers an offline file has room for, where these are not all: "9 of 24 layers". */
    layers?: string;
    /** The moment that shows the model as it was while it learned, where one does: no offline file is of that. */
    learns?: string;
}

/** Sizes and names of one model and picture. */
export interface Meta extends Sizes {
    digest: string;
    model: string;
    /** What people read in place of the model's name. */
    model_title: string;
    trained: boolean;
    caveat: string;
    match?: Match | null;
    picture: Picture;
    /** The square of the picture that was chosen, as in the address; "" for the model's own. */
    crop: string;
    /** What is changed in the forward pass, as in the address; "" for nothing. */
    edits: string;
    /** The second picture as in the address: a sample's name, the digest of one's own, or "". */
    donor: string;
    /** What the menu of the picture offers; nothing in an offline file. */
    takes?: Takes;
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

/** What the count line says: shape in, shape out, parameters of the step and of the model. */
export interface Count {
    before: string;
    after: string;
    here: string;
    total: string;
}

/** One stage of the strip: a page that has a scene. */
export interface Stage {
    stem: string;
    title: string;
    label: string;
    shape: string;
    colour: string;
    moments: Moment[];
    /** The places from 0 of the moments that old links call 1, 2 ... 9. */
    numbered?: number[];
    /** The moments that can stand beside those of a second model or picture. */
    columns: string[];
    count: Count;
}

/** A page without a scene: it stands in the menu at the strip's end. */
export interface Other {
    /** The chapter that begins with it. */
    begins?: string;
    stem: string;
    title: string;
}

/** What a column shows; names as in the address. */
export interface Column {
    model: string;
    image: string;
    edits: string;
    /** Pixels of a side, "" where the model reads pictures of one size. */
    size: string;
}

/** What the heads of the two columns say and offer. */
export interface ColumnSetup extends Column {
    model_title: string;
    /** Pixels of a side between which one chooses; none where the model reads pictures of one size. */
    sizes: string[];
    /** Steps of training, null for the model as it is. */
    learned: number | null;
    /** What a model that is built has beside the usual one: "depth=6 positions=none". */
    switches: string;
    first: Column;
    /** Name and title. */
    models: [string, string][];
    images: [string, string][];
    /** Steps of training of which something was kept. */
    moments: number[];
    /** What an address says of a model besides its name. */
    fields: string[];
    /** Why there is no such column, or "". */
    says: string;
    notes: string[];
}

/** The second column on a page. */
export interface ColumnShown {
    page: string;
    meta: Meta;
    facts: Record<string, unknown>;
    stages: Stage[];
    names: string[];
}

/** Why it cannot be drawn. */
export interface ColumnFailed {
    page: string;
    failed: string;
}

/** What the strip and the foot of the board say of a model. */
export interface Strip {
    stages: Stage[];
    others: Other[];
    palette: Record<string, string>;
    /** The colour scale of weights, 256 times red, green, blue. */
    weights: number[];
}

/** What is said of a page in every run. */
export interface OfPage {
    page: string;
    /** In the lecturer's window the page of the step: the strip lights it as well. */
    lit?: string;
    /** The chosen picture and model, on every page; `model` is its name in the address, the others are read. */
    picture: string;
    /** The digest of a picture that the visitor brought, or "". */
    own: string;
    /** What opens the numbers of this session to the tab that shows it, also where no cookie is kept. */
    key: string;
    /** Which file of a visitor's Python has seen last, shown or refused; "" before the first. */
    arrived: string;
    /** Where the model runs, and in which precision but fp32: "CPU · bf16"; "" as long as no device has answered. */
    device: string;
    model: string;
    model_title: string;
    meta: Meta | null;
    /** What the scene of this page needs and is no array. */
    facts: Record<string, unknown>;
    /** What the second column is asked to be; null where there is none. */
    second: ColumnSetup | null;
    /** Whether it was said before this visitor's first forward pass, and may come after what was said later. */
    ahead?: boolean;
    /** The numbers that its address needs, the most wanted first. */
    names?: string[];
}

/** What Python says about the board in every run. */
export interface Data extends Strip, OfPage {
}

/** A model's sizes for the forward pass in the browser. */
export interface Config {
    channels: number;
    dim: number;
    depth: number;
    heads: number;
    mlp_dim: number;
    classes: number;
    activation: string;
    epsilon: number;
    /** All tokens, and those before the ones of the patches. */
    tokens: number;
    prefix: number;
    /** Numbers of a patch. */
    patch_values: number;
    rows: number;
    columns: number;
}

/** What Python says of a model that runs in the browser: addresses beside those of the pages, and sizes. */
export interface ModelSpec {
    script: string;
    parameters: string;
    means: string;
    config: Config;
    /** How many bytes its parameters are, where they are fetched only when somebody asks for it; else 0. */
    bytes: number;
}

/** What is asked: one of `options`, a number from `low` to `high`, a patch of the photo, or two of them. */
export interface Question {
    kind: "choose" | "number" | "patch" | "pair";
    asks: string;
    options: string[];
    low: number;
    high: number;
    unit: string;
}

/** A step of a lesson. */
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

/** A lesson with all of its steps. */
export interface Lesson {
    name: string;
    title: string;
    minutes: number;
    steps: Step[];
}

/** Of patches, as base64 of little-endian u2: a share is u / 65535 · most. */
export interface Shares {
    map: string;
    most: number;
}

/** What is right, and in words. Patches count from 0, and `map` and `most` are `Shares`. */
export interface Truth {
    text: string;
    option?: number;
    value?: number;
    patch?: number;
    map?: string;
    most?: number;
    pair?: [number, number];
}

/** How many voted for what: options, bins of a number, or base64 of u1 for patches up to the last with a vote. */
export interface Sums {
    voted: number;
    /** null as long as the room does not know what is right. */
    right: number | null;
    choose?: number[];
    number?: number[];
    patch?: string;
    pair?: string;
}

/** What was revealed. */
export interface Result {
    rounds: Sums[];
    truth: Truth;
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
    result: Result | null;
    shared: string | null;
}

/** What is right in a step. */
export interface Solution {
    /** Nothing as long as it is computed, or where the model gives no answer. */
    truth: Truth | null;
    /** Why the model gives no answer, or "". */
    why: string;
}

/** What is right in a step of a lesson that the address asks for. */
export interface Right extends Solution {
    lesson: string;
    step: number;
}

/** A lesson, and the step of the address. */
export interface Given extends Lesson {
    step: number;
}

/** The lesson that the address asks for. */
export interface LessonMessage {
    lesson: Given;
}

/** The address asks for a lesson that there is not. */
export interface LessonMissing {
    missing: string;
}

/** What is right in its step, once that is computed. */
export interface TruthMessage {
    truth: Right;
}

/** What Python says about the second column. */
export interface SecondMessage {
    beside: ColumnShown | ColumnFailed;
}

/** What Python says of a file that it was asked for. */
export interface FileMessage {
    file: FileAnswer;
}

/** What Python tells the lecturer's window. */
export interface WindowData extends Solution {
    /** The lesson that the address asks for, if there is one. */
    lesson: Lesson | null;
    /** The step of the address, from 1. */
    step: number;
    /** Rows and columns of patches of that step's model. */
    grid: [number, number];
    /** The name under which a picture can be shared, "" for one that is not here; null where none was asked for. */
    shared: string | null;
}

/** What every live widget is given. */
export interface WidgetData {
    /** Names of moves that are not written into the address. */
    untold: string[];
    /** What the address should say of it. */
    keeps: Record<string, string>;
    /** How many of its messages Python has answered. */
    heard: number;
}

/** Where a slider may stand: its value as the address has it, and in words. */
export interface SliderStop {
    value: string;
    says: string;
}

/** A slider. */
export interface SliderData extends WidgetData {
    name: string;
    label: string;
    stops: SliderStop[];
    at: number;
    plays: boolean;
}

/** A picture whose patches change places. */
export interface MosaicData extends WidgetData {
    name: string;
    /** A PNG as a data URI. */
    picture: string;
    rows: number;
    columns: number;
    /** The patch that each place shows. */
    order: number[];
    pair: [number, number] | null;
    seed: number;
    alt: string;
    chosen: string;
}

/** A chart. */
export interface ChartData extends WidgetData {
    figure: Figure;
    alt: string;
    /** Framed at the top right. */
    label: string;
    chosen: string;
}

/** Where the slider of frames may stand: its value in the address, and in words. */
export interface FrameStop {
    value: number;
    says: string;
}

/** One picture of frames. */
export interface FramesPanel {
    title: string;
    /** All frames, one below the other: a PNG as a data URI. */
    sheet: string;
    frames: number;
    /** A share of the width for each stop. */
    slides: number;
    /** Rows and columns, for each stop or one for all. */
    lines: [number, number][];
    /** Left, top, width and height, as shares of the picture's sides. */
    boxes: [number, number, number, number][];
}

/** A chart over the values of the stops, and what a screen reader says of it. */
export interface FramesChart {
    figure: Figure;
    alt: string;
}

/** Pictures and charts that a slider runs through. */
export interface FramesData extends WidgetData {
    name: string;
    label: string;
    stops: FrameStop[];
    at: number;
    panels: FramesPanel[];
    charts: FramesChart[];
    chosen: string;
}

/** One tensor of the list. */
export interface TensorRow {
    place: string;
    name: string;
    /** The names of each axis: "t", "(c ph pw)". */
    axes: string[];
    shape: string[];
    bytes: string;
    kind: string;
    /** The page that shows it, with its query. */
    page: string;
    /** What is lit with it. */
    light: string;
}

/** The list of tensors. */
export interface TensorData {
    rows: TensorRow[];
    alt: string;
    height: number;
    chosen: string;
    /** What axis names stand for. */
    meanings: Record<string, string>;
}

export type Read = "token" | "crop" | "edits" | "donor" | "moment";

export type ColumnData = ColumnShown | ColumnFailed;

export type Made = "lens" | "maps" | "rows" | "exact" | "alone" | "rollout" | "rollouts" | "by-layer";

export type Taught = LessonMessage | LessonMissing | TruthMessage;

export type Message = Data | SecondMessage | FileMessage | LessonMessage | LessonMissing | TruthMessage;

export type Vote = number | [number, number];

/** What is chosen, or previewed, by the words of an address; layers, heads, tokens and components count from 0. */
export interface Selection {
    page: string;
    layer: number;
    head: number;
    /** A second head, to be seen beside the first. */
    beside: number;
    component: number;
    /** A class, or NONE where none was chosen: then the most probable. */
    answer: number;
    /** A class that it is compared with, or NONE. */
    against: number;
    query: number;
    /** A token, or STRONGEST where none was chosen. */
    key: number;
    /** How many patches are gone. */
    removed: number;
    /** How many parts of the model are drawn anew, from the head down. */
    randomised: number;
    after: number;
    through: number;
    /** Steps of training after which the model is looked at, or NONE: as it is. */
    learned: number;
    /** The square of the picture that the model sees, "left-top-side" in thousandths; "" for its own choice. */
    crop: string;
    /** What is changed in the forward pass; "" where nothing is. */
    edits: string;
    /** The sample that is the second picture, for edits that take states or pixels from one; "" for none. */
    donor: string;
    begun: "nothing" | "maps" | "trial" | "randomised";
    covered: "no" | "yes";
    divide: "root" | "one" | "all";
    drawn: "light" | "colours";
    fill: "grey" | "blur" | "mean";
    hides: "grey" | "masked";
    map: "sum" | "attention" | "rollout" | "gradient_attention" | "gradient_input" | "occlusion" | "chance";
    mean: "0" | "1";
    measured: "no" | "yes";
    of: "state" | "q" | "k" | "v" | "token" | "pixels";
    opened: "all" | "layer" | "head";
    placed: "learned" | "off" | "shuffled";
    principal: "all" | "1" | "2" | "3";
    runs: "here" | "server" | "fetching";
    scale: "shared" | "own";
    sees: "removed" | "kept";
    shows: "row" | "column" | "rollout";
    switches: "folded" | "open";
    taken: "off" | "mean";
    threshold: "none" | "-100" | "-95" | "-90" | "-85" | "-80" | "-75" | "-70" | "-65" | "-60" | "-55" | "-50" | "-45" | "-40" | "-35" | "-30" | "-25" | "-20" | "-15" | "-10" | "-5" | "0" | "5" | "10" | "15" | "20" | "25" | "30" | "35" | "40" | "45" | "50" | "55" | "60" | "65" | "70" | "75" | "80" | "85" | "90" | "95" | "100";
    traced: "no" | "enough" | "needed";
    tried: "own" | "32" | "16" | "8" | "4";
    /** By its name; "" on a page without moments. */
    moment: string;
    open: "" | "formula" | "code" | "details";
    [word: string]: string | number;
}
