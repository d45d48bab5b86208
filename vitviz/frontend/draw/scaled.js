// A photo at the size of a tile, scaled once for all of them.

/** @type {{ photo: ImageBitmap | null, size: number, picture: OffscreenCanvas | null }} */
const last = { photo: null, size: 0, picture: null };

/** The photo at the size of a tile: scaling it for every tile would take the frame. @param {ImageBitmap} photo
 *  @param {number} size in pixels of the screen */
export function tilePhoto(photo, size) {
    const side = Math.max(1, Math.round(size));
    if (last.picture && last.photo === photo && last.size === side) return last.picture;
    const scale = side / Math.max(photo.width, photo.height);
    const [wide, tall] = [photo.width, photo.height].map((length) => Math.max(1, Math.round(length * scale)));
    const picture = new OffscreenCanvas(wide, tall);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (picture.getContext("2d"));
    context.imageSmoothingQuality = "high";
    context.drawImage(photo, 0, 0, wide, tall);
    Object.assign(last, { photo, size: side, picture });
    return picture;
}
