// What is fetched once it is shown: a guess before the maps, and how long tokens are.

import { Guess } from "./guess.js";
import { Lengths } from "./lengths.js";

export const later = { Guess, Lengths };

/** @typedef {typeof later} Later */
