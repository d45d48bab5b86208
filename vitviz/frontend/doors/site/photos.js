// Pictures as models read them: those that come with the site, and those that a reader brings, which stay in this browser.

/** @import { Rule } from "../../picture/preprocess.js" */
/** @import { Photo } from "../../picture/pictures.js" */

import { open } from "../../picture/decode.js";
import { Pictures } from "../../picture/pictures.js";
import { box, crop, patches } from "../../picture/preprocess.js";
import { addressOf, onDisk, opened, pictures } from "./files.js";

/** How a model reads pictures. @typedef {{ rule: Rule, meta: { patch_sides: number[] } }} Reads */

/** The names of a reader's own pictures by their links. @type {Map<string, string>} */
const own = new Map();

/** What has been opened, by link. @type {Map<string, Promise<Open>>} */
const photos = new Map();

/** What is asked of a picture that was opened. @typedef {Pick<Photo, "size" | "read" | "whole">} Open */

/** A worker that opens pictures, once one is wanted. @type {Promise<Pictures> | undefined} */
let opener;

/** A picture, opened beside the page. @param {Blob} file @returns {Promise<Open>} */
async function openedBeside(file) {
    opener ??= addressOf("opener", "text/javascript").then((address) => new Pictures(new Worker(address)));
    return (await opener).open(file);
}

/** The same on the page: of one on a disk WebKit lets no worker read a file. @param {Blob} file @returns {Promise<Open>} */
async function openedHere(file) {
    const { picture } = await open(file);
    return {
        size: [picture.width, picture.height],
        read: async (rule, sides, chosen = null) => ({
            patches: patches(crop(picture, rule, chosen), rule, sides),
            seen: box(picture, rule, chosen),
        }),
        whole: async () => new Uint8Array(await file.arrayBuffer()),
    };
}

const photoOf = onDisk ? openedHere : openedBeside;

/** Keep a picture of the reader's, and say its link. Rejects with a sentence where it cannot be read. @param {File} file */
export async function keep(file) {
    const photo = await photoOf(file);
    const link = `own${own.size + 1}`;
    own.set(link, file.name.replace(/\.\w+$/, ""));
    photos.set(link, Promise.resolve(photo));
    return link;
}

/** What a picture is called and shows, and which facts are its: a reader's own has those of all. @param {string} link */
export function about(link) {
    const sample = pictures.find((it) => it.link === link);
    const title = own.get(link) ?? "";
    return sample ? { ...sample, facts: link } : { link, title, alt: `${title}, your picture.`, facts: "own" };
}

/** Whether there is such a picture. @param {string} link */
export const isThere = (link) => own.has(link) || pictures.some((it) => it.link === link);

/** @param {string} link @returns {Promise<Open>} */
function photo(link) {
    const sample = async () => photoOf(new Blob([/** @type {BlobPart} */ (await opened(`picture-${link}`))]));
    const found = photos.get(link) ?? sample();
    photos.set(link, found);
    found.catch(() => photos.delete(link)); // it may come another time
    return found;
}

/** The part of a picture that an address names. @param {string} words */
function partOf(words) {
    const [left, top, side] = words.split("-").map(Number);
    return words ? { left, top, side } : null;
}

/** A picture as a model reads it, and all of it as a file; its width and height, and what the model sees of it.
 *  @param {string} link @param {Reads} model @param {string} [chosen] a part */
export async function read(link, { rule, meta }, chosen = "") {
    const its = await photo(link);
    const { patches, seen } = await its.read(rule, meta.patch_sides, partOf(chosen));
    return { patches, whole: await its.whole(), size: its.size, seen };
}
