/** Parses option values; errors say what was expected. */

/** An invalid command line. */
export class UsageError extends Error {
  /** @override */ name = 'UsageError';
}

/** @param {string} option @param {string} expected @param {string} text @returns {never} */
function refuse(option, expected, text) {
  throw new UsageError(`${option}: expected ${expected}; got “${text}”`);
}

const unitMs = /** @type {Readonly<Record<string, number>>} */ ({ ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 });

/** @param {string} text such as `15m` or `1h30m` @returns {number | undefined} milliseconds */
function readDuration(text) {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  return parts.reduce((total, [, amount, unit = '']) => total + Number(amount) * (unitMs[unit] ?? 0), 0);
}

/** @param {string} option @param {string} text @returns {number} milliseconds */
export function parseDuration(option, text) {
  return readDuration(text) ?? refuse(option, 'a duration with its unit, such as 15m, 90s or 1h30m', text);
}

/** @param {string} option @param {string} text */
export function parseCount(option, text) {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  return refuse(option, 'a whole number, 0 or more', text);
}

/** @param {string} option @param {string} text */
export function parseNames(option, text) {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) refuse(option, 'one or more names separated by commas', text);
  return names;
}

/** @template {string} T @param {string} option @param {string} text @param {readonly T[]} choices @returns {T} */
export function parseChoice(option, text, choices) {
  return choices.find((choice) => choice === text) ?? refuse(option, choices.join(' or '), text);
}

/** @typedef {{ at: number } | { afterLast: number }} Moment in ms: since 1970, or after a session's last timestamp */

/** @param {string} option @param {string} text @returns {Moment} the time from which ages are measured */
export function parseMoment(option, text) {
  if (text === 'now') return { at: Date.now() };
  const [isRelative, sign, duration] = /^last(?:([+-])(.+))?$/.exec(text) ?? [];
  if (isRelative) {
    const offset = duration === undefined ? 0 : readDuration(duration);
    if (offset !== undefined) return { afterLast: sign === '-' ? -offset : offset };
  }
  if (/^\d+$/.test(text)) return { at: Number(text) };
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return { at };
  const expected = 'milliseconds since 1970, an ISO date such as 2026-01-31T02:00:00Z, now, or last';
  return refuse(option, `${expected} (with an offset such as last+1h)`, text);
}
