// The connection to a room: opened anew when it breaks, and never fuller than the room allows.

const FIRST = 200; // ms until a connection is opened anew; longer each time, up to
const MOST = 1000;
const SILENT = 4000; // ms after which a connection that has said nothing at all is given up
const ASLEEP = 5000; // ms out of sight after which a connection may be dead without having said so
const FOR_GOOD = [4400, 4403, 4409]; // the room has said no, or another window of this browser has the place

/** Sends the newest of what it is given, at most once in `pause` ms. @template Thing */
export class Throttle {
    /** @param {number} pause ms @param {(thing: Thing) => void} send */
    constructor(pause, send) {
        this.pause = pause;
        this.send = send;
        /** @type {{ thing: Thing } | null} */
        this.waiting = null;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
    }

    /** @param {Thing} thing */
    give(thing) {
        if (this.timer) {
            this.waiting = { thing };
            return;
        }
        this.send(thing);
        this.timer = setTimeout(() => {
            this.timer = 0;
            const { waiting } = this;
            this.waiting = null;
            if (waiting) this.give(waiting.thing);
        }, this.pause);
    }
}

/** ms until the next try. @param {number} tries how many were in vain @param {number} chance from 0 to 1, so that a hall
 *  does not come all at once */
export const pauseAfter = (tries, chance) => Math.min(MOST, FIRST * 2 ** tries) * (0.5 + chance / 2);

/** Where a room is met. @param {string} folder that all pages lie in @param {string} code */
export function addressOf(folder, code) {
    const url = new URL(`${folder}lecture/socket/${code}`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return url.href;
}

export class Connection {
    /** @param {string} url @param {() => object} hello what is said first
     *  @param {(message: Record<string, any>) => void} heard
     *  @param {(open: boolean, says: string, code: number, shut: boolean) => void} changed `shut`: it is not opened anew by itself */
    constructor(url, hello, heard, changed) {
        this.url = url;
        this.hello = hello;
        this.heard = heard;
        this.changed = changed;
        this.tries = 0;
        /** How many steps were moved over this socket; what the room says before it has heard of all of them is old. */
        this.moves = 0;
        /** Whether the room has yet to hear of the last one. */
        this.ahead = false;
        /** @type {WebSocket | null} */
        this.socket = null;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
        this.hiddenAt = Number.POSITIVE_INFINITY;
        this.online = () => this.open();
        this.offline = () => this.lost();
        this.seen = () => {
            if (document.hidden) this.hiddenAt = Date.now();
            else if (Date.now() - this.hiddenAt > ASLEEP) this.open();
        };
        addEventListener("online", this.online);
        addEventListener("offline", this.offline);
        document.addEventListener("visibilitychange", this.seen);
        this.open();
    }

    open() {
        this.drop();
        const socket = new WebSocket(this.url);
        this.socket = socket;
        this.moves = 0;
        this.ahead = false;
        this.timer = setTimeout(() => this.lost(), SILENT);
        socket.onopen = () => socket.send(JSON.stringify(this.hello()));
        socket.onmessage = ({ data }) => {
            if (this.socket !== socket) return;
            clearTimeout(this.timer);
            const message = JSON.parse(data);
            if (message.state) {
                this.tries = 0;
                this.changed(true, "", 0, false);
            }
            if (!this.isOld(message)) this.heard(message);
        };
        socket.onclose = ({ code, reason }) => this.socket === socket && this.lost(code, reason);
    }

    /** @param {number} [code] @param {string} [reason] */
    lost(code = 0, reason = "") {
        this.drop();
        const shut = FOR_GOOD.includes(code);
        this.changed(false, reason, code, shut);
        if (shut) return this.close();
        this.timer = setTimeout(() => this.open(), pauseAfter(this.tries++, Math.random()));
    }

    /** Whether the room said this of a place that this browser has left since. @param {Record<string, any>} message */
    isOld({ state, view }) {
        if (state && this.ahead) this.ahead = state.heard < this.moves;
        return this.ahead && (state !== undefined || view !== undefined);
    }

    /** @param {object} message @returns {boolean} whether it went out */
    send(message) {
        const open = this.socket?.readyState === WebSocket.OPEN;
        if (open) this.socket?.send(JSON.stringify(message));
        if (open && "move" in message) {
            this.moves++;
            this.ahead = true;
        }
        return open;
    }

    drop() {
        clearTimeout(this.timer);
        const { socket } = this;
        this.socket = null;
        socket?.close();
    }

    close() {
        this.drop();
        removeEventListener("online", this.online);
        removeEventListener("offline", this.offline);
        document.removeEventListener("visibilitychange", this.seen);
    }
}
