// @ts-check
/**
 * Times of the example agents' requests: half a minute apart, as in real work, with occasional breaks.
 * `clock-of-requests.mjs`, imported before an agent's program, sets its clock to these times, so that a morning's work
 * takes a second.
 */
const STEP_MS = 30_000;
/** Requests between two breaks. */
const BREAK_EVERY = 40;
const BREAK_MS = 600_000;
const START_MS = Date.UTC(2026, 0, 5, 9);

/** @param {number} requests number of requests so far @returns {number} ms since the epoch */
export const timeAfter = (requests) => START_MS + requests * STEP_MS + Math.floor(requests / BREAK_EVERY) * BREAK_MS;
