// What the two last moments are made of, and what runs the model in this browser: fetched once one of them is shown.

import { TrialHere } from "./here.js";
import { drawRandomised, readRandomised } from "./randomised.js";
import { drawTrial, fillPhoto, readTrial } from "./trial.js";

export const later = { TrialHere, drawRandomised, drawTrial, fillPhoto, readRandomised, readTrial };

/** @typedef {typeof later} Later */
