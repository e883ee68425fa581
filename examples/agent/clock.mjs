// @ts-check
/**
 * When the requests of an example's agent are made: half a minute apart, as in real work, with a break now and then. Imported
 * before an agent's program, `clock-of-requests.mjs` has its clock say so, so that a morning's work takes a second.
 */
const STEP_MS = 30_000;
const BREAK_EVERY = 40;
const BREAK_MS = 600_000;
const START_MS = Date.UTC(2026, 0, 5, 9);

/** @param {number} requests that were made before @returns {number} ms since the epoch */
export const timeAfter = (requests) => START_MS + requests * STEP_MS + Math.floor(requests / BREAK_EVERY) * BREAK_MS;
