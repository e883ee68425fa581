// @ts-check
/** Parses option values; errors say what was expected. */

/** An invalid command line. */
export class UsageError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'UsageError';
  }
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const durationPattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const durationPart = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** @param {string} text such as `15m` or `1h30m` @returns {number | undefined} milliseconds */
function readDuration(text) {
  if (!durationPattern.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(durationPart)) {
    total += Number(amount) * unitMs[/** @type {keyof typeof unitMs} */ (unit)];
  }
  return total;
}

/** @param {string} option @param {string} text @returns {number} milliseconds */
export function parseDuration(option, text) {
  const duration = readDuration(text);
  if (duration !== undefined) return duration;
  throw new UsageError(`${option}: expected a duration with its unit, such as 15m, 90s or 1h30m; got “${text}”`);
}

/** @param {string} option @param {string} text @returns {number} */
export function parseCount(option, text) {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new UsageError(`${option}: expected a whole number, 0 or more; got “${text}”`);
}

/** @param {string} option @param {string} text @returns {number} */
export function parsePort(option, text) {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`${option}: expected a whole number from 0 (a free port) to 65535; got “${text}”`);
}

/** @param {string} option @param {string} text @returns {string[]} */
export function parseNames(option, text) {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new UsageError(`${option}: expected one or more names separated by commas; got “${text}”`);
}

/** @template {string} T @param {string} option @param {string} text @param {readonly T[]} choices @returns {T} */
export function parseChoice(option, text, choices) {
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${option}: expected ${choices.join(' or ')}; got “${text}”`);
}

/**
 * The time from which ages are measured. `at`: ms since 1970; `afterLast`: ms after a session's last timestamp.
 * @typedef {{ at: number } | { afterLast: number }} Moment
 */

/** @param {string} option @param {string} text @returns {Moment} */
export function parseMoment(option, text) {
  if (text === 'now') return { at: Date.now() };
  const relative = /^last(?:([+-])(.+))?$/.exec(text);
  if (relative !== null) {
    const [, sign, duration] = relative;
    const offset = duration === undefined ? 0 : readDuration(duration);
    if (offset !== undefined) return { afterLast: sign === '-' ? -offset : offset };
  } else if (/^\d+$/.test(text)) {
    return { at: Number(text) };
  } else if (/^\d{4}-\d{2}-\d{2}/.test(text)) {
    const at = Date.parse(text);
    if (!Number.isNaN(at)) return { at };
  }
  throw new UsageError(
    `${option}: expected milliseconds since 1970, an ISO date such as 2026-01-31T02:00:00Z, now, or last ` +
      `(with an offset such as last+1h); got “${text}”`,
  );
}
