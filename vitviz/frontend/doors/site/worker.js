// What runs in the worker of a site: what makes the numbers of each page is handed to it.

/** @import { Make_ } from "../../types/numbers.js" */

import { serve } from "../../numbers/worker.js";
import { attend } from "../../transport/inbox.js";

/** @type {Record<string, Make_>} */
const pages = {};
attend((sent) => {
    const { stem, load } = /** @type {{ stem: string, load(): Make_ }} */ (/** @type {unknown} */ (sent));
    pages[stem] = load();
});
serve(pages);
