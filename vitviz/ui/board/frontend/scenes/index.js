// The scenes by the stem of their page.

import { classHead } from "./class_head/class_head.js";
import { depth } from "./depth.js";
import { encoderBlock } from "./encoder_block/encoder_block.js";
import { heads } from "./heads/heads.js";
import { overview } from "./overview/overview.js";
import { patchEmbedding } from "./patch_embedding.js";
import { patchGrid } from "./patch_grid/patch_grid.js";
import { positionEmbedding } from "./position_embedding.js";
import { queryKeyValue } from "./query_key_value/query_key_value.js";

/** @import { Board } from "../state/board.js" */
/** @import { Photo } from "../frame/photo.js" */
/** @import { Scene } from "../types.js" */

/** @type {Record<string, (root: HTMLElement, board: Board, photo: Photo) => Scene>} */
export const SCENES = {
    "": overview,
    class_head: classHead,
    depth,
    encoder_block: encoderBlock,
    patch_embedding: patchEmbedding,
    heads,
    patch_grid: patchGrid,
    position_embedding: positionEmbedding,
    query_key_value: queryKeyValue,
};
