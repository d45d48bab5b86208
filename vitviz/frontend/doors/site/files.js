// Files of the site: each is a script that says what it holds, so that it comes from a disk as well, and into a frame that
// may ask for nothing.

/** What Python says of the site: models and pictures, and where each file lies by its name; or that the page is `alone`,
 *  and has all of them.
 *  @typedef {{ models: Record<string, string>, pictures: { link: string, title: string, alt: string, drawn: boolean }[],
 *    files: Record<string, string>, alone: boolean }} Manifest */

const manifest = /** @type {Manifest} */ (Reflect.get(globalThis, "__vitviz_manifest"));
const { files } = manifest;
export const models = manifest.models;
export const pictures = manifest.pictures;

/** What has come, by name: base64 of a gzip file. @returns {Record<string, string>} */
const come = () => Reflect.get(globalThis, "__vitviz_files") ?? {};

/** @type {Map<string, Promise<Uint8Array>>} */
const held = new Map();

/** Whether the site has a file of that name. @param {string} name */
export const has = (name) => name in files;

/** What a file holds. Rejects with a sentence where it does not come. @param {string} name @returns {Promise<Uint8Array>} */
export function opened(name) {
    const found = held.get(name) ?? open(name);
    held.set(name, found);
    found.catch(() => held.delete(name)); // it may come another time
    return found;
}

/** @param {string} name */
async function open(name) {
    if (!(name in come())) await brought(name);
    const packed = Uint8Array.from(atob(come()[name]), (letter) => letter.charCodeAt(0));
    delete come()[name];
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} name */
function brought(name) {
    const script = document.createElement("script");
    script.src = files[name];
    return new Promise((done, fail) => {
        script.onload = done;
        script.onerror = () => fail(new Error(`${files[name]} did not come; is the connection gone? Try again`));
        document.head.append(script);
    }).finally(() => script.remove());
}

/** Whether the page lies on a disk, where a worker reads no address of the page's. */
export const onDisk = location.protocol === "file:";

/** Whether the page's address stays what it is. */
export const stays = onDisk || manifest.alone;

/** Addresses that hold files, by name. @type {Map<string, Promise<string>>} */
const addresses = new Map();

/** An address in this browser that holds a file, for workers. @param {string} name @param {string} [type]
 *  @returns {Promise<string>} */
export function addressOf(name, type = "application/octet-stream") {
    const found = addresses.get(name) ?? addressed(name, type);
    addresses.set(name, found);
    found.catch(() => addresses.delete(name)); // it may come another time
    return found;
}

/** @param {string} name @param {string} type @returns {Promise<string>} */
async function addressed(name, type) {
    const blob = new Blob([/** @type {BlobPart} */ (await opened(name))], { type });
    held.delete(name); // the address has it
    if (!onDisk || type !== "application/octet-stream") return URL.createObjectURL(blob);
    const reader = new FileReader();
    return new Promise((done) => {
        reader.onload = () => done(String(reader.result));
        reader.readAsDataURL(blob);
    });
}

/** What a file says. @param {string} name @returns {Promise<any>} */
export const said = async (name) => JSON.parse(new TextDecoder().decode(await opened(name)));
