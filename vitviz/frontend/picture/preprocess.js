// From a picture to what the model reads, as vitviz/images/preprocess.py does it: resized, cropped, normalised.

import { resize } from "./resize.js";

/** @import { Picture } from "./resize.js" */

/** How one model wants its pictures, as `Preprocess` of Python; `sides` are rows and columns of what it reads.
 *  @typedef {{ sides: number[], crop_fraction: number, resize: string, interpolation: string, mean: number[],
 *      std: number[] }} Rule */
/** A part of a picture, as `Crop` of Python. @typedef {{ left: number, top: number, side: number }} Crop */
/** @typedef {{ width: number, height: number }} Sized */

const MOST_SCALED = 64e6; // pixels of the whole picture, resized; of a larger one only the crop is made

/** Exactly the pixels that the model sees; of the chosen part where there is one.
 *  @param {Picture} picture @param {Rule} rule @param {Crop | null} [chosen] @returns {Picture} */
export function crop(picture, rule, chosen) {
    const [rows, columns] = rule.sides;
    const [width, height] = scaled(picture, rule);
    if (chosen || width * height > MOST_SCALED)
        return resize(picture, columns, rows, rule.interpolation, exactBox(picture, rule, chosen));
    const [left, top] = corner(picture, rule);
    return cut(resize(picture, width, height, rule.interpolation), left, top, columns, rows);
}

/** Where the crop lies in the picture, in its own whole pixels: left, top, right, bottom.
 *  @param {Sized} picture @param {Rule} rule @param {Crop | null} [chosen] */
export const box = (picture, rule, chosen) => exactBox(picture, rule, chosen).map(even);

/** What `crop` returned, as the model reads it, patch by patch: `n (c ph pw)`.
 *  @param {Picture} cropped @param {Rule} rule @param {number[]} patchSides rows and columns of a patch */
export function patches({ width, height, channels, data }, { mean, std }, [tall, wide]) {
    const values = mean.map((middle, channel) => normalised(middle, std[channel]));
    const found = new Float32Array(width * height * channels);
    let at = 0;
    for (let top = 0; top < height; top += tall)
        for (let left = 0; left < width; left += wide)
            for (let channel = 0; channel < channels; channel++)
                for (let y = top; y < top + tall; y++)
                    for (let x = left; x < left + wide; x++)
                        found[at++] = values[channel][data[(y * width + x) * channels + channel]];
    return found;
}

/** What each byte becomes, in the steps in which Python takes them. @param {number} mean @param {number} std */
function normalised(mean, std) {
    const [middle, spread] = [mean, std].map(Math.fround);
    return Float32Array.from({ length: 256 }, (_, byte) => Math.fround(Math.fround(byte / 255) - middle) / spread);
}

/** A part of whole pixels. @param {Picture} picture @param {number} left @param {number} top @param {number} width
 *  @param {number} height @returns {Picture} */
function cut(picture, left, top, width, height) {
    const { channels } = picture;
    const data = new Uint8Array(width * height * channels);
    for (let y = 0; y < height; y++) {
        const from = ((top + y) * picture.width + left) * channels;
        data.set(picture.data.subarray(from, from + width * channels), y * width * channels);
    }
    return { width, height, channels, data };
}

/** Width and height after resizing, before the cut. @param {Sized} picture @param {Rule} rule */
function scaled({ width, height }, { sides, crop_fraction, resize }) {
    if (resize === "squash") return [sides[1], sides[0]];
    const [tall, wide] = sides.map((side) => Math.floor(side / crop_fraction));
    if (tall * width >= wide * height) return [Math.floor((tall * width) / height), tall];
    return [wide, Math.floor((wide * height) / width)];
}

/** Left and top of the cut in the resized picture. @param {Sized} picture @param {Rule} rule */
function corner(picture, rule) {
    const [width, height] = scaled(picture, rule);
    return [even((width - rule.sides[1]) / 2), even((height - rule.sides[0]) / 2)];
}

/** Where the crop lies in the picture, to fractions of a pixel.
 *  @param {Sized} picture @param {Rule} rule @param {Crop | null} [chosen] @returns {[number, number, number, number]} */
function exactBox(picture, rule, chosen) {
    if (chosen) return boxOf(chosen, picture, rule.sides);
    const [width, height] = scaled(picture, rule);
    const [across, down] = [picture.width / width, picture.height / height];
    const [left, top] = corner(picture, rule);
    const [right, bottom] = [(left + rule.sides[1]) * across, (top + rule.sides[0]) * down];
    return [left * across, top * down, Math.min(right, picture.width), Math.min(bottom, picture.height)];
}

/** Where a chosen part lies; what would stick out is moved inside. @param {Crop} chosen @param {Sized} picture
 *  @param {number[]} sides @returns {[number, number, number, number]} */
function boxOf(chosen, { width, height }, [rows, columns]) {
    const unit = Math.min(width, height) / 1000;
    const largest = Math.min(height / rows, width / columns);
    const share = Math.min(chosen.side, 1000) / 1000;
    const [wide, tall] = [columns, rows].map((side) => Math.max(1, share * largest * side));
    const left = Math.min(chosen.left * unit, width - wide);
    const top = Math.min(chosen.top * unit, height - tall);
    return [left, top, left + wide, top + tall];
}

/** Rounded, halves to the even number, as Python does it. @param {number} value */
function even(value) {
    const whole = Math.round(value);
    return whole - value === 0.5 && whole % 2 ? whole - 1 : whole;
}
